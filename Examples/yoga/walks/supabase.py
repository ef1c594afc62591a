# SPDX-License-Identifier: Apache-2.0
"""G: Supabase. Signed up, verified, a forgotten password, Google in a browser, no network, signed out everywhere; nobody is told
who has an account."""

from .browser import Browser
from .hosted import ADA
from .support import NEW_PASSWORD, PASSWORD, Device, expect, fresh_address


def walk(server):
    device = Device(server, "supabase")
    address = fresh_address("supabase")
    state = device.says("sign-up", "--email", address, typed=[PASSWORD])
    expect(state["step"] == "confirmation", f"a confirmation is awaited, but {state}")
    device.refuses("confirm", "--email", address, "--code", "000000")
    device.does("confirm", "--email", address, "--code", server.mail(address)["code"])
    wrong = device.refuses("sign-in", "--email", address, typed=["Wrong-horse-7-battery"], error="invalid_credentials")
    nobody = device.refuses("sign-in", "--email", fresh_address("nobody"), typed=[PASSWORD])
    expect(wrong == nobody, "it is told who has an account (G-1.3)")
    device.does("sign-in", "--email", address, typed=[PASSWORD])
    device.does("me")
    device.does("activities")
    device.hammers()
    reset(server, device, address)
    # By Google in a browser, to an account of its own.
    device.signs_in("--with", "google", browser=Browser(account=ADA))
    expect(device.says("me")["email"] == "ada@example.com", "not who signed in")
    offline(device)


def reset(server, device, address):
    known, unknown = (device.says("reset", "--email", each) for each in (address, fresh_address("nobody")))
    expect(known == unknown, "it is told who has an account (G-3.6)")
    # Whoever has the code is signed in, with the new password.
    device.does("reset", "--email", address, "--code", server.mail(address, count=2)["code"], typed=[NEW_PASSWORD])
    device.does("sign-out")
    device.refuses("sign-in", "--email", address, typed=[PASSWORD], error="invalid_credentials")
    device.does("sign-in", "--email", address, typed=[NEW_PASSWORD])
    device.does("sign-out", "--everywhere")
    device.is_signed_out()


def offline(device):
    """Without a network the session is kept, and ended where the user says so (G-7, G-13)."""
    device.refuses("me", offline=True, error="network")
    device.does("me")
    device.does("sign-out", offline=True)
    device.is_signed_out()

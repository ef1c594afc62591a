# SPDX-License-Identifier: Apache-2.0
"""C: a user pool by password, which by SRP does not leave the device. Signed up, confirmed, a wrong code and a wrong password,
a forgotten one."""

from .support import NEW_PASSWORD, PASSWORD, Device, expect, fresh_address


def walk(server):
    device = Device(server, "cognito-password")
    address = fresh_address("password")
    state = device.says("sign-up", "--email", address, "--name", "Ada Lind", typed=[PASSWORD])
    expect(state["step"] == "confirmation", f"a confirmation is awaited, but {state}")
    device.refuses("confirm", "--email", address, "--code", "000000")
    device.does("confirm", "--email", address, "--resend")
    device.does("confirm", "--email", address, "--code", server.mail(address, count=2)["code"])
    device.refuses("sign-in", "--email", address, typed=["Wrong-horse-7-battery"], error="invalid_credentials")
    device.does("sign-in", "--email", address, typed=[PASSWORD])
    expect(device.says("me")["email"] == address, "not who signed in")
    device.does("activities")
    device.hammers()
    # Forgotten: the old one is none any more, and whoever asks for nobody is told the same.
    device.does("reset", "--email", address)
    device.does("reset", "--email", fresh_address("nobody"))
    device.does("reset", "--email", address, "--code", server.mail(address, count=3)["code"], typed=[NEW_PASSWORD])
    device.refuses("sign-in", "--email", address, typed=[PASSWORD], error="invalid_credentials")
    device.does("sign-in", "--email", address, typed=[NEW_PASSWORD])
    other = Device(server, "cognito-password")
    other.does("sign-in", "--email", address, typed=[NEW_PASSWORD])
    device.does("sign-out", "--everywhere")
    device.is_signed_out()
    # Ended elsewhere: the next refusal of the API says it here too.
    other.refuses("hammer", "1", "--expired")
    other.is_signed_out()

# SPDX-License-Identifier: Apache-2.0
"""H: Google's own sign-in on the device and an identity pool, without the user pool's pages. Somebody new, somebody known by
the pages, several devices, no network, and no sign-in by itself after a sign-out."""

import time

from .browser import Browser
from .hosted import ADA
from .support import Device, expect, fresh_address


def walk(server):
    device = Device(server, "cognito-hybrid")
    device.turns_back(browser=Browser(button="cancel"), error="cancelled")
    # Somebody new: the pool's user is made.
    address = fresh_address("hybrid")
    newcomer = Browser(typed=(str(time.time_ns()), address, "Mary Jackson"))
    device.signs_in(browser=newcomer)
    made = device.says("me")
    expect(made["email"] == address, f"the newcomer, but {made}")
    expect(not any("/oauth2/" in step or "/account/" in step for step in newcomer.visited), "pages of the pool's")
    expect(device.does("activities") == "", "activities of nobody")
    device.hammers()
    sign_out(device)
    known(server, device)
    offline(device)


def sign_out(device):
    """Nothing is opened for it, and the next sign-in asks Google again (H-5)."""
    device.does("sign-out")
    device.is_signed_out()
    asked = Browser(button="cancel")
    device.turns_back(browser=asked, error="cancelled")
    expect(any("prompt=select_account" in step for step in asked.visited), "nobody was asked")


def known(server, device):
    """Who came by the pages before is the same user (H-9), on every device (H-12)."""
    by_pages = Device(server, "cognito-hosted")
    by_pages.signs_in("--with", "google", browser=Browser(account=ADA))
    device.signs_in(browser=Browser(account=ADA))
    other = Device(server, "cognito-hybrid")
    other.signs_in(browser=Browser(account=ADA))
    users = {each.says("me")["sub"] for each in (by_pages, device, other)}
    expect(len(users) == 1, f"one user is {len(users)}")
    other.does("sign-out")
    other.is_signed_out()
    device.does("me")


def offline(device):
    """Without a network the user stays, and signing out works."""
    device.refuses("me", offline=True, error="network")
    device.does("me")
    device.does("sign-out", offline=True)
    device.is_signed_out()

# SPDX-License-Identifier: Apache-2.0
"""F: Firebase, by Google's own sign-in and by password; an API that refuses a token; signed out. Apple's needs Apple's kit."""

import re
import time

from .browser import Browser
from .support import NEW_PASSWORD, PASSWORD, Device, expect, fresh_address


def walk(server):
    device = Device(server, "firebase")
    address = fresh_address("firebase")
    device.turns_back("--with", "google", browser=Browser(button="cancel"), error="cancelled")
    device.signs_in("--with", "google", browser=Browser(typed=(str(time.time_ns()), address, "Katherine Johnson")))
    expect(device.says("me")["email"] == address, "not who signed in")
    device.hammers()
    device.does("sign-out")
    device.is_signed_out()
    by_password(server, device)


def by_password(server, device):
    address = fresh_address("firebase")
    # Who signs up is signed in.
    expect(device.says("sign-up", "--email", address, typed=[PASSWORD])["state"] == "signedIn", "not signed in")
    device.does("activities")
    device.does("sign-out")
    device.refuses("sign-in", "--email", address, typed=["Wrong-horse-7-battery"], error="invalid_credentials")
    device.does("reset", "--email", address)
    link = server.mail(address)["link"]
    device.does("reset", "--email", address, "--code", re.search(r"oobCode=([^&]+)", link)[1], typed=[NEW_PASSWORD])
    device.does("sign-in", "--email", address, typed=[NEW_PASSWORD])
    device.does("sign-out")
    device.is_signed_out()

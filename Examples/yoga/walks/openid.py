# SPDX-License-Identifier: Apache-2.0
"""Latchkey itself, as an OpenID provider with pages of its own."""

from .browser import Browser
from .support import Device, expect


def walk(server):
    demo = server.settings["demo"]
    device = Device(server, "latchkey")
    device.signs_in(browser=Browser(person=(demo["email"], demo["password"])))
    expect(device.says("me")["email"] == demo["email"], "not who signed in")
    expect(len(device.says("activities", "--limit", "20", "--pages", "2")) == 40, "not two pages")
    device.hammers()
    device.does("sign-out")
    device.is_signed_out()

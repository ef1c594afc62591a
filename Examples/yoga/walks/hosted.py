# SPDX-License-Identifier: Apache-2.0
"""Y: an app whose users come by Google through a user pool's own pages. Signed in, unseen refreshes, the end of a refresh
token, the profile, the activities, signed out."""

import time

from .browser import Browser
from .support import Device, expect, fresh_address, shorten

ADA = "100000000000000000001"
PICTURE = "https://pictures.example/grace.png"


def walk(server):
    device = Device(server, "cognito-hosted")
    device.is_signed_out()
    # Turned back, and a provider that fails: where they were, and free to try again (Y-US1).
    device.turns_back("--with", "google", browser=Browser(button="cancel"), error="cancelled")
    device.turns_back("--with", "google", browser=Browser(button="fail"), error="identity_provider_unavailable")
    device.signs_in("--with", "google", browser=Browser(account=ADA))
    # Each command is a start of the app: nobody is asked again.
    me = device.says("me")
    expect(me["email"] == "ada@example.com" and me["name"], f"the profile of Google's, but {me}")
    device.does("activities")
    device.hammers()
    device.does("sign-out")
    device.is_signed_out()
    newcomer(server)
    activities(server)
    expiry(server)


def newcomer(server):
    """Somebody new is shown as Google knows them, has no activities, and is told so."""
    device = Device(server, "cognito-hosted")
    address = fresh_address("newcomer")
    device.signs_in("--with", "google", browser=Browser(typed=(str(time.time_ns()), address, "Grace Hopper"), claims={"picture": PICTURE}))
    me = device.says("me")
    expect(me["email"] == address and me["name"] == "Grace Hopper" and me["picture"] == PICTURE, f"the newcomer, but {me}")
    expect(device.does("activities") == "", "activities of nobody")


def activities(server):
    """The demo user's, by a password on the pages: page by page, the newest first."""
    demo = server.settings["demo"]
    device = Device(server, "cognito-hosted")
    device.signs_in(browser=Browser(person=(demo["email"], demo["password"])))
    found = device.says("activities", "--limit", "50", "--pages", "3")
    times = [each["timestamp"] for each in found]
    expect(len(found) == 150 and len({each["id"] for each in found}) == 150, f"{len(found)} activities")
    expect(times == sorted(times, reverse=True), "the activities are not in order")


def expiry(server):
    """A refresh token that has expired ends the session, and says so in words (Y-US2, C-11)."""
    demo = server.settings["demo"]
    made = server.cognito(
        "CreateUserPoolClient", ClientName="short-lived", AllowedOAuthFlowsUserPoolClient=True,
        AllowedOAuthFlows=["code"], AllowedOAuthScopes=["openid", "email", "profile", "aws.cognito.signin.user.admin"],
        CallbackURLs=["http://127.0.0.1/callback"], SupportedIdentityProviders=["COGNITO"],
        ExplicitAuthFlows=["ALLOW_REFRESH_TOKEN_AUTH"])["UserPoolClient"]["ClientId"]
    shorten(server, made, seconds=3)
    device = Device(server, "cognito-hosted", "--client-id", made)
    device.signs_in(browser=Browser(person=(demo["email"], demo["password"])))
    time.sleep(4)
    said = device.refuses("hammer", "1", "--expired", error="session_expired")
    expect("sign in" in said["message"].lower(), f"no word of signing in: {said}")
    device.is_signed_out()

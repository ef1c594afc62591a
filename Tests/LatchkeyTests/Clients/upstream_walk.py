# SPDX-License-Identifier: Apache-2.0
"""Users come by identity providers that nobody here wrote, each of which is "any OpenID provider" to this server: found by
discovery, with its own keys, its own way of authentication, and its own idea of what an ID token holds.

Arguments: the server's URL, and two free ports."""

import sys
import urllib.parse

import requests

from support import BASE, http, settings, steps
from upstreams import Glewlwyd, Mock

PORTS = [int(port) for port in sys.argv[2:4]]
config = settings()["supabase"]
AUTH = config["url"].rstrip("/") + "/auth/v1"
BACK = "http://localhost:3000/back"
OPERATOR = {"apikey": config["serviceRoleKey"], "Authorization": "Bearer " + config["serviceRoleKey"]}


def register(upstream, name):
    status, _, body = http("POST", AUTH + "/admin/custom-providers", {
        "provider_type": "oidc", "identifier": name, "name": name, "client_id": upstream.client,
        "client_secret": upstream.secret, "issuer": upstream.issuer, "scopes": ["openid", "email", "profile"]}, OPERATOR)
    assert status in (200, 201), (status, body)


def leave(name):
    """A browser that was sent away, and where to."""
    browser = requests.Session()
    reply = browser.get(f"{AUTH}/authorize", params={"provider": name, "redirect_to": BACK}, allow_redirects=False,
                        timeout=30)
    assert reply.status_code == 302, (reply.status_code, reply.text)
    return browser, reply.headers["Location"]


def told(browser, url):
    """What the app is told when the browser comes back."""
    reply = browser.get(url, allow_redirects=False, timeout=30)
    place = reply.headers.get("Location", "")
    assert place.startswith(BACK), (reply.status_code, place, reply.text)
    parts = urllib.parse.urlsplit(place)
    return dict(urllib.parse.parse_qsl(parts.fragment or parts.query))


def signed_in(upstream, name):
    browser, url = leave(name)
    assert url.startswith(upstream.issuer), url
    answer = told(browser, upstream.answer(url))
    assert "access_token" in answer, answer
    status, _, user = http("GET", AUTH + "/user", headers={
        "apikey": config["anonKey"], "Authorization": "Bearer " + answer["access_token"]})
    assert status == 200, user
    return user


def by_way_of(upstream, name):
    first = signed_in(upstream, name)
    assert first["email"] == upstream.user["email"] and first["email_confirmed_at"], first
    [identity] = [one for one in first["identities"] if one["provider"] == name]
    assert identity["identity_data"]["full_name"] == upstream.user["name"], identity
    assert signed_in(upstream, name)["id"] == first["id"]
    # A code is good once, in the browser that asked, and nowhere else.
    browser, url = leave(name)
    back = upstream.answer(url)
    assert "access_token" not in told_or_refused(requests.Session(), back)
    assert "access_token" in told(browser, back)
    assert "access_token" not in told_or_refused(browser, back)


def told_or_refused(browser, url):
    reply = browser.get(url, allow_redirects=False, timeout=30)
    assert reply.status_code < 500, (reply.status_code, reply.text)
    parts = urllib.parse.urlsplit(reply.headers.get("Location", ""))
    return dict(urllib.parse.parse_qsl(parts.query + "&" + parts.fragment))


def users_come_by_a_provider_of_pypi():
    with Mock(PORTS[0]) as upstream:
        register(upstream, "custom:mock")
        by_way_of(upstream, "custom:mock")
        browser, url = leave("custom:mock")
        # It forgets the state when it says no: nobody knows then where the browser was to go on.
        answer = told_or_refused(browser, upstream.refuse(url))
        assert answer["error_code"] == "bad_oauth_callback" and "access_token" not in answer, answer
        browser, url = leave("custom:mock")
        back = upstream.answer(url)
    # It is gone when the browser comes back, and when the next is to be sent away.
    assert "access_token" not in told(browser, back)


def users_come_by_a_provider_of_debian():
    with Glewlwyd(PORTS[1]) as upstream:
        upstream.configure(AUTH + "/callback")
        register(upstream, "custom:glewlwyd")
        by_way_of(upstream, "custom:glewlwyd")


steps(users_come_by_a_provider_of_pypi, users_come_by_a_provider_of_debian)

# SPDX-License-Identifier: Apache-2.0
"""Sign-in through other people's identity providers by supabase-auth: by redirect with and without PKCE, by ID token, linked and
unlinked. The providers are those that the development server plays.

Arguments: the server's URL."""

import hashlib
import secrets
import urllib.parse

import httpx
import requests
from supabase_auth import SyncGoTrueClient
from supabase_auth.errors import AuthApiError

from support import BASE, fresh_address, settings, steps

BACK = "http://localhost:3000/back"
config = settings()["supabase"]
AUTH = config["url"].rstrip("/") + "/auth/v1"


def client(flow="pkce"):
    return SyncGoTrueClient(url=AUTH, headers={"apikey": config["anonKey"]}, auto_refresh_token=False, flow_type=flow,
                            http_client=httpx.Client(timeout=60))


def travel(url, browser=None):
    """A browser's way from `url` to the app: the address that the app is opened by in the end."""
    browser = browser or requests.Session()
    for _ in range(8):
        reply = browser.get(url, allow_redirects=False, timeout=30)
        assert reply.status_code in (302, 303), (reply.status_code, reply.text)
        url = urllib.parse.urljoin(url, reply.headers["Location"])
        if url.startswith(BACK):
            return url
    raise AssertionError("the browser goes round in circles")


def query(url):
    return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(url).query, keep_blank_values=True))


def fragment(url):
    return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(url).fragment, keep_blank_values=True))


def wish(provider, who, **further):
    """Somebody who is signed in at the provider, which need not ask."""
    parameters = {"prompt": "none", "login_hint": who, **further}
    return {"provider": provider, "options": {"redirect_to": BACK, "query_params": parameters}}


def id_token(provider, subject, **members):
    reply = requests.post(BASE + "/dev/identity-provider/id-token",
                          json={"provider": provider, "subject": subject, **members}, timeout=30)
    assert reply.status_code == 200, reply.text
    return reply.json()


def refused(code, work):
    try:
        work()
    except AuthApiError as error:
        assert error.code == code, (error.code, error.message)
    else:
        raise AssertionError("expected " + code)


def by_redirect():
    app = client()
    where = travel(app.sign_in_with_oauth(wish("google", "ada@example.com")).url)
    session = app.exchange_code_for_session({"auth_code": query(where)["code"]}).session
    assert session.provider_token, "the provider's own token"
    assert session.user.email == "ada@example.com" and session.user.app_metadata["provider"] == "google"
    [identity] = [one for one in app.get_user_identities().identities if one.provider == "google"]
    assert identity.identity_data["full_name"] == "Ada Lind", identity.identity_data
    assert identity.identity_data["provider_id"] == identity.id
    renewed = app.refresh_session().session
    assert renewed.provider_token is None
    refused("flow_state_not_found", lambda: client().exchange_code_for_session(
        {"auth_code": query(where)["code"], "code_verifier": secrets.token_urlsafe(48)}))
    # The implicit flow, and the same person.
    implicit = client("implicit")
    given = fragment(travel(implicit.sign_in_with_oauth(wish("google", "ada@example.com")).url))
    assert given["token_type"] == "bearer" and given["provider_token"] and "type" not in given, given
    assert implicit.get_user(given["access_token"]).user.id == session.user.id


def refusals():
    app = client()
    url = app.sign_in_with_oauth(wish("google", "nobody@example.com")).url
    told = travel(url)
    assert query(told)["error"] == "login_required" == fragment(told)["error"], told
    # What one browser was sent away with is worth nothing in another, and leads to the site.
    away = requests.get(app.sign_in_with_oauth(wish("google", "ada@example.com")).url, allow_redirects=False, timeout=30)
    provider = requests.get(away.headers["Location"], allow_redirects=False, timeout=30)
    stolen = requests.get(provider.headers["Location"], allow_redirects=False, timeout=30)
    assert stolen.status_code == 303 and query(stolen.headers["Location"])["error_code"] == "bad_oauth_state"


def by_id_token():
    app, nonce = client(), secrets.token_urlsafe(16)
    given = id_token("google", "ada@example.com", nonce=hashlib.sha256(nonce.encode()).hexdigest())
    wanted = {"provider": "google", "token": given["id_token"], "access_token": given["access_token"], "nonce": nonce}
    user = app.sign_in_with_id_token(wanted).user
    assert user.email == "ada@example.com", user
    again = requests.post(
        AUTH + "/token?grant_type=id_token", headers={"apikey": config["anonKey"]}, timeout=30,
        json={"provider": "google", "id_token": given["id_token"], "nonce": nonce})
    assert (again.status_code, again.json()["error"]) == (400, "invalid request"), again.text
    other = id_token("google", "ada@example.com", nonce="another")
    mismatch = requests.post(
        AUTH + "/token?grant_type=id_token", headers={"apikey": config["anonKey"]}, timeout=30,
        json={"provider": "google", "id_token": other["id_token"], "nonce": nonce})
    assert mismatch.json()["error_description"] == "Nonces mismatch", mismatch.text


def linked():
    app, address = client(), fresh_address("linker")
    service = SyncGoTrueClient(
        url=AUTH, auto_refresh_token=False, http_client=httpx.Client(timeout=60),
        headers={"apikey": config["serviceRoleKey"], "Authorization": "Bearer " + config["serviceRoleKey"]})
    service.admin.create_user({"email": address, "password": "Walking-7-links", "email_confirm": True})
    user = app.sign_in_with_password({"email": address, "password": "Walking-7-links"}).user
    where = travel(app.link_identity(wish("azure", "bruno@example.net")).url)
    session = app.exchange_code_for_session({"auth_code": query(where)["code"]}).session
    assert session.user.id == user.id and session.user.email == address
    identities = app.get_user_identities().identities
    assert sorted(one.provider for one in identities) == ["azure", "email"], identities
    told = query(travel(app.link_identity(wish("azure", "bruno@example.net")).url))
    assert told["error_code"] == "identity_already_exists", told
    [identity] = [one for one in identities if one.provider == "azure"]
    app.unlink_identity(identity)
    assert [one.provider for one in app.get_user_identities().identities] == ["email"]
    [last] = app.get_user_identities().identities
    refused("single_identity_not_deletable", lambda: app.unlink_identity(last))


def revoked_at_the_provider():
    """Cross-Account Protection: the provider posts its event to the address that the guide names, as Google would."""
    app = client()
    given = id_token("google", "revoked@example.com", claims={"email": fresh_address("revoked"), "email_verified": True})
    app.sign_in_with_id_token({"provider": "google", "token": given["id_token"]})
    assert app.refresh_session().session
    told = requests.post(BASE + "/dev/identity-provider/notification", timeout=30,
                         json={"provider": "google", "subject": "revoked@example.com", "event": "revoked"}).json()
    assert told["delivered"] is True, told
    refused("refresh_token_not_found", app.refresh_session)
    # Said again it is accepted, and a forged one is not (RFC 8935, sections 2.2 and 2.4).
    place = BASE + "/v1/identity-providers/google/events"
    headers = {"Content-Type": "application/secevent+jwt"}
    again = requests.post(place, data=told["notification"], headers=headers, timeout=30)
    assert (again.status_code, again.text) == (202, ""), again.text
    forged = requests.post(place, data=told["notification"][:-8] + "AAAAAAAA", headers=headers, timeout=30)
    assert (forged.status_code, forged.json()["err"]) == (400, "authentication_failed"), forged.text
    elsewhere = requests.post(BASE + "/v1/identity-providers/openid/events", data=told["notification"], headers=headers,
                              timeout=30)
    assert (elsewhere.status_code, elsewhere.json()["err"]) == (400, "invalid_key"), elsewhere.text


steps(by_redirect, refusals, by_id_token, linked, revoked_at_the_provider)

# SPDX-License-Identifier: Apache-2.0
"""firebase-admin with a service account's file, as it runs in production: it gets its own access tokens, signs custom
tokens and checks every signature. Only the platform's host names are ours here, as an operator's DNS or proxy makes them.

usage: service_account_walk.py URL LATCHKEY DATABASE
"""

import base64
import json
import os
import subprocess
import sys
import urllib.parse

import requests

from support import BASE, PASSWORD, fresh_address, http, in_another_second, steps

LATCHKEY, DATABASE = sys.argv[2:4]
os.environ.pop("FIREBASE_AUTH_EMULATOR_HOST", None)

import firebase_admin  # noqa: E402
from firebase_admin import auth, credentials  # noqa: E402
from google.auth.exceptions import RefreshError  # noqa: E402

EMAIL = fresh_address("backed")
state = {"hosts": set()}
_send = requests.adapters.HTTPAdapter.send


def send(adapter, request, *arguments, **keywords):
    url = urllib.parse.urlsplit(request.url)
    if url.netloc.endswith(".googleapis.com"):
        state["hosts"].add(url.netloc)
        request.url = BASE + "/" + url.netloc + request.url.split(url.netloc, 1)[1]
    return _send(adapter, request, *arguments, **keywords)


requests.adapters.HTTPAdapter.send = send


def latchkey(*arguments):
    run = subprocess.run([LATCHKEY, *arguments, "--json", "--database", DATABASE], capture_output=True, text=True)
    assert run.returncode == 0, (arguments, run.stderr)
    return json.loads(run.stdout)


def rest(operation, body, status=200):
    answer = requests.post(f"{BASE}/identitytoolkit.googleapis.com/v1/accounts:{operation}",
                           params={"key": state["key"]}, json=body, timeout=30)
    assert answer.status_code == status, (operation, answer.status_code, answer.text)
    return answer.json()


def raises(kind, call, *arguments, **keywords):
    try:
        call(*arguments, **keywords)
    except kind as error:
        return error
    raise AssertionError(f"accepted; expected {kind}")


def the_operator_makes_an_account():
    state["key"] = latchkey("api-key", "create", "app", "--kind", "publishable")["key"]
    state["file"] = latchkey("service-account", "create", "backend", "--url", BASE)
    listed = latchkey("service-account", "list")
    assert [key["id"] for key in listed] == [state["file"]["private_key_id"]] and "PRIVATE" not in json.dumps(listed)
    firebase_admin.initialize_app(credentials.Certificate(state["file"]))


def its_file_administers():
    made = auth.create_user(email=EMAIL, password=PASSWORD, email_verified=True)
    state["uid"] = made.uid
    assert auth.get_user_by_email(EMAIL).uid == made.uid
    assert made.uid in {user.uid for user in auth.list_users().iterate_all()}
    assert "identitytoolkit.googleapis.com" in state["hosts"], state["hosts"]


def its_custom_token_signs_a_user_in():
    token = auth.create_custom_token("Game/Player 7", {"premium": True}).decode()
    session = rest("signInWithCustomToken", {"token": token, "returnSecureToken": True})
    assert session["isNewUser"] is True
    claims = auth.verify_id_token(session["idToken"], check_revoked=True, clock_skew_seconds=0)
    assert claims["uid"] == "Game/Player 7" and claims["premium"] is True
    known = rest("signInWithCustomToken", {"token": auth.create_custom_token(state["uid"]).decode()})
    assert known["isNewUser"] is False
    assert auth.verify_id_token(known["idToken"])["email"] == EMAIL
    # Neither what nobody signed nor a changed token.
    header, payload, signature = token.split(".")
    for forged in (f"{header}.{payload}.", f"{header}.{payload}.{signature[::-1]}", '{"uid":"x"}'):
        error = rest("signInWithCustomToken", {"token": forged}, 400)["error"]
        assert error["message"].startswith("INVALID_CUSTOM_TOKEN"), error


def its_session_cookie_is_checked_with_the_published_keys():
    session = rest("signInWithPassword", {"email": EMAIL, "password": PASSWORD})
    cookie = auth.create_session_cookie(session["idToken"], 300)
    assert auth.verify_session_cookie(cookie, check_revoked=True)["uid"] == state["uid"]
    raises(auth.InvalidSessionCookieError, auth.verify_session_cookie, session["idToken"])
    raises(auth.InvalidIdTokenError, auth.verify_id_token, cookie)
    assert "www.googleapis.com" in state["hosts"], state["hosts"]
    in_another_second()
    auth.revoke_refresh_tokens(state["uid"])
    raises(auth.RevokedSessionCookieError, auth.verify_session_cookie, cookie, check_revoked=True)


def another_key_is_made_over_the_network():
    token = latchkey("api-key", "create", "rotator", "--scope", "admin:keys", "--scope", "admin:users")["key"]
    path = f"/iam.googleapis.com/v1/projects/default/serviceAccounts/{state['file']['client_email']}/keys"
    bearer = {"Authorization": "Bearer " + token}
    status, _, made = http("POST", path, {}, bearer)
    assert status == 200, made
    file = json.loads(base64.b64decode(made["privateKeyData"]))
    second = firebase_admin.initialize_app(credentials.Certificate(file), name="second")
    assert auth.get_user(state["uid"], second).email == EMAIL
    assert len(http("GET", path, headers=bearer)[2]["keys"]) == 2
    state["second"] = (second, file["private_key_id"])


def a_revoked_key_ends_at_once():
    latchkey("service-account", "revoke", state["file"]["private_key_id"])
    token = auth.create_custom_token("late").decode()
    error = rest("signInWithCustomToken", {"token": token}, 400)["error"]
    assert error["message"].startswith("INVALID_CUSTOM_TOKEN"), error
    # Also for the access token that the SDK still holds.
    raises((firebase_admin.exceptions.FirebaseError, RefreshError), auth.get_user, state["uid"])
    raises(RefreshError, firebase_admin.get_app().credential.get_access_token)
    second, _ = state["second"]
    assert auth.get_user(state["uid"], second).email == EMAIL


steps(the_operator_makes_an_account, its_file_administers, its_custom_token_signs_a_user_in,
      its_session_cookie_is_checked_with_the_published_keys, another_key_is_made_over_the_network,
      a_revoked_key_ends_at_once)

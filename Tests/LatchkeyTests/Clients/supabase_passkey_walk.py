# SPDX-License-Identifier: Apache-2.0
"""Passkeys and security keys over a real socket: signing up by supabase-auth, and authenticators made of Yubico's fido2,
neither of which anybody here wrote."""

import concurrent.futures

import httpx
from supabase_auth import SyncGoTrueClient

from authenticator import Authenticator
from support import PASSWORD, fresh_address, http, mail, settings, steps

config = settings()["supabase"]
AUTH = config["url"] if config["url"].endswith("/auth/v1") else config["url"] + "/auth/v1"
ORIGIN = "http://localhost:3000"
EMAIL = fresh_address("ada")
state = {"passkey": Authenticator(ORIGIN), "key": Authenticator(ORIGIN)}


def client():
    return SyncGoTrueClient(
        url=AUTH, headers={"apikey": config["anonKey"], "Authorization": f"Bearer {config['anonKey']}"},
        auto_refresh_token=False, http_client=httpx.Client(timeout=60))


def call(method, path, body=None, token=None, wanted=200):
    status, _, answer = http(method, AUTH + path, body, {
        "apikey": config["anonKey"], "Authorization": f"Bearer {token or config['anonKey']}"})
    found = status if not isinstance(answer, dict) else answer.get("error_code") or status
    assert found == wanted, (method, path, status, answer)
    return answer


def signed_in():
    user = client()
    return user.sign_in_with_password({"email": EMAIL, "password": PASSWORD}).session.access_token


def sign_in(authenticator, wanted=200, origin=None):
    asked = call("POST", "/passkeys/authentication/options", {})
    assert asked["options"]["rpId"] == "localhost" and asked["options"]["allowCredentials"] == [], asked
    return call("POST", "/passkeys/authentication/verify",
                {"challenge_id": asked["challenge_id"], "credential": authenticator.get(asked["options"], origin)},
                wanted=wanted)


def level(session):
    user = client()
    user.set_session(session["access_token"], session["refresh_token"])
    found = user.mfa.get_authenticator_assurance_level()
    return found.current_level, [method.method for method in found.current_authentication_methods]


def somebody_has_a_confirmed_account():
    user = client()
    user.sign_up({"email": EMAIL, "password": PASSWORD})
    user.verify_otp({"email": EMAIL, "token": mail(EMAIL, "confirmation")["code"], "type": "signup"})
    state["token"] = signed_in()


def they_add_a_passkey_and_are_told_by_mail():
    asked = call("POST", "/passkeys/registration/options", {}, state["token"])
    assert asked["options"]["user"]["name"] == EMAIL and EMAIL not in asked["options"]["user"]["id"], asked
    made = call("POST", "/passkeys/registration/verify",
                {"challenge_id": asked["challenge_id"], "credential": state["passkey"].create(asked["options"])},
                state["token"])
    state["id"] = made["id"]
    assert mail(EMAIL, "passkey_added")
    again = call("POST", "/passkeys/registration/options", {}, state["token"])
    assert len(again["options"]["excludeCredentials"]) == 1, again


def they_sign_in_by_it_alone():
    assert level(sign_in(state["passkey"])) == ("aal2", ["passkey"])
    state["passkey"].verifies = False
    assert level(sign_in(state["passkey"])) == ("aal1", ["passkey"])
    state["passkey"].verifies = True
    call("PATCH", "/passkeys/" + state["id"], {"friendly_name": "Laptop"}, state["token"])
    [listed] = call("GET", "/passkeys", token=state["token"])
    assert listed["friendly_name"] == "Laptop" and listed["last_used_at"], listed


def pages_elsewhere_and_copies_do_not():
    sign_in(state["passkey"], "webauthn_verification_failed", "http://localhost:3001")
    sign_in(state["passkey"], "webauthn_verification_failed", "https://evil.example")
    counted = state["passkey"].count
    state["passkey"].count = 1
    sign_in(state["passkey"], "webauthn_verification_failed")
    state["passkey"].count = counted


def one_answer_opens_one_session():
    asked = call("POST", "/passkeys/authentication/options", {})
    body = {"challenge_id": asked["challenge_id"], "credential": state["passkey"].get(asked["options"])}

    def attempt(_):
        status, _, answer = http("POST", AUTH + "/passkeys/authentication/verify", body, {"apikey": config["anonKey"]})
        return answer.get("error_code") or status

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        outcomes = list(pool.map(attempt, range(8)))
    assert sorted(map(str, outcomes)) == ["200"] + ["webauthn_challenge_not_found"] * 7, outcomes


def a_security_key_is_asked_for_beside_the_password():
    enrolled = call("POST", "/factors", {"factor_type": "webauthn", "friendly_name": "key"}, state["token"])
    factor = "/factors/" + enrolled["id"]
    asked = call("POST", factor + "/challenge", {}, state["token"])
    assert asked["webauthn"]["type"] == "create", asked
    raised = call("POST", factor + "/verify", {
        "challenge_id": asked["id"], "webauthn": {
            "type": "create",
            "credential_response": state["key"].create(asked["webauthn"]["credential_options"]["publicKey"])},
    }, state["token"])
    assert level(raised)[0] == "aal2", raised
    low = signed_in()
    call("POST", "/passkeys/registration/options", {}, low, "insufficient_aal")
    call("DELETE", "/passkeys/" + state["id"], None, low, "insufficient_aal")
    asked = call("POST", factor + "/challenge", {}, low)
    proof = {"challenge_id": asked["id"], "webauthn": {
        "type": "request",
        "credential_response": state["key"].get(asked["webauthn"]["credential_options"]["publicKey"])}}
    state["raised"] = call("POST", factor + "/verify", proof, low)
    call("POST", factor + "/verify", proof, low, "mfa_factor_not_found")
    assert "mfa/webauthn" in level(state["raised"])[1]


def a_passkey_that_is_gone_signs_nobody_in():
    token = sign_in(state["passkey"])["access_token"]
    call("DELETE", "/passkeys/" + state["id"], None, token, 204)
    assert mail(EMAIL, "passkey_removed")
    sign_in(state["passkey"], "webauthn_verification_failed")


steps(
    somebody_has_a_confirmed_account,
    they_add_a_passkey_and_are_told_by_mail,
    they_sign_in_by_it_alone,
    pages_elsewhere_and_copies_do_not,
    one_answer_opens_one_session,
    a_security_key_is_asked_for_beside_the_password,
    a_passkey_that_is_gone_signs_nobody_in,
)

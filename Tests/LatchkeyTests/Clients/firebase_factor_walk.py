# SPDX-License-Identifier: Apache-2.0
"""A second factor's life through Firebase's REST API as its SDKs call it, with codes by pyotp and with firebase-admin to read the
tokens; and through Supabase's, since a factor is one in every dialect."""

import concurrent.futures
import json
import os
import time

from support import BASE, PASSWORD, fresh_address, mail, settings, steps

PROJECT = "default"
os.environ["FIREBASE_AUTH_EMULATOR_HOST"] = BASE.split("://", 1)[1]

import firebase_admin  # noqa: E402
import pyotp  # noqa: E402
import requests  # noqa: E402
from firebase_admin import auth  # noqa: E402
from google.auth import credentials  # noqa: E402


class NoCredentials(credentials.Credentials):
    """The SDK presents its own in this mode."""

    def refresh(self, request):
        self.token = "owner"


class Application(firebase_admin.credentials.Base):
    def get_credential(self):
        return NoCredentials()


firebase_admin.initialize_app(Application(), {"projectId": PROJECT})

TOOLKIT = BASE + "/identitytoolkit.googleapis.com"
OWNER = {"Authorization": "Bearer owner"}
EMAIL, OTHER = fresh_address("ada"), fresh_address("bea")
NUMBER = "+15555550177"
supabase = settings()["supabase"]
state = {"step": -8}


def rest(operation, body, status=200, version="v1"):
    separator = ":" if version == "v1" else "/"
    answer = requests.post(f"{TOOLKIT}/{version}/accounts{separator}{operation}", params={"key": "any"},
                           data=json.dumps(body), timeout=60)
    assert answer.status_code == status, (operation, answer.status_code, answer.text)
    return answer.json()


def factor(operation, body):
    return rest(operation, body, version="v2")


def refused(code, operation, body):
    message = rest(operation, body, status=400, version="v2")["error"]["message"]
    assert message.split(" : ")[0] == code, (operation, message)


def sign_in(email=None):
    return rest("signInWithPassword", {"email": email or EMAIL, "password": PASSWORD, "returnSecureToken": True})


def code():
    """Another one each time: each is good once. The server takes those of ten steps before and after."""
    state["step"] += 1
    return state["app"].at(int(time.time()) + 30 * state["step"])


def answer(pending, text):
    return {"mfaPendingCredential": pending, "mfaEnrollmentId": state["factor"],
            "totpVerificationInfo": {"verificationCode": text}}


def claims(session):
    return auth.verify_id_token(session["idToken"], check_revoked=True)["firebase"]


def gotrue(path, body=None, token=None, status=200):
    url = supabase["url"].removesuffix("/auth/v1") + "/auth/v1" + path
    headers = {"apikey": supabase["anonKey"], "Authorization": f"Bearer {token or supabase['anonKey']}"}
    reply = requests.post(url, headers=headers, json=body or {}, timeout=60)
    assert reply.status_code == status, (path, reply.status_code, reply.text)
    return reply.json()


def the_project_takes_apps_and_numbers():
    path = f"{TOOLKIT}/v2/projects/{PROJECT}/config"
    mfa = {"state": "ENABLED", "enabledProviders": ["PHONE_SMS"], "providerConfigs": [
        {"state": "ENABLED", "totpProviderConfig": {"adjacentIntervals": 10}}]}
    reply = requests.patch(path, params={"updateMask": "mfa"}, headers=OWNER, json={"mfa": mfa}, timeout=30)
    assert reply.status_code == 200 and reply.json()["mfa"] == mfa, reply.text


def only_who_has_proved_the_address_enrols():
    session = rest("signUp", {"email": EMAIL, "password": PASSWORD, "returnSecureToken": True})
    refused("UNVERIFIED_EMAIL", "mfaEnrollment:start", {"idToken": session["idToken"], "totpEnrollmentInfo": {}})
    auth.update_user(session["localId"], email_verified=True)
    state["uid"] = session["localId"]


def an_app_is_enrolled():
    token = sign_in()["idToken"]
    info = factor("mfaEnrollment:start", {"idToken": token, "totpEnrollmentInfo": {}})["totpSessionInfo"]
    assert (info["verificationCodeLength"], info["periodSec"], info["hashingAlgorithm"]) == (6, 30, "SHA1"), info
    state["app"] = pyotp.TOTP(info["sharedSecretKey"])
    proof = {"sessionInfo": info["sessionInfo"], "verificationCode": code()}
    session = factor("mfaEnrollment:finalize",
                     {"idToken": token, "displayName": "Ada's phone", "totpVerificationInfo": proof})
    shown = rest("lookup", {"idToken": session["idToken"]})["users"][0]["mfaInfo"]
    assert [(entry["displayName"], entry["totpInfo"]) for entry in shown] == [("Ada's phone", {})], shown
    state["factor"] = shown[0]["mfaEnrollmentId"]
    said = claims(session)
    assert (said["sign_in_second_factor"], said["second_factor_identifier"]) == ("totp", state["factor"]), said
    assert mail(EMAIL, "factor_added")


def a_sign_in_asks_for_it():
    asked = sign_in()
    assert "idToken" not in asked and "refreshToken" not in asked, asked
    assert [entry["mfaEnrollmentId"] for entry in asked["mfaInfo"]] == [state["factor"]], asked
    pending = asked["mfaPendingCredential"]
    right = {state["app"].at(int(time.time()) + 30 * step) for step in range(-12, 13)}
    wrong = next(text for text in (f"{digit}" * 6 for digit in range(10)) if text not in right)
    refused("INVALID_CODE", "mfaSignIn:finalize", answer(pending, wrong))
    session = factor("mfaSignIn:finalize", answer(pending, code()))
    assert claims(session)["sign_in_second_factor"] == "totp"
    renewed = requests.post(BASE + "/securetoken.googleapis.com/v1/token", params={"key": "any"}, timeout=30,
                            data={"grant_type": "refresh_token", "refresh_token": session["refreshToken"]}).json()
    assert auth.verify_id_token(renewed["id_token"])["firebase"]["second_factor_identifier"] == state["factor"]
    refused("INVALID_MFA_PENDING_CREDENTIAL", "mfaSignIn:finalize", answer(pending, code()))
    state["session"] = session


def fifty_at_once_spend_a_code_once():
    pendings = [sign_in()["mfaPendingCredential"] for _ in range(5)]
    text = code()

    def attempt(number):
        reply = requests.post(f"{TOOLKIT}/v2/accounts/mfaSignIn:finalize", params={"key": "any"},
                              json=answer(pendings[number % 5], text), timeout=60).json()
        return "in" if "idToken" in reply else reply["error"]["message"].split(" : ")[0]

    with concurrent.futures.ThreadPoolExecutor(50) as pool:
        outcomes = list(pool.map(attempt, range(50)))
    assert outcomes.count("in") == 1, outcomes
    assert set(outcomes) <= {"in", "INVALID_CODE", "INVALID_MFA_PENDING_CREDENTIAL"}, outcomes


def the_other_dialect_asks_for_it_too():
    low = gotrue("/token?grant_type=password", {"email": EMAIL, "password": PASSWORD})
    assert [entry["id"] for entry in low["user"]["factors"]] == [state["factor"]], low["user"]
    challenge = gotrue(f"/factors/{state['factor']}/challenge", token=low["access_token"])
    raised = gotrue(f"/factors/{state['factor']}/verify", {"challenge_id": challenge["id"], "code": code()},
                    token=low["access_token"])
    assert raised["access_token"]


def and_what_was_set_up_there_is_asked_for_here():
    auth.create_user(email=OTHER, email_verified=True, password=PASSWORD)
    token = gotrue("/token?grant_type=password", {"email": OTHER, "password": PASSWORD})["access_token"]
    begun = gotrue("/factors", {"factor_type": "totp", "friendly_name": "elsewhere"}, token)
    app = pyotp.TOTP(begun["totp"]["secret"])
    challenge = gotrue(f"/factors/{begun['id']}/challenge", token=token)
    gotrue(f"/factors/{begun['id']}/verify", {"challenge_id": challenge["id"], "code": app.now()}, token)
    asked = sign_in(OTHER)
    assert [entry["displayName"] for entry in asked["mfaInfo"]] == ["elsewhere"], asked
    session = factor("mfaSignIn:finalize", {
        "mfaPendingCredential": asked["mfaPendingCredential"], "mfaEnrollmentId": begun["id"],
        "totpVerificationInfo": {"verificationCode": app.at(int(time.time()) + 30)}})
    assert claims(session)["second_factor_identifier"] == begun["id"]


def a_number_is_enrolled_and_asked_for():
    token = state["session"]["idToken"]
    begun = factor("mfaEnrollment:start", {
        "idToken": token, "phoneEnrollmentInfo": {"phoneNumber": NUMBER, "recaptchaToken": "none"}})
    sent = mail(NUMBER, "factor_code")
    session = factor("mfaEnrollment:finalize", {
        "idToken": token, "displayName": "text messages", "phoneVerificationInfo": {
            "sessionInfo": begun["phoneSessionInfo"]["sessionInfo"], "code": sent["code"]}})
    assert session["phoneAuthInfo"] == {"phoneNumber": NUMBER}, session
    asked = sign_in()
    hint = next(entry for entry in asked["mfaInfo"] if "phoneInfo" in entry)
    assert hint["phoneInfo"] == "+*******0177" and NUMBER not in json.dumps(asked), asked
    started = factor("mfaSignIn:start", {
        "mfaPendingCredential": asked["mfaPendingCredential"], "mfaEnrollmentId": hint["mfaEnrollmentId"],
        "phoneSignInInfo": {"recaptchaToken": "none"}})
    proof = {"sessionInfo": started["phoneResponseInfo"]["sessionInfo"],
             "code": mail(NUMBER, "factor_code", newer_than=sent["id"])["code"]}
    session = factor("mfaSignIn:finalize", {
        "mfaPendingCredential": asked["mfaPendingCredential"], "phoneVerificationInfo": proof})
    assert claims(session)["sign_in_second_factor"] == "phone"
    state["session"] = session


def an_app_is_withdrawn():
    session = factor("mfaEnrollment:withdraw",
                     {"idToken": state["session"]["idToken"], "mfaEnrollmentId": state["factor"]})
    shown = rest("lookup", {"idToken": session["idToken"]})["users"][0]["mfaInfo"]
    assert [entry.get("phoneInfo") for entry in shown] == [NUMBER], shown
    assert mail(EMAIL, "factor_removed")


def the_operator_takes_the_rest_away():
    path = f"{TOOLKIT}/v1/projects/{PROJECT}/accounts:update"
    reply = requests.post(path, headers=OWNER, json={"localId": state["uid"], "mfa": {}}, timeout=30)
    assert reply.status_code == 200, reply.text
    session = sign_in()
    assert "sign_in_second_factor" not in claims(session)
    assert "mfaInfo" not in rest("lookup", {"idToken": session["idToken"]})["users"][0]


steps(
    the_project_takes_apps_and_numbers,
    only_who_has_proved_the_address_enrols,
    an_app_is_enrolled,
    a_sign_in_asks_for_it,
    fifty_at_once_spend_a_code_once,
    the_other_dialect_asks_for_it_too,
    and_what_was_set_up_there_is_asked_for_here,
    a_number_is_enrolled_and_asked_for,
    an_app_is_withdrawn,
    the_operator_takes_the_rest_away,
)

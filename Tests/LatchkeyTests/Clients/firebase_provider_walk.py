# SPDX-License-Identifier: Apache-2.0
"""Other people's identity providers in the vendor's own words, over a real socket: an app's REST calls with what the
development server's provider vouches for, and what an operator does through firebase-admin.

usage: firebase_provider_walk.py URL
"""

import hashlib
import json
import os
import urllib.parse

from support import BASE, PASSWORD, fresh_address, http, steps

os.environ["FIREBASE_AUTH_EMULATOR_HOST"] = BASE.split("://", 1)[1]

import firebase_admin  # noqa: E402
import requests  # noqa: E402
from firebase_admin import auth  # noqa: E402
from google.auth import credentials  # noqa: E402

PROJECT = "default"
TOOLKIT = BASE + "/identitytoolkit.googleapis.com"
EMAIL = fresh_address("ada").replace("example.com", "gmail.com")
state = {}


class NoCredentials(credentials.Credentials):
    """The SDK presents its own in this mode."""

    def refresh(self, request):
        self.token = "owner"


class Application(firebase_admin.credentials.Base):
    def get_credential(self):
        return NoCredentials()


firebase_admin.initialize_app(Application(), {"projectId": PROJECT})


def rest(operation, body, status=200):
    answer = requests.post(f"{TOOLKIT}/v1/accounts:{operation}", params={"key": "any"}, data=json.dumps(body), timeout=30)
    assert answer.status_code == status, (operation, answer.status_code, answer.text)
    return answer.json()


def refused(code, operation, body, status=400):
    message = rest(operation, body, status)["error"]["message"]
    assert message.split(" : ")[0] == code, message


def vouched(provider, subject, nonce=None, **claims):
    """What the provider's own SDK gives an app on a phone."""
    status, _, answer = http("POST", "/dev/identity-provider/id-token", {
        "provider": provider, "subject": subject, "nonce": nonce, "claims": claims})
    assert status == 200, (status, answer)
    return answer


def body_of(provider, more="", **members):
    return {"requestUri": "http://localhost", "returnSecureToken": True, "returnIdpCredential": True,
            "postBody": f"providerId={provider}{more}", **members}


def google(subject, email=EMAIL, **members):
    token = vouched("google", subject, email=email, email_verified=True, name="Ada Lovelace")["id_token"]
    return body_of("google.com", "&id_token=" + token, **members)


def a_newcomer_signs_in_by_an_id_token_once():
    body = google("walk-1")
    first = rest("signInWithIdp", body)
    assert first["isNewUser"] is True and first["providerId"] == "google.com" and first["email"] == EMAIL, first
    assert first["federatedId"] == "https://accounts.google.com/walk-1"
    claims = auth.verify_id_token(first["idToken"], check_revoked=True)
    assert claims["firebase"]["sign_in_provider"] == "google.com" and claims["email_verified"] is True, claims
    assert claims["firebase"]["identities"]["google.com"] == ["walk-1"]
    refused("INVALID_IDP_RESPONSE", "signInWithIdp", body)
    again = rest("signInWithIdp", google("walk-1"))
    assert again["localId"] == first["localId"] and "isNewUser" not in again
    state["uid"] = first["localId"]


def the_operator_finds_who_came_by_the_provider():
    found = auth.get_users([auth.ProviderIdentifier("google.com", "walk-1")])
    assert [user.uid for user in found.users] == [state["uid"]]
    record = auth.get_user_by_email(EMAIL)
    assert record.uid == state["uid"] and record.email_verified
    assert [(info.provider_id, info.uid) for info in record.provider_data] == [("google.com", "walk-1")]


def apple_wants_the_nonce_whose_hash_it_signed():
    nonce = "a nonce of the app's"
    token = vouched("apple", "walk-2", hashlib.sha256(nonce.encode()).hexdigest(), email=EMAIL,
                    email_verified=True)["id_token"]
    name = urllib.parse.quote(json.dumps({"name": {"firstName": "Ada", "lastName": "L."}}))
    wanted = f"&id_token={token}&user={name}"
    refused("MISSING_OR_INVALID_NONCE", "signInWithIdp", body_of("apple.com", wanted + "&nonce=another"))
    linked = rest("signInWithIdp", body_of("apple.com", wanted + "&nonce=" + urllib.parse.quote(nonce)))
    # The address is vouched for and confirmed: the same user.
    assert linked["localId"] == state["uid"] and linked["firstName"] == "Ada", linked


def an_account_that_somebody_else_may_have_opened_is_the_owners():
    email = fresh_address("bob").replace("example.com", "gmail.com")
    squatter = rest("signUp", {"email": email, "password": PASSWORD, "returnSecureToken": True})
    owner = rest("signInWithIdp", google("walk-3", email))
    assert owner["localId"] == squatter["localId"]
    refused("INVALID_LOGIN_CREDENTIALS", "signInWithPassword", {"email": email, "password": PASSWORD})
    refused("TOKEN_EXPIRED", "lookup", {"idToken": squatter["idToken"]})


def an_address_that_nobody_vouches_for_needs_a_confirmation():
    token = vouched("facebook", "walk-4", email=EMAIL)["access_token"]
    answer = rest("signInWithIdp", body_of("facebook.com", "&access_token=" + token))
    assert answer["needConfirmation"] is True and answer["email"] == EMAIL and "idToken" not in answer, answer
    session = rest("signInWithIdp", google("walk-1"))
    linked = rest("signInWithIdp", {"requestUri": "http://localhost", "returnSecureToken": True,
                                    "pendingToken": answer["pendingToken"], "idToken": session["idToken"]})
    assert linked["localId"] == state["uid"], linked
    providers = {info.provider_id for info in auth.get_user(state["uid"]).provider_data}
    assert providers == {"google.com", "apple.com", "facebook.com"}, providers


def another_users_identity_is_not_linked():
    other = auth.create_user(email=fresh_address("carol"), password=PASSWORD, email_verified=True)
    session = rest("signInWithPassword", {"email": other.email, "password": PASSWORD, "returnSecureToken": True})
    answer = rest("signInWithIdp", google("walk-1", idToken=session["idToken"]))
    assert answer["errorMessage"] == "FEDERATED_USER_ID_ALREADY_LINKED" and "idToken" not in answer, answer
    assert rest("signInWithIdp", {"requestUri": "http://localhost", "pendingToken": answer["pendingToken"]})[
        "localId"] == state["uid"]


def a_browser_is_sent_there_and_back():
    target = "http://localhost:3000/__/auth/handler"
    begun = rest("createAuthUri", {
        "providerId": "google.com", "continueUri": target, "context": "cart",
        "customParameter": {"prompt": "none", "login_hint": "demo@example.com"}})
    assert begun["providerId"] == "google.com" and begun["sessionId"], begun
    status, headers, page = http("GET", begun["authUri"])
    assert status in (302, 303) and headers["location"].startswith(target), (status, headers, page)
    body = {"requestUri": headers["location"], "returnSecureToken": True}
    refused("INVALID_IDP_RESPONSE", "signInWithIdp", {**body, "sessionId": "another"})
    session = rest("signInWithIdp", {**body, "sessionId": begun["sessionId"]})
    assert session["context"] == "cart" and session["email"] == "demo@example.com", session
    assert session["oauthAccessToken"] and session["oauthIdToken"]
    refused("INVALID_IDP_RESPONSE", "signInWithIdp", {**body, "sessionId": begun["sessionId"]})


def the_operator_links_unlinks_and_imports():
    update = f"{TOOLKIT}/v1/projects/{PROJECT}/accounts:update"
    answer = requests.post(update, headers={"Authorization": "Bearer owner"}, timeout=30, json={
        "localId": state["uid"], "linkProviderUserInfo": {"providerId": "github.com", "rawId": "77"}})
    assert answer.status_code == 200, answer.text
    assert "github.com" in {info.provider_id for info in auth.get_user(state["uid"]).provider_data}
    changed = auth.update_user(state["uid"], providers_to_delete=["github.com", "facebook.com"])
    assert {info.provider_id for info in changed.provider_data} == {"google.com", "apple.com"}
    result = auth.import_users([auth.ImportUserRecord(
        uid="from-there", provider_data=[auth.UserProvider("walk-5", "google.com", email="dora@gmail.com")])])
    assert result.success_count == 1, [error.reason for error in result.errors]
    assert rest("signInWithIdp", google("walk-5", "dora@gmail.com"))["localId"] == "from-there"


def what_is_not_set_up_is_said_to_be_none():
    refused("OPERATION_NOT_ALLOWED", "signInWithIdp", body_of("oidc.none", "&id_token=x"))
    refused("OPERATION_NOT_ALLOWED", "createAuthUri", {"providerId": "saml.none", "continueUri": "http://localhost"})


steps(a_newcomer_signs_in_by_an_id_token_once, the_operator_finds_who_came_by_the_provider,
      apple_wants_the_nonce_whose_hash_it_signed, an_account_that_somebody_else_may_have_opened_is_the_owners,
      an_address_that_nobody_vouches_for_needs_a_confirmation, another_users_identity_is_not_linked,
      a_browser_is_sent_there_and_back, the_operator_links_unlinks_and_imports, what_is_not_set_up_is_said_to_be_none)

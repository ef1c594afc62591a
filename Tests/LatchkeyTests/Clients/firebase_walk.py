# SPDX-License-Identifier: Apache-2.0
"""One user's life through firebase-admin, in the mode its emulator host variable turns on, and through the REST API as
an app calls it, over a real socket.

usage: firebase_walk.py URL [PROJECT]
"""

import os
import sys
import urllib.parse

from support import BASE, PASSWORD, fresh_address, http, in_another_second, mail, page_of, press, steps

PROJECT = sys.argv[2] if len(sys.argv) > 2 else "default"
os.environ["FIREBASE_AUTH_EMULATOR_HOST"] = BASE.split("://", 1)[1]

import firebase_admin  # noqa: E402
import google.auth.transport.requests  # noqa: E402
import google.oauth2.id_token  # noqa: E402
import jwt  # noqa: E402
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

KEY = "fake-api-key"
TOOLKIT = BASE + "/identitytoolkit.googleapis.com"
EMAIL = fresh_address("grace")
NEW_PASSWORD = "Another-horse-8-battery"
state = {}


def rest(operation, body, status=200, path=None, **options):
    """As Pyrebase and its like call it: without a content type."""
    import json
    url = path or f"{TOOLKIT}/v1/accounts:{operation}"
    answer = requests.post(url, params={"key": KEY}, data=json.dumps(body), timeout=30, **options)
    assert answer.status_code == status, (operation, answer.status_code, answer.text)
    assert answer.headers["content-type"].startswith("application/json"), answer.headers
    return answer.json()


def refused(code, operation, body, status=400, path=None):
    error = rest(operation, body, status, path)["error"]
    assert error["code"] == status and error["message"].split(" : ")[0] == code, error
    assert error["errors"][0]["domain"] == "global" and error["errors"][0]["message"] == error["message"], error


def raises(kind, call, *arguments, **keywords):
    try:
        call(*arguments, **keywords)
    except kind as error:
        return error
    raise AssertionError(f"accepted; expected {kind.__name__}")


def sign_in(email=None, password=PASSWORD):
    return rest("signInWithPassword", {"email": email or EMAIL, "password": password, "returnSecureToken": True})


def refresh(token, status=200):
    answer = requests.post(BASE + "/securetoken.googleapis.com/v1/token", params={"key": KEY},
                           data={"grant_type": "refresh_token", "refresh_token": token}, timeout=30)
    assert answer.status_code == status, (answer.status_code, answer.text)
    return answer.json()


def parameters(link):
    return {name: values[0] for name, values in urllib.parse.parse_qs(urllib.parse.urlparse(link).query).items()}


def sign_up_signs_in_and_mails_nothing():
    """As the platform: the SDKs go on with the session, whose token says that the address is not verified."""
    session = rest("signUp", {"email": EMAIL, "password": PASSWORD, "displayName": "Grace", "returnSecureToken": True})
    assert auth.verify_id_token(session["idToken"], check_revoked=True)["email_verified"] is False
    assert rest("lookup", {"idToken": session["idToken"]})["users"][0]["emailVerified"] is False
    assert sign_in()["localId"] == session["localId"]
    refused("EMAIL_EXISTS", "signUp", {"email": EMAIL, "password": NEW_PASSWORD, "returnSecureToken": True})
    rest("sendOobCode", {"requestType": "VERIFY_EMAIL", "idToken": session["idToken"]})
    state["link"] = mail(EMAIL, "confirmation")["link"]
    assert parameters(state["link"])["mode"] == "verifyEmail", state["link"]
    assert parameters(state["link"])["apiKey"] == KEY


def the_mailed_link_confirms_the_address():
    form = page_of(state["link"])
    http("HEAD", state["link"])
    # A scanner that opens the link confirms nothing.
    assert auth.get_user_by_email(EMAIL).email_verified is False
    assert press(state["link"], form, origin="https://evil.test")[0] == 403
    status, headers, body = press(state["link"], form)
    # The app has named no place: the operator's site, and where that is not named either, the page says that it is done.
    if (site := parameters(state["link"]).get("continueUrl")) is None:
        assert status == 200 and "Your email address is confirmed" in body, (status, headers, body)
    else:
        assert status == 303 and headers["location"] == site, (status, headers, body)
    assert auth.get_user_by_email(EMAIL).email_verified is True
    assert http("GET", state["link"])[0] == 400 and press(state["link"], form)[0] == 400


def the_password_signs_in():
    session = sign_in()
    assert session["registered"] is True and session["email"] == EMAIL and session["displayName"] == "Grace"
    assert isinstance(session["expiresIn"], str) and int(session["expiresIn"]) > 0
    state["uid"], state["session"] = session["localId"], session
    refused("INVALID_LOGIN_CREDENTIALS", "signInWithPassword", {"email": EMAIL, "password": "wrong"})
    refused("INVALID_LOGIN_CREDENTIALS", "signInWithPassword", {"email": fresh_address("nobody"), "password": "wrong"})


def every_spelling_of_the_operation_is_one():
    body = {"email": EMAIL, "password": PASSWORD, "return_secure_token": True, "tenantId": None}
    for path in ["/v1/accounts:signInWithPassword", "/identitytoolkit/v3/relyingparty/verifyPassword",
                 "/www.googleapis.com/identitytoolkit/v3/relyingparty/verifyPassword"]:
        assert rest(path, body, path=BASE + path)["localId"] == state["uid"]


def the_sdk_reads_the_token():
    token = state["session"]["idToken"]
    claims = auth.verify_id_token(token, check_revoked=True)
    assert claims["uid"] == state["uid"] and claims["email"] == EMAIL and claims["email_verified"] is True
    assert claims["firebase"]["sign_in_provider"] == "password"
    assert claims["firebase"]["identities"] == {"email": [EMAIL]}


def published_keys_verify_the_token_without_the_emulator_mode():
    token = state["session"]["idToken"]
    path = "/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com"
    answer = requests.get(BASE + "/www.googleapis.com" + path, timeout=30)
    assert "max-age=" in answer.headers["cache-control"], answer.headers
    # What the SDK itself calls in production, given our address in place of the platform's.
    claims = google.oauth2.id_token.verify_token(
        token, google.auth.transport.requests.Request(), audience=PROJECT,
        certs_url=BASE + "/www.googleapis.com" + path, clock_skew_in_seconds=0)
    assert claims["iss"] == "https://securetoken.google.com/" + PROJECT
    keys = jwt.PyJWKClient(BASE + "/www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com")
    decoded = jwt.decode(token, keys.get_signing_key_from_jwt(token).key, algorithms=["RS256"], audience=PROJECT)
    assert decoded["sub"] == state["uid"]


def a_refresh_keeps_the_refresh_token():
    first = refresh(state["session"]["refreshToken"])
    second = refresh(first["refresh_token"])
    assert first["refresh_token"] == second["refresh_token"] == state["session"]["refreshToken"]
    assert first["user_id"] == state["uid"] and first["expires_in"] == "3600" and first["token_type"] == "Bearer"
    assert first["id_token"] == first["access_token"]
    answer = requests.post(BASE + "/v1/token", params={"key": KEY}, timeout=30,
                           json={"grantType": "refresh_token", "refreshToken": first["refresh_token"]})
    assert answer.status_code == 200, answer.text


def the_user_sees_and_changes_their_profile():
    token = state["session"]["idToken"]
    users = rest("lookup", {"idToken": token})["users"]
    assert len(users) == 1 and users[0]["localId"] == state["uid"] and users[0]["emailVerified"] is True
    assert isinstance(users[0]["createdAt"], str) and "disabled" not in users[0]
    changed = rest("update", {"idToken": token, "displayName": "Grace H.", "photoUrl": "https://example.com/g.png"})
    assert changed["displayName"] == "Grace H." and "idToken" not in changed
    claims = auth.verify_id_token(refresh(state["session"]["refreshToken"])["id_token"])
    assert claims["name"] == "Grace H." and claims["picture"] == "https://example.com/g.png"
    refused("INSUFFICIENT_PERMISSION", "update", {"idToken": token, "customAttributes": "{}"})


def a_new_password_ends_every_other_session():
    other = sign_in()
    changed = rest("update", {"idToken": other["idToken"], "password": NEW_PASSWORD, "returnSecureToken": True})
    auth.verify_id_token(changed["idToken"], check_revoked=True)
    for old in (state["session"], other):
        assert refresh(old["refreshToken"], 400)["error"]["message"] == "TOKEN_EXPIRED"
        refused("TOKEN_EXPIRED", "lookup", {"idToken": old["idToken"]})
    refused("INVALID_LOGIN_CREDENTIALS", "signInWithPassword", {"email": EMAIL, "password": PASSWORD})
    state["session"] = sign_in(password=NEW_PASSWORD)


def a_forgotten_password_is_replaced():
    for email in (EMAIL, fresh_address("nobody")):
        assert rest("sendOobCode", {"requestType": "PASSWORD_RESET", "email": email})["email"] == email
    code = parameters(mail(EMAIL, "recovery")["link"])["oobCode"]
    assert rest("resetPassword", {"oobCode": code})["requestType"] == "PASSWORD_RESET"
    refused("WEAK_PASSWORD", "resetPassword", {"oobCode": code, "newPassword": "short"})
    assert rest("resetPassword", {"oobCode": code, "newPassword": PASSWORD})["email"] == EMAIL
    refused("INVALID_OOB_CODE", "resetPassword", {"oobCode": code, "newPassword": PASSWORD})
    state["session"] = sign_in()


def the_operator_finds_the_user_by_each_name():
    for record in (auth.get_user(state["uid"]), auth.get_user_by_email(EMAIL.upper())):
        assert record.uid == state["uid"] and record.email_verified and not record.disabled
        assert record.display_name == "Grace H." and record.custom_claims is None and record.tenant_id is None
        assert [info.provider_id for info in record.provider_data] == ["password"]
        assert record.user_metadata.creation_timestamp > 0 and record.user_metadata.last_sign_in_timestamp > 0
        assert record.tokens_valid_after_timestamp > 0
    found = auth.get_users([auth.UidIdentifier(state["uid"]), auth.EmailIdentifier("nobody@example.com")])
    assert len(found.users) == 1 and len(found.not_found) == 1
    raises(auth.UserNotFoundError, auth.get_user, "nobody")
    raises(auth.UserNotFoundError, auth.get_user_by_email, "nobody@example.com")


def claims_of_the_operator_reach_the_next_token():
    auth.set_custom_user_claims(state["uid"], {"admin": True, "level": 7})
    assert auth.get_user(state["uid"]).custom_claims == {"admin": True, "level": 7}
    claims = auth.verify_id_token(refresh(state["session"]["refreshToken"])["id_token"])
    assert claims["admin"] is True and claims["level"] == 7
    auth.set_custom_user_claims(state["uid"], None)
    assert auth.get_user(state["uid"]).custom_claims is None


def revoked_tokens_are_refused():
    session = sign_in()
    auth.revoke_refresh_tokens(state["uid"])
    assert refresh(session["refreshToken"], 400)["error"]["message"] == "TOKEN_EXPIRED"
    refused("TOKEN_EXPIRED", "lookup", {"idToken": session["idToken"]})
    state["session"] = sign_in()
    auth.verify_id_token(state["session"]["idToken"], check_revoked=True)


def a_disabled_user_signs_in_nowhere():
    record = auth.update_user(state["uid"], disabled=True)
    assert record.disabled
    refused("USER_DISABLED", "signInWithPassword", {"email": EMAIL, "password": PASSWORD})
    refused("INVALID_LOGIN_CREDENTIALS", "signInWithPassword", {"email": EMAIL, "password": "wrong"})
    assert refresh(state["session"]["refreshToken"], 400)["error"]["message"] == "USER_DISABLED"
    raises(auth.UserDisabledError, auth.verify_id_token, state["session"]["idToken"], check_revoked=True)
    assert not auth.update_user(state["uid"], disabled=False).disabled
    state["session"] = sign_in()


def links_are_handed_to_the_operator():
    settings = auth.ActionCodeSettings(url="http://localhost:3000/welcome")
    reset = parameters(auth.generate_password_reset_link(EMAIL, settings))
    assert reset["mode"] == "resetPassword" and reset["continueUrl"] == "http://localhost:3000/welcome", reset
    assert rest("resetPassword", {"oobCode": reset["oobCode"], "newPassword": NEW_PASSWORD})["email"] == EMAIL
    verify = parameters(auth.generate_email_verification_link(EMAIL))
    assert verify["mode"] == "verifyEmail"
    assert rest("update", {"oobCode": verify["oobCode"]})["emailVerified"] is True
    raises(auth.EmailNotFoundError, auth.generate_password_reset_link, fresh_address("nobody"))
    state["session"] = sign_in(password=NEW_PASSWORD)


def users_are_made_and_listed_by_the_operator():
    email = fresh_address("made")
    made = auth.create_user(email=email, password=PASSWORD, display_name="Made", email_verified=True,
                            phone_number="+1555" + str(int.from_bytes(os.urandom(4), "big"))[:7].zfill(7))
    assert made.user_metadata.last_sign_in_timestamp is None and made.user_metadata.last_refresh_timestamp is None
    assert len(made.provider_data) == 2
    raises(auth.EmailAlreadyExistsError, auth.create_user, email=email)
    nameless = auth.create_user(display_name="Nameless")
    assert nameless.email is None and nameless.provider_data == []
    auth.delete_user(nameless.uid)
    raises(auth.UidAlreadyExistsError, auth.create_user, uid=made.uid, email=fresh_address("other"))
    assert sign_in(email)["localId"] == made.uid
    page = auth.list_users(max_results=1)
    assert len(page.users) == 1 and page.has_next_page
    listed = {user.uid: user for user in page.iterate_all()}
    assert made.uid in listed and state["uid"] in listed
    # Of a form that is not the platform's own.
    assert listed[made.uid].password_hash == "" and listed[made.uid].password_salt == ""
    # The SDK forces it, so nobody need be disabled first; whom nobody knows is as good as deleted.
    answer = auth.delete_users([made.uid, "nobody"])
    assert answer.success_count == 2 and answer.failure_count == 0
    raises(auth.UserNotFoundError, auth.get_user, made.uid)


def a_tenant_has_users_of_its_own():
    path = f"{TOOLKIT}/v2/projects/{PROJECT}/tenants"
    owner = {"Authorization": "Bearer owner"}
    wanted = {"displayName": "Walkers", "allowPasswordSignup": True}
    answer = requests.post(path, json=wanted, headers=owner, timeout=30)
    assert answer.status_code == 200, answer.text
    tenant = answer.json()["name"].split("/")[-1]
    client = auth.Client(firebase_admin.get_app(), tenant_id=tenant)
    made = client.create_user(email=EMAIL, password=PASSWORD, email_verified=True)
    assert made.tenant_id == tenant and made.uid != state["uid"]
    session = rest("signInWithPassword", {"email": EMAIL, "password": PASSWORD, "tenantId": tenant})
    claims = client.verify_id_token(session["idToken"], check_revoked=True)
    assert claims["firebase"]["tenant"] == tenant and claims["aud"] == PROJECT
    assert refresh(session["refreshToken"])["user_id"] == made.uid
    assert rest("lookup", {"idToken": session["idToken"]})["users"][0]["tenantId"] == tenant
    raises(auth.UserNotFoundError, auth.get_user, made.uid)
    assert requests.delete(f"{path}/{tenant}", headers=owner, timeout=30).status_code == 200
    assert requests.get(f"{path}/{tenant}", headers=owner, timeout=30).status_code == 400


def what_is_not_there_answers_as_switched_off():
    refused("MISSING_REQUEST_URI", "signInWithIdp", {})
    refused("OPERATION_NOT_ALLOWED", "signInWithIdp", {
        "requestUri": "http://localhost", "postBody": "id_token=x&providerId=oidc.none", "returnSecureToken": True})
    refused("INVALID_ID_TOKEN", "mfaEnrollment:start", {"idToken": "x", "phoneEnrollmentInfo": {}},
            path=f"{TOOLKIT}/v2/accounts/mfaEnrollment:start")


def a_number_signs_in_by_the_code_of_a_message():
    number = "+15555550142"
    session = rest("sendVerificationCode", {"phoneNumber": number, "recaptchaToken": "none"})["sessionInfo"]
    path = f"{BASE}/emulator/v1/projects/{PROJECT}/verificationCodes"
    sent = [entry for entry in requests.get(path, timeout=30).json()["verificationCodes"]
            if entry["phoneNumber"] == number]
    refused("INVALID_CODE", "signInWithPhoneNumber", {"sessionInfo": session, "code": "1"})
    answer = rest("signInWithPhoneNumber", {"sessionInfo": session, "code": sent[0]["code"]})
    assert answer["isNewUser"] is True and answer["phoneNumber"] == number, answer
    claims = auth.verify_id_token(answer["idToken"], check_revoked=True)
    assert claims["phone_number"] == number and claims["firebase"]["sign_in_provider"] == "phone", claims
    record = auth.get_user_by_phone_number(number)
    assert record.uid == answer["localId"] and [p.provider_id for p in record.provider_data] == ["phone"]
    auth.delete_user(record.uid)


def a_backend_vouches_for_a_user():
    # The SDK signs nothing in this mode.
    token = auth.create_custom_token("player one", {"level": 3}).decode()
    session = rest("signInWithCustomToken", {"token": token, "returnSecureToken": True})
    assert session["isNewUser"] is True and "localId" not in session
    for token in (session["idToken"], refresh(session["refreshToken"])["id_token"]):
        claims = auth.verify_id_token(token, check_revoked=True)
        assert claims["uid"] == "player one" and claims["level"] == 3
        assert claims["firebase"]["sign_in_provider"] == "custom"
    record = auth.get_user("player one")
    assert record.email is None and record.provider_data == []
    refused("FORBIDDEN_CLAIM", "signInWithCustomToken", {"token": '{"uid":"x","claims":{"sub":"y"}}'})
    auth.delete_user("player one")


def a_link_signs_in_without_a_password():
    email = fresh_address("linked")
    settings = auth.ActionCodeSettings(url="http://localhost:3000/in", handle_code_in_app=True)
    link = parameters(auth.generate_sign_in_with_email_link(email, settings))
    assert link["mode"] == "signIn" and link["continueUrl"] == "http://localhost:3000/in", link
    session = rest("signInWithEmailLink", {"email": email, "oobCode": link["oobCode"]})
    assert session["isNewUser"] is True and session["email"] == email
    assert auth.verify_id_token(session["idToken"], check_revoked=True)["email_verified"] is True
    other = fresh_address("mailed")
    rest("sendOobCode", {"requestType": "EMAIL_SIGNIN", "email": other, "continueUrl": "http://localhost:3000/in",
                         "canHandleCodeInApp": True})
    # The platform's own test suites read the codes of its emulator.
    listed = requests.get(f"{BASE}/emulator/v1/projects/{PROJECT}/oobCodes", timeout=30).json()["oobCodes"]
    code = [entry for entry in listed if entry["email"] == other][-1]
    assert code["requestType"] == "EMAIL_SIGNIN" and code["oobCode"] in code["oobLink"]
    assert parameters(mail(other)["link"])["oobCode"] == code["oobCode"]
    assert rest("signInWithEmailLink", {"email": other, "oobCode": code["oobCode"]})["localId"]
    assert list(rest("createAuthUri", {"identifier": other, "continueUri": "http://localhost"})) == [
        "kind", "sessionId"]
    configuration = f"{BASE}/emulator/v1/projects/{PROJECT}/config"
    for is_on in (False, True):
        body = {"emailPrivacyConfig": {"enableImprovedEmailPrivacy": is_on}}
        answer = requests.patch(configuration, json=body, timeout=30)
        assert answer.json()["emailPrivacyConfig"] == body["emailPrivacyConfig"], answer.text
        methods = rest("createAuthUri", {"identifier": other, "continueUri": "http://localhost"})
        assert methods.get("signinMethods") == (None if is_on else ["emailLink"]), methods


def a_session_cookie_outlives_its_token_and_ends_with_it():
    session = sign_in(password=NEW_PASSWORD)
    cookie = auth.create_session_cookie(session["idToken"], 600)
    claims = auth.verify_session_cookie(cookie, check_revoked=True)
    assert claims["uid"] == state["uid"] and claims["exp"] - claims["iat"] == 600
    assert claims["iss"] == "https://session.firebase.google.com/" + PROJECT
    raises(firebase_admin.exceptions.FirebaseError, auth.create_session_cookie, "x.y.z", 600)
    in_another_second()
    auth.revoke_refresh_tokens(state["uid"])
    auth.verify_session_cookie(cookie)
    raises(auth.RevokedSessionCookieError, auth.verify_session_cookie, cookie, check_revoked=True)
    state["session"] = sign_in(password=NEW_PASSWORD)


def the_user_deletes_their_account():
    token = state["session"]["idToken"]
    assert list(rest("delete", {"idToken": token})) == ["kind"]
    refused("USER_NOT_FOUND", "lookup", {"idToken": token})
    assert refresh(state["session"]["refreshToken"], 400)["error"]["message"] == "USER_NOT_FOUND"
    raises(auth.UserNotFoundError, auth.get_user_by_email, EMAIL)
    refused("INVALID_LOGIN_CREDENTIALS", "signInWithPassword", {"email": EMAIL, "password": NEW_PASSWORD})


steps(sign_up_signs_in_and_mails_nothing, the_mailed_link_confirms_the_address, the_password_signs_in,
      every_spelling_of_the_operation_is_one, the_sdk_reads_the_token,
      published_keys_verify_the_token_without_the_emulator_mode, a_refresh_keeps_the_refresh_token,
      the_user_sees_and_changes_their_profile, a_new_password_ends_every_other_session,
      a_forgotten_password_is_replaced, the_operator_finds_the_user_by_each_name,
      claims_of_the_operator_reach_the_next_token, revoked_tokens_are_refused, a_disabled_user_signs_in_nowhere,
      links_are_handed_to_the_operator, users_are_made_and_listed_by_the_operator, a_tenant_has_users_of_its_own,
      what_is_not_there_answers_as_switched_off,
      a_number_signs_in_by_the_code_of_a_message, a_backend_vouches_for_a_user, a_link_signs_in_without_a_password,
      a_session_cookie_outlives_its_token_and_ends_with_it, the_user_deletes_their_account)

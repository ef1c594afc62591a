# SPDX-License-Identifier: Apache-2.0
"""One account through four clients that nobody here wrote: supabase-auth, boto3, pycognito and firebase-admin."""

import os

import boto3
from botocore.config import Config
import httpx
from pycognito.aws_srp import AWSSRP
from supabase_auth import SyncGoTrueClient
from supabase_auth.errors import AuthApiError

from support import BASE, PASSWORD, fresh_address, http, mail, settings, steps

config = settings()
os.environ["FIREBASE_AUTH_EMULATOR_HOST"] = config["firebase"]["emulatorHost"]
import firebase_admin  # noqa: E402  (it reads the variable when it is imported)
from firebase_admin import auth as firebase_auth  # noqa: E402

firebase_admin.initialize_app(options={"projectId": config["firebase"]["projectId"]})

EMAIL = fresh_address("one")
SECOND = "Second-horse-8-battery"
pool = config["cognito"]["userPoolId"]
app_client = config["cognito"]["clientId"]
cognito = boto3.client(
    "cognito-idp", endpoint_url=BASE, region_name=config["cognito"]["region"], aws_access_key_id="dev",
    aws_secret_access_key="dev", config=Config(retries={"max_attempts": 0}))
refused = cognito.exceptions.NotAuthorizedException
state = {}


def supabase():
    key = config["supabase"]["anonKey"]
    return SyncGoTrueClient(
        url=config["supabase"]["url"] + "/auth/v1", headers={"apikey": key, "Authorization": f"Bearer {key}"},
        auto_refresh_token=False, http_client=httpx.Client(timeout=60))


def by_supabase(password):
    return supabase().sign_in_with_password({"email": EMAIL, "password": password}).session.access_token


def by_boto3(password):
    answer = cognito.initiate_auth(
        ClientId=app_client, AuthFlow="USER_PASSWORD_AUTH",
        AuthParameters={"USERNAME": EMAIL, "PASSWORD": password})
    return answer["AuthenticationResult"]


def by_srp(password):
    srp = AWSSRP(username=EMAIL, password=password, pool_id=pool, client_id=app_client, client=cognito)
    return srp.authenticate_user()["AuthenticationResult"]


def by_firebase(password):
    status, _, body = http(
        "POST", f"/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key={config['firebase']['apiKey']}",
        {"email": EMAIL, "password": password, "returnSecureToken": True})
    return status, body


def tokens(password):
    """One token of each path, by its name."""
    boto, srp = by_boto3(password), by_srp(password)
    status, firebase = by_firebase(password)
    assert status == 200, (status, firebase)
    return {
        "supabase": by_supabase(password), "cognito access": boto["AccessToken"],
        "cognito srp": srp["AccessToken"], "firebase": firebase["idToken"],
    }


def nobody_signs_in(password):
    try:
        by_supabase(password)
        raise AssertionError("supabase-auth signed in")
    except AuthApiError:
        pass
    for attempt in (by_boto3, by_srp):
        try:
            attempt(password)
            raise AssertionError(f"{attempt.__name__} signed in")
        except (refused, cognito.exceptions.UserNotConfirmedException):
            pass
    status, body = by_firebase(password)
    assert status == 400, (status, body)


def google(**members):
    status, _, given = http("POST", "/dev/identity-provider/id-token", {"provider": "google", **members})
    assert status == 200, given
    return given["id_token"]


def synchronizes_who_signs_in_by_the_providers_own_sdk():
    """An app on a phone with Google's SDK and no pages of ours: the pool's user follows what Google says, and is the same."""
    address = fresh_address("hybrid").replace("example.com", "gmail.com")
    wanted = {"subject": address, "claims": {"email": address, "email_verified": True, "name": "Hy Brid", "locale": "sv"}}
    body = {"provider": "google", "idToken": google(**wanted)}
    status, _, made = http("POST", "/v1/user-sync", body)
    assert (status, made["created"]) == (201, True), (status, made)
    status, _, again = http("POST", "/v1/user-sync", body)
    assert (status, again["created"], again["user"]) == (200, False, made["user"]), (status, again)
    [found] = cognito.list_users(UserPoolId=pool, Filter=f'email = "{address}"')["Users"]
    attributes = {one["Name"]: one["Value"] for one in found["Attributes"]}
    assert attributes["sub"] == made["user"]["sub"] and attributes["name"] == "Hy Brid", attributes
    assert attributes["locale"] == "sv" and attributes["email_verified"] == "true", attributes
    signed_in = supabase().sign_in_with_id_token({"provider": "google", "token": google(**wanted)}).user
    assert signed_in.id == made["user"]["id"], signed_in
    # The same token still says who it is after it has opened a session, and opens no second one.
    status, _, forged = http("POST", "/v1/user-sync", {**body, "idToken": body["idToken"][:-8] + "AAAAAAAA"})
    assert (status, forged["code"]) == (400, "identity_token_invalid"), (status, forged)


def bearer(token):
    return {"Authorization": "Bearer " + token}


def signs_up_through_supabase_and_can_sign_in_nowhere_yet():
    answer = supabase().sign_up({"email": EMAIL, "password": PASSWORD, "options": {"data": {"name": "One User"}}})
    assert answer.session is None
    state["id"] = answer.user.id
    nobody_signs_in(PASSWORD)


def confirms_by_mail():
    supabase().verify_otp({"email": EMAIL, "token": mail(EMAIL, "confirmation")["code"], "type": "signup"})


def signs_in_by_srp_through_pycognito():
    assert by_srp(PASSWORD)["TokenType"] == "Bearer"


def every_path_leads_to_the_one_user():
    found = tokens(PASSWORD)
    for name, token in found.items():
        status, _, me = http("GET", "/v1/me", headers=bearer(token))
        assert status == 200, (name, status, me)
        assert me["id"] == state["id"] and me["email"] == EMAIL and me["name"] == "One User", (name, me)
        status, _, page = http("GET", "/v1/activities", headers=bearer(token))
        assert status == 200, (name, status, page)
    assert cognito.get_user(AccessToken=found["cognito access"])["Username"] == state["id"]
    assert firebase_auth.verify_id_token(found["firebase"])["uid"] == state["id"]
    assert firebase_auth.get_user_by_email(EMAIL).uid == state["id"]


def is_let_into_the_api_by_access_tokens_alone():
    boto = by_boto3(PASSWORD)
    session = supabase().sign_in_with_password({"email": EMAIL, "password": PASSWORD}).session
    others = {"cognito id": boto["IdToken"], "cognito refresh": boto["RefreshToken"],
              "supabase refresh": session.refresh_token, "firebase refresh": by_firebase(PASSWORD)[1]["refreshToken"],
              "project key": config["supabase"]["anonKey"], "service key": config["supabase"]["serviceRoleKey"]}
    for name, token in others.items():
        status, _, body = http("GET", "/v1/me", headers=bearer(token))
        assert status == 401, (name, status, body)


def cannot_refresh_with_the_token_of_another_dialect():
    def through_supabase(token):
        return http("POST", "/auth/v1/token?grant_type=refresh_token", {"refresh_token": token},
                    {"apikey": config["supabase"]["anonKey"]})

    def through_cognito(token):
        return http("POST", "/", {"ClientId": app_client, "AuthFlow": "REFRESH_TOKEN_AUTH",
                                  "AuthParameters": {"REFRESH_TOKEN": token}},
                    {"X-Amz-Target": "AWSCognitoIdentityProviderService.InitiateAuth",
                     "Content-Type": "application/x-amz-json-1.1"})

    def through_firebase(token):
        return http("POST", f"/securetoken.googleapis.com/v1/token?key={config['firebase']['apiKey']}",
                    {"grant_type": "refresh_token", "refresh_token": token})

    def revoked_through_cognito(token):
        return http("POST", "/", {"ClientId": app_client, "Token": token},
                    {"X-Amz-Target": "AWSCognitoIdentityProviderService.RevokeToken",
                     "Content-Type": "application/x-amz-json-1.1"})

    given = {
        through_supabase: supabase().sign_in_with_password(
            {"email": EMAIL, "password": PASSWORD}).session.refresh_token,
        through_cognito: by_boto3(PASSWORD)["RefreshToken"],
        through_firebase: by_firebase(PASSWORD)[1]["refreshToken"],
    }
    for home, token in given.items():
        for other in given:
            if other is not home:
                status, _, body = other(token)
                assert status == 400, (home.__name__, other.__name__, status, body)
        if home is not through_cognito:
            revoked_through_cognito(token)
        # Nor does trying end the session.
        status, _, body = home(token)
        assert status == 200, (home.__name__, status, body)


def changes_the_password_through_boto3_and_the_old_one_is_refused_by_all():
    token = by_boto3(PASSWORD)["AccessToken"]
    cognito.change_password(AccessToken=token, PreviousPassword=PASSWORD, ProposedPassword=SECOND)
    nobody_signs_in(PASSWORD)
    state["tokens"] = tokens(SECOND)


def is_no_administrator_until_boto3_adds_them_to_the_group():
    for name, token in state["tokens"].items():
        assert http("GET", "/v1/admin/users", headers=bearer(token))[0] == 403, name
    # Both administer where nothing else is set and the server is a developer's.
    for group in ("testing", "admin"):
        try:
            cognito.create_group(UserPoolId=pool, GroupName=group)
        except cognito.exceptions.GroupExistsException:
            pass
        cognito.admin_add_user_to_group(UserPoolId=pool, Username=state["id"], GroupName=group)
        for name, token in tokens(SECOND).items():
            status, _, body = http("GET", "/v1/admin/users", headers=bearer(token))
            assert status == 200, (group, name, status, body)
        cognito.admin_remove_user_from_group(UserPoolId=pool, Username=state["id"], GroupName=group)
        for name, token in tokens(SECOND).items():
            assert http("GET", "/v1/admin/users", headers=bearer(token))[0] == 403, (group, name)


def is_disabled_through_firebase_admin_and_can_sign_in_nowhere():
    firebase_auth.update_user(state["id"], disabled=True)
    nobody_signs_in(SECOND)
    for name, token in state["tokens"].items():
        assert http("GET", "/v1/me", headers=bearer(token))[0] == 401, name
    user = cognito.admin_get_user(UserPoolId=pool, Username=state["id"])
    assert user["Enabled"] is False, user
    firebase_auth.update_user(state["id"], disabled=False)
    state["tokens"] = tokens(SECOND)


def is_deleted_through_boto3_and_gone_from_all():
    cognito.delete_user(AccessToken=state["tokens"]["cognito access"])
    nobody_signs_in(SECOND)
    for name, token in state["tokens"].items():
        assert http("GET", "/v1/me", headers=bearer(token))[0] == 401, name
    try:
        firebase_auth.get_user(state["id"])
        raise AssertionError("firebase-admin still finds the user")
    except firebase_auth.UserNotFoundError:
        pass
    try:
        cognito.admin_get_user(UserPoolId=pool, Username=state["id"])
        raise AssertionError("boto3 still finds the user")
    except cognito.exceptions.UserNotFoundException:
        pass
    key = config["supabase"]["serviceRoleKey"]
    admin = SyncGoTrueClient(
        url=config["supabase"]["url"] + "/auth/v1", headers={"apikey": key, "Authorization": f"Bearer {key}"},
        http_client=httpx.Client(timeout=60))
    assert all(user.email != EMAIL for user in admin.admin.list_users(per_page=1000))


steps(
    signs_up_through_supabase_and_can_sign_in_nowhere_yet,
    confirms_by_mail,
    signs_in_by_srp_through_pycognito,
    every_path_leads_to_the_one_user,
    is_let_into_the_api_by_access_tokens_alone,
    cannot_refresh_with_the_token_of_another_dialect,
    changes_the_password_through_boto3_and_the_old_one_is_refused_by_all,
    is_no_administrator_until_boto3_adds_them_to_the_group,
    is_disabled_through_firebase_admin_and_can_sign_in_nowhere,
    is_deleted_through_boto3_and_gone_from_all,
    synchronizes_who_signs_in_by_the_providers_own_sdk,
)

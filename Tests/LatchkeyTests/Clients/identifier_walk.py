# SPDX-License-Identifier: Apache-2.0
"""Users who moved here with what they were called elsewhere: imported by the command line, seen through firebase-admin,
boto3, pycognito and supabase-auth, each of which goes on calling them so.

usage: identifier_walk.py URL LATCHKEY DATABASE
"""

import json
import os
import signal
import subprocess
import sys
import uuid

import boto3
from botocore.config import Config
import httpx
import jwt
from pycognito.aws_srp import AWSSRP
from supabase_auth import SyncGoTrueClient

from support import BASE, PASSWORD, fresh_address, http, settings, steps

LATCHKEY, DATABASE = sys.argv[2], sys.argv[3]
config = settings()
os.environ["FIREBASE_AUTH_EMULATOR_HOST"] = config["firebase"]["emulatorHost"]
import firebase_admin  # noqa: E402  (it reads the variable when it is imported)
from firebase_admin import auth as firebase_auth  # noqa: E402

firebase_admin.initialize_app(options={"projectId": config["firebase"]["projectId"]})
pool, app_client = config["cognito"]["userPoolId"], config["cognito"]["clientId"]
cognito = boto3.client(
    "cognito-idp", endpoint_url=BASE, region_name=config["cognito"]["region"], aws_access_key_id="dev",
    aws_secret_access_key="dev", config=Config(retries={"max_attempts": 0}))
service = config["supabase"]["serviceRoleKey"]
OPERATOR = {"apikey": service, "Authorization": "Bearer " + service}

EMAIL = fresh_address("moved")
# One person, of three projects of before.
UID = "Xq3mT0aVb9cD1eF2gH3iJ4kL5mN6"
SUB = str(uuid.uuid4())
OLD = str(uuid.uuid4())
NAMES = {"firebase": UID, "cognito": SUB, "supabase": OLD}
state = {}


def command(*arguments, lines=None):
    run = subprocess.run([LATCHKEY, *arguments, "--database", DATABASE], capture_output=True, text=True, input=lines)
    assert run.returncode == 0, (run.stdout, run.stderr)
    return run.stdout


def supabase(key=None):
    key = key or config["supabase"]["anonKey"]
    return SyncGoTrueClient(
        url=config["supabase"]["url"] + "/auth/v1", headers={"apikey": key, "Authorization": f"Bearer {key}"},
        auto_refresh_token=False, http_client=httpx.Client(timeout=60))


def raises(kind, call, *arguments, **keywords):
    try:
        call(*arguments, **keywords)
    except kind as error:
        return error
    raise AssertionError(f"accepted; expected {kind.__name__}")


def said(token):
    return jwt.decode(token, options={"verify_signature": False})


def firebase_sign_in(email=EMAIL, password=PASSWORD):
    status, _, body = http(
        "POST", f"/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key={config['firebase']['apiKey']}",
        {"email": email, "password": password, "returnSecureToken": True})
    assert status == 200, body
    return body


def is_imported_with_three_names():
    line = json.dumps({"external_identifiers": NAMES, "email": EMAIL, "email_verified_at": "2025-01-01T00:00:00Z"})
    assert json.loads(command("user", "import", "--json", lines=line))["imported"] == 1
    again = json.loads(command("user", "import", "--json", lines=line))
    assert again["imported"] == 0 and again["present"] == 1, again
    shown = json.loads(command("user", "show", UID, "--json"))
    assert shown["externalIdentifiers"] == NAMES and shown["email"] == EMAIL, shown
    assert all(json.loads(command("user", "show", name, "--json"))["id"] == shown["id"] for name in NAMES.values())
    state["id"] = shown["id"]
    assert uuid.UUID(state["id"]).version == 4 and state["id"] not in NAMES.values()
    cognito.admin_set_user_password(UserPoolId=pool, Username=SUB, Password=PASSWORD, Permanent=True)


def is_the_same_uid_to_firebase_admin():
    for record in (firebase_auth.get_user(UID), firebase_auth.get_user_by_email(EMAIL),
                   firebase_auth.update_user(UID, display_name="Moved")):
        assert record.uid == UID, record.uid
    session = firebase_sign_in()
    claims = firebase_auth.verify_id_token(session["idToken"], check_revoked=True)
    assert session["localId"] == claims["uid"] == claims["sub"] == claims["user_id"] == UID, claims
    found = firebase_auth.get_users([firebase_auth.UidIdentifier(UID), firebase_auth.UidIdentifier("nobody")])
    assert [user.uid for user in found.users] == [UID] and len(found.not_found) == 1
    assert UID in [user.uid for user in firebase_auth.list_users().iterate_all()]
    firebase_auth.set_custom_user_claims(UID, {"level": 7})
    state["firebase"] = firebase_sign_in()["idToken"]
    assert said(state["firebase"])["level"] == 7


def is_the_same_sub_to_boto3_and_pycognito():
    plain = cognito.initiate_auth(ClientId=app_client, AuthFlow="USER_PASSWORD_AUTH",
                                  AuthParameters={"USERNAME": SUB, "PASSWORD": PASSWORD})["AuthenticationResult"]
    by_srp = [AWSSRP(username=name, password=PASSWORD, pool_id=pool, client_id=app_client, client=cognito)
              .authenticate_user()["AuthenticationResult"] for name in (SUB, EMAIL)]
    for tokens in (plain, *by_srp):
        access, identity = said(tokens["AccessToken"]), said(tokens["IdToken"])
        assert access["sub"] == access["username"] == identity["sub"] == identity["cognito:username"] == SUB
        assert cognito.get_user(AccessToken=tokens["AccessToken"])["Username"] == SUB
    state["cognito"] = plain["AccessToken"]
    user = cognito.admin_get_user(UserPoolId=pool, Username=SUB)
    assert user["Username"] == SUB and {"Name": "sub", "Value": SUB} in user["UserAttributes"], user
    listed = cognito.list_users(UserPoolId=pool, Filter=f'sub = "{SUB}"')["Users"]
    assert [each["Username"] for each in listed] == [SUB], listed
    renewed = cognito.initiate_auth(ClientId=app_client, AuthFlow="REFRESH_TOKEN_AUTH",
                                    AuthParameters={"REFRESH_TOKEN": plain["RefreshToken"]})["AuthenticationResult"]
    assert said(renewed["AccessToken"])["sub"] == SUB


def is_the_same_id_to_supabase_auth():
    answer = supabase().sign_in_with_password({"email": EMAIL, "password": PASSWORD})
    assert answer.user.id == OLD and said(answer.session.access_token)["sub"] == OLD
    identity = answer.user.identities[0]
    assert identity.user_id == identity.id == identity.identity_data["sub"] == OLD, identity
    admin = supabase(service).admin
    assert admin.get_user_by_id(OLD).user.id == OLD
    assert admin.update_user_by_id(OLD, {"app_metadata": {"plan": "pro"}}).user.id == OLD
    assert OLD in [user.id for user in admin.list_users(per_page=1000)]
    assert http("GET", f"/auth/v1/admin/users/{UID}", headers=OPERATOR)[2]["id"] == OLD
    status, _, body = http("GET", "/auth/v1/admin/users/nobody", headers=OPERATOR)
    assert status == 404 and body["error_code"] == "validation_failed", body
    state["supabase"] = answer.session.access_token
    for query in (f"author:{OLD}", f"author:{state['id']}"):
        status, _, events = http("GET", f"/auth/v1/admin/audit?query={query}",
                                 headers=OPERATOR)
        assert status == 200 and events, (query, status, events)
        assert {event["payload"].get("user_id") for event in events} == {OLD}, events


def is_one_user_to_the_app():
    for name in NAMES:
        status, _, me = http("GET", "/v1/me", headers={"Authorization": "Bearer " + state[name]})
        assert status == 200 and me["id"] == state["id"] and me["email"] == EMAIL, (name, status, me)


def takes_every_name_along():
    lines = command("user", "export")
    line = next(json.loads(each) for each in lines.splitlines() if EMAIL in each)
    assert line["external_identifiers"] == NAMES and line["id"] == state["id"], line
    command("directory", "create", "second")
    command("user", "import", "--directory", "second", lines=lines)
    copy = json.loads(command("user", "show", UID, "--directory", "second", "--json"))
    assert copy["id"] == state["id"] and copy["externalIdentifiers"] == NAMES, copy


def firebase_admin_chooses_uids():
    email = fresh_address("chosen")
    made = firebase_auth.create_user(uid="legacy|7 ü", email=email, password=PASSWORD, email_verified=True)
    assert made.uid == "legacy|7 ü"
    raises(firebase_auth.UidAlreadyExistsError, firebase_auth.create_user, uid=made.uid, email=fresh_address("other"))
    raises(firebase_auth.UidAlreadyExistsError, firebase_auth.create_user, uid=SUB)
    assert firebase_auth.verify_id_token(firebase_sign_in(email)["idToken"])["uid"] == made.uid
    assert firebase_auth.update_user(made.uid, disabled=True).disabled
    nameless = firebase_auth.create_user(uid="nameless-7")
    answer = firebase_auth.delete_users([made.uid, nameless.uid])
    assert answer.success_count == 2 and answer.failure_count == 0
    raises(firebase_auth.UserNotFoundError, firebase_auth.get_user, made.uid)
    firebase_auth.delete_user(firebase_auth.create_user(uid=made.uid, email=email).uid)


def goes_on_where_an_import_was_killed():
    """Beside a server it writes a thousand lines at once. It is killed while it waits for the rest of the third thousand."""
    command("directory", "create", "third")
    lines = [json.dumps({"id": str(uuid.uuid4()), "email": f"killed{number}@example.com"}) + "\n" for number in range(2500)]
    run = [LATCHKEY, "user", "import", "--directory", "third", "--database", DATABASE]
    with subprocess.Popen(run, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as first:
        first.stdin.writelines(lines[:2300])
        first.stdin.flush()
        while "2000 imported" not in (told := first.stderr.readline()):
            assert told, first.wait()
        first.kill()
        assert first.wait() == -signal.SIGKILL
    again = json.loads(command("user", "import", "--directory", "third", "--json", lines="".join(lines)))
    assert again == {"imported": 500, "present": 2000, "faults": 0}, again
    there = [json.loads(each)["id"] for each in command("user", "export", "--directory", "third").splitlines()]
    assert sorted(there) == sorted(json.loads(line)["id"] for line in lines)


def is_deleted_by_any_name():
    cognito.admin_delete_user(UserPoolId=pool, Username=SUB)
    raises(firebase_auth.UserNotFoundError, firebase_auth.get_user, UID)
    for name in NAMES:
        assert http("GET", "/v1/me", headers={"Authorization": "Bearer " + state[name]})[0] == 401, name
    firebase_auth.delete_user(firebase_auth.create_user(uid=UID).uid)


steps(is_imported_with_three_names, is_the_same_uid_to_firebase_admin, is_the_same_sub_to_boto3_and_pycognito,
      is_the_same_id_to_supabase_auth, is_one_user_to_the_app, takes_every_name_along, firebase_admin_chooses_uids,
      goes_on_where_an_import_was_killed, is_deleted_by_any_name)

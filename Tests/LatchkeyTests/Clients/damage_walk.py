# SPDX-License-Identifier: Apache-2.0
"""Metadata has a bound in every dialect, and a row that can't be read hurts nobody else: everybody is listed, counted and
exported, the damaged account is refused by name of what it is, banned and deleted, in all dialects and at the command
line."""

import json
import sqlite3
import subprocess
import sys

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

from support import BASE, PASSWORD, fresh_address, http, settings, steps

LATCHKEY, DATABASE = sys.argv[2], sys.argv[3]
config = settings()
pool, app_client = config["cognito"]["userPoolId"], config["cognito"]["clientId"]
cognito = boto3.client(
    "cognito-idp", endpoint_url=BASE, region_name=config["cognito"]["region"], aws_access_key_id="dev",
    aws_secret_access_key="dev", config=Config(retries={"max_attempts": 0}))
anonymous = {"apikey": config["supabase"]["anonKey"]}
service = {"apikey": config["supabase"]["serviceRoleKey"],
           "Authorization": "Bearer " + config["supabase"]["serviceRoleKey"]}
key, project = config["firebase"]["apiKey"], config["firebase"]["projectId"]
OWNER = {"Authorization": "Bearer owner"}
ADMIN = f"/identitytoolkit.googleapis.com/v1/projects/{project}/accounts"
JUNK = '{"a":' * 80 + "1" + "}" * 80
state = {}


def bearer(token):
    return {"Authorization": "Bearer " + token}


def made(name):
    email = fresh_address(name)
    status, _, body = http("POST", "/auth/v1/admin/users",
                           {"email": email, "password": PASSWORD, "email_confirm": True}, service)
    assert status == 200, body
    return email, body["id"]


def supabase(email):
    return http("POST", "/auth/v1/token?grant_type=password", {"email": email, "password": PASSWORD}, anonymous)


def firebase(email):
    return http("POST", f"/v1/accounts:signInWithPassword?key={key}",
                {"email": email, "password": PASSWORD, "returnSecureToken": True})


def by_cognito(email):
    return cognito.initiate_auth(ClientId=app_client, AuthFlow="USER_PASSWORD_AUTH",
                                 AuthParameters={"USERNAME": email, "PASSWORD": PASSWORD})["AuthenticationResult"]


def refusal(call):
    try:
        call()
    except ClientError as error:
        return error.response["Error"]["Code"], error.response["ResponseMetadata"]["HTTPStatusCode"]
    raise AssertionError("accepted")


def command(*arguments, expect=0):
    done = subprocess.run([LATCHKEY, "user", *arguments, "--database", "sqlite:" + DATABASE], capture_output=True,
                          text=True, timeout=60)
    assert done.returncode == expect, (arguments, done.returncode, done.stdout, done.stderr)
    return done.stdout


# MARK: Bounds


def the_metadata_of_supabase_has_a_bound():
    email, id = made("bound")
    token = supabase(email)[2]["access_token"]
    headers = anonymous | bearer(token)
    # A megabyte at once, and a little at a time until it is too much.
    for body in ({"data": {"x": "y" * 1_000_000}}, {"data": {"x": "\x7f" * 20_000}}):
        status, _, body = http("PUT", "/auth/v1/user", body, headers)
        assert (status, body["error_code"]) == (422, "validation_failed"), (status, body)
    taken = 0
    for index in range(20):
        status, _, body = http("PUT", "/auth/v1/user", {"data": {f"part {index}": "y" * 10_000}}, headers)
        assert status in (200, 422), (status, body)
        taken += status == 200
    assert taken == 6, taken
    for member in ("user_metadata", "app_metadata"):
        status, _, body = http("PUT", f"/auth/v1/admin/users/{id}", {member: {"x": "y" * 70_000}, "role": "lost"}, service)
        assert status == 422, (member, status, body)
    status, _, user = http("GET", f"/auth/v1/admin/users/{id}", headers=service)
    # Beside them it says whether the address was proved.
    kept = user["user_metadata"].keys() - {"email_verified"}
    assert status == 200 and len(kept) == 6 and user["role"] == "authenticated", user
    for path, extra in (("/auth/v1/signup", {"password": PASSWORD}), ("/auth/v1/otp", {}), ("/auth/v1/invite", None)):
        for address in (email, fresh_address("new")):
            body = {"email": address, "data": {"x": "y" * 70_000}} | (extra or {})
            status, _, body = http("POST", path, body, service if extra is None else anonymous)
            # An operator who invites somebody may learn that they are there.
            assert status == 422, (path, status, body)
    status, _, body = http("POST", "/auth/v1/admin/users",
                           {"email": fresh_address("new"), "app_metadata": {"x": "y" * 70_000}}, service)
    assert status == 422, body


def the_attributes_of_cognito_have_a_bound():
    email, id = made("bound")
    token = by_cognito(email)["AccessToken"]
    taken, code = 0, None
    for index in range(40):
        attributes = [{"Name": f"custom:a{index}", "Value": "y" * 2000}]
        try:
            cognito.update_user_attributes(AccessToken=token, UserAttributes=attributes)
            taken += 1
        except ClientError as error:
            code = error.response["Error"]["Code"]
    assert taken == 32 and code == "InvalidParameterException", (taken, code)
    developers = [{"Name": f"dev:custom:a{index}", "Value": "y" * 2000} for index in range(40)]
    assert refusal(lambda: cognito.admin_update_user_attributes(
        UserPoolId=pool, Username=id, UserAttributes=developers)) == ("InvalidParameterException", 400)
    assert refusal(lambda: cognito.admin_create_user(
        UserPoolId=pool, Username=fresh_address("new"), MessageAction="SUPPRESS",
        UserAttributes=[{"Name": f"custom:a{index}", "Value": "y" * 2000} for index in range(40)])) == (
            "InvalidParameterException", 400)
    assert len(cognito.admin_get_user(UserPoolId=pool, Username=id)["UserAttributes"]) == 32 + 3


def the_profile_and_the_claims_of_firebase_have_a_bound():
    email, id = made("bound")
    token = firebase(email)[2]["idToken"]
    for member in ("displayName", "photoUrl"):
        status, _, body = http("POST", f"/v1/accounts:update?key={key}", {"idToken": token, member: "y" * 70_000})
        assert status == 400 and body["error"]["status"] == "INVALID_ARGUMENT", (status, body)
    for claims, code in (('{"a":"' + "y" * 1000 + '"}', "CLAIMS_TOO_LARGE"),
                         ('{"a":' * 100 + "1" + "}" * 100, "INVALID_CLAIMS")):
        status, _, body = http("POST", ADMIN + ":update", {"localId": id, "customAttributes": claims}, OWNER)
        assert status == 400 and body["error"]["message"].startswith(code), (status, body)
    assert firebase(email)[0] == 200


# MARK: Damage


def rows_are_damaged():
    state["well"] = [made("well") for _ in range(3)]
    state["damaged"] = {}
    tokens = {}
    spoiled = {"user_metadata": JUNK, "app_metadata": "{", "dialect_data": '{"cognito":{"admin":{}}}', "created_at": "x",
               "pending_email": "no address", "is_anonymous": "x"}
    for column in spoiled:
        email, id = made("damaged")
        state["damaged"][column] = (email, id)
        session = supabase(email)[2]
        tokens[column] = (session, by_cognito(email), firebase(email)[2])
    state["tokens"] = tokens
    with sqlite3.connect(DATABASE, timeout=30) as database:
        for column, value in spoiled.items():
            changed = database.execute(f"UPDATE users SET {column} = ? WHERE id = ?",
                                       (value, state["damaged"][column][1])).rowcount
            assert changed == 1, column
        # And an identity, whose user is well.
        database.execute("UPDATE identities SET data = '{' WHERE user_id = ?", (state["well"][0][1],))
    database.close()
    state["everybody"] = {id for _, id in state["well"]} | {id for _, id in state["damaged"].values()}


def everybody_is_listed_and_counted():
    seen, page, total = {}, 1, None
    while True:
        status, headers, body = http("GET", f"/auth/v1/admin/users?per_page=2&page={page}", headers=service)
        assert status == 200, (page, status, body)
        total = int(headers["x-total-count"])
        if not body["users"]:
            break
        seen |= {user["id"]: user for user in body["users"]}
        page += 1
    assert state["everybody"] <= seen.keys() and len(seen) == total, (len(seen), total)
    for column, (_, id) in state["damaged"].items():
        assert seen[id]["damaged"] == [column], seen[id]
    assert all("damaged" not in seen[id] for _, id in state["well"])

    users = [user for page in cognito.get_paginator("list_users").paginate(
        UserPoolId=pool, PaginationConfig={"PageSize": 2}) for user in page["Users"]]
    status = {user["Username"]: (user["UserStatus"], user["Enabled"]) for user in users}
    assert len(status) == total and all(status[id] == ("UNKNOWN", False) for _, id in state["damaged"].values()), status
    assert all(status[id] == ("CONFIRMED", True) for _, id in state["well"]), status
    named = cognito.list_users(UserPoolId=pool, Filter='name = "nobody"')
    assert named["Users"] == []

    found, token = {}, ""
    while token is not None:
        _, _, body = http("GET", f"{ADMIN}:batchGet?maxResults=2&nextPageToken={token}", headers=OWNER)
        found |= {user["localId"]: user for user in body.get("users", [])}
        token = body.get("nextPageToken")
    assert len(found) == total and all(found[id]["disabled"] for _, id in state["damaged"].values()), found
    assert not any(found[id].get("disabled") for _, id in state["well"])

    listed = json.loads(command("list", "--per-page", "1000", "--json"))
    assert listed["total"] == total and len(listed["users"]) == total
    assert {user["id"] for user in listed["users"] if user["damaged"]} == {id for _, id in state["damaged"].values()}
    assert command("list", "--per-page", "1000").count(" damaged ") == len(state["damaged"])


def one_is_shown():
    for column, (email, id) in state["damaged"].items():
        status, _, user = http("GET", f"/auth/v1/admin/users/{id}", headers=service)
        assert status == 200 and user["damaged"] == [column], (column, user)
        assert cognito.admin_get_user(UserPoolId=pool, Username=id)["UserStatus"] == "UNKNOWN"
        status, _, body = http("POST", ADMIN + ":lookup", {"localId": [id]}, OWNER)
        assert status == 200 and body["users"][0]["damaged"] == [column], body
        assert json.loads(command("show", email, "--json"))["damaged"] == [column]


def the_damaged_are_refused_and_nobody_else():
    for email, _ in state["well"]:
        assert supabase(email)[0] == 200 and firebase(email)[0] == 200 and by_cognito(email)["AccessToken"]
    for column, (email, id) in state["damaged"].items():
        status, _, body = supabase(email)
        assert (status, body["error_code"]) == (400, "user_banned"), (column, status, body)
        assert refusal(lambda: by_cognito(email)) == ("NotAuthorizedException", 400), column
        status, _, body = firebase(email)
        assert status == 400 and body["error"]["message"] == "USER_DISABLED", (column, body)
        session, pair, identity = state["tokens"][column]
        for token in (session["access_token"], pair["AccessToken"], identity["idToken"]):
            status = http("GET", "/v1/me", headers=bearer(token))[0]
            # What /v1/me reads of an account does not hold every column.
            assert status in (200, 401), (column, status)
        status, _, body = http("GET", "/auth/v1/user", headers=anonymous | bearer(session["access_token"]))
        assert status == 403, (column, status, body)
        status, _, body = http("POST", "/auth/v1/token?grant_type=refresh_token",
                               {"refresh_token": session["refresh_token"]}, anonymous)
        assert (status, body["error_code"]) == (400, "user_banned"), (column, status, body)
        assert refusal(lambda: cognito.get_user(AccessToken=pair["AccessToken"])) == ("NotAuthorizedException", 400)
        for path in ("recover", "otp"):
            status, _, body = http("POST", "/auth/v1/" + path, {"email": email}, anonymous)
            assert status == 200, (column, path, body)
        status, _, body = http("POST", "/auth/v1/signup", {"email": email, "password": PASSWORD}, anonymous)
        assert status == 200, (column, body)


def what_is_there_is_exported_as_it_is():
    lines = [json.loads(line) for line in command("export").splitlines()]
    users = {line["id"]: line for line in lines}
    assert state["everybody"] <= users.keys()
    for column, (email, id) in state["damaged"].items():
        assert [entry["column"] for entry in users[id]["damaged"]] == [column] and users[id]["email"] == email
        assert users[id]["password_hash"].startswith("$")
    assert users[state["damaged"]["user_metadata"][1]]["damaged"][0]["raw"] == JUNK
    assert users[state["well"][0][1]]["damaged"] == [{"column": "data", "raw": "{"}]


def the_damaged_are_banned_and_deleted_by_everybody():
    (_, first), (_, second), (_, third), (fourth, fourth_id), (_, fifth), (_, sixth) = state["damaged"].values()
    for id in (first, second):
        status, _, body = http("PUT", f"/auth/v1/admin/users/{id}", {"ban_duration": "24h"}, service)
        assert status == 200 and body["banned_until"], body
        # What could only be added to what can't be read is refused, not lost.
        status, _, body = http("PUT", f"/auth/v1/admin/users/{id}",
                               {"user_metadata": {"a": 1}, "app_metadata": {"a": 1}}, service)
        assert status == 409, body
    cognito.admin_disable_user(UserPoolId=pool, Username=third)
    command("ban", fourth)
    status, _, body = http("POST", ADMIN + ":update", {"localId": fifth, "disableUser": True}, OWNER)
    assert status == 200, body
    with sqlite3.connect(DATABASE, timeout=30) as database:
        for id in (first, second, third, fourth_id, fifth):
            assert database.execute("SELECT banned_until FROM users WHERE id = ?", (id,)).fetchone()[0], id
    database.close()

    assert http("DELETE", f"/auth/v1/admin/users/{first}", {"should_soft_delete": True}, service)[0] == 200
    assert http("DELETE", f"/auth/v1/admin/users/{second}", headers=service)[0] == 200
    cognito.admin_delete_user(UserPoolId=pool, Username=third)
    command("delete", fourth)
    assert http("POST", ADMIN + ":delete", {"localId": fifth}, OWNER)[0] == 200
    status, _, body = http("POST", ADMIN + ":batchDelete", {"localIds": [sixth], "force": True}, OWNER)
    assert status == 200 and not body.get("errors"), body
    listed = json.loads(command("list", "--per-page", "1000", "--json"))
    left = {user["id"] for user in listed["users"]}
    assert not left & {id for _, id in state["damaged"].values()} and {id for _, id in state["well"]} <= left
    assert listed["total"] == len(left)


steps(
    the_metadata_of_supabase_has_a_bound,
    the_attributes_of_cognito_have_a_bound,
    the_profile_and_the_claims_of_firebase_have_a_bound,
    rows_are_damaged,
    everybody_is_listed_and_counted,
    one_is_shown,
    the_damaged_are_refused_and_nobody_else,
    what_is_there_is_exported_as_it_is,
    the_damaged_are_banned_and_deleted_by_everybody,
)

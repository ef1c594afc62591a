# SPDX-License-Identifier: Apache-2.0
"""Every way to sign in by a password, against every state of an account: one verdict, and one hash, whichever dialect
is spoken. Says what it found as a table."""

import re
import sqlite3
import sys

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError
from pycognito.aws_srp import AWSSRP

from support import BASE, PASSWORD, fresh_address, http, served, settings, steps

METRICS = sys.argv[2]
DATABASE = sys.argv[3]
config = settings()
pool, app_client = config["cognito"]["userPoolId"], config["cognito"]["clientId"]
cognito = boto3.client(
    "cognito-idp", endpoint_url=BASE, region_name=config["cognito"]["region"], aws_access_key_id="dev",
    aws_secret_access_key="dev", config=Config(retries={"max_attempts": 0}))
service = {"apikey": config["supabase"]["serviceRoleKey"],
           "Authorization": "Bearer " + config["supabase"]["serviceRoleKey"]}
anonymous = {"apikey": config["supabase"]["anonKey"]}
key = config["firebase"]["apiKey"]

# What each dialect calls the verdicts. SRP proves the password, so it learns as much as a right password does.
NAMES = {
    "supabase": {"invalid_credentials": "wrong", "email_not_confirmed": "unverified", "user_banned": "banned",
                 "temporary_password_expired": "expired", "password_change_required": "change"},
    "cognito": {"Incorrect username or password.": "wrong", "User is not confirmed.": "unverified",
                "User is disabled.": "banned",
                "Temporary password has expired and must be reset by an administrator.": "expired"},
    "firebase": {"INVALID_LOGIN_CREDENTIALS": "wrong", "UNVERIFIED_EMAIL": "unverified", "USER_DISABLED": "banned"},
}


def by_supabase(email, password):
    status, _, body = http("POST", "/auth/v1/token?grant_type=password", {"email": email, "password": password},
                           anonymous)
    return "signed in" if status == 200 else NAMES["supabase"].get(body["error_code"], body)


def cognito_verdict(call):
    try:
        answer = call()
    except ClientError as error:
        return NAMES["cognito"].get(error.response["Error"]["Message"], error.response["Error"])
    if answer.get("ChallengeName") == "NEW_PASSWORD_REQUIRED":
        return "change"
    return "signed in" if "AuthenticationResult" in answer else answer


def by_password_flow(email, password):
    return cognito_verdict(lambda: cognito.initiate_auth(
        ClientId=app_client, AuthFlow="USER_PASSWORD_AUTH",
        AuthParameters={"USERNAME": email, "PASSWORD": password}))


def by_srp(email, password):
    def call():
        srp = AWSSRP(username=email, password=password, pool_id=pool, client_id=app_client, client=cognito)
        answer = cognito.initiate_auth(
            ClientId=app_client, AuthFlow="USER_SRP_AUTH", AuthParameters=srp.get_auth_params())
        assert answer["ChallengeName"] == "PASSWORD_VERIFIER", answer
        responses = srp.process_challenge(answer["ChallengeParameters"], srp.get_auth_params())
        return cognito.respond_to_auth_challenge(
            ClientId=app_client, ChallengeName="PASSWORD_VERIFIER", ChallengeResponses=responses)

    return cognito_verdict(call)


def firebase(path):
    def attempt(email, password):
        status, _, body = http("POST", f"{path}?key={key}",
                               {"email": email, "password": password, "returnSecureToken": True})
        if status == 200:
            return "signed in" if "idToken" in body else body
        assert status == 400, (status, body)
        text = body["error"]["message"]
        # The platform has no temporary passwords: a text behind the code says what it is.
        if "temporary password" in text.lower():
            return "expired" if "expired" in text else "change"
        return NAMES["firebase"].get(text.split(" : ")[0], text)

    return attempt


# Each way, and the password work that one attempt costs: a comparison, and nothing else. SRP compares no hash.
WAYS = {
    "supabase password": (by_supabase, 1),
    "cognito USER_PASSWORD_AUTH": (by_password_flow, 1),
    "cognito USER_SRP_AUTH": (by_srp, 0),
    "firebase v1": (firebase("/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword"), 1),
    "firebase bare": (firebase("/v1/accounts:signInWithPassword"), 1),
    "firebase v3": (firebase("/www.googleapis.com/identitytoolkit/v3/relyingparty/verifyPassword"), 1),
}


def work():
    status, _, text = served(METRICS)
    assert status == 200, status
    # A counter that has never counted is not listed.
    counts = re.findall(r"^latchkey_password_(?:comparisons|hashes)_total (\S+)", text, re.M)
    assert counts, text
    return sum(int(float(count)) for count in counts)


def made(email, **attributes):
    status, _, body = http("POST", "/auth/v1/admin/users", {"email": email, **attributes}, service)
    assert status == 200, (status, body)
    return body["id"]


def confirmed(name):
    email = fresh_address(name)
    return email, made(email, password=PASSWORD, email_confirm=True)


def usable():
    return confirmed("usable")[0], PASSWORD, "signed in"


def wrong_password():
    return confirmed("wrong")[0], PASSWORD + "x", "wrong"


def unknown():
    return fresh_address("unknown"), PASSWORD, "wrong"


def unverified():
    """The sign-up of one dialect is nothing to another until it is answered, where that asks for no confirmation."""
    email = fresh_address("unverified")
    status, _, body = http("POST", "/auth/v1/signup", {"email": email, "password": PASSWORD}, anonymous)
    assert status == 200, body
    return email, PASSWORD, "unverified"


def banned():
    email, user = confirmed("banned")
    assert http("PUT", "/auth/v1/admin/users/" + user, {"ban_duration": "24h"}, service)[0] == 200
    return email, PASSWORD, "banned"


def banned_with_a_wrong_password():
    email, password, _ = banned()
    return email, password + "x", "wrong"


def soft_deleted():
    email, user = confirmed("deleted")
    assert http("DELETE", "/auth/v1/admin/users/" + user, {"should_soft_delete": True}, service)[0] == 200
    return email, PASSWORD, "wrong"


def no_password():
    email = fresh_address("passwordless")
    made(email, email_confirm=True)
    return email, PASSWORD, "wrong"


def invited():
    email = fresh_address("invited")
    status, _, body = http("POST", "/auth/v1/invite", {"email": email}, service)
    assert status == 200, body
    return email, PASSWORD, "wrong"


def temporary(email):
    cognito.admin_create_user(
        UserPoolId=pool, Username=email, TemporaryPassword=PASSWORD, MessageAction="SUPPRESS",
        UserAttributes=[{"Name": "email", "Value": email}, {"Name": "email_verified", "Value": "true"}])


def temporary_password():
    email = fresh_address("temporary")
    temporary(email)
    return email, PASSWORD, "change"


def expired_invitation():
    email = fresh_address("expired")
    temporary(email)
    # A week passes, as far as this account can tell.
    with sqlite3.connect(DATABASE, timeout=30) as database:
        changed = database.execute("UPDATE users SET temporary_expires_at = 1 WHERE email = ?", (email,)).rowcount
    assert changed == 1, changed
    return email, PASSWORD, "expired"


STATES = [usable, wrong_password, unknown, unverified, banned, banned_with_a_wrong_password, soft_deleted, no_password,
          invited, temporary_password, expired_invitation]


def the_same_verdict_everywhere_and_one_hash():
    wrong = []
    for state in STATES:
        email, password, verdict = state()
        for way, (attempt, cost) in WAYS.items():
            before = work()
            found = attempt(email, password)
            spent = work() - before
            print(f"{state.__name__:30} {way:28} {found!s:12} {spent}", flush=True)
            expected = "wrong" if verdict == "unverified" and way.startswith("firebase") else verdict
            if found != expected or spent != cost:
                wrong.append((state.__name__, way, found, spent))
    assert not wrong, wrong


steps(the_same_verdict_everywhere_and_one_hash)

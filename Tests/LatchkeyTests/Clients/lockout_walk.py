# SPDX-License-Identifier: Apache-2.0
"""Five wrong passwords lock an account in every dialect, by the vendors' own clients: `supabase-auth`, `boto3`, and Firebase over
HTTP. Its owner's mail unlocks it, and so does an operator.

Arguments: the server's URL, the executable, and the database as `sqlite:PATH`.
"""

import json
import re
import subprocess
import sys
import urllib.parse

import boto3
from botocore import UNSIGNED
from botocore.config import Config
from botocore.exceptions import ClientError
from supabase_auth import SyncGoTrueClient
from supabase_auth.errors import AuthApiError, AuthError

from support import BASE, PASSWORD, Form, fresh_address, http, mail, settings, steps

EXECUTABLE, DATABASE = sys.argv[2:4]
WRONG, NEW = "Wrong-horse-7-battery", "Another-horse-8-battery"
config = settings()
ANON, KEY, CLIENT = config["supabase"]["anonKey"], config["firebase"]["apiKey"], config["cognito"]["clientId"]
ADA = fresh_address("ada")
pool = boto3.client(
    "cognito-idp", endpoint_url=BASE, region_name="us-east-1", config=Config(signature_version=UNSIGNED))


def supabase_client():
    return SyncGoTrueClient(url=BASE + "/auth/v1", headers={"apikey": ANON}, auto_refresh_token=False)


def supabase(name, password):
    """`None` for a session, else what the app is told."""
    try:
        supabase_client().sign_in_with_password({"email": name, "password": password})
    except (AuthApiError, AuthError) as error:
        return error.code, error.message
    return None


def cognito(name, password):
    try:
        pool.initiate_auth(
            ClientId=CLIENT, AuthFlow="USER_PASSWORD_AUTH",
            AuthParameters={"USERNAME": name, "PASSWORD": password})
    except ClientError as error:
        return error.response["Error"]["Code"], error.response["Error"]["Message"]
    return None


def firebase(name, password):
    status, _, body = http(
        "POST", f"/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key={KEY}",
        {"email": name, "password": password, "returnSecureToken": True})
    return None if status == 200 else (status, body["error"]["message"])


DIALECTS = [supabase, cognito, firebase]


def latchkey(*arguments):
    done = subprocess.run(
        [EXECUTABLE, *arguments, "--database", DATABASE, "--json"], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


owner = supabase_client()


def ada_signs_up_and_in():
    owner.sign_up({"email": ADA, "password": PASSWORD})
    owner.verify_otp({"email": ADA, "token": mail(ADA)["code"], "type": "signup"})
    for dialect in DIALECTS:
        assert dialect(ADA, PASSWORD) is None, dialect(ADA, PASSWORD)


def four_wrong_ones_and_a_right_one_lock_nothing():
    for _ in range(2):
        for dialect in [supabase, cognito, firebase, supabase]:
            assert dialect(ADA, WRONG), dialect
        assert cognito(ADA, PASSWORD) is None


def five_lock_in_every_dialect_and_say_so_in_none():
    wrong = {dialect: dialect(ADA, WRONG) for dialect in DIALECTS}
    assert wrong[supabase][0] == "invalid_credentials", wrong
    assert wrong[cognito] == ("NotAuthorizedException", "Incorrect username or password."), wrong
    assert wrong[firebase] == (400, "INVALID_LOGIN_CREDENTIALS"), wrong
    for dialect in [supabase, cognito]:
        assert dialect(ADA, WRONG) == wrong[dialect]
    for dialect in DIALECTS:
        assert dialect(ADA, PASSWORD) == wrong[dialect], dialect
    # A name that nobody has is answered alike, before and after.
    nobody = fresh_address("nobody")
    for dialect in DIALECTS * 3:
        assert dialect(nobody, WRONG) == wrong[dialect], dialect


def the_session_lives_on():
    refreshed = owner.refresh_session()
    assert refreshed.user.email == ADA


def the_operator_sees_it_and_no_name_that_strangers_typed():
    locked = latchkey("lockout", "list")
    assert len(locked) == 2, locked
    assert [lock["user"] for lock in locked].count(None) == 1, locked
    assert "nobody" not in json.dumps(locked)
    assert all(lock["lockedUntil"] > lock["lockedAt"] for lock in locked)


def link(message):
    return urllib.parse.urlsplit(message["link"])


def the_mail_unlocks_by_its_button_and_leads_to_a_new_password():
    message = mail(ADA, kind="account_locked")
    assert "127.0.0.0" in message["text"] and message["link"] in message["text"], message["text"]
    assert not re.search("https?://(?!127.0.0.1|localhost)", message["text"]), message["text"]
    place = link(message).path + "?" + link(message).query
    # A mail system that opens links changes nothing.
    for _ in range(3):
        status, headers, page = http("GET", place)
        assert status == 200 and headers["referrer-policy"], (status, headers)
    assert supabase(ADA, PASSWORD), "unlocked by looking at it"
    cookie = headers["set-cookie"].split(";")[0]
    # With the cookie that the page's form belongs to.
    status, headers, page = http("GET", place, headers={"Cookie": cookie})
    form = Form()
    form.feed(page)
    target = urllib.parse.urljoin(place, form.action)
    body = urllib.parse.urlencode(form.fields).encode()
    post = {"Content-Type": "application/x-www-form-urlencoded", "Cookie": cookie}
    status, headers, answer = http("POST", target, raw=body, headers=post)
    assert status == 303 and "/reset?" in headers["location"], (status, headers, answer)
    assert cognito(ADA, PASSWORD) is None
    status, _, page = http("GET", headers["location"], headers={"Cookie": cookie})
    assert status == 200 and "unlocked" in page, page
    form = Form()
    form.feed(page)
    form.fields["newPassword"] = NEW
    body = urllib.parse.urlencode(form.fields).encode()
    status, headers, answer = http(
        "POST", urllib.parse.urljoin("/account/reset", form.action), raw=body, headers=post)
    assert status == 303, (status, answer)
    for dialect in DIALECTS:
        assert dialect(ADA, NEW) is None, dialect
    status, _, page = http("GET", place, headers={"Cookie": cookie})
    assert status == 410, status


def who_answered_here_is_kept_out_here_by_nobody_but_themselves():
    for _ in range(5):
        assert supabase(ADA, WRONG)
    # The lock holds for everybody; what was answered in this network has a count of its own.
    assert cognito(ADA, NEW) is None
    for _ in range(5):
        assert firebase(ADA, WRONG)
    assert firebase(ADA, NEW)


def the_operator_lifts_it():
    assert latchkey("lockout", "lift", "--user", ADA) == {"lifted": True}
    assert latchkey("lockout", "lift", "--user", ADA) == {"lifted": False}
    for dialect in DIALECTS:
        assert dialect(ADA, NEW) is None, dialect


TOLD = [("NotAuthorizedException", "Password attempts exceeded"), "over_request_rate_limit", "TOO_MANY_ATTEMPTS_TRY_LATER"]


def is_told(name):
    """Whether each dialect says so of who is locked: each hears of the setting a moment later. Six tries are below every other
    limit."""
    seen = [firebase(name, WRONG) for _ in range(6)][-1]
    return [cognito(name, PASSWORD), (supabase(name, PASSWORD) or [None])[0], seen[1].split(" ")[0]] == TOLD


def an_operator_has_the_minutes_told():
    latchkey("directory", "set", "default", "directory.lockout.disclosure=minutes")
    assert any(is_told(fresh_address("nobody")) for _ in range(40))
    bob = fresh_address("bob")
    supabase_client().sign_up({"email": bob, "password": PASSWORD})
    assert is_told(bob)


steps(
    ada_signs_up_and_in, four_wrong_ones_and_a_right_one_lock_nothing, five_lock_in_every_dialect_and_say_so_in_none,
    the_session_lives_on, the_operator_sees_it_and_no_name_that_strangers_typed,
    the_mail_unlocks_by_its_button_and_leads_to_a_new_password,
    who_answered_here_is_kept_out_here_by_nobody_but_themselves, the_operator_lifts_it,
    an_operator_has_the_minutes_told)

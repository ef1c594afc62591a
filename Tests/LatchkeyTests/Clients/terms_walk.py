# SPDX-License-Identifier: Apache-2.0
"""Terms that a sign-in demands, by the vendors' own clients: `supabase-auth`, `boto3`, and Firebase over HTTP. An operator publishes
them by a file; each client is told where to agree; the page agrees; consents are given and withdrawn by the API.

Arguments: the server's URL, the executable, and the database as `sqlite:PATH`.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import urllib.parse

import boto3
from botocore import UNSIGNED
from botocore.config import Config
from botocore.exceptions import ClientError
from supabase_auth import SyncGoTrueClient
from supabase_auth.errors import AuthApiError

from support import BASE, PASSWORD, Form, fresh_address, http, mail, settings, steps

EXECUTABLE, DATABASE = sys.argv[2:4]
config = settings()
ANON, KEY, CLIENT = config["supabase"]["anonKey"], config["firebase"]["apiKey"], config["cognito"]["clientId"]
ADA, BOB, EVE = fresh_address("ada"), fresh_address("bob"), fresh_address("eve")
pool = boto3.client(
    "cognito-idp", endpoint_url=BASE, region_name="us-east-1", config=Config(signature_version=UNSIGNED))


def supabase_client(**headers):
    return SyncGoTrueClient(url=BASE + "/auth/v1", headers={"apikey": ANON, **headers}, auto_refresh_token=False)


def supabase(name):
    """`None` for a session, else code and text of what the app is told."""
    try:
        supabase_client().sign_in_with_password({"email": name, "password": PASSWORD})
    except AuthApiError as error:
        return error.code, error.message
    return None


def cognito(name, **more):
    try:
        pool.initiate_auth(
            ClientId=CLIENT, AuthFlow="USER_PASSWORD_AUTH", AuthParameters={"USERNAME": name, "PASSWORD": PASSWORD},
            **more)
    except ClientError as error:
        return error.response["Error"]["Code"], error.response["Error"]["Message"]
    return None


def firebase(name):
    status, _, body = http(
        "POST", f"/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key={KEY}",
        {"email": name, "password": PASSWORD, "returnSecureToken": True})
    return None if status == 200 else (body["error"]["message"].split(" : ")[0], body["error"]["message"])


def latchkey(*arguments):
    done = subprocess.run(
        [EXECUTABLE, *arguments, "--database", DATABASE, "--json"], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def publish(version):
    with tempfile.TemporaryDirectory() as place:
        file = os.path.join(place, "terms.json")
        with open(file, "w") as out:
            json.dump([{"name": "terms", "version": version, "demanded": True, "texts": {
                "en": {"title": "Terms " + version, "url": "https://app.example/terms/" + version}}}], out)
        made = latchkey("terms", "publish", file)
        assert [terms["version"] for terms in made] == [version], made
        assert latchkey("terms", "publish", file) == []


def sign_up(name):
    client = supabase_client()
    client.sign_up({"email": name, "password": PASSWORD})
    return client, client.verify_otp({"email": name, "token": mail(name)["code"], "type": "signup"})


def everybody_signs_up_and_in():
    global owner
    owner = sign_up(ADA)[0]
    for name in [BOB, EVE]:
        sign_up(name)
    for dialect in [supabase, cognito, firebase]:
        assert dialect(ADA) is None, dialect(ADA)


def each_client_is_told_and_the_session_lives_on():
    publish("1")
    answers = {dialect: dialect(ADA) for dialect in [supabase, cognito, firebase]}
    assert answers[supabase][0] == "terms_not_agreed", answers
    assert answers[cognito][0] == "NotAuthorizedException", answers
    assert answers[firebase][0] == "BLOCKING_FUNCTION_ERROR_RESPONSE", answers
    details = json.loads(answers[firebase][1][answers[firebase][1].index("{"):])["error"]["details"]
    assert details["code"] == "terms_not_agreed" and "/account/terms?" in details["page"], details
    assert all("/account/terms?agreement=" in text for _, text in answers.values()), answers
    assert owner.refresh_session().user.email == ADA
    status, _, shown = http("GET", "/v1/terms")
    assert status == 200 and shown["terms"][0]["version"] == "1", shown


def the_page_agrees_by_its_button_and_opens_nothing():
    link = re.search(r"https?://\S+", supabase(ADA)[1]).group()
    place = urllib.parse.urlsplit(link)
    for _ in range(2):
        status, headers, page = http("GET", place.path + "?" + place.query)
        assert status == 200 and "https://app.example/terms/1" in page, (status, page)
    assert supabase(ADA), "agreed to by looking at it"
    cookie = headers["set-cookie"].split(";")[0] if "set-cookie" in headers else ""
    form = Form()
    form.feed(page)
    status, headers, page = http(
        "POST", urllib.parse.urljoin(link, form.action), raw=urllib.parse.urlencode(form.fields).encode(), headers={
            "Content-Type": "application/x-www-form-urlencoded", "Cookie": cookie,
            "Origin": f"{place.scheme}://{place.netloc}"})
    assert status == 200 and "Thank you" in page, (status, page)
    for dialect in [supabase, cognito, firebase]:
        assert dialect(ADA) is None, dialect(ADA)
    said = latchkey("terms", "said", "--user", ADA)
    assert [(word["version"], word["dialect"]) for word in said] == [("1", "supabase")], said


def apps_that_ask_by_themselves_say_so_with_the_sign_in():
    client = supabase_client(**{"X-Agreed-Terms": "terms=1"})
    assert client.sign_in_with_password({"email": BOB, "password": PASSWORD}).session
    assert cognito(EVE, ClientMetadata={"agreedTerms": "terms=1"}) is None
    assert cognito(EVE) is None


def a_new_version_is_asked_for_and_one_that_is_released_is_not():
    publish("2")
    for dialect in [supabase, cognito, firebase]:
        assert dialect(BOB), dialect
    latchkey("terms", "demand", "terms", "2", "--off")
    assert supabase(BOB) is None


def consents_are_given_and_withdrawn_and_kept():
    token = {"Authorization": "Bearer " + owner.refresh_session().session.access_token}
    status, _, body = http("PATCH", "/v1/account/consents", {
        "version": 1, "analytics": True, "crashReporting": True, "telemetry": False, "personalizedData": False}, token)
    assert status == 200 and body["consents"]["analytics"] is True, body
    status, _, body = http("PATCH", "/v1/account/consents", {"analytics": False}, token)
    assert status == 200 and body["consents"] == {
        "version": 1, "analytics": False, "crashReporting": True, "telemetry": False, "personalizedData": False}, body
    status, _, body = http("GET", "/v1/account/consents/history", headers=token)
    words = [(word["name"], word["given"]) for word in body["history"]]
    assert words[0] == ("analytics", False) and ("analytics", True) in words and ("terms", True) in words, words


steps(
    everybody_signs_up_and_in, each_client_is_told_and_the_session_lives_on,
    the_page_agrees_by_its_button_and_opens_nothing, apps_that_ask_by_themselves_say_so_with_the_sign_in,
    a_new_version_is_asked_for_and_one_that_is_released_is_not, consents_are_given_and_withdrawn_and_kept)

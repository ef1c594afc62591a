# SPDX-License-Identifier: Apache-2.0
"""How often a request waits for PostgreSQL: counted by a proxy before its socket, for each of the calls that apps make most, once
transactions like them have been made before; that who is not there costs as many as who is; and that strangers' guesses make no
sign-in cost more.

usage: postgres_trips_walk.py LATCHKEY DIRECTORY POSTGRES_SUPPORT
"""

import collections
import os
import tempfile
import time
import urllib.parse

import boto3
from botocore import UNSIGNED
from botocore.config import Config
from database_support import PASSWORD, Server, environment, http, support
from postgres_server import PostgresServer
from postgres_wire import Wire
from pycognito.aws_srp import AWSSRP

# Each kind of call so often before it is counted, and then so often again, by people in turn.
BEFORE, COUNTED, PEOPLE = 14, 9, 5
# What each may cost. Firebase's look up the API key too, and SRP is two calls: five where nothing was guessed
# wrongly, which holds on a machine at rest and not beside all other tests, so it is told and not judged.
MOST = {
    "supabase sign-in": 3, "cognito sign-in": 3, "firebase sign-in": 4, "srp sign-in": None, "supabase refresh": 3,
    "cognito refresh": 3, "firebase refresh": 3, "/v1/me": 1, "/auth/v1/user": 2,
}
database = PostgresServer()
database.start()
folder = tempfile.mkdtemp(prefix="latchkey-wire-")
wire = Wire(folder, database.folder)
environment["LATCHKEY_DIRECTORY_EMAIL_AUTO_CONFIRM"] = "true"
for name in ("MAIL_SENT", "VERIFY", "TOKEN_REFRESH", "SIGN_IN", "SIGN_UP", "SIGN_IN_PER_IDENTIFIER", "SIGN_IN_PER_ACCOUNT"):
    environment[f"LATCHKEY_DIRECTORY_LIMITS_{name}"] = "1000000"
# A lock is looked for, and never there.
environment["LATCHKEY_DIRECTORY_LOCKOUT_ATTEMPTS"] = "100"
server = Server("postgresql:///postgres?user=latchkey&host=" + urllib.parse.quote(folder, safe=""))
config = support.settings()
key = {"apikey": config["supabase"]["anonKey"]}
amazon = boto3.client("cognito-idp", region_name="us-east-1", endpoint_url=support.BASE,
                      config=Config(signature_version=UNSIGNED, retries={"max_attempts": 1}))
people = [{"email": f"trips-{number}@example.com"} for number in range(PEOPLE)]
# At whose passwords strangers guess.
guessed = [{"email": f"guessed-{number}@example.com"} for number in range(PEOPLE)]


def ok(answer):
    assert answer[0] == 200, answer
    return answer[2]


def supabase(person, password=PASSWORD):
    return http("POST", "/auth/v1/token?grant_type=password", {"email": person["email"], "password": password}, key)


def supabase_in(person):
    body = ok(supabase(person))
    person["supabase"], person["token"] = body["refresh_token"], body["access_token"]


def supabase_refresh(person):
    body = ok(http("POST", "/auth/v1/token?grant_type=refresh_token", {"refresh_token": person["supabase"]}, key))
    person["supabase"] = body["refresh_token"]


def cognito(flow, parameters):
    return ok(http("POST", "/", {"ClientId": config["cognito"]["clientId"], "AuthFlow": flow, "AuthParameters": parameters},
                   {"X-Amz-Target": "AWSCognitoIdentityProviderService.InitiateAuth",
                    "Content-Type": "application/x-amz-json-1.1"}))["AuthenticationResult"]


def cognito_in(person):
    person["cognito"] = cognito("USER_PASSWORD_AUTH", {"USERNAME": person["email"], "PASSWORD": PASSWORD})["RefreshToken"]


def srp_in(person):
    AWSSRP(username=person["email"], password=PASSWORD, pool_id=config["cognito"]["userPoolId"],
           client_id=config["cognito"]["clientId"], client=amazon).authenticate_user()


def cognito_refresh(person):
    cognito("REFRESH_TOKEN_AUTH", {"REFRESH_TOKEN": person["cognito"]})


def firebase_in(person):
    path = "/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=" + config["firebase"]["apiKey"]
    person["firebase"] = ok(http("POST", path, {"email": person["email"], "password": PASSWORD,
                                                "returnSecureToken": True}))["refreshToken"]


def firebase_refresh(person):
    ok(http("POST", "/securetoken.googleapis.com/v1/token?key=" + config["firebase"]["apiKey"],
            {"grant_type": "refresh_token", "refresh_token": person["firebase"]}))


def me(person):
    ok(http("GET", "/v1/me", headers={"Authorization": "Bearer " + person["token"]}))


def user(person):
    ok(http("GET", "/auth/v1/user", headers={**key, "Authorization": "Bearer " + person["token"]}))


def wrong(person):
    assert supabase(person, "Wrong-horse-7-battery")[0] == 400


def nobody(person):
    assert supabase({"email": "nobody-" + person["email"]}, "Wrong-horse-7-battery")[0] == 400


def trips(call, people=people):
    """How many one costs. What the server does by itself meanwhile adds to some, and on a busy machine to most: so it is what a third costs."""
    counts, least = [], None
    for number in range(BEFORE + COUNTED):
        before = wire.count
        call(people[number % PEOPLE])
        # What is given back after the answer counts too.
        time.sleep(0.02)
        made = wire.since(before)
        if number >= BEFORE:
            counts.append(len(made))
            least = made if least is None or len(made) < len(least) else least
    return sorted(counts)[len(counts) // 3], counts, least


def shown(statements):
    words = collections.Counter(" ".join(text.replace("\n", " ").split()[:4])[:48] for text in statements)
    return "; ".join(text + (f" ×{count}" if count > 1 else "") for text, count in words.items())


def each_call_costs_few_round_trips():
    calls = (supabase_in, cognito_in, firebase_in, srp_in, supabase_refresh, cognito_refresh, firebase_refresh, me, user)
    for name, call in zip(MOST, calls):
        most, counts, made = trips(call)
        print(f"{name}: {most} round trips of at most {MOST[name] or 'any'} {counts}", flush=True)
        if os.environ.get("TRIPS_SHOWN"):
            for statements in made:
                print("   ", len(statements), shown(statements), flush=True)
        over.update({name: most} if MOST[name] and most > MOST[name] else {})
    assert not over, over


def who_is_not_there_costs_as_many():
    found = {call.__name__: trips(call, guessed)[0] for call in (wrong, nobody, wrong, nobody)}
    print(found, flush=True)
    assert found["wrong"] == found["nobody"], found


def guesses_make_no_sign_in_cost_more():
    most = trips(supabase_in)[0]
    print(f"supabase sign-in after all these: {most} round trips", flush=True)
    assert most <= MOST["supabase sign-in"], most


over = {}
try:
    for person in people + guessed:
        ok(http("POST", "/auth/v1/signup", {"email": person["email"], "password": PASSWORD}, key))
    # What sets out to sign in is learned of those who are there and of those who are not.
    for person in guessed:
        nobody(person)
        wrong(person)
    support.steps(each_call_costs_few_round_trips, who_is_not_there_costs_as_many, guesses_make_no_sign_in_cost_more)
    assert "panic" not in "".join(server.log).lower()
finally:
    if server.process.poll() is None:
        server.kill()
    database.remove()

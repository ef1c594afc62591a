# SPDX-License-Identifier: Apache-2.0
"""A server on PostgreSQL: its users' lives through clients nobody here wrote, its own death, and its database's.

usage: postgres_walk.py LATCHKEY DIRECTORY POSTGRES_SUPPORT
"""

import json
import os
import signal
import subprocess
import threading
import time

from database_support import (DIRECTORY, LATCHKEY, PASSWORD, Server, Sessions, environment, http, run, sign_up, support,
                              supabase_client)
from postgres_server import PostgresServer

SECRET = "hunter2-is-not-a-password"
database = PostgresServer()
database.start()
# Nobody asks for it here; it must be seen nowhere all the same.
URL = database.url.replace("user=latchkey", "user=latchkey&password=" + SECRET) + "&application_name=walk"
state = {}


def patient(seconds):
    environment["LATCHKEY_POSTGRES_ANSWER_SECONDS"] = str(seconds)


def a_user_signs_up_in_three_dialects_and_is_one_person():
    state["server"] = Server(URL)
    sign_up("ada@example.com")
    state["ada"] = Sessions("ada@example.com")
    state["ada"].refresh()
    state["id"] = state["ada"].me()
    assert database.query("SELECT count(*) FROM latchkey.users WHERE email = 'ada@example.com'") == "1"
    # What is sealed at rest is sealed here too.
    assert database.query("SELECT count(*) FROM latchkey.users WHERE get_byte(password_hash, 0) <> 1") == "0"


def the_operators_commands_know_it():
    there = {"LATCHKEY_DATABASE": URL}
    users = json.loads(run("user", "list", "--json", variables=there).stdout)
    assert "ada@example.com" in json.dumps(users), users
    checked = run("check-config", variables=there)
    assert "postgres://latchkey@%2F" in checked.stdout and SECRET not in checked.stdout + checked.stderr, checked.stdout
    # Between it and a server on another machine there may be somebody.
    elsewhere = {"LATCHKEY_DATABASE": "postgres://latchkey@db.example/accounts"}
    assert "verify-full" in run("check-config", variables=elsewhere).stdout and "verify-full" not in checked.stdout
    assert "users.password_hash" in run("master-key", "status", variables=there).stdout
    # Copies of files are SQLite's: the answer says what does it here.
    refused = run("backup", "create", "copy.sqlite", status=64, variables=there)
    assert "pg_dump" in refused.stderr and SECRET not in refused.stderr, refused.stderr
    # Nothing is made in a database that was mistyped.
    run("user", "list", status=66, variables={**there, "LATCHKEY_POSTGRES_SCHEMA": "elsewhere"})
    assert database.query("SELECT count(*) FROM pg_namespace WHERE nspname = 'elsewhere'") == "0"


def a_password_is_neither_an_argument_nor_repeated():
    for text in (URL, f"postgres://ada:{SECRET}@db/x", f"postgres://ada:@{SECRET}@db/x", f"postgres://ada:/{SECRET}@db/x",
                 f"postgres://ada:{SECRET}", f"postgres://db/x?password={SECRET}", f"postgres://db/x?{SECRET}"):
        argued = run("user", "list", "--database", text, status=64)
        assert SECRET not in argued.stderr + argued.stdout, argued.stderr
        # As a setting the well-formed ones are tried, and nobody is there.
        set_ = subprocess.run([LATCHKEY, "user", "list"], cwd=DIRECTORY, capture_output=True, text=True, timeout=60,
                              env=dict(environment, LATCHKEY_DATABASE=text, LATCHKEY_POSTGRES_SCHEMA="elsewhere"))
        assert set_.returncode != 0 and SECRET not in set_.stderr + set_.stdout, (text, set_.stderr)


def what_postgresql_has_no_form_for_is_the_clients_fault():
    config = support.settings()
    key = {"apikey": config["supabase"]["anonKey"]}
    pool = {"Content-Type": "application/x-amz-json-1.1"}
    nul = "a\0b"
    for method, path, body, headers in (
        ("POST", "/auth/v1/signup", {"email": nul + "@example.com", "password": PASSWORD}, key),
        ("POST", "/auth/v1/token?grant_type=password", {"email": nul, "password": PASSWORD}, key),
        ("POST", "/auth/v1/token?grant_type=refresh_token", {"refresh_token": nul}, key),
        ("POST", "/auth/v1/verify", {"type": "email", "email": nul, "token": nul}, key),
        ("GET", "/auth/v1/authorize?provider=%00", None, key),
        ("POST", "/", {"ClientId": config["cognito"]["clientId"], "AuthFlow": "USER_PASSWORD_AUTH",
                       "AuthParameters": {"USERNAME": nul, "PASSWORD": PASSWORD}},
         {**pool, "X-Amz-Target": "AWSCognitoIdentityProviderService.InitiateAuth"}),
        ("POST", "/", {"ClientId": nul, "Username": nul, "Password": PASSWORD},
         {**pool, "X-Amz-Target": "AWSCognitoIdentityProviderService.SignUp"}),
        ("POST", state["ada"].firebase_path("accounts:signInWithPassword"), {"email": nul, "password": PASSWORD}, {}),
        ("POST", state["ada"].firebase_path("accounts:lookup"), {"idToken": nul}, {}),
        ("GET", "/v1/users/%00", None, {"Authorization": "Bearer " + state["ada"].supabase_tokens.access_token}),
        ("PUT", "/v1/me/profile", {"name": nul}, {"Authorization": "Bearer " + state["ada"].supabase_tokens.access_token}),
        ("PUT", "/auth/v1/user", {"data": {nul: nul}},
         {**key, "Authorization": "Bearer " + state["ada"].supabase_tokens.access_token}),
    ):
        status, _, answer = http(method, path, body, headers)
        assert status < 500, (path, status, answer)
    assert http("GET", "/health/ready")[0] == 200


def killed_and_started_again_it_knows_every_session():
    state["server"].kill()
    state["server"] = Server(URL)
    assert state["ada"].me() == state["id"]
    state["ada"].refresh()
    assert state["ada"].me() == state["id"]


def down():
    """What each dialect answers while there is no database: status, headers and body."""
    config = support.settings_of_before
    token = {"Authorization": "Bearer " + state["ada"].supabase_tokens.access_token}
    started = time.monotonic()
    answers = {
        "supabase": http("POST", "/auth/v1/token?grant_type=password", {"email": "ada@example.com", "password": PASSWORD},
                         {"apikey": config["supabase"]["anonKey"]}),
        "cognito": http("POST", "/", {
            "ClientId": config["cognito"]["clientId"], "AuthFlow": "USER_PASSWORD_AUTH",
            "AuthParameters": {"USERNAME": "ada@example.com", "PASSWORD": PASSWORD}},
            {"X-Amz-Target": "AWSCognitoIdentityProviderService.InitiateAuth",
             "Content-Type": "application/x-amz-json-1.1"}),
        "firebase": http("POST", state["ada"].firebase_path("accounts:signInWithPassword"),
                         {"email": "ada@example.com", "password": PASSWORD}),
        "app": http("GET", "/v1/me", headers=token),
        "ready": http("GET", "/health/ready"),
    }
    return answers, time.monotonic() - started


def is_down(bound):
    answers, took = down()
    assert took < bound, took
    for name, (status, headers, body) in answers.items():
        # That service's model has one exception for it, which goes out with 500, and its clients try again.
        assert status == (500 if name == "cognito" else 503), (name, status, body)
        assert name in ("cognito", "ready") or int(headers["retry-after"]) >= 1, (name, headers)
    assert answers["supabase"][2]["error_code"] == "unexpected_failure", answers["supabase"]
    assert answers["cognito"][2]["__type"] == "InternalErrorException", answers["cognito"]
    assert answers["firebase"][2]["error"]["status"] == "UNAVAILABLE", answers["firebase"]
    assert SECRET not in json.dumps([body for _, _, body in answers.values()])
    assert http("GET", "/health/live")[0] == 200


def until_ready():
    while http("GET", "/health/ready")[0] != 200:
        time.sleep(0.05)


def its_database_killed_it_says_so_and_goes_on_when_there_is_one_again():
    support.settings_of_before = support.settings()
    for how in (signal.SIGKILL, signal.SIGQUIT, signal.SIGINT):
        database.kill(how)
        is_down(bound=10)
        database.start()
        until_ready()
        assert state["ada"].me() == state["id"]
        state["ada"].refresh()
    assert state["server"].process.poll() is None


def under_load_nothing_acknowledged_is_lost():
    key = {"apikey": support.settings_of_before["supabase"]["anonKey"]}
    kept, seen, done = [], set(), threading.Event()

    def client(number):
        serial, token = 0, None
        while not done.is_set():
            try:
                if token is None:
                    serial += 1
                    email = f"load-{number}-{serial}@example.com"
                    status, _, body = http("POST", "/auth/v1/signup", {"email": email, "password": PASSWORD}, key)
                    # One that was stored, and whose answer was lost, is there already.
                    if status == 200 and "id" in body:
                        kept.append(email)
                    token = state["tokens"][number] if serial % 3 == 0 else None
                else:
                    status, _, body = http("POST", "/auth/v1/token?grant_type=refresh_token", {"refresh_token": token}, key)
                    assert status in (200, 503), (status, body)
                    if status == 200:
                        state["tokens"][number] = body["refresh_token"]
                        token = None
                seen.add(status)
            except OSError as error:
                raise AssertionError(error)

    def guarded(number):
        try:
            client(number)
        except BaseException as error:  # noqa: BLE001  (a thread's failure is the walk's)
            faults.append(error)

    faults = []
    state["tokens"] = []
    for number in range(4):
        sign_up(f"client-{number}@example.com")
        app = supabase_client(support.settings_of_before["supabase"])
        app.sign_in_with_password({"email": f"client-{number}@example.com", "password": PASSWORD})
        state["tokens"].append(app.get_session().refresh_token)
    threads = [threading.Thread(target=guarded, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for _ in range(3):
        count = len(kept)
        while len(kept) < count + 10 and not faults:
            time.sleep(0.01)
        database.kill()
        while 503 not in seen and not faults:
            time.sleep(0.01)
        seen.clear()
        database.start()
        until_ready()
    done.set()
    for thread in threads:
        thread.join()
    assert not faults, faults
    stored = set(database.query("SELECT email FROM latchkey.users WHERE email LIKE 'load-%'").split())
    assert set(kept) <= stored, set(kept) - stored
    for number, token in enumerate(state["tokens"]):
        status, _, body = http("POST", "/auth/v1/token?grant_type=refresh_token", {"refresh_token": token}, key)
        assert status == 200, (number, status, body)
    assert "panic" not in "".join(state["server"].log).lower()
    print(len(kept), "sign-ups acknowledged,", len(stored), "stored", flush=True)


def one_that_stands_still_is_waited_for_no_longer_than_is_configured():
    state["server"].stop()
    patient(2)
    state["server"] = Server(URL)
    assert state["ada"].me() == state["id"]
    children = open(f"/proc/{database.process.pid}/task/{database.process.pid}/children").read().split()
    for process in [database.process.pid, *map(int, children)]:
        os.kill(process, signal.SIGSTOP)
    try:
        is_down(bound=60)
    finally:
        for process in [database.process.pid, *map(int, children)]:
            os.kill(process, signal.SIGCONT)
    until_ready()
    assert state["ada"].me() == state["id"]


def one_that_lets_nobody_write_is_not_ready_and_answers_what_is_only_read():
    database.query("ALTER SYSTEM SET default_transaction_read_only = on")
    database.query("SELECT pg_reload_conf()")
    while http("GET", "/health/ready")[0] == 200:
        time.sleep(0.05)
    assert state["ada"].me() == state["id"]
    assert http("GET", "/auth/v1/.well-known/jwks.json")[0] == 200
    status, headers, body = http("POST", "/auth/v1/signup", {"email": "no@example.com", "password": PASSWORD},
                                 {"apikey": support.settings_of_before["supabase"]["anonKey"]})
    assert status == 503 and "retry-after" in headers, (status, body)
    database.query("ALTER SYSTEM RESET default_transaction_read_only")
    database.query("SELECT pg_reload_conf()")
    until_ready()


def without_its_database_it_does_not_start_and_says_why():
    state["server"].stop()
    log = "".join(state["server"].log)
    assert SECRET not in log
    database.kill()
    started = time.monotonic()
    refused = run("serve", "--dev", "--port", "0", status=69, variables={"LATCHKEY_DATABASE": URL})
    assert time.monotonic() - started < 20
    assert "database: connection to server" in refused.stderr and SECRET not in refused.stderr, refused.stderr


try:
    support.steps(
        a_user_signs_up_in_three_dialects_and_is_one_person,
        the_operators_commands_know_it,
        a_password_is_neither_an_argument_nor_repeated,
        what_postgresql_has_no_form_for_is_the_clients_fault,
        killed_and_started_again_it_knows_every_session,
        its_database_killed_it_says_so_and_goes_on_when_there_is_one_again,
        under_load_nothing_acknowledged_is_lost,
        one_that_stands_still_is_waited_for_no_longer_than_is_configured,
        one_that_lets_nobody_write_is_not_ready_and_answers_what_is_only_read,
        without_its_database_it_does_not_start_and_says_why,
    )
finally:
    server = state.get("server")
    if server is not None and server.process.poll() is None:
        server.kill()
    database.remove()

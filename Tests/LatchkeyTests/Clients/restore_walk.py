# SPDX-License-Identifier: Apache-2.0
"""Backs a running server up, signs out, restores, and asks every dialect about the tokens of before.

usage: restore_walk.py LATCHKEY DIRECTORY [SEED]
"""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time

LATCHKEY, DIRECTORY = sys.argv[1], sys.argv[2]
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 20261121
DATABASE = os.path.join(DIRECTORY, ".latchkey/development.sqlite")
sys.argv[1] = "http://not-yet"
import support  # noqa: E402  (it reads the address from the arguments)
from ports import kept_port  # noqa: E402
from support import http, steps  # noqa: E402

environment = dict(os.environ, LATCHKEY_PASSWORDS_MEMORY_KIB="8", LATCHKEY_PASSWORDS_ITERATIONS="1")
state = {}


class Server:
    """Started again and again on one port: the address is in every token."""

    port = kept_port()

    def __enter__(self):
        self.process = subprocess.Popen(
            [LATCHKEY, "serve", "--dev", "--port", str(Server.port)], cwd=DIRECTORY, env=environment,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        seen = []
        for line in self.process.stderr:
            seen.append(line)
            if "ready" in line and "http://" in line:
                break
        else:
            raise SystemExit("the server did not start:\n" + "".join(seen))
        support.BASE = "http://" + line.split("http://")[1].split()[0]
        threading.Thread(target=self.process.stderr.read, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(timeout=60) == 0


def latchkey(*arguments, status=0):
    run = subprocess.run([LATCHKEY, *arguments, "--database", "sqlite:" + DATABASE], cwd=DIRECTORY, env=environment,
                         capture_output=True, text=True)
    assert run.returncode == status, (arguments, run.returncode, run.stderr)
    return run


def cognito(operation, body):
    return http("POST", "/", body, {"X-Amz-Target": "AWSCognitoIdentityProviderService." + operation,
                                    "Content-Type": "application/x-amz-json-1.1"})


def sign_in():
    """Tokens of each dialect, and what asks about them."""
    config = support.settings()
    email, password = config["demo"]["email"], config["demo"]["password"]
    key, firebase_key = config["supabase"]["anonKey"], config["firebase"]["apiKey"]
    status, _, supabase = http("POST", "/auth/v1/token?grant_type=password", {"email": email, "password": password},
                               {"apikey": key})
    assert status == 200, supabase
    status, _, pool = cognito("InitiateAuth", {
        "ClientId": config["cognito"]["clientId"], "AuthFlow": "USER_PASSWORD_AUTH",
        "AuthParameters": {"USERNAME": email, "PASSWORD": password}})
    assert status == 200, pool
    pool = pool["AuthenticationResult"]
    status, _, firebase = http(
        "POST", f"/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key={firebase_key}",
        {"email": email, "password": password, "returnSecureToken": True})
    assert status == 200, firebase

    def bearer(token, **more):
        return {"Authorization": "Bearer " + token, **more}

    return {
        "supabase access": lambda: http("GET", "/auth/v1/user", headers=bearer(supabase["access_token"], apikey=key)),
        "supabase refresh": lambda: http("POST", "/auth/v1/token?grant_type=refresh_token",
                                         {"refresh_token": supabase["refresh_token"]}, {"apikey": key}),
        "cognito access": lambda: cognito("GetUser", {"AccessToken": pool["AccessToken"]}),
        "cognito refresh": lambda: cognito("InitiateAuth", {
            "ClientId": config["cognito"]["clientId"], "AuthFlow": "REFRESH_TOKEN_AUTH",
            "AuthParameters": {"REFRESH_TOKEN": pool["RefreshToken"]}}),
        "firebase id": lambda: http("POST", f"/identitytoolkit.googleapis.com/v1/accounts:lookup?key={firebase_key}",
                                    {"idToken": firebase["idToken"]}),
        "firebase refresh": lambda: http(
            "POST", f"/securetoken.googleapis.com/v1/token?key={firebase_key}",
            {"grant_type": "refresh_token", "refresh_token": firebase["refreshToken"]}),
        "app, supabase": lambda: http("GET", "/v1/me", headers=bearer(supabase["access_token"])),
        "app, cognito": lambda: http("GET", "/v1/me", headers=bearer(pool["AccessToken"])),
        "app, firebase": lambda: http("GET", "/v1/me", headers=bearer(firebase["idToken"])),
        "sign out": lambda: http("POST", "/auth/v1/logout?scope=global", headers=bearer(supabase["access_token"],
                                                                                          apikey=key)),
    }


def good(asks):
    for name, ask in asks.items():
        if name != "sign out":
            status, _, body = ask()
            assert status == 200, (name, status, body)


def bad(asks):
    for name, ask in asks.items():
        if name != "sign out":
            status, _, body = ask()
            assert 400 <= status < 500, (name, status, body)


def a_running_server_is_backed_up_and_not_restored_over():
    with Server():
        state["asks"] = sign_in()
        good(state["asks"])
        made = json.loads(latchkey("backup", "create", "backup.sqlite", "--json").stdout)
        assert made["bytes"] > 0 and os.stat(os.path.join(DIRECTORY, "backup.sqlite")).st_mode & 0o777 == 0o600
        latchkey("backup", "create", "backup.sqlite", status=73)
        refused = latchkey("backup", "restore", "backup.sqlite", status=73)
        assert "in use" in refused.stderr and len(refused.stderr.splitlines()) == 1, refused.stderr
        state["later"] = sign_in()
        assert state["asks"]["sign out"]()[0] == 204
        bad(state["asks"])


def with_its_sessions_what_was_signed_out_is_signed_in():
    latchkey("backup", "restore", "backup.sqlite", "--keep-sessions")
    with Server():
        good(state["asks"])
        # A session that the backup does not know is none.
        bad(state["later"])


def without_them_every_token_of_every_dialect_is_refused():
    told = latchkey("backup", "restore", "backup.sqlite")
    restored = int(time.time())
    assert "sessions ended" in told.stdout and "revoked API keys" in told.stderr, (told.stdout, told.stderr)
    with Server():
        bad(state["asks"])
        bad(state["later"])
        # What is issued in the second of the restore is refused with all that was: tokens say their time in seconds.
        while int(time.time()) <= restored:
            pass
        good(sign_in())


def users():
    listed = json.loads(latchkey("user", "list", "--json").stdout)
    return len(listed["users"] if isinstance(listed, dict) else listed)


def killed_at_any_moment_it_leaves_the_old_database_or_the_new_one():
    chance = random.Random(SEED)
    print("seed", SEED, flush=True)
    before = users()
    subprocess.run([LATCHKEY, "user", "create", "late@example.com", "--database", "sqlite:" + DATABASE], cwd=DIRECTORY,
                   env=environment, input="Correct-horse-7-battery\n", text=True, check=True, capture_output=True)
    old = os.path.join(DIRECTORY, "old.sqlite")
    latchkey("backup", "create", old)
    started = time.monotonic()
    latchkey("backup", "restore", "backup.sqlite")
    whole = time.monotonic() - started
    seen = {before: 0, before + 1: 0}
    rounds = 0
    # Until both have been seen: the machine has other work, so that what one restore took says little of the next.
    while rounds < 30 or not all(seen.values()):
        rounds += 1
        assert rounds <= 200, seen
        for end in ("", "-wal", "-shm"):
            if os.path.exists(DATABASE + end):
                os.remove(DATABASE + end)
        shutil.copy(old, DATABASE)
        process = subprocess.Popen([LATCHKEY, "backup", "restore", "backup.sqlite", "--database", "sqlite:" + DATABASE],
                                   cwd=DIRECTORY, env=environment, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        time.sleep(whole * chance.uniform(0.05, 1.1))
        process.kill()
        process.wait()
        found = users()
        seen[found] += 1
        # Where it was whole the next one is killed sooner, where it was not, later.
        whole *= 0.9 if found == before else 1.1
    print(seen, flush=True)
    latchkey("backup", "restore", "backup.sqlite")
    assert users() == before


steps(
    a_running_server_is_backed_up_and_not_restored_over,
    with_its_sessions_what_was_signed_out_is_signed_in,
    without_them_every_token_of_every_dialect_is_refused,
    killed_at_any_moment_it_leaves_the_old_database_or_the_new_one,
)

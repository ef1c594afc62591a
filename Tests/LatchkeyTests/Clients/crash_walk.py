# SPDX-License-Identifier: Apache-2.0
"""Kills the server with SIGKILL at random points during 500 refreshes and sign-ups.

What was acknowledged must be there afterwards; a session must have a usable token, and never two live ones.
usage: crash_walk.py LATCHKEY DIRECTORY [SEED]
"""

import http.client
import json
import os
import random
import signal
import subprocess
import sys
import threading

LATCHKEY, DIRECTORY = sys.argv[1], sys.argv[2]
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 20261121
OPERATIONS, WORKERS = 500, 8
PASSWORD = "Correct-horse-7-battery"
chance = random.Random(SEED)
print("seed", SEED, flush=True)

# Cheap hashes: what is tested is durability, not Argon2.
environment = dict(os.environ, LATCHKEY_PASSWORDS_MEMORY_KIB="8", LATCHKEY_PASSWORDS_ITERATIONS="1",
                   LATCHKEY_DIRECTORY_EMAIL_AUTO_CONFIRM="true")


class Server:
    """The server, started and killed again and again; `up` is set while it takes requests."""

    up = threading.Event()

    def start(self):
        self.process = subprocess.Popen([LATCHKEY, "serve", "--dev", "--port", "0"], cwd=DIRECTORY, env=environment,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        seen = []
        for line in self.process.stderr:
            seen.append(line)
            if "ready" in line and "http://" in line:
                break
        else:
            raise SystemExit("the server did not start:\n" + "".join(seen))
        self.port = int(line.split("http://")[1].split()[0].split(":")[1])
        # What it goes on to say is read, so that it never waits for a reader.
        threading.Thread(target=self.process.stderr.read, daemon=True).start()
        self.up.set()

    def kill(self):
        self.up.clear()
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


server = Server()
server.start()
guard = threading.Lock()
sent = 0
on_sent = threading.Condition()


def post(path, body, headers=None):
    """The answer, or None when the server died before giving one."""
    global sent
    server.up.wait()
    try:
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
        connection.request("POST", path, json.dumps(body),
                           {"Content-Type": "application/json", "apikey": key, **(headers or {})})
        with on_sent:
            sent += 1
            on_sent.notify_all()
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer.status, json.loads(content) if content else None
    except (OSError, http.client.HTTPException, ValueError):
        return None


def get_json(path):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    connection.request("GET", path)
    return json.loads(connection.getresponse().read())


key = get_json("/dev/settings.json")["supabase"]["anonKey"]
acknowledged = []   # (email, user id) of sign-ups that were answered
sessions = []       # [previous token, newest acknowledged token]
done = 0
ended = 0


def worker(number):
    global done
    chance = random.Random(SEED * 1000 + number)
    mine = []
    serial = 0
    while True:
        with guard:
            if done >= OPERATIONS:
                break
            done += 1
        if not mine or chance.random() < 0.2:
            serial += 1
            email = f"crash-{SEED}-{number}-{serial}@example.com"
            answer = post("/auth/v1/signup", {"email": email, "password": PASSWORD})
            while answer is None or answer[0] >= 500:
                # It may have been stored before the crash; then the answer says that it exists.
                answer = post("/auth/v1/signup", {"email": email, "password": PASSWORD})
            if answer[0] == 200:
                acknowledged.append((email, answer[1]["user"]["id"]))
                mine.append([None, answer[1]["refresh_token"]])
            else:
                assert answer[1]["error_code"] == "user_already_exists", answer
                again = None
                while again is None or again[0] >= 500:
                    again = post("/auth/v1/token?grant_type=password", {"email": email, "password": PASSWORD})
                assert again[0] == 200, ("half a user", email, again)
                acknowledged.append((email, again[1]["user"]["id"]))
                mine.append([None, again[1]["refresh_token"]])
        else:
            session = chance.choice(mine)
            answer = None
            while answer is None or answer[0] >= 500:
                answer = post("/auth/v1/token?grant_type=refresh_token", {"refresh_token": session[1]})
            assert answer[0] == 200, ("a session without a usable token", answer)
            session[0], session[1] = session[1], answer[1]["refresh_token"]
    sessions.extend(mine)


failures = []


def guarded(target, *arguments):
    def run():
        global ended
        try:
            target(*arguments)
        except BaseException as error:
            failures.append(error)
        with on_sent:
            ended += 1
            on_sent.notify_all()
    return run


threads = [threading.Thread(target=guarded(worker, n), daemon=True) for n in range(WORKERS)]
for thread in threads:
    thread.start()
kills = 0
while True:
    # Some requests later, with others of them under way.
    with on_sent:
        target = sent + chance.randint(1, 40)
        on_sent.wait_for(lambda: sent >= target or failures or ended == WORKERS)
    if done >= OPERATIONS or failures:
        break
    server.kill()
    kills += 1
    server.start()
while not failures and any(thread.is_alive() for thread in threads):
    next(thread for thread in threads if thread.is_alive()).join(timeout=1)
if failures:
    raise failures[0]
assert kills >= 5, kills

# After one last crash, everything that was acknowledged is there.
server.kill()
server.start()
for email, identifier in acknowledged:
    answer = post("/auth/v1/token?grant_type=password", {"email": email, "password": PASSWORD})
    assert answer and answer[0] == 200 and answer[1]["user"]["id"] == identifier, (email, answer)
for previous, newest in sessions:
    # The newest token is live or the parent of the live one; both lead to one and the same live token.
    first = post("/auth/v1/token?grant_type=refresh_token", {"refresh_token": newest})
    assert first and first[0] == 200, first
    second = post("/auth/v1/token?grant_type=refresh_token", {"refresh_token": newest})
    assert second and second[0] == 200, second
    assert second[1]["refresh_token"] == first[1]["refresh_token"], "two live tokens"
server.process.send_signal(signal.SIGTERM)
assert server.process.wait(timeout=35) == 0, server.process.returncode
print(f"ok {OPERATIONS} operations, {kills} kills, {len(acknowledged)} users, {len(sessions)} sessions", flush=True)

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
import time

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
    def start(self):
        self.log = open(os.path.join(DIRECTORY, "server.log"), "a+")
        self.log.seek(0, 2)
        offset = self.log.tell()
        self.process = subprocess.Popen([LATCHKEY, "serve", "--dev", "--port", "0"], cwd=DIRECTORY, env=environment,
                                        stdout=subprocess.DEVNULL, stderr=self.log)
        reader = open(os.path.join(DIRECTORY, "server.log"))
        while True:
            reader.seek(offset)
            text = reader.read()
            line = next((l for l in text.splitlines() if "ready" in l and "http://" in l), None)
            if line:
                self.port = int(line.split("http://")[1].split()[0].split(":")[1])
                return
            if self.process.poll() is not None:
                raise SystemExit("the server did not start:\n" + text)
            time.sleep(0.005)

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


server = Server()
server.start()
guard = threading.Lock()
generation = 0


def post(path, body, headers=None):
    """The answer, or None when the server died before giving one."""
    try:
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
        connection.request("POST", path, json.dumps(body),
                           {"Content-Type": "application/json", "apikey": key, **(headers or {})})
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
stop = threading.Event()


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
                time.sleep(0.01)
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
                if answer is None:
                    time.sleep(0.01)
            assert answer[0] == 200, ("a session without a usable token", answer)
            session[0], session[1] = session[1], answer[1]["refresh_token"]
    sessions.extend(mine)


threads = [threading.Thread(target=worker, args=(n,)) for n in range(WORKERS)]
failures = []


def guarded(target, *arguments):
    def run():
        try:
            target(*arguments)
        except BaseException as error:
            failures.append(error)
    return run


threads = [threading.Thread(target=guarded(worker, n)) for n in range(WORKERS)]
for thread in threads:
    thread.start()
kills = 0
while any(thread.is_alive() for thread in threads) and not failures:
    time.sleep(chance.uniform(0.05, 0.4))
    if done >= OPERATIONS:
        break
    server.kill()
    kills += 1
    server.start()
for thread in threads:
    thread.join()
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

# SPDX-License-Identifier: Apache-2.0
"""Two, three and five servers over one PostgreSQL database, one of them killed every second while all are at work.

What clients and a mail service of this script's own were told is held against what there is in the end: nothing acknowledged is
lost, no refresh token has two successors, no code is taken twice, no mail is lost, and no more are sent twice than servers were
killed with one in hand.

usage: storm_walk.py LATCHKEY DIRECTORY POSTGRES_SUPPORT [KILLS] [SEED]
"""

import collections
import http.client
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

LATCHKEY, DIRECTORY, POSTGRES = sys.argv[1:4]
sys.path.insert(0, POSTGRES)
from ports import kept_port  # noqa: E402
from postgres_server import PostgresServer  # noqa: E402

KILLS = int(sys.argv[4]) if len(sys.argv) > 4 else 12
SEED = int(sys.argv[5]) if len(sys.argv) > 5 else 20261123
# People at a time, and so many servers in turn.
WORKERS, SIZES, INTERVAL = 6, (2, 3, 5), 1.0
# A server's worker hands over so many messages at once: each may go out again where it is killed before it has noted that.
MAILS_IN_HAND = 4
PASSWORD = "Correct-horse-7-battery"
os.chdir(DIRECTORY)


class MailService(BaseHTTPRequestHandler):
    """Takes mail as Resend's API does, each with the name that its sender gave it."""

    protocol_version = "HTTP/1.1"
    arrived = threading.Condition()
    # Address and kind to the names of its mails and their codes; and how often each name came.
    mails, times = collections.defaultdict(dict), collections.Counter()

    def log_message(self, *_):
        pass

    def do_POST(self):
        mail = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        kind, code = mail["html"].split()[:2]
        name = self.headers["Idempotency-Key"]
        with self.arrived:
            self.mails[mail["to"][0], kind][name] = code
            self.times[name] += 1
            self.arrived.notify_all()
        body = b'{"id": "m"}'
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    @classmethod
    def code(cls, address, kind, known, patience=15):
        """The code of a mail that is not among those known, and its name; None where none comes."""
        def new():
            return [name for name in cls.mails[address, kind] if name not in known]
        with cls.arrived:
            cls.arrived.wait_for(lambda: new() or storm.is_over, timeout=patience)
            return next(((name, cls.mails[address, kind][name]) for name in new()), None)


class Server:
    """One of several, started again and again on its port."""

    def __init__(self, number):
        self.number, self.process, self.isReady, self.log = number, None, False, []
        # What is said to be ready is the address that clients know, which all of them share.
        self.port = kept_port()

    def start(self):
        self.process = subprocess.Popen([LATCHKEY, "serve", "--dev", "--port", str(self.port)], env=environment,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        seen = []
        for line in self.process.stderr:
            seen.append(line)
            if "ready" in line and "http://" in line:
                break
        else:
            raise AssertionError("a server did not start:\n" + "".join(seen))
        threading.Thread(target=self.listen, args=(self.process,), daemon=True).start()
        self.isReady = True

    def listen(self, process):
        for line in process.stderr:
            if " error " in line or " critical " in line:
                self.log.append(line)

    def kill(self):
        self.isReady = False
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def post(self, path, body):
        """Status and body; None for one that gave no answer."""
        try:
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
            connection.request("POST", "/auth/v1" + path, json.dumps(body),
                               {"Content-Type": "application/json", "apikey": storm.key})
            answer = connection.getresponse()
            content = answer.read()
            connection.close()
            return answer.status, json.loads(content) if content else None
        except (OSError, http.client.HTTPException, ValueError):
            return None


class Storm:
    """Which servers there are, and everything that anybody was told."""

    def __init__(self):
        self.chance, self.servers, self.kills, self.is_over, self.key = random.Random(SEED), [], 0, False, None
        self.faults, self.statuses, self.pairs = [], collections.Counter(), ThreadPoolExecutor(2 * WORKERS)
        self.users, self.sessions, self.owed = {}, {}, collections.Counter()
        self.successors, self.taken = collections.defaultdict(set), collections.Counter()

    def server(self, chance):
        while True:
            ready = [server for server in self.servers if server.isReady]
            if ready:
                return chance.choice(ready)
            if self.faults:
                raise SystemExit
            time.sleep(0.02)

    def ask(self, chance, path, body):
        """Until somebody answers with more than that he can't now."""
        while True:
            answer = self.noted(self.server(chance).post(path, body))
            if answer is not None and answer[0] != 503:
                return answer
            time.sleep(0.02)

    def both(self, chance, path, body):
        """Asks two at once, which may be one and the same."""
        asked = [self.pairs.submit(self.server(chance).post, path, body) for _ in range(2)]
        return [answer for answer in (self.noted(one.result()) for one in asked) if answer is not None]

    def noted(self, answer):
        self.statuses[answer and answer[0]] += 1
        assert answer is None or answer[0] < 500 or answer[0] == 503, answer
        return answer

    def guarded(self, work, *arguments):
        def run():
            try:
                work(*arguments)
            except BaseException as error:  # noqa: BLE001  (a thread's failure is the walk's)
                self.faults.append(error)
        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        return thread


def person(number):
    """One after the other: signs up, shows the mailed code to two servers, signs in, renews the session many times."""
    chance, serial = random.Random(SEED * 1000 + number), 0
    while not storm.is_over:
        serial += 1
        address = f"storm-{number}-{serial}@example.com"
        status, body = storm.ask(chance, "/signup", {"email": address, "password": PASSWORD})
        if status == 200:
            # One whose first answer was lost is there already: then no mail is promised, and the answer tells nobody.
            storm.owed[address, "confirmation"] = 1
        assert status == 200, (status, body)
        storm.users[address] = None
        session = code(chance, address, "confirmation", "signup")
        if session is None:
            continue
        token = session["refresh_token"]
        storm.users[address] = session["user"]["id"]
        for _ in range(chance.randint(3, 12)):
            if storm.is_over:
                break
            token = renewed(chance, token)
            storm.sessions[address] = token
        if chance.random() < 0.5 and not storm.is_over:
            status, body = storm.ask(chance, "/recover", {"email": address})
            assert status == 200, (status, body)
            storm.owed[address, "recovery"] += 1
            code(chance, address, "recovery", "recovery")
        status, body = storm.ask(chance, "/token?grant_type=password", {"email": address, "password": PASSWORD})
        assert status == 200 and body["user"]["id"] == storm.users[address], (address, status, body)
        storm.sessions[address] = body["refresh_token"]


def code(chance, address, kind, purpose):
    """Shows the newest code that came to two servers at once: one of them takes it. Returns the session that it made."""
    while not storm.is_over:
        found = MailService.code(address, kind, shown[address])
        if found is None:
            # It is with a server that was killed, or was followed by a newer one: people ask for another.
            path = "/resend" if kind == "confirmation" else "/recover"
            status, body = storm.ask(chance, path, {"email": address, **({"type": "signup"} if path == "/resend" else {})})
            assert status == 200, (status, body)
            storm.owed[address, kind] += kind == "recovery"
            continue
        name, digits = found
        shown[address].add(name)
        answers = storm.both(chance, "/verify", {"type": purpose, "email": address, "token": digits})
        good = [body for status, body in answers if status == 200]
        storm.taken[name] += len(good)
        assert all(status in (200, 403, 503) for status, _ in answers), answers
        if good:
            return good[0]
        if kind == "confirmation":
            # It was taken by one that died before it could say so, or it was not: the password tells.
            status, body = storm.ask(chance, "/token?grant_type=password", {"email": address, "password": PASSWORD})
            if status == 200:
                return body
            status, body = storm.ask(chance, "/resend", {"type": "signup", "email": address})
            assert status == 200, (status, body)
        else:
            return None


def renewed(chance, token):
    """The token that follows, by one server or by two at once."""
    body, path = {"refresh_token": token}, "/token?grant_type=refresh_token"
    while True:
        answers = storm.both(chance, path, body) if chance.random() < 0.3 else [storm.ask(chance, path, body)]
        for status, answer in answers:
            assert status in (200, 503), ("a session without a usable token", status, answer)
            if status == 200:
                storm.successors[token].add(answer["refresh_token"])
        if any(status == 200 for status, _ in answers):
            return next(iter(storm.successors[token]))


def rage(size, kills):
    """So many servers, one of which is killed every second and started again."""
    while len(storm.servers) < size:
        server = Server(len(storm.servers))
        server.start()
        storm.servers.append(server)
    starting = []
    for _ in range(kills):
        time.sleep(INTERVAL)
        if storm.faults:
            break
        victim = storm.server(storm.chance)
        victim.kill()
        storm.kills += 1
        starting.append(storm.guarded(victim.start))
    for thread in starting:
        thread.join()
    if not storm.faults:
        print(f"ok {kills} kills among {size} servers: {len(storm.users)} sign-ups, {len(storm.successors)} tokens renewed, "
              f"{len(storm.taken)} codes, {sum(MailService.times.values())} mails", flush=True)


def judged():
    """What there is in the end, against what was told."""
    first, before = storm.servers[0], None
    while waiting := database.query("SELECT string_agg(id || due_at, ' ') FROM latchkey.outbox WHERE state = 'pending'"):
        if waiting == before:
            # Those who live have nothing in hand any more. As if ten minutes had passed, what a dead one had is anybody's.
            database.query("UPDATE latchkey.outbox SET due_at = 0 WHERE state = 'pending'")
        before = waiting
        time.sleep(3)
    assert database.query("SELECT count(*) FROM latchkey.outbox WHERE state = 'failed'") == "0"
    stored = collections.Counter(database.query("SELECT email FROM latchkey.users WHERE email LIKE 'storm-%'").split())
    assert set(storm.users) <= set(stored), ("sign-ups lost", set(storm.users) - set(stored))
    assert max(stored.values()) == 1, "one address, two people"
    lost = {key for key, number in storm.owed.items() if len(MailService.mails[key]) < number}
    assert not lost, ("mails lost", lost)
    twice = {name: count for name, count in MailService.times.items() if count > 1}
    assert sum(count - 1 for count in twice.values()) <= storm.kills * MAILS_IN_HAND, twice
    assert max(storm.taken.values()) == 1, "a code was taken twice"
    branched = {token for token, next_ in storm.successors.items() if len(next_) > 1}
    assert not branched, ("tokens with two successors", len(branched))
    for address, token in storm.sessions.items():
        answers = [first.post("/token?grant_type=refresh_token", {"refresh_token": token}) for _ in range(2)]
        assert all(answer and answer[0] == 200 for answer in answers), (address, answers)
        assert answers[0][1]["refresh_token"] == answers[1][1]["refresh_token"], "two live tokens"
        if storm.users[address]:
            assert answers[0][1]["user"]["id"] == storm.users[address], address
    print(f"ok {storm.kills} kills: {len(stored)} users, {len(storm.sessions)} sessions, {len(MailService.times)} mails of "
          f"which {len(twice)} went out twice, answers {dict(storm.statuses)}", flush=True)
    errors = [line for server in storm.servers for line in server.log]
    print(len(errors), "error lines", *errors[:5], flush=True)


print("seed", SEED, flush=True)


class Service(ThreadingHTTPServer):
    def handle_error(self, *_):
        """A server that was killed in the midst of its request."""


service = Service(("127.0.0.1", 0), MailService)
service.daemon_threads = True
threading.Thread(target=service.serve_forever, daemon=True).start()
database, storm, shown = PostgresServer(), Storm(), collections.defaultdict(set)
database.start()
os.mkdir("templates")
for name in ("confirmation", "recovery"):
    with open(f"templates/{name}.html", "w") as file:
        file.write(name + " {{ .Token }} ")
with open(os.open("mail-key", os.O_WRONLY | os.O_CREAT, 0o600), "w") as file:
    file.write("key\n")
limits = ("MAIL_SENT", "MESSAGES_PER_RECIPIENT", "VERIFY", "TOKEN_REFRESH", "SIGN_IN", "SIGN_UP", "ONE_TIME_TOKEN",
          "SIGN_IN_PER_IDENTIFIER")
environment = {name: value for name, value in os.environ.items() if not name.startswith("LATCHKEY_")}
environment |= {f"LATCHKEY_DIRECTORY_LIMITS_{name}": "1000000000" for name in limits}
environment |= {
    # Cheap hashes: what is tested is the database, not Argon2.
    "LATCHKEY_PASSWORDS_MEMORY_KIB": "8", "LATCHKEY_PASSWORDS_ITERATIONS": "1", "LATCHKEY_HTTP_SHUTDOWN_DELAY": "0",
    "LATCHKEY_DATABASE": database.url, "LATCHKEY_HTTP_EXTERNAL_URL": "http://localhost:8080",
    "LATCHKEY_DIRECTORY_RESEND_INTERVAL": "0", "LATCHKEY_MAIL_API_FORM": "resend", "LATCHKEY_MAIL_API_KEY_FILE": "mail-key",
    "LATCHKEY_MAIL_API_URL": f"http://127.0.0.1:{service.server_port}", "LATCHKEY_MAIL_TEMPLATES": "templates",
    "LATCHKEY_MAIL_SENDER_ADDRESS": "auth@example.com",
}
try:
    first = Server(0)
    first.start()
    connection = http.client.HTTPConnection("127.0.0.1", first.port)
    connection.request("GET", "/dev/settings.json")
    storm.key = json.loads(connection.getresponse().read())["supabase"]["anonKey"]
    storm.servers.append(first)
    people = [storm.guarded(person, number) for number in range(WORKERS)]
    for turn, size in enumerate(SIZES):
        rage(size, KILLS // len(SIZES) + (turn < KILLS % len(SIZES)))
    storm.is_over = True
    with MailService.arrived:
        MailService.arrived.notify_all()
    for thread in people:
        thread.join()
    if storm.faults:
        raise storm.faults[0]
    judged()
finally:
    for server in storm.servers:
        if server.process.poll() is None:
            server.kill()
    database.remove()

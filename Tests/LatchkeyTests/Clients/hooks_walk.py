# SPDX-License-Identifier: Apache-2.0
"""Programs of the operator's are told of accounts, over real sockets: a receiver that checks each signature by the scheme of
Standard Webhooks with Python's own HMAC, and fails as it is bidden.

usage: hooks_walk.py LATCHKEY DIRECTORY
"""

import base64
import contextlib
import hashlib
import hmac
import http.client
import http.server
import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time

LATCHKEY, DIRECTORY = sys.argv[1], sys.argv[2]
PASSWORD = "Correct-horse-7-battery"
DATABASE = ["--database", "sqlite:.latchkey/development.sqlite"]
changed = threading.Condition()
received = []
answer = {"status": 204, "location": None}
# How the hooks that are asked before something answer, and what they were asked.
asked, mode, over = [], {"/before": "allow", "/after": "allow", "/token": "claims"}, threading.Event()


class Receiver(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path != "/accounts" and self.path != "/elsewhere":
            return self.ask(body)
        with changed:
            received.append((self.path, dict((k.lower(), v) for k, v in self.headers.items()), body, answer["status"]))
            changed.notify_all()
            status, location = answer["status"], answer["location"]
        self.send_response(status)
        if location:
            self.send_header("Location", location)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def ask(self, body):
        asked.append((self.path, dict((k.lower(), v) for k, v in self.headers.items()), body))
        how = mode[self.path]
        if how == "cut":
            self.close_connection = True
            self.connection.close()
            return
        if how == "slow":
            over.wait(60)
        status, kind, text = 200, "application/json", b"{}"
        if how == "refuse":
            text = json.dumps({"error": {"http_code": 418, "message": "Not here"}}).encode()
        elif how == "claims":
            claims = json.loads(body)["claims"]
            claims["plan"] = "pro"
            text = json.dumps({"claims": claims}).encode()
        elif how == "large":
            text = b'{"x":"' + b"x" * 300_000 + b'"}'
        elif how == "html":
            kind = "text/html"
        elif how == "redirect":
            status = 307
        try:
            self.send_response(status)
            if how == "redirect":
                self.send_header("Location", place + "/before?again")
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)
        except OSError:
            pass

    def log_message(self, *arguments):
        pass


receiver = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
threading.Thread(target=receiver.serve_forever, daemon=True).start()
place = f"http://127.0.0.1:{receiver.server_port}"

secret = subprocess.run([LATCHKEY, "hook", "secret"], capture_output=True, text=True, check=True).stdout.strip()
old = "v1,whsec_" + base64.b64encode(b"0123456789abcdef01234567").decode()
hooks = os.path.join(DIRECTORY, "hooks.json")


def configure(before):
    """Writes who is told and asked. A machine that is busy with other tests answers late, and late is a no: so each has half a
    minute, but the one hook that shall be too slow."""
    with open(hooks, "w") as file:
        json.dump({"events": [{"name": "backend", "url": place + "/accounts", "secrets": [secret, old], "timeout": 30},
                              {"name": "lost", "directory": "nowhere", "url": place + "/lost", "secrets": [secret]}],
                   "hooks": [{"form": "supabase", "hook": hook, "url": place + path, "secrets": [secret, old],
                              "timeout": seconds}
                             for hook, path, seconds in [("before-user-created", "/before", before),
                                                         ("after-user-created", "/after", 30),
                                                         ("custom-access-token", "/token", 30)]]}, file)


configure(before=30)
environment = dict(os.environ, LATCHKEY_PASSWORDS_MEMORY_KIB="8", LATCHKEY_PASSWORDS_ITERATIONS="1",
                   LATCHKEY_DIRECTORY_EMAIL_AUTO_CONFIRM="true", LATCHKEY_HOOKS_FILE=hooks)
# Its keys are for nobody else on the machine.
os.chmod(hooks, 0o644)
shown = subprocess.run([LATCHKEY, "hook", "list"], capture_output=True, text=True, cwd=DIRECTORY, env=environment)
assert shown.returncode != 0 and "others may read it" in shown.stderr, (shown.returncode, shown.stderr)
assert secret not in shown.stdout + shown.stderr
os.chmod(hooks, 0o600)


def start():
    global server, port
    server = subprocess.Popen([LATCHKEY, "serve", "--dev", "--port", "0"], cwd=DIRECTORY, env=environment,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    seen = []
    for line in server.stderr:
        seen.append(line)
        if "ready" in line and "http://" in line:
            break
    else:
        raise SystemExit("the server did not start:\n" + "".join(seen))
    assert any("names a directory that there is not" in told and "nowhere" in told for told in seen), seen
    port = int(line.split("http://")[1].split()[0].split(":")[1])
    threading.Thread(target=server.stderr.read, daemon=True).start()


def call(method, path, body=None, headers=None):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    connection.request(method, path, None if body is None else json.dumps(body),
                       {"Content-Type": "application/json", **(headers or {})})
    reply = connection.getresponse()
    content = reply.read()
    return reply.status, json.loads(content) if content else None


def told(user, count, wait=120):
    """What was taken of a user, once there are so many of them."""
    def of_user():
        return [(headers, json.loads(body)) for path, headers, body, status in received
                if status == 204 and json.loads(body)["data"]["user_id"] == user]
    with changed:
        assert changed.wait_for(lambda: len(of_user()) >= count, wait), [body for _, _, body, _ in received]
        return of_user()


def settle():
    """Until it is written down that all was taken which is owed."""
    deadline = time.time() + 120
    while True:
        with contextlib.closing(sqlite3.connect(os.path.join(DIRECTORY, DATABASE[1].removeprefix("sqlite:")))) as store:
            [[owed]] = store.execute("SELECT COUNT(*) FROM outbox WHERE state = 'pending' AND channel = 'webhook'")
        if not owed:
            return
        assert time.time() < deadline, owed


def check(headers, body):
    assert abs(int(headers["webhook-timestamp"]) - time.time()) < 120, headers
    assert headers["content-type"] == "application/json", headers
    signed = headers["webhook-id"].encode() + b"." + headers["webhook-timestamp"].encode() + b"." + body
    signatures = headers["webhook-signature"].split(" ")
    for key in (secret, old):
        mac = hmac.new(base64.b64decode(key.split("whsec_")[1]), signed, hashlib.sha256).digest()
        assert "v1," + base64.b64encode(mac).decode() in signatures, (key, signatures)
    assert b"@" not in body, body


def latchkey(*arguments):
    result = subprocess.run([LATCHKEY, *arguments], cwd=DIRECTORY, env=environment, capture_output=True, text=True)
    assert result.returncode == 0, (arguments, result.stdout, result.stderr)
    return result.stdout


start()
key = {"apikey": call("GET", "/dev/settings.json")[1]["supabase"]["anonKey"]}

# Signing up and in, and leaving.
status, session = call("POST", "/auth/v1/signup", {"email": "ada@example.com", "password": PASSWORD}, key)
assert status == 200, session
ada = session["user"]["id"]
bearer = {"Authorization": "Bearer " + session["access_token"]}
status, body = call("DELETE", "/v1/account", None, bearer)
assert status in (200, 204), (status, body)
types = [body["type"] for _, body in told(ada, 3)]
assert types == ["user.created", "session.created", "user.deleted"], types
for _, headers, body, _ in list(received):
    check(headers, body)
print("ok told of a sign-up and of a deletion, in order and signed", flush=True)

# Asked before, in the platform's form; and the token says what the hook added.
assert [path for path, *_ in asked][:3] == ["/before", "/after", "/token"], [path for path, *_ in asked]
assert json.loads(asked[0][2])["user"]["id"] == ada
for _, headers, body in asked:
    mac = hmac.new(base64.b64decode(secret.split("whsec_")[1]), headers["webhook-id"].encode() + b"."
                   + headers["webhook-timestamp"].encode() + b"." + body, hashlib.sha256).digest()
    assert "v1," + base64.b64encode(mac).decode() in headers["webhook-signature"].split(" "), headers
payload = session["access_token"].split(".")[1]
claims = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
assert claims["plan"] == "pro" and claims["sub"] == ada, claims
print("ok asked before a sign-up and before a token", flush=True)

# Each way in which a hook may not answer keeps out, in this dialect and in another that has no such hook.
def kept_out(how, status, code):
    mode["/before"] = how
    got, body = call("POST", "/auth/v1/signup", {"email": f"{how}@example.com", "password": PASSWORD}, key)
    assert (got, body["error_code"]) == (status, code), (how, got, body)
    assert how != "refuse" or body["msg"] == "Not here", body
    got, body = call("POST", "/identitytoolkit.googleapis.com/v1/accounts:signUp?key=" + firebase["apiKey"],
                     {"email": f"{how}@example.com", "password": PASSWORD, "returnSecureToken": True})
    assert got == 400 and body["error"]["message"].startswith("BLOCKING_FUNCTION_ERROR_RESPONSE"), (how, got, body)


def stop():
    server.send_signal(signal.SIGTERM)
    assert server.wait(timeout=60) == 0, server.returncode


firebase = call("GET", "/dev/settings.json")[1]["firebase"]
kept_out("refuse", 418, "unknown")
kept_out("cut", 422, "hook_timeout_after_retry")
kept_out("large", 422, "hook_payload_over_size_limit")
kept_out("html", 400, "hook_payload_invalid_content_type")
kept_out("redirect", 500, "unexpected_failure")
stop()
configure(before=1)
start()
kept_out("slow", 422, "hook_timeout")
over.set()
stop()
configure(before=30)
start()
mode["/before"] = "allow"
assert not any("again" in path for path, *_ in asked)
for how in ["refuse", "slow", "cut", "large", "html", "redirect"]:
    assert not any(f"{how}@" in line for line in latchkey("user", "list", *DATABASE).splitlines()), how
print("ok whoever is not answered for is kept out, in every dialect", flush=True)

# What follows a sign-up keeps nobody out: the caller is told, and the account is there.
mode["/after"] = "refuse"
got, body = call("POST", "/auth/v1/signup", {"email": "late@example.com", "password": PASSWORD}, key)
assert got == 418 and body["msg"] == "Not here" and "access_token" not in body, (got, body)
mode["/after"] = "allow"
got, body = call("POST", "/auth/v1/token?grant_type=password", {"email": "late@example.com", "password": PASSWORD}, key)
assert got == 200 and body["user"]["email"] == "late@example.com", (got, body)
assert [path for path, *_ in asked][-3:] == ["/before", "/after", "/token"], [path for path, *_ in asked]
settle()
print("ok what follows a sign-up is told, and its no undoes none", flush=True)

# A program that fails, and sends elsewhere: nothing goes there, and what follows waits.
with changed:
    answer.update(status=302, location=place + "/elsewhere")
status, session = call("POST", "/auth/v1/signup", {"email": "bob@example.com", "password": PASSWORD}, key)
bob = session["user"]["id"]
with changed:
    assert changed.wait_for(lambda: any(status == 302 for *_, status in received), 120)
    assert all(json.loads(body)["type"] == "user.created" and json.loads(body)["data"]["user_id"] == bob
               for _, _, body, status in received if status == 302)
    answer.update(status=204, location=None)
events = told(bob, 2)
assert [body["type"] for _, body in events] == ["user.created", "session.created"], events
first = [headers["webhook-id"] for _, headers, body, _ in received
         if json.loads(body)["data"]["user_id"] == bob and json.loads(body)["type"] == "user.created"]
assert len(first) >= 2 and len(set(first)) == 1, first
assert all(path == "/accounts" for path, *_ in received), [path for path, *_ in received]
print("ok no redirect is followed, repeats have one identifier, and what follows waits", flush=True)

# Committed by another process while no server runs, after the server was killed. What it was at would be another's only when its
# turn is over, in minutes: so once it has written down that all was taken.
settle()
server.send_signal(signal.SIGKILL)
server.wait()
latchkey("user", "delete", "bob@example.com", *DATABASE)
start()
assert [body["type"] for _, body in told(bob, 3)][-1] == "user.deleted"
print("ok what is committed while nobody delivers is told after a start", flush=True)

# Given up: seen by the operator.
with changed:
    answer.update(status=410)
status, session = call("POST", "/auth/v1/signup", {"email": "eve@example.com", "password": PASSWORD}, key)
eve = session["user"]["id"]
with changed:
    assert changed.wait_for(
        lambda: len([1 for _, _, body, status in received
                     if status == 410 and json.loads(body)["data"]["user_id"] == eve]) == 2, 120)
deadline = time.time() + 120
while True:
    failed = json.loads(latchkey("hook", "failures", "--json", *DATABASE))
    if len(failed) == 2:
        break
    assert time.time() < deadline, failed
assert {f["type"] for f in failed} == {"user.created", "session.created"}, failed
assert all(f["error"] == "status 410" and f["body"]["data"]["user_id"] == eve for f in failed), failed
listed = latchkey("hook", "list")
assert "backend" in listed and secret not in listed, listed
print("ok an operator sees what was given up", flush=True)

stop()

# SPDX-License-Identifier: Apache-2.0
"""Text messages and mails by HTTP APIs, from outside: a gateway and a mail service of this script's own, and a server that
is told of them. Only the standard library.

Usage: message_walk.py LATCHKEY, in an empty folder.
"""

import json
import os
import re
import subprocess
import sys
import threading
import time
import urllib.parse
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

LATCHKEY = sys.argv[1]
SECRET = "an-auth-token-that-nobody-prints"
seen = []
arrived = threading.Condition()
unreachable = {"+447700900099"}
busy = ["+447700900001"]


class Vendor(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        status, answer, fields = 200, {"id": "m1"}, {}
        if self.path.startswith("/2010-04-01/"):
            form = dict(urllib.parse.parse_qsl(body))
            status, answer = 201, {"sid": "SM1", "status": "queued", "error_code": None}
            if form["To"] in unreachable:
                status, answer = 400, {"code": 21211, "message": "Invalid 'To' Phone Number: " + form["To"]}
            elif form["To"] in busy:
                busy.remove(form["To"])
                status, answer, fields = 429, {"code": 20429}, {"Retry-After": "1"}
            note = ("text", form["To"], form["Body"], status)
        else:
            mail = json.loads(body)
            note = ("mail", mail["to"][0], mail["html"], self.headers["Idempotency-Key"])
        data = json.dumps(answer).encode()
        self.send_response(status)
        for name, value in fields.items():
            self.send_header(name, value)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
        with arrived:
            seen.append(note)
            arrived.notify_all()


def wait_for(matches, what):
    with arrived:
        if not arrived.wait_for(lambda: any(matches(note) for note in seen), timeout=120):
            raise AssertionError(f"no {what}: {seen}")
        return next(note for note in seen if matches(note))


vendor = ThreadingHTTPServer(("127.0.0.1", 0), Vendor)
vendor.daemon_threads = True
threading.Thread(target=vendor.serve_forever, daemon=True).start()
url = f"http://127.0.0.1:{vendor.server_port}"

for name in ("text-secret", "mail-key"):
    with open(os.open(name, os.O_WRONLY | os.O_CREAT, 0o600), "w") as file:
        file.write(SECRET + "\n")
os.mkdir("templates")
with open("templates/sms.txt", "w") as file:
    file.write("{{siteName}}: {{ .Code }}\n")
with open("templates/recovery.html", "w") as file:
    file.write('<p>Own words: <a href="{{ .ConfirmationURL }}">go</a></p>')
environment = {name: value for name, value in os.environ.items() if not name.startswith("LATCHKEY_")}
environment |= {
    "LATCHKEY_DATABASE": "sqlite:walk.sqlite",
    "LATCHKEY_HTTP_REQUIRE_API_KEY": "false",
    "LATCHKEY_HTTP_SHUTDOWN_DELAY": "0",
    "LATCHKEY_TEXTS_GATEWAY": "twilio",
    "LATCHKEY_TEXTS_ACCOUNT": "AC0123",
    "LATCHKEY_TEXTS_SECRET_FILE": "text-secret",
    "LATCHKEY_TEXTS_SENDER": "+15005550006",
    "LATCHKEY_TEXTS_URL": url,
    "LATCHKEY_MAIL_API_FORM": "resend",
    "LATCHKEY_MAIL_API_KEY_FILE": "mail-key",
    "LATCHKEY_MAIL_API_URL": url,
    "LATCHKEY_MAIL_SENDER_ADDRESS": "auth@example.com",
    "LATCHKEY_MAIL_TEMPLATES": "templates",
    "LATCHKEY_DIRECTORY_SITE_NAME": "Acme",
}


def run(*arguments, **more):
    done = subprocess.run([LATCHKEY, *arguments], env=environment, capture_output=True, text=True, **more)
    assert done.returncode == 0, (arguments, done.stderr)
    return json.loads(done.stdout)


run("directory", "create", "default", "--json")
checked = run("check-config", "--json")
assert checked["texts"] is True and checked["mail"] is True, checked
run("user", "create", "ada@example.com", "--json", input="Correct-horse-7-battery\n")

server = subprocess.Popen(
    [LATCHKEY, "serve", "--port", "0"], env=environment, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
)
lines = []
try:
    base = None
    for line in server.stderr:
        lines.append(line)
        found = re.search(r"http://[0-9.:]+", line)
        if "ready" in line and found:
            base = found[0]
            break
    assert base, "".join(lines)
    threading.Thread(target=lambda: lines.extend(server.stderr), daemon=True).start()

    def call(path, body):
        request = urllib.request.Request(
            base + "/auth/v1" + path, json.dumps(body).encode(), {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request) as answer:
            return json.loads(answer.read() or b"{}")

    # A code reaches a telephone, in the operator's words, and signs its owner in.
    call("/otp", {"phone": "+447700900000"})
    text = wait_for(lambda note: note[:2] == ("text", "+447700900000"), "text message")[2]
    code = re.fullmatch(r"Acme: (\d{6})", text)
    assert code, text
    session = call("/verify", {"type": "sms", "phone": "+447700900000", "token": code[1]})
    assert session["access_token"]

    # A gateway that is busy is asked again, when it says; nothing is lost.
    call("/otp", {"phone": "+447700900001"})
    wait_for(lambda note: note[1] == "+447700900001" and note[3] == 201, "second try")

    # A number that can't be reached ends as a failure that the operator sees.
    call("/otp", {"phone": "+447700900099"})
    wait_for(lambda note: note[1] == "+447700900099", "refused message")
    for _ in range(200):
        failed = run("message", "list", "--json")
        if failed:
            break
        time.sleep(0.1)
    assert [(m["to"], m["state"], m["error"]) for m in failed] == [
        ("+447700900099", "failed", "status 400, code 21211")
    ], failed
    assert sum(note[1] == "+447700900099" for note in seen) == 1, "it is not tried again"

    # A mail goes out by the service's API, in the operator's words.
    call("/recover", {"email": "ada@example.com"})
    mail = wait_for(lambda note: note[:2] == ("mail", "ada@example.com"), "mail")
    assert mail[2].startswith('<p>Own words: <a href="http'), mail[2]
    assert mail[3]
finally:
    server.terminate()
    server.wait(60)
assert SECRET not in "".join(lines) and "re_" not in "".join(lines)
print("ok")

# SPDX-License-Identifier: Apache-2.0
"""A gateway for messages that answers as it is told. Only the standard library.

Usage: gateway_server.py ANSWERS [SECRET], a JSON array of objects with "status", "fields", "body" and "mode" (cut, slow,
huge, hangup), one a request; the last one stays. Prints its port, then each request as a line of JSON, with "signed" where
SECRET is the signing secret of a webhook. Ends when its input does.
"""

import base64
import hashlib
import hmac
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ANSWERS = json.loads(sys.argv[1])
SECRET = sys.argv[2] if len(sys.argv) > 2 else None
LOCK = threading.Lock()
ENDED = threading.Event()


def is_signed(fields, body):
    """https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md"""
    key = base64.b64decode(SECRET.removeprefix("whsec_"))
    content = f"{fields['webhook-id']}.{fields['webhook-timestamp']}.".encode() + body
    wanted = base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode()
    return "v1," + wanted in fields["webhook-signature"].split(" ")


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.do_POST()

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        fields = {name.lower(): value for name, value in self.headers.items()}
        request = {"method": self.command, "path": self.path, "fields": fields, "body": body.decode()}
        if SECRET:
            request["signed"] = is_signed(fields, body)
        with LOCK:
            print(json.dumps(request), flush=True)
            answer = ANSWERS.pop(0) if len(ANSWERS) > 1 else ANSWERS[0]
        mode = answer.get("mode")
        text = answer.get("body", "").encode()
        if mode == "hangup":
            self.close_connection = True
            return
        if mode == "slow":
            ENDED.wait()
            return
        if mode == "huge":
            text = b'{"sid":"' + b"x" * (100 << 10) + b'"}'
        self.send_response(answer.get("status", 200))
        self.send_header("Content-Type", "application/json")
        for name, value in answer.get("fields", {}).items():
            self.send_header(name, value)
        if mode == "endless":
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            for _ in range(20):
                self.wfile.write(b"2000\r\n" + b" " * 0x2000 + b"\r\n")
            self.close_connection = True
            return
        self.send_header("Content-Length", str(len(text) + (10 if mode == "cut" else 0)))
        self.end_headers()
        self.wfile.write(text)
        if mode == "cut":
            self.close_connection = True


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_port, flush=True)
sys.stdin.read()
ENDED.set()
server.shutdown()

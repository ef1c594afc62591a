# SPDX-License-Identifier: Apache-2.0
"""An identity provider that misbehaves in every way that a socket allows. Only the standard library.

Usage: misbehaving_provider.py ANSWERS, a JSON object of bodies by path, in which {here} stands for this server's URL.
Prints its port, then the path of each request, and "gone PATH" when a client hangs up on one that is kept waiting. Ends
when its input does.
"""

import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ANSWERS = json.loads(sys.argv[1])
PRINTING = threading.Lock()


def say(line):
    with PRINTING:
        print(line, flush=True)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, body, status=200, **fields):
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        for name, value in fields.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.serve()

    def do_POST(self):
        self.posted = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.serve()

    def serve(self):
        path = self.path.split("?")[0]
        say(path)
        here = f"http://127.0.0.1:{self.server.server_port}"
        mode = path.rsplit("/", 1)[1]
        if path in ANSWERS:
            self.answer(ANSWERS[path].replace("{here}", here).encode())
        elif mode == "form":
            is_form = self.headers.get("Content-Type") == "application/x-www-form-urlencoded"
            self.answer(b"", status=204 if is_form and self.posted == b"logout_token=a.b.c" else 400)
        elif mode == "redirect":
            self.answer(b"{}", status=302, Location=here + "/target")
        elif mode == "redirect307":
            self.answer(b"{}", status=307, Location=here + "/target")
        elif mode == "large":
            self.answer(b'{"access_token":"' + b"x" * (300 << 10) + b'"}')
        elif mode == "endless":
            self.send_response(200)
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            try:
                while True:
                    self.wfile.write(b"10000\r\n" + b" " * 65536 + b"\r\n")
            except OSError:
                say("gave up")
            self.close_connection = True
        elif mode == "garbage":
            self.wfile.write(b"\x00\xff not HTTP at all\r\n\r\n")
            self.close_connection = True
        elif mode == "html":
            self.answer(b"<!DOCTYPE html><title>Sign in to the network</title>")
        elif mode == "short":
            self.send_response(200)
            self.send_header("Content-Length", "1000")
            self.end_headers()
            self.wfile.write(b'{"access_token":')
            self.close_connection = True
        elif mode == "closing":
            self.close_connection = True
        elif mode == "hanging":
            # Until the client hangs up.
            try:
                self.connection.recv(1)
            except OSError:
                pass
            say("gone " + path)
            self.close_connection = True
        elif mode == "dripping":
            self.send_response(200)
            self.send_header("Content-Length", "100000")
            self.end_headers()
            waiting = threading.Event()
            try:
                while True:
                    self.wfile.write(b" ")
                    waiting.wait(0.02)
            except OSError:
                pass
            self.close_connection = True
        else:
            self.answer(b"{}", status=404)


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def handle_error(self, *_):
        pass


server = Server(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
say(server.server_port)
sys.stdin.read()

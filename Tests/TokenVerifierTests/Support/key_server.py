# SPDX-License-Identifier: Apache-2.0
"""A key server that can misbehave in every way a key server can. Only the standard library.

Usage: key_server.py FIRST SECOND [CERTIFICATE], two JSON Web Key Sets and, to speak TLS, a PEM file with a certificate
and its key. Prints its port, then the path of each request, a line each, and ends when its input does.
"""

import json
import ssl
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

FIRST, SECOND = (text.encode() for text in sys.argv[1:3])
CLOSING = threading.Event()
PRINTING = threading.Lock()
asked = {}


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

    def head(self, **fields):
        self.send_response(200)
        for name, value in fields.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.flush()

    def do_GET(self):
        path = self.path
        with PRINTING:
            asked[path] = count = asked.get(path, 0) + 1
        say(path)
        here = f"http://127.0.0.1:{self.server.server_port}"
        if path == "/keys":
            self.answer(FIRST, Cache_Control="public, max-age=600", Age="100")
        elif path == "/silent":
            self.answer(FIRST)
        elif path == "/rotating":
            self.answer(FIRST if count == 1 else SECOND)
        elif path == "/failing":
            # The first and the fourth time it works.
            if count in (1, 4):
                self.answer(FIRST if count == 1 else SECOND)
            else:
                self.answer(b"", status=503)
        elif path == "/html":
            self.answer(b"<!DOCTYPE html><title>Sign in to the network</title>")
        elif path == "/truncated":
            self.answer(FIRST[: len(FIRST) // 2])
        elif path == "/empty":
            self.answer(b'{"keys":[]}')
        elif path == "/nothing":
            self.answer(b"")
        elif path == "/short":
            # Promises more than it sends.
            self.head(Content_Length=str(len(FIRST) + 100))
            self.wfile.write(FIRST)
            self.close_connection = True
        elif path == "/large":
            self.answer(FIRST[:-1] + b" " * (600 << 10) + b"}")
        elif path == "/endless":
            self.head(Transfer_Encoding="chunked")
            part = b"10000\r\n" + b" " * 65536 + b"\r\n"
            try:
                while not CLOSING.is_set():
                    self.wfile.write(part)
            except OSError:
                say("gave up")
            self.close_connection = True
        elif path == "/stalled":
            CLOSING.wait()
        elif path == "/dripping":
            self.head(Content_Length=str(len(FIRST)))
            for byte in FIRST:
                if CLOSING.wait(0.02):
                    break
                try:
                    self.wfile.write(bytes([byte]))
                except OSError:
                    break
            self.close_connection = True
        elif path == "/closing":
            self.close_connection = True
        elif path.startswith("/redirect/"):
            self.answer(b"", status=int(path.rsplit("/", 1)[1]), Location=here + "/target")
        elif path.startswith("/status/"):
            self.answer(FIRST, status=int(path.rsplit("/", 1)[1]))
        elif path == "/target":
            self.answer(FIRST)
        elif path.endswith("/.well-known/openid-configuration"):
            self.metadata(path.split("/")[1], here)
        else:
            self.answer(b"{}", status=404)

    def metadata(self, name, here):
        issuer = {
            "issuer": f"{here}/{name}",
            "slash": f"{here}/slash/",
            "wrong": f"{here}/another",
            "case": f"{here}/CASE",
        }.get(name, f"{here}/{name}")
        document = {"issuer": issuer, "jwks_uri": here + "/keys"}
        if name == "elsewhere":
            document["jwks_uri"] = "http://keys.example/keys"
        if name == "keyless":
            del document["jwks_uri"]
        if name == "file":
            document["jwks_uri"] = "file:///etc/passwd"
        self.answer(json.dumps(document).encode() if name != "html" else b"<html></html>")


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, *_):
        pass


server = Server(("127.0.0.1", 0), Handler)
if len(sys.argv) > 3:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[3])
    # The handshake is made by the connection's own thread, when it first reads.
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
threading.Thread(target=server.serve_forever, daemon=True).start()
say(server.server_port)
sys.stdin.read()
CLOSING.set()

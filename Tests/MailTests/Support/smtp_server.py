# SPDX-License-Identifier: Apache-2.0
"""A mail server on a free loopback port, for tests; the standard library's sockets and nothing else.

Prints its port as its first line, then one line of JSON for each connection that has ended: the commands as they came,
what was signed in with, the octets of the message as they came over the wire (before the dots that RFC 5321, section
4.5.2, adds are taken away), and whether they came over TLS. Ends when its standard input does.
"""

import argparse
import base64
import json
import os
import socketserver
import ssl
import sys
import threading

parser = argparse.ArgumentParser()
parser.add_argument("--reply", action="append", default=[], help="WHEN=TEXT, such as RCPT=550 no; see `answer`")
parser.add_argument("--hang", help="say nothing more from here on: CONNECT, MAIL, or CONTENT")
parser.add_argument("--auth", help="mechanisms to offer, such as 'PLAIN LOGIN'")
parser.add_argument("--certificate", help="a PEM file with certificate and key")
parser.add_argument("--tls", choices=["offered", "implicit"])
options = parser.parse_args()
replies = dict(reply.split("=", 1) for reply in options.reply)
output = threading.Lock()


class Session(socketserver.StreamRequestHandler):
    def handle(self):
        self.log = {"commands": [], "username": None, "password": None, "wire": None, "tls": False}
        try:
            if options.tls == "implicit":
                self.encrypt()
            self.converse()
        except OSError:
            pass
        with output:
            print(json.dumps(self.log), flush=True)

    def encrypt(self):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(options.certificate)
        self.request = context.wrap_socket(self.request, server_side=True)
        self.rfile = self.request.makefile("rb")
        self.wfile = self.request.makefile("wb", 0)
        self.log["tls"] = True

    def say(self, text):
        self.wfile.write(text.encode() + b"\r\n")

    def line(self):
        return self.rfile.readline().rstrip(b"\r\n").decode("utf-8", "replace")

    def answer(self, when, usual):
        """Hangs there, or says what was asked for, or the usual."""
        if options.hang == when:
            while self.rfile.readline():
                pass
            raise ConnectionError
        self.say(replies.get(when, usual))
        return when not in replies

    def converse(self):
        if not self.answer("CONNECT", "220 mail.example.test ESMTP"):
            return
        while True:
            line = self.line()
            if not line:
                return
            self.log["commands"].append(line)
            verb = line.split(" ")[0].upper()
            if verb == "EHLO":
                self.greet()
            elif verb == "STARTTLS":
                self.say("220 go ahead")
                self.encrypt()
            elif verb == "AUTH":
                self.sign_in(line.split(" "))
            elif verb in ("MAIL", "RCPT"):
                self.answer(verb, "250 ok")
            elif verb == "DATA":
                if self.answer("DATA", "354 go ahead"):
                    self.receive()
                    self.answer("CONTENT", "250 taken")
            elif verb == "QUIT":
                self.say("221 goodbye")
                return
            else:
                self.say("502 unknown")

    def greet(self):
        offers = ["mail.example.test", "8BITMIME"]
        if options.tls == "offered" and not self.log["tls"]:
            offers.append("STARTTLS")
        if options.auth:
            offers.append("AUTH " + options.auth)
        for offer in offers[:-1]:
            self.say("250-" + offer)
        self.say("250 " + offers[-1])

    def sign_in(self, words):
        if words[1].upper() == "PLAIN":
            text = words[2] if len(words) > 2 else self.ask("")
            _, username, password = base64.b64decode(text).decode().split("\0")
        else:
            username = base64.b64decode(words[2] if len(words) > 2 else self.ask("Username:")).decode()
            password = base64.b64decode(self.ask("Password:")).decode()
        self.log["username"], self.log["password"] = username, password
        # A server may repeat what it was told.
        self.say(replies.get("AUTH", "235 welcome").replace("PASSWORD", password))

    def ask(self, question):
        self.say("334 " + base64.b64encode(question.encode()).decode())
        return self.line()

    def receive(self):
        octets = b""
        while True:
            line = self.rfile.readline()
            if not line:
                raise ConnectionError
            if line == b".\r\n":
                break
            octets += line
        self.log["wire"] = base64.b64encode(octets).decode()


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True

    def handle_error(self, request, client_address):
        """A client that breaks off is what some tests are about."""


server = Server(("127.0.0.1", 0), Session)
print(server.server_address[1], flush=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdin.read()
os._exit(0)

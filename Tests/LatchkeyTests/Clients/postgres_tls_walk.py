# SPDX-License-Identifier: Apache-2.0
"""A server whose database speaks TLS: it knows by the certificate whom it talks to, and talks to nobody else.

usage: postgres_tls_walk.py LATCHKEY DIRECTORY POSTGRES_SUPPORT
"""

import os
import select
import socket
import ssl
import struct
import subprocess
import threading

from database_support import DIRECTORY, Server, Sessions, http, run, sign_up, support
from postgres_server import PostgresServer

SECRET = "hunter2-is-not-a-password"
database = PostgresServer()
database.start()
state = {}


class Terminator:
    """Takes TLS on a port of the loopback, and passes on to a socket what is in it. Its records are as long as TLS has them."""

    REQUEST = struct.pack("!ii", 8, 80877103)

    def __init__(self, socket_path, certificate, key):
        self.path, self.context = socket_path, ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(certificate, key)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            client = self.listener.accept()[0]
            threading.Thread(target=self.pass_on, args=(client,), daemon=True).start()

    def pass_on(self, client):
        database = socket.socket(socket.AF_UNIX)
        try:
            if client.recv(8, socket.MSG_WAITALL) != self.REQUEST:
                return
            client.sendall(b"S")
            client = self.context.wrap_socket(client, server_side=True)
            database.connect(self.path)
            while True:
                ready = [client] if client.pending() else select.select([client, database], [], [])[0]
                if client in ready:
                    data = client.recv(65536)
                    database.sendall(data)
                else:
                    # All that there is, so that a record is as long as can be.
                    data = database.recv(65536)
                    while data and len(data) < 65536 and select.select([database], [], [], 0.002)[0]:
                        more = database.recv(65536 - len(data))
                        if not more:
                            break
                        data += more
                    client.sendall(data)
                if not data:
                    return
        except (OSError, ValueError):
            pass
        finally:
            client.close()
            database.close()


def certificate(name, host):
    """One that vouches for itself, and its key."""
    paths = [os.path.join(DIRECTORY, f"{name}.{end}") for end in ("crt", "key")]
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                    "-out", paths[0], "-keyout", paths[1], "-subj", "/CN=" + host, "-addext", "subjectAltName=DNS:" + host],
                   check=True, capture_output=True)
    return paths


def url(port, **parameters):
    said = "&".join(f"{name}={value}" for name, value in {"gssencmode": "disable", **parameters}.items())
    return f"postgresql://latchkey:{SECRET}@localhost:{port}/postgres?{said}"


def over_tls_people_live_as_without():
    state["certificate"] = certificate("database", "localhost")
    state["proxy"] = Terminator(os.path.join(database.folder, ".s.PGSQL.5432"), *state["certificate"])
    address = url(state["proxy"].port, sslmode="verify-full", sslrootcert=state["certificate"][0])
    state["server"] = Server(address)
    sign_up("ada@example.com")
    ada = Sessions("ada@example.com")
    ada.refresh()
    ada.me()
    # An answer that is longer than any record of TLS.
    token = {"Authorization": "Bearer " + ada.supabase_tokens.access_token,
             "apikey": support.settings()["supabase"]["anonKey"]}
    for number in range(4):
        status, _, body = http("PUT", "/auth/v1/user", {"data": {f"note{number}": "x" * 9_000}}, token)
        assert status == 200, body
    status, _, body = http("GET", "/auth/v1/user", headers=token)
    assert status == 200 and len(body["user_metadata"]["note3"]) == 9_000, (status, body)
    assert "verify-full" not in "".join(state["server"].log)


def whoever_has_another_certificate_is_told_nothing():
    for name, host in (("stranger", "localhost"), ("elsewhere", "db.example")):
        pair = certificate(name, host)
        proxy = Terminator(os.path.join(database.folder, ".s.PGSQL.5432"), *pair)
        # One whom nobody vouches for, and one who is somebody else.
        root = state["certificate"][0] if name == "stranger" else pair[0]
        refused = run("database", "status", status=69, variables={
            "LATCHKEY_DATABASE": url(proxy.port, sslmode="verify-full", sslrootcert=root)})
        assert "certificate" in refused.stderr and SECRET not in refused.stderr, refused.stderr


def who_speaks_no_tls_is_not_spoken_to():
    refused = run("database", "status", status=69, variables={
        "LATCHKEY_DATABASE": url(state["proxy"].port, sslmode="disable")})
    assert SECRET not in refused.stderr, refused.stderr


try:
    support.steps(
        over_tls_people_live_as_without,
        whoever_has_another_certificate_is_told_nothing,
        who_speaks_no_tls_is_not_spoken_to,
    )
finally:
    if "server" in state:
        state["server"].kill()
    database.remove()

# SPDX-License-Identifier: Apache-2.0
"""What connections hold of the server's memory, and what it gives back."""

import json
import resource
import socket
import time
import urllib.parse

from bench.places import PASSWORD
from bench.report import line
from bench.server import Server, sign_up


def measure_connections(binaries, seconds, count=4000):
    """KiB of an idle connection that has asked once; what is resident a minute after load."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    count = min(count, most - 256)
    with Server(binaries, LATCHKEY_HTTP_CONNECTIONS_PER_CLIENT=0) as server:
        token = sign_up(server, 0)["access_token"]
        place = urllib.parse.urlsplit(server.url)
        request = (f"GET /v1/me HTTP/1.1\r\nHost: {place.netloc}\r\nAuthorization: Bearer {token}\r\n\r\n").encode()

        def asked():
            connection = socket.create_connection((place.hostname, place.port), timeout=30)
            connection.sendall(request)
            assert connection.recv(4096).startswith(b"HTTP/1.1 200 "), "not served"
            return connection

        for _ in range(200):
            asked().close()
        # Until the threads that have hashed give back the memory of it.
        time.sleep(13)
        idle = server.resident_megabytes()
        began = time.monotonic()
        connections = [asked() for _ in range(count)]
        took = time.monotonic() - began
        time.sleep(2)
        each = (server.resident_megabytes() - idle) * 1024 / count
        for connection in connections:
            connection.close()

        body = json.dumps({"email": "bench0@example.com", "password": PASSWORD})
        server.latency("/v1/me", 256, seconds, BENCH_TOKEN=token)
        server.wrk("signin.lua", "/auth/v1/token?grant_type=password", 64, 1, seconds, BENCH_BODY=body)
        load = server.resident_megabytes()
        time.sleep(60)
        after = server.resident_megabytes()
    kept = line("an idle connection", f"{each:.1f} KiB, of {count:,} that asked once ({took:.1f} s)", f"{each:.1f} KiB",
                "<= 15 KiB", each <= 15)
    given = line("memory after load", f"{idle:.0f} MB idle, {load:.0f} under load, {after:.0f} a minute later",
                 f"{after / idle:.2f}", "<= 1.3", after <= 1.3 * idle)
    return kept & given

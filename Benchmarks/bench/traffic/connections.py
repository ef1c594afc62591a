# SPDX-License-Identifier: Apache-2.0
"""What connections hold of the server's memory, and what it gives back."""

import http.client
import json
import resource
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
        for _ in range(200):
            server.get("/v1/me", Authorization="Bearer " + token)
        time.sleep(2)
        idle = server.resident_megabytes()
        address = urllib.parse.urlsplit(server.url)
        began = time.monotonic()
        connections = [http.client.HTTPConnection(address.hostname, address.port) for _ in range(count)]
        for connection in connections:
            connection.request("GET", "/v1/me", headers={"apikey": server.key, "Authorization": "Bearer " + token})
            connection.getresponse().read()
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

# SPDX-License-Identifier: Apache-2.0
"""The server beside one that Debian packages, each as it comes: what a client gets in a second."""

import base64
import json
import os
import re
import subprocess
import urllib.parse
import urllib.request

from bench.disk import Flushes, flush_microseconds
from bench.peers.glewlwyd import CLIENT, SECRET, Glewlwyd
from bench.places import CORES, ITERATIONS, MEMORY, PASSWORD, WRK
from bench.report import line, told
from bench.server import Server, sign_up
from bench.traffic.load import Usage

CLIENTS, ROUNDS = 64, 3
# How many times the peer's rate is wanted. A sign-in is a hash of whatever cost each chose, so that its ratio is told only.
WANTED = {"sign-in": None, "refresh": 5, "userinfo": 5}


class Peer:
    """One of the two: its requests, its sessions, and what it takes."""

    def __init__(self, name, server, flushes, headers, sign_in, refresh, read):
        self.name, self.server, self.flushes, self.runs = name, server, flushes, {}
        self.headers, self.sign_in, self.refresh, self.read = headers, sign_in, refresh, read

    def session(self, number):
        path, body = self.sign_in
        request = urllib.request.Request(self.server.url + path, body(number).encode(), self.headers)
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.loads(answer.read())

    def wrk(self, script, path, connections, threads, seconds, **variables):
        """Requests a second, failures, and microseconds of CPU and flushes for each."""
        before, flushed = Usage(self.server.process.pid), self.flushes.count
        run = subprocess.run(
            ["wrk", f"-t{threads}", f"-c{connections}", f"-d{seconds}s", "--timeout", "30s", "-s", os.path.join(WRK, script),
             self.server.url + path], env=os.environ | variables, text=True, capture_output=True, check=True)
        requests, microseconds, failures = map(int, re.search(r"RESULT (\d+) (\d+) (\d+)", run.stdout).groups())
        assert requests > failures, (self.name, script, run.stdout)
        cpu = (Usage(self.server.process.pid).cpu - before.cpu) / requests * 1e6
        return requests / microseconds * 1e6, failures, cpu, (self.flushes.count - flushed) / requests

    def measure(self, what, seconds):
        headers = "\n".join(f"{name}: {value}" for name, value in self.headers.items())
        file = os.path.join(self.server.directory, "bench-lines")
        if what == "sign-in":
            path, body = self.sign_in
            with open(file, "w") as out:
                out.writelines(body(number) + "\n" for number in range(4 * CORES))
            run = self.wrk("bodies.lua", path, 4 * CORES, 4 * CORES, seconds, BENCH_BODIES=file, BENCH_HEADERS=headers)
        elif what == "refresh":
            path, body = self.refresh
            with open(file, "w") as out:
                out.writelines(self.session(number)["refresh_token"] + "\n" for number in range(CLIENTS))
            run = self.wrk("chain.lua", path, CLIENTS, CLIENTS, seconds, BENCH_TOKENS=file, BENCH_BODY=body, BENCH_HEADERS=headers)
        else:
            variables = {"BENCH_APIKEY": self.headers["apikey"]} if "apikey" in self.headers else {}
            run = self.wrk("get.lua", self.read, CLIENTS, 1, seconds, BENCH_TOKEN=self.session(0)["access_token"], **variables)
        self.runs.setdefault(what, []).append(run)

    def median(self, what):
        """Of the rounds: requests a second, microseconds of CPU and flushes for each; and all failures."""
        runs = self.runs[what]
        rate, _, cpu, flushes = (sorted(part)[len(runs) // 2] for part in zip(*runs))
        return rate, cpu, flushes, sum(run[1] for run in runs)


def latchkey(server, flushes):
    for number in range(CLIENTS):
        sign_up(server, number)
    return Peer("Latchkey", server, flushes, {"Content-Type": "application/json", "apikey": server.key},
                ("/auth/v1/token?grant_type=password",
                 lambda number: json.dumps({"email": f"bench{number}@example.com", "password": PASSWORD})),
                ("/auth/v1/token?grant_type=refresh_token", '{"refresh_token":"@@"}'), "/auth/v1/user")


def glewlwyd(server, flushes):
    basic = base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
    return Peer("Glewlwyd", server, flushes,
                {"Content-Type": "application/x-www-form-urlencoded", "Authorization": "Basic " + basic},
                ("/api/oidc/token", lambda number: urllib.parse.urlencode({
                    "grant_type": "password", "username": f"bench{number}", "password": PASSWORD, "scope": "openid"})),
                ("/api/oidc/token", "grant_type=refresh_token&refresh_token=@@"), "/api/oidc/userinfo")


def measure_peers(binaries, seconds):
    """Sign-ins by password that give tokens, refreshes whose token is good once, and what a user's token says of them, in turns."""
    with Flushes() as ours, Flushes() as theirs, Server(binaries, LATCHKEY_LOG_LEVEL="info", **ours.environment) as server, \
            Glewlwyd(CLIENTS, **theirs.environment) as peer:
        hashing, journal = peer.terms
        told("Latchkey", f"Argon2id, {MEMORY} KiB, {ITERATIONS} passes; SQLite, journal_mode=wal, synchronous=FULL; ES256; a line a request")
        version = subprocess.run(["glewlwyd", "--version"], text=True, capture_output=True).stdout.strip()
        told("Glewlwyd " + version, f"{hashing}; {journal}, synchronous=FULL (SQLite's own default); ES256; log level WARNING")
        told("this disk", f"a flush takes {flush_microseconds():.0f} us")
        both = latchkey(server, ours), glewlwyd(peer, theirs)
        for _ in range(ROUNDS):
            for what in WANTED:
                for one in both:
                    one.measure(what, seconds)
    ok = True
    for what, wanted in WANTED.items():
        (rate, cpu, flushes, failures), (other, their_cpu, their_flushes, their_failures) = (one.median(what) for one in both)
        text = (f"{rate:.0f}/s at {cpu:.0f} us of CPU and {flushes:.2f} flushes each, {failures} failures; Glewlwyd {other:.0f}/s, "
                f"{their_cpu:.0f} us, {their_flushes:.2f} flushes, {their_failures} failures; {4 * CORES if what == 'sign-in' else CLIENTS} "
                f"clients, medians of {ROUNDS} turns of {seconds} s")
        if wanted:
            ok = line(what, text, f"ratio {rate / other:.1f}", f">= {wanted}", rate / other >= wanted and failures == 0) and ok
        else:
            told(what, text + f"; ratio {rate / other:.2f}, of different hashes")
            ok = ok and failures == 0
    return ok

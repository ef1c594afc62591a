# SPDX-License-Identifier: Apache-2.0
"""`GET /v1/me` beside clients that retry sign-ins at once for which there is no place."""

import json
import os
import re
import threading
import time

from bench.places import PASSWORD
from bench.report import line
from bench.server import Server, sign_up


def measure_refusals(binaries, seconds):
    """The latency of `/v1/me` beside 200, 400 and 1,000 clients that sign in again as soon as they are answered, and what a
    refusal costs the threads that hash nothing."""
    with Server(binaries, LATCHKEY_HTTP_CONNECTIONS_PER_CLIENT=0) as server:
        token = sign_up(server, 0)["access_token"]
        body = json.dumps({"email": "bench0@example.com", "password": PASSWORD})
        figures = []
        for clients in (0, 200, 400, 1000):
            answered = []

            def flood():
                before = _cpu_seconds_beside_hashes(server)
                rate, failures, _ = server.wrk("signin.lua", "/auth/v1/token?grant_type=password", clients, 1, seconds + 3,
                                               BENCH_BODY=body)
                answered.append((rate, failures, _cpu_seconds_beside_hashes(server) - before))

            others = threading.Thread(target=flood)
            if clients:
                others.start()
                time.sleep(2)
            try:
                latency = server.latency("/v1/me", 1, seconds, BENCH_TOKEN=token)
            except AssertionError:
                # Not one was answered in all that time.
                latency = {50: seconds * 1_000_000, 99: seconds * 1_000_000}
            if clients:
                others.join()
            rate, failures, _ = answered[0] if answered else (0, 0, 0)
            figures.append((clients, latency, rate, failures))
        text = "; ".join(
            f"{clients:,} clients: {latency[50] / 1e3:.2f} and {latency[99] / 1e3:.2f} ms" for clients, latency, _, _ in figures)
        worst = figures[-1][1][99]
    cost = _refusal_cost(binaries, seconds)
    beside = line("GET /v1/me beside retries", f"median and 99th percentile beside {text}; {figures[-1][2]:,.0f} answers a "
                  f"second to 1,000, {figures[-1][3]:,} of them refusals", f"{worst / 1e3:.2f} ms", "< 20 ms", worst < 20_000)
    each = line("a refused sign-in", f"{cost:.0f} us of the processor, hashes aside", f"{cost:.0f} us", "<= 30 us", cost <= 30, healthy=cost <= 120)
    return beside & each


def _refusal_cost(binaries, seconds):
    """Microseconds: of a server that hashes one password at a time and lets none wait, asked by clients who are told apart."""
    with Server(binaries, LATCHKEY_HTTP_CONNECTIONS_PER_CLIENT=0, LATCHKEY_PASSWORDS_THREADS=1,
                LATCHKEY_PASSWORDS_QUEUE_LENGTH=0, LATCHKEY_HTTP_TRUSTED_PROXIES=1) as server:
        sign_up(server, 0)
        body = json.dumps({"email": "bench0@example.com", "password": PASSWORD})
        before = _cpu_seconds_beside_hashes(server)
        rate, failures, _ = server.wrk("retry.lua", "/auth/v1/token?grant_type=password", 64, 1, seconds, BENCH_BODY=body)
        return (_cpu_seconds_beside_hashes(server) - before) / max(1, failures) * 1e6


def _cpu_seconds_beside_hashes(server):
    """What all threads but those that hash have used."""
    ticks = 0
    tasks = f"/proc/{server.process.pid}/task"
    for thread in os.listdir(tasks):
        with open(f"{tasks}/{thread}/stat") as file:
            name, fields = re.fullmatch(r"\d+ \((.*)\) (.*)", file.read().strip(), re.S).groups()
        if name != "password-hash":
            ticks += sum(int(field) for field in fields.split()[11:13])
    return ticks / os.sysconf("SC_CLK_TCK")

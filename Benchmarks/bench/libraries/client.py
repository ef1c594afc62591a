# SPDX-License-Identifier: Apache-2.0
"""The app's library."""

import json
import os
import sqlite3
import subprocess
import sys
import time
import uuid

from bench.disk import flush_microseconds
from bench.places import PASSWORD, ROOT
from bench.report import line
from bench.server import Server, sign_up


class ClientBench:
    """The app's library, optimised as an app builds it: a package of its own, without the server."""

    def __init__(self):
        swift = ["swift", "build", "-c", "release", "--package-path", os.path.join(ROOT, "Benchmarks", "client")]
        sys.stderr.write("building client-bench (release)\n")
        subprocess.run(swift, check=True, stdout=subprocess.DEVNULL)
        binaries = subprocess.run(swift + ["--show-bin-path"], check=True, text=True, capture_output=True).stdout.strip()
        self.program = os.path.join(binaries, "client-bench")

    def __call__(self, name, **options):
        arguments = [text for option, value in options.items() for text in ("--" + option, str(value))]
        return json.loads(subprocess.run([self.program, name, *arguments], check=True, text=True,
                                         stdout=subprocess.PIPE).stdout)


def measure_client(binaries, seconds, flows):
    bench = ClientBench()
    ok = measure_client_core(bench)
    ok = flows_line("flows, scripted clouds", bench("flows", count=flows)) and ok
    # Each signs in by password, whose hash is what bounds how many a server takes.
    devices, count = 32, flows // 10
    with Server(binaries, LATCHKEY_DIRECTORY_ACCESS_TOKEN_LIFETIME=3600) as server:
        for number in range(devices):
            sign_up(server, number)
        cognito = server.settings["cognito"]
        ok = flows_line("flows, this server", bench(
            "flows", count=count, devices=devices, server=server.url, key=server.key, pool=cognito["userPoolId"],
            client=cognito["clientId"], password=PASSWORD)) and ok
    return measure_client_requests(bench, binaries, seconds) and ok


def measure_client_core(bench):
    """What the library does by itself."""
    token = bench("token")
    ours, lock, actor = (token[name]["p50"] for name in ("accessToken", "lock", "actor"))
    ok = line("client, an access token that lives", f"{ours * 1e3:.0f} ns; {lock * 1e3:.0f} ns of a lock alone, {actor * 1e3:.0f} ns "
              f"of an actor; {token['jobs']} suspensions in {token['calls']} calls", f"{ours:.3f} us", "< 1 us, none suspended",
              ours < 1 and token["jobs"] == 0)
    restore = bench("restore")
    ok = line("client, restored from its store", f"99th percentile {restore['restore']['p99'] / 1e3:.2f} ms, the first one {restore['restore']['most'] / 1e3:.2f} at most; to read "
              f"the bare files {restore['files']['p50'] / 1e3:.3f} ms (AES-256-GCM, a key file)",
              f"{restore['restore']['p50'] / 1e3:.2f} ms", "< 10 ms", restore["restore"]["p99"] < 10_000) and ok
    waiters = bench("waiters")
    for name, store in (("memory", "in memory"), ("file", "in an encrypted file")):
        times = waiters[name]
        ok = line(f"client, 1,000 callers, {store}", f"the last has its token {times['p50'] / 1e3:.2f} ms after the answer, at worst "
                  f"{times['most'] / 1e3:.2f} of {times['count']:.0f}; 1,000 bare continuations {waiters['bare']['p50'] / 1e3:.2f} ms, "
                  f"a flush {flush_microseconds() / 1e3:.2f} ms", f"{times['p50'] / 1e3:.2f} ms", "< 5 ms", times["p50"] < 5_000) and ok
    srp = bench("srp")
    ours, bare, big = (srp[name]["p50"] for name in ("signIn", "libcrypto", "bigInt"))
    return line("client, a sign-in by SRP", f"{ours / 1e3:.2f} ms of the device (3072 bits; the first {srp['first']['p50'] / 1e3:.2f} ms); its three "
                f"exponentiations alone {bare / 1e3:.2f} ms by libcrypto, {big / 1e3:.2f} ms by BigInt",
                f"{ours / 1e3:.2f} ms, {ours / bare:.1f} times libcrypto's", "< 15 ms", ours < 15_000) and ok


def flows_line(name, report):
    """How much of a fault mix the users of many apps have seen."""
    happened = report["happened"]
    kinds = ("cutBefore", "cutAfter", "timeOut", "lostAnswer", "tooMany", "serverFault", "malformed")
    faults = sum(happened.get(kind, 0) for kind in kinds)
    broken = sum(happened.get(kind, 0) for kind in ("storeLocked", "storeFull", "storeBroken"))
    print(f"{name:<34} {report['flows']} of {report['devices']} devices in {report['seconds']:.0f} s; {faults} of {happened['requests']} "
          f"requests failed ({', '.join(f'{kind} {happened.get(kind, 0)}' for kind in kinds)}), {broken} of {happened['storeCalls']} "
          f"calls of the store", flush=True)
    for error in report["errors"]:
        print(f"{'':<34} {error}")
    seen, unseen = report["failed"] / report["flows"], 1 - report["seen"] / report["refreshes"]
    waited = report["waited"]
    ok = line("... what users saw", f"errors in {report['failed']} flows", f"{seen:.4%}", "< 0.1 %", seen < 0.001)
    ok = line("... refreshes that nobody saw", f"all but {report['seen']} of {report['refreshes']}", f"{unseen:.4%}",
              ">= 99.9 %", unseen >= 0.999) and ok
    return line("... what users waited for", f"a sign-in, a token after a sleep and a sign-out together: median "
                f"{waited['p50'] / 1e6:.3f} s, 99.9th percentile {waited['p999'] / 1e6:.1f} s, at most {waited['most'] / 1e6:.1f} s",
                f"99th percentile {waited['p99'] / 1e6:.2f} s", "< 3 s", waited["p99"] < 3_000_000) and ok


def measure_client_requests(bench, binaries, seconds, activities=100_000):
    """The profile and the activities of a user who has many, as an app asks for them."""
    with Server(binaries) as server:
        user = sign_up(server, 0)["user"]["id"]
        path = os.path.join(server.directory, ".latchkey", "development.sqlite")
        with sqlite3.connect(path, timeout=30) as database:
            directory, = database.execute("SELECT directory_id FROM users WHERE id = ?", (user,)).fetchone()
            now = time.time_ns() // 1000
            database.executemany("INSERT INTO activities (id, directory_id, user_id, type, description, duration_seconds, at) "
                "VALUES (?, ?, ?, 'yoga.session', 'Hatha', 1800, ?)", (
                (str(uuid.uuid4()), directory, user, now - number * 60_000_000) for number in range(activities)))
        report = bench("requests", server=server.url, key=server.key, email="bench0@example.com", password=PASSWORD,
                       seconds=seconds)
    assert report["walked"] >= activities, report["walked"]
    ok = True
    for name, part, bound in (("sign-in", "signIns", 1), ("profile", "profile", 2), ("activities, the first 20", "firstPages", 3),
                              (f"activities, {activities} in pages of 20", "pages", 3)):
        times, beside = report[part], "one after the other" if part in ("pages", "signIns") else f"{report['callers']} callers"
        ok = line(f"client, {name}", f"{times['count']:.0f} requests, {beside}: median {times['p50'] / 1e3:.2f} ms, at most "
                  f"{times['most'] / 1e3:.1f} ms", f"99th percentile {times['p99'] / 1e3:.2f} ms", f"< {bound} s",
                  times["p99"] < bound * 1e6) and ok
    return ok

# SPDX-License-Identifier: Apache-2.0
"""How long requests take that come when they come: at half and at four fifths of what the server sustains, and at low rates.

Each time is counted from the moment at which the request was due. The server logs as it does by default."""

import concurrent.futures
import json
import time

from bench.places import PASSWORD
from bench.report import line, told
from bench.server import Server, sign_up
from bench.traffic.load import Load, Stream

# Milliseconds that 99 of 100 requests take at most at four fifths of what is sustained.
GOALS = {"me": 5, "refresh": 10}
# Beyond these milliseconds a rate is not sustained: the queue grows. A sign-in is a hash, and waits behind everything else.
SUSTAINED = {"me": 100, "refresh": 100, "sign-in": 1000}
# What the Argon2id threads do beside: sign-ins a second, and `/v1/me` a second that must not notice.
SIGN_INS, BESIDE, SLOW = 50, 1000, 1000


def streams(server, sessions=256):
    """`/v1/me`, refreshes of that many sessions, and sign-ins."""
    fields = {"apikey": server.key, "Content-Type": "application/json"}
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        people = list(pool.map(lambda number: sign_up(server, number), range(sessions)))
    return (Stream("me", "GET /v1/me", {"Authorization": "Bearer " + people[0]["access_token"]}),
            Stream("refresh", "POST /auth/v1/token?grant_type=refresh_token", fields, '{"refresh_token":"@@"}',
                   [person["refresh_token"] for person in people]),
            Stream("sign-in", "POST /auth/v1/token?grant_type=password", fields,
                   json.dumps({"email": "bench0@example.com", "password": PASSWORD})))


def is_sustained(load, server, shares, rate):
    """Whether all of a trial's requests were answered, and in a time that is not that of a growing queue."""
    report = load.run(server, {stream: rate * share for stream, share in shares.items()}, 2)
    return report["failed"] == 0 and not report["gaveUp"] and all(
        report["streams"][stream.name]["p99"] < SUSTAINED[stream.name] * 1000 for stream in shares)


def sustained(load, server, shares):
    """Requests a second that the server answers for as long as one likes: doubled, then halved in between."""
    def holds(rate):
        # Once more, so that a moment in which the machine did something else is not taken for the bound.
        return is_sustained(load, server, shares, rate) or is_sustained(load, server, shares, rate)

    low, high = 0, 500
    while holds(high):
        low, high = high, high * 2
    if low == 0:
        return 0
    while high / low > 1.06:
        middle = (low * high) ** 0.5
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low


def times(report, name):
    taken = report["streams"][name]
    return f"{name} p50 {taken['p50'] / 1e3:.2f}, p99 {taken['p99'] / 1e3:.2f}, p99.9 {taken['p999'] / 1e3:.2f} ms"


def measure_one(load, server, name, shares, seconds):
    capacity = sustained(load, server, shares)
    print(f"{'open load, ' + name:<34} {capacity:.0f}/s are sustained (Poisson arrivals, {load.connections} connections of each kind)", flush=True)
    ok = capacity > 0
    for share in (0.5, 0.8) if ok else ():
        for arrivals in ("constant", "poisson"):
            report = load.run(server, {stream: capacity * share * part for stream, part in shares.items()}, seconds, arrivals)
            late = max(stream["unsent99"] for stream in report["streams"].values()) / 1e3
            print(f"... {share:.0%}, {arrivals:<27}{sum(s['answered'] for s in report['streams'].values()) / (seconds + 0.5):.0f}/s: "
                  f"{'; '.join(times(report, stream.name) for stream in shares)}; {report['microseconds']:.0f} us of CPU and "
                  f"{report['switches']:.2f} switches a request, {report['failed']} failures; sent {late:.2f} ms late (p99)", flush=True)
            ok = ok and report["failed"] == 0
            for kind in GOALS if share == 0.8 else ():
                if kind in report["streams"]:
                    p99 = report["streams"][kind]["p99"] / 1e3
                    ok = line(f"... {kind}, {name}", f"at four fifths, {arrivals}", f"p99 {p99:.2f} ms", f"< {GOALS[kind]} ms",
                              p99 < GOALS[kind], healthy=p99 < 200) and ok
    return ok


def measure_low_rates(load, server, me, refresh, seconds):
    """What a request costs where threads sleep between requests."""
    ok = True
    for stream in (me, refresh):
        report = load.run(server, {stream: SLOW}, seconds)
        bound, switches, fine = 300 if stream is refresh else None, report["switches"], report["failed"] == 0
        ok = line(f"{stream.name}, {SLOW} a second", f"{times(report, stream.name)}; {report['failed']} failures",
                  f"{switches:.2f} switches, {report['microseconds']:.0f} us of CPU a request",
                  "<= 3 switches" + (f", {bound} us" if bound else ""),
                  fine and switches <= 3 and (not bound or report["microseconds"] <= bound),
                  healthy=fine and switches <= (7 if stream is refresh else 3.5)) and ok
    return ok


def lateness(count=2000):
    """Milliseconds that a thread which sleeps for one is late, p50 and p99, while nothing else runs: no answer comes more evenly than that."""
    late = []
    for _ in range(count):
        began = time.perf_counter()
        time.sleep(0.001)
        late.append((time.perf_counter() - began) * 1e3 - 1)
    late.sort()
    return late[count // 2], late[count * 99 // 100]


def measure_latency(binaries, seconds):
    told("this machine, at rest", "a thread that sleeps wakes {:.2f} ms late, {:.2f} at the 99th percentile".format(*lateness()))
    with Load() as load, Server(binaries, LATCHKEY_LOG_LEVEL="info") as server:
        me, refresh, sign_in = streams(server)
        ok = measure_low_rates(load, server, me, refresh, seconds)
        report = load.run(server, {me: BESIDE, sign_in: SIGN_INS}, seconds)
        p99 = report["streams"]["me"]["p99"] / 1e3
        ok = line(f"/v1/me beside {SIGN_INS} sign-ins a second", f"{BESIDE} a second: {times(report, 'me')}; {times(report, 'sign-in')}; "
                  f"{report['failed']} failures", f"p99 {p99:.2f} ms", "<= 2.5 ms", p99 <= 2.5 and report["failed"] == 0,
                  healthy=p99 < 10 and report["failed"] == 0) and ok
        for name, shares in (("/v1/me", {me: 1}), ("refresh", {refresh: 1}),
                             ("90 % me, 8 % refresh, 2 % sign-in", {me: 0.9, refresh: 0.08, sign_in: 0.02})):
            ok = measure_one(load, server, name, shares, seconds) and ok
    return ok

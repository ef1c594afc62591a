# SPDX-License-Identifier: Apache-2.0
"""Refreshes beside the purge of what has had its time."""

import os
import random
import sqlite3
import time
import uuid

from bench.report import line
from bench.server import Server, sign_up

OWNERS = 10_000


def expire(path, sessions):
    """Writes sessions that ended long ago, of owners and with identifiers in no order, as the years would have."""
    with sqlite3.connect(path) as database:
        database.row_factory = sqlite3.Row
        database.execute("PRAGMA cache_size = -1000000")
        live = dict(database.execute("SELECT * FROM sessions LIMIT 1").fetchone())
        user = dict(database.execute("SELECT * FROM users WHERE id = ?", (live["user_id"],)).fetchone())

        def insert(table, rows):
            rows = iter(rows)
            first = next(rows)
            statement = f"INSERT INTO {table} ({', '.join(first)}) VALUES ({', '.join('?' * len(first))})"
            database.execute(statement, tuple(first.values()))
            database.executemany(statement, (tuple(row.values()) for row in rows))

        owners = [str(uuid.uuid4()) for _ in range(OWNERS)]
        insert("users", (user | {"id": owner, "email": owner + "@example.com"} for owner in owners))
        insert("sessions", (live | {
            "id": str(uuid.uuid4()), "user_id": random.choice(owners), "live_hash": random.randbytes(32),
            "not_after": 1_000_000 + number} for number in range(sessions)))
    database.close()


def left(path):
    """How many of the expired sessions are there, counted by the index without holding up anybody."""
    with sqlite3.connect(path, timeout=30) as database:
        count, = database.execute("SELECT COUNT(*) FROM sessions WHERE not_after < 1000000000000").fetchone()
    database.close()
    return count


def measure_purge(binaries, seconds, sessions=1_000_000, clients=8):
    """The latency of refreshes alone, and while a server that was away for long purges sessions that have ended since."""
    with Server(binaries) as server:
        path = os.path.join(server.directory, ".latchkey", "development.sqlite")
        tokens, count = os.path.join(server.directory, "tokens"), 0

        def latency():
            nonlocal count
            with open(tokens, "w") as file:
                for count in range(count + 1, count + 1 + clients):
                    file.write(sign_up(server, count)["refresh_token"] + "\n")
            return server.latency("/", clients, seconds, "refresh.lua", BENCH_TOKENS=tokens, threads=clients)

        alone = latency()
        server.halt()
        expire(path, sessions)
        server.start()
        before, began = left(path), time.monotonic()
        beside = latency()
        gone = (before - left(path)) / (time.monotonic() - began)
    # Where it was over by then, most of the refreshes were beside nothing.
    was_busy = before - gone * seconds > 0 and gone > 0
    return line("refreshes beside a purge", f"99th percentile {beside[99] / 1e3:.2f} ms, {alone[99] / 1e3:.2f} ms alone; median "
                f"{beside[50] / 1e3:.2f} and {alone[50] / 1e3:.2f} ms; {clients} clients, {before} sessions that are over, {gone:.0f} purged a second",
                f"{beside[99] / 1e3:.2f} ms", "<= 10 ms", beside[99] <= 10_000 and was_busy)

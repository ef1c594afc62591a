# SPDX-License-Identifier: Apache-2.0
"""The same server on PostgreSQL, on the same machine: refreshes beside SQLite's, two servers beside one, many users beside few."""

import hashlib
import itertools
import os
import sys
import threading

from bench.places import CORES, ROOT
from bench.report import line
from bench.server import Server, sign_up

sys.path.insert(0, os.path.join(ROOT, "Tests", "AccountStorePostgresTests", "Support"))
from postgres_server import PostgresServer  # noqa: E402

# What it says is kept is kept: as its own defaults are, which the tests' server goes without.
DURABLE = ("-c", "fsync=on", "-c", "synchronous_commit=on", "-c", "shared_buffers=512MB", "-c", "max_wal_size=4GB")
CLIENTS = 64
# What a database in use has beside those who are at it: rows that are read at once are on pages of their own then.
OTHERS = 100_000
numbers = itertools.count(1)


def cpu_seconds(database):
    """Of the database's processes, those of its connections included."""
    def of(pid):
        with open(f"/proc/{pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        # What its ended children took too.
        return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    pid = database.process.pid
    with open(f"/proc/{pid}/task/{pid}/children") as file:
        return of(pid) + sum(map(of, file.read().split()))


def tokens(server, count=CLIENTS):
    """A file of as many new sessions' tokens. Each is shown once."""
    path = os.path.join(server.directory, f"tokens-{next(numbers)}")
    with open(path, "w") as file:
        for _ in range(count):
            file.write(sign_up(server, next(numbers))["refresh_token"] + "\n")
    return path


def refreshes(server, seconds, clients=CLIENTS):
    # Once for what is learned and filled, once for what is counted.
    server.wrk("refresh.lua", "/", clients, clients, 2, BENCH_TOKENS=tokens(server, clients))
    path = tokens(server, clients)
    return lambda: server.wrk("refresh.lua", "/", clients, clients, seconds, BENCH_TOKENS=path)


def measure_postgres(binaries, seconds):
    with Server(binaries) as server:
        rate, failures, cores = refreshes(server, seconds)()
    sqlite = rate / cores
    database = PostgresServer(*DURABLE)
    try:
        database.start()
        with Server(binaries, LATCHKEY_DATABASE=database.url) as server:
            ok = measure_core("a new PostgreSQL", server, database, seconds, sqlite, failures, None)
            multiply(database, OTHERS, sessions=True)
            ok = measure_core(f"PostgreSQL beside {OTHERS} users", server, database, seconds, sqlite, failures, 0.5) and ok
        return measure_two(binaries, database, seconds) and ok
    finally:
        database.remove()


def measure_core(place, server, database, seconds, sqlite, failures, bound):
    """Refreshes for each core that server and database keep busy together, against those over SQLite."""
    counted = refreshes(server, seconds)
    before = cpu_seconds(database)
    rate, missed, cores = counted()
    theirs = (cpu_seconds(database) - before) / seconds
    ratio = rate / (cores + theirs) / sqlite
    return line(f"refresh on {place}", f"{rate:.0f}/s from {CLIENTS} clients; {cores:.2f} cores used by the server, {theirs:.2f} "
                f"by the database, {failures + missed} failures; SQLite {sqlite:.0f}/s a core",
                f"{rate / (cores + theirs):.0f}/s a core, ratio {ratio:.2f}",
                f">= {bound:.2f}" if bound else f"none: {CLIENTS} sessions of {CLIENTS} are on one page",
                ratio >= (bound or 0) and failures + missed == 0, healthy=ratio >= 0.14 and failures + missed == 0)


def measure_two(binaries, database, seconds):
    """As many clients at one server, and at two."""
    settings = {"LATCHKEY_DATABASE": database.url, "LATCHKEY_POSTGRES_SCHEMA": "two"}
    with Server(binaries, **settings) as first:
        key = os.path.join(first.directory, ".latchkey")
        kept = [os.path.join(key, name) for name in os.listdir(key) if name.endswith("master-key")][0]
        with Server(binaries, LATCHKEY_MASTER_KEY_FILE=kept, **settings) as second:
            one, failures, _ = refreshes(first, seconds)()
            both, runs = [], [refreshes(server, seconds, CLIENTS // 2) for server in (first, second)]
            threads = [threading.Thread(target=lambda run=run: both.append(run())) for run in runs]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
    ratio = sum(rate for rate, _, _ in both) / one
    failures += sum(missed for _, missed, _ in both)
    # A server, the database and the clients have one core each at the least, and the second server one more.
    bound, enough = (">= 1.70", ratio >= 1.7) if CORES >= 8 else (f"none: {CORES} cores are shared by all of it", True)
    return line("two servers on one PostgreSQL", f"{sum(rate for rate, _, _ in both):.0f}/s against {one:.0f}/s of one, "
                f"{failures} failures", f"ratio {ratio:.2f}", bound, enough and failures == 0)


def other(kind, number):
    """The identifier of one of the many: spread as random ones are."""
    digest = hashlib.md5(f"{kind}{number}".encode()).hexdigest()
    return "-".join((digest[:8], digest[8:12], digest[12:16], digest[16:20], digest[20:]))


def multiply(database, count, sessions=False):
    """As many users more, each like one that is there, without a password; with a session each, where that is asked for."""
    def own(kind):
        return f"md5('{kind}' || n)::uuid::text"
    tables = {"users": {"id": own("user"), "email": "'many' || n || '@example.com'"},
              "identities": {"id": own("identity"), "user_id": own("user")}}
    if sessions:
        tables["sessions"] = {"id": own("session"), "user_id": own("user")}
    for table, values in tables.items():
        columns = database.query("SELECT string_agg(column_name, ',' ORDER BY ordinal_position) FROM information_schema.columns "
                                 f"WHERE table_schema = 'latchkey' AND table_name = '{table}'").split(",")
        chosen = ", ".join(values.get(column, "NULL" if column in ("password_hash", "password_form", "srp_salt", "srp_verifier")
                                      else column) for column in columns)
        done = database.query(f"INSERT INTO latchkey.{table} ({', '.join(columns)}) SELECT {chosen} FROM "
                              f"(SELECT * FROM latchkey.{table} ORDER BY id LIMIT 1) one, generate_series(1, {count}) n")
        assert done is not None, table
    assert database.query("VACUUM ANALYZE") is not None


def measure_many(binaries, seconds, users):
    """What asks for one user or one page, among few users and among many."""
    found = {}
    for count in (10_000, users):
        database = PostgresServer(*DURABLE)
        try:
            database.start()
            with Server(binaries, LATCHKEY_DATABASE=database.url) as server:
                # The one whom the others are made like.
                session = sign_up(server, 0)
                multiply(database, count)
                admin = {"BENCH_APIKEY": server.settings["supabase"]["serviceRoleKey"],
                         "BENCH_TOKEN": server.settings["supabase"]["serviceRoleKey"]}
                one = "/auth/v1/admin/users/" + other("user", count // 2)
                part = max(2, seconds // 3)
                server.latency("/", 8, 2, "refresh.lua", threads=8, BENCH_TOKENS=tokens(server, 8))
                found[count] = {
                    "refresh": server.latency("/", 8, part, "refresh.lua", threads=8, BENCH_TOKENS=tokens(server, 8))[50],
                    "/v1/me": server.latency("/v1/me", 8, part, BENCH_TOKEN=session["access_token"])[50],
                    "one user, by an operator": server.latency(one, 8, part, **admin)[50],
                    "first page of users": server.latency("/auth/v1/admin/users?per_page=50", 8, part, **admin)[50],
                }
        finally:
            database.remove()
    ok = True
    for kind, many in found[users].items():
        few = found[10_000][kind]
        ok = line(f"PostgreSQL, {kind}", f"median {many} us with {users} users against {few} us with 10000",
                  f"ratio {many / few:.2f}", "<= 1.50", many <= 1.5 * few) and ok
    return ok

# SPDX-License-Identifier: Apache-2.0
"""What a database runs out of: connections, its disk, time; and its replica, which takes over. What was acknowledged is kept.

usage: postgres_limits_walk.py LATCHKEY DIRECTORY POSTGRES_SUPPORT
"""

import os
import signal
import subprocess
import tempfile
import threading
import time
import urllib.parse

from database_support import PASSWORD, Server, environment, http, run, support
from postgres_server import PostgresServer, find
from postgres_wire import Wire

environment["LATCHKEY_DIRECTORY_EMAIL_AUTO_CONFIRM"] = "true"
for name in ("SIGN_IN", "SIGN_UP", "TOKEN_REFRESH", "SIGN_IN_PER_IDENTIFIER", "MAIL_SENT"):
    environment[f"LATCHKEY_DIRECTORY_LIMITS_{name}"] = "1000000"
state = {"made": []}


def key():
    return {"apikey": state["config"]["supabase"]["anonKey"]}


def sign_up(email):
    return http("POST", "/auth/v1/signup", {"email": email, "password": PASSWORD}, key())


def is_busy(answer):
    """A 503 that says when to come back, in the dialect's shape."""
    status, headers, body = answer
    assert status == 503 and int(headers["retry-after"]) >= 1, answer
    assert body["error_code"] in ("unexpected_failure", "over_request_rate_limit", "request_timeout"), body


def at_once(count, call):
    answers, threads = [], []
    for number in range(count):
        threads.append(threading.Thread(target=lambda number=number: answers.append(call(number))))
        threads[-1].start()
    for thread in threads:
        thread.join()
    assert len(answers) == count
    return answers


def start(url):
    state["server"] = Server(url)
    state["config"] = support.settings()


def stop():
    server = state.pop("server", None)
    if server is not None and server.process.poll() is None:
        server.kill()


def fill(database):
    """Takes connections for as long as there are any."""
    taken = []
    while True:
        other = subprocess.Popen([find("psql"), database.url.replace("user=latchkey", "user=app"), "-Atc", "SELECT 1", "-c",
                                  "SELECT pg_sleep(600)"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        if other.stdout.readline() == "":
            other.wait()
            return taken
        taken.append(other)


def without_a_connection_left_it_says_so_and_goes_on_when_there_is_one():
    database = PostgresServer("-c", "max_connections=12", "-c", "superuser_reserved_connections=3", "-c", "log_connections=on")
    try:
        database.start()
        # Whom the last three are not kept for.
        database.query("CREATE ROLE app LOGIN; GRANT CREATE ON DATABASE postgres TO app")
        start(database.url.replace("user=latchkey", "user=app"))
        assert sign_up("first@example.com")[0] == 200
        # Its own connections end, and somebody else takes all that there are.
        others = fill(database)
        own = "FROM pg_stat_activity WHERE usename = 'app' AND query NOT LIKE '%pg_sleep%'"
        while True:
            database.query("SELECT pg_terminate_backend(pid) " + own)
            others += fill(database)
            # It may have been quicker than they.
            if database.query("SELECT count(*) " + own) == "0":
                break
        log = os.path.join(database.folder, "log")
        before, started = open(log).read().count("connection received"), time.monotonic()
        answers = at_once(40, lambda number: sign_up(f"none-{number}@example.com"))
        took = time.monotonic() - started
        for answer in answers:
            is_busy(answer)
        tried = open(log).read().count("connection received") - before
        print(f"40 requests refused in {took:.1f} s, {tried} connections tried", flush=True)
        # Ten in a second, by what few connections it may have at once, and what the server does by itself: no storm.
        assert tried <= 20 + 20 * took, tried
        database.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%pg_sleep%' AND usename = 'app'")
        for other in others:
            other.wait()
        while http("GET", "/health/ready")[0] != 200:
            time.sleep(0.05)
        assert sign_up("second@example.com")[0] == 200
        assert database.query("SELECT count(*) FROM latchkey.users WHERE email LIKE 'none-%'") == "0"
    finally:
        stop()
        database.remove()


def with_its_disk_full_it_says_so_and_goes_on_when_there_is_room():
    room = tempfile.mkdtemp(prefix="latchkey-room-")
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=140m", "tmpfs", room], capture_output=True, text=True)
    if mounted.returncode:
        # Who may not mount has no small disk.
        print("not tried:", mounted.stderr.strip(), flush=True)
        os.rmdir(room)
        return
    os.chmod(room, 0o755)
    before, tempfile.tempdir = tempfile.tempdir, room
    try:
        database = PostgresServer("-c", "max_wal_size=32MB", "-c", "min_wal_size=32MB")
    finally:
        tempfile.tempdir = before
    try:
        database.start()
        start(database.url)
        assert sign_up("first@example.com")[0] == 200
        filler = os.path.join(room, "filler")
        with open(filler, "wb", buffering=0) as file:
            try:
                while True:
                    file.write(b"\0" * 65536)
            except OSError:
                pass
        kept, refused = [], 0
        for number in range(4000):
            status, headers, body = sign_up(f"full-{number}@example.com")
            if status == 200:
                kept.append(f"full-{number}@example.com")
            else:
                assert status == 503 and "retry-after" in headers, (status, body)
                refused += 1
                if refused == 5:
                    break
        assert refused == 5, "its disk was never full"
        os.remove(filler)
        # A server that could not write its log has ended, and is started by whoever sees to it.
        if database.process.poll() is not None or database.query("SELECT 1") is None:
            if database.process.poll() is None:
                database.kill(signal.SIGQUIT)
            database.start()
        while http("GET", "/health/ready")[0] != 200:
            time.sleep(0.05)
        assert sign_up("second@example.com")[0] == 200
        stored = set(database.query("SELECT email FROM latchkey.users").split())
        assert set(kept) <= stored, set(kept) - stored
        print(len(kept), "sign-ups while the disk filled,", refused, "refused", flush=True)
    finally:
        stop()
        database.remove()
        subprocess.run(["umount", room], check=True)
        os.rmdir(room)


def a_slow_database_is_waited_for_and_shared():
    database = PostgresServer()
    folder = tempfile.mkdtemp(prefix="latchkey-wire-")
    try:
        database.start()
        wire = Wire(folder, database.folder)
        start("postgresql:///postgres?user=latchkey&host=" + urllib.parse.quote(folder, safe=""))
        for number in range(12):
            assert sign_up(f"warm-{number}@example.com")[0] == 200
        wire.delay = 0.05
        started = time.monotonic()
        answers = at_once(30, lambda number: sign_up(f"slow-{number}@example.com"))
        took = time.monotonic() - started
        statuses = {status: sum(1 for answer in answers if answer[0] == status) for status in {a[0] for a in answers}}
        print(f"30 sign-ups, each answer 50 ms late: {statuses} in {took:.1f} s", flush=True)
        for answer in answers:
            if answer[0] != 200:
                is_busy(answer)
        wire.delay = 0
        assert statuses.get(200, 0) >= 3, statuses
        assert sign_up("fast@example.com")[0] == 200
        stored = database.query("SELECT count(*) FROM latchkey.users WHERE email LIKE 'slow-%'")
        assert int(stored) >= statuses.get(200, 0), (stored, statuses)
    finally:
        stop()
        database.remove()
        os.remove(os.path.join(folder, ".s.PGSQL.5432"))
        os.rmdir(folder)


def its_replica_takes_over_and_has_everything():
    first = PostgresServer("-c", "wal_level=replica", "-c", "max_wal_senders=4")
    second = None
    try:
        first.start()
        second = first.replica()
        # A commit is acknowledged once the replica has it.
        first.query("ALTER SYSTEM SET synchronous_standby_names = '*'")
        first.query("SELECT pg_reload_conf()")
        # What it knows is of before, so nobody is served from it by mistake, and what may be late is read there on purpose.
        refused = run("database", "status", status=69, variables={"LATCHKEY_DATABASE": second.url})
        assert "hot standby" in refused.stderr, refused.stderr
        environment["LATCHKEY_POSTGRES_REPLICA"] = second.url
        hosts = ",".join(urllib.parse.quote(one.folder, safe="") for one in (first, second))
        start(f"postgresql:///postgres?user=latchkey&host={hosts}&target_session_attrs=read-write")
        kept = []
        for number in range(20):
            email = f"before-{number}@example.com"
            assert sign_up(email)[0] == 200
            kept.append(email)
        operator = {"apikey": state["config"]["supabase"]["serviceRoleKey"],
                    "Authorization": "Bearer " + state["config"]["supabase"]["serviceRoleKey"]}
        status, _, events = http("GET", "/auth/v1/admin/audit", headers=operator)
        # The last of them may not have come there yet.
        assert status == 200 and len(events) >= 10, (status, events)
        there = "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
        assert second.query(there) == "1", second.query(there)
        done, faults = threading.Event(), []

        def client(number):
            serial = 0
            while not done.is_set():
                serial += 1
                email = f"during-{number}-{serial}@example.com"
                status, headers, body = sign_up(email)
                if status == 200:
                    kept.append(email)
                elif status not in (400, 422) and not (status == 503 and "retry-after" in headers):
                    faults.append((status, body))

        clients = [threading.Thread(target=client, args=(number,)) for number in range(3)]
        for thread in clients:
            thread.start()
        while len(kept) < 40:
            time.sleep(0.01)
        first.kill()
        started = time.monotonic()
        second.query("ALTER SYSTEM RESET synchronous_standby_names")
        second.query("SELECT pg_promote()")
        count = len(kept)
        while len(kept) < count + 20 and not faults:
            time.sleep(0.01)
        took = time.monotonic() - started
        done.set()
        for thread in clients:
            thread.join()
        assert not faults, faults[:3]
        stored = set(second.query("SELECT email FROM latchkey.users").split())
        assert set(kept) <= stored, set(kept) - stored
        assert http("GET", "/health/ready")[0] == 200
        print(f"{len(kept)} sign-ups acknowledged, none lost; twenty more within {took:.1f} s of the failover", flush=True)
    finally:
        stop()
        environment.pop("LATCHKEY_POSTGRES_REPLICA", None)
        for one in (first, second):
            if one is not None:
                one.remove()


support.steps(
    without_a_connection_left_it_says_so_and_goes_on_when_there_is_one,
    with_its_disk_full_it_says_so_and_goes_on_when_there_is_room,
    a_slow_database_is_waited_for_and_shared,
    its_replica_takes_over_and_has_everything,
)

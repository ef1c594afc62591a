# SPDX-License-Identifier: Apache-2.0
"""Users that come by the thousand."""

import base64
import http.client
import json
import os
import random
import sqlite3
import subprocess
import tempfile
import threading
import time
import urllib.parse
import uuid

from bench.report import line
from bench.server import Server

IMPORTED = ("users", "user_identifiers", "identities")


def stored_rows(database, table):
    """The rows of imported users, in the order in which they were written."""
    owner = "id" if table == "users" else "user_id"
    # Crossed, so that SQLite looks for the user of each row: the other way there is not an index for each table.
    return database.execute(
        f"SELECT t.* FROM {table} t CROSS JOIN users u ON u.directory_id = t.directory_id AND u.id = t.{owner} "
        "WHERE u.origin = 'import' ORDER BY u.rowid").fetchall()


def pages(server):
    """The server's database, and the octets in it that hold something."""
    found = [os.path.join(folder, name) for folder, _, names in os.walk(server.directory)
             for name in names if name.endswith(".sqlite")]
    database = sqlite3.connect(found[0])
    size, count, free = (database.execute("PRAGMA " + name).fetchone()[0]
                         for name in ("page_size", "page_count", "freelist_count"))
    return database, size * (count - free)


def bare_rows(schema, directories, rows, batch, secure_delete):
    """Users a second that SQLite writes by itself, and then deletes: the same rows into the same tables, by statements
    that are prepared once, as many users to a commit, as durably, with the store's own settings; one CPU's time too."""
    with tempfile.TemporaryDirectory(prefix="latchkey-bench-") as directory:
        database = sqlite3.connect(os.path.join(directory, "bare.sqlite"), isolation_level=None)
        for pragma in ("journal_mode = WAL", "synchronous = FULL", f"secure_delete = {secure_delete}",
                       "foreign_keys = ON", "cache_size = -16384", "wal_autocheckpoint = 4096"):
            database.execute("PRAGMA " + pragma)
        for statement in schema:
            database.execute(statement)

        def insert(table, some):
            # In the order of its key, as the server does.
            some = sorted(some) if table == "user_identifiers" else some
            if some:
                marks = ", ".join("?" * len(some[0]))
                database.executemany(f"INSERT INTO {table} VALUES ({marks})", some)

        insert("directories", directories)
        count = len(rows["users"])
        began, cpu = time.perf_counter(), time.process_time()
        for start in range(0, count, batch):
            database.execute("BEGIN IMMEDIATE")
            for table in IMPORTED:
                each = len(rows[table]) // count
                insert(table, rows[table][start * each:(start + batch) * each])
            database.execute("COMMIT")
        cpu, inserted = (time.process_time() - cpu) / count, count / (time.perf_counter() - began)
        began = time.perf_counter()
        names = database.execute("SELECT directory_id, id FROM users ORDER BY rowid").fetchall()
        identifiers = [row[:2] for row in rows["user_identifiers"]]
        for start in range(0, count, batch):
            database.execute("BEGIN IMMEDIATE")
            database.executemany("DELETE FROM user_identifiers WHERE directory_id = ? AND identifier = ?",
                                 identifiers[start:start + batch])
            database.executemany("DELETE FROM users WHERE directory_id = ? AND id = ?", names[start:start + batch])
            database.execute("COMMIT")
        deleted = count / (time.perf_counter() - began)
        database.close()
    return inserted, deleted, cpu * 1e6


def measure_command(binaries, users):
    """`latchkey user import` into a new database before a server is started: users a second, and what the disk is given to write for each
    octet that stays."""
    with tempfile.TemporaryDirectory(prefix="latchkey-bench-") as directory:
        program, database = os.path.join(binaries, "latchkey"), os.path.join(directory, "imported.sqlite")
        place = ["--database", "sqlite:" + database]
        subprocess.run([program, "directory", "create", "default", *place], check=True, cwd=directory, capture_output=True)
        source = os.path.join(directory, "users.jsonl")
        with open(source, "w") as file:
            for number in range(users):
                salt, tag = (base64.b64encode(random.randbytes(count)).decode().rstrip("=") for count in (16, 32))
                file.write(json.dumps({
                    "id": str(uuid.uuid4()), "email": f"import{number}@example.com", "email_verified_at": "2025-01-01T00:00:00Z",
                    "password_hash": f"$argon2id$v=19$m=19456,t=2,p=1${salt}${tag}", "user_metadata": {"name": f"User {number}"}}) + "\n")
        empty = os.path.getsize(database)
        with open(source) as lines:
            began = time.perf_counter()
            child = subprocess.Popen([program, "user", "import", *place], cwd=directory, stdin=lines, stdout=subprocess.DEVNULL,
                                     stderr=subprocess.DEVNULL)
            _, status, used = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
            rate = users / (time.perf_counter() - began)
        assert child.returncode == 0, child.returncode
        kept = sum(os.path.getsize(database + end) for end in ("", "-wal") if os.path.exists(database + end)) - empty
        # Linux counts what a process gives the disk to write in blocks of 512 octets.
        written = used.ru_oublock * 512
        cpu = (used.ru_utime + used.ru_stime) / users * 1e6
        ok = line("latchkey user import", f"{users} users, {rate:.0f}/s, {cpu:.0f} us of CPU and {kept / users:.0f} octets of file each",
                  f"{written / kept:.1f} octets written for each of the file", "<= 8.0", written <= 8 * kept)
        return line("... users a second", "with hashes of our own form, nobody else at the database", f"{rate:.0f}/s", ">= 15000/s",
                    rate >= 15_000) and ok


def measure_import(binaries, users, calls=20, batch=1000):
    """`accounts:batchCreate` with as many users as the platform takes in a call, each with a hash of its scrypt, by one
    caller and by two at once; against the bare inserts of the rows that come of it."""
    def octets(count):
        return base64.b64encode(random.randbytes(count)).decode()

    def body(first):
        users = [{"localId": octets(21).replace("+", "x").replace("/", "y"), "email": f"import{number}@example.com",
                  "emailVerified": True, "displayName": f"User {number}", "passwordHash": octets(64),
                  "salt": octets(12), "createdAt": str(1_600_000_000_000 + number), "lastLoginAt": "1700000000000"}
                 for number in range(first, first + batch)]
        return json.dumps({"hashAlgorithm": "SCRYPT", "memoryCost": 14, "rounds": 8, "saltSeparator": "Bw==",
                           "signerKey": base64.b64encode(bytes(64)).decode(), "users": users})

    ok = measure_command(binaries, users)
    for callers in (1, 2):
        with Server(binaries) as server:
            place = urllib.parse.urlparse(server.url)
            path = (f"/identitytoolkit.googleapis.com/v1/projects/{server.settings['firebase']['projectId']}"
                    "/accounts:batchCreate")
            shares = [[body((caller * calls + call) * batch) for call in range(calls)] for caller in range(callers)]

            def send(bodies):
                connection = http.client.HTTPConnection(place.hostname, place.port)
                for text in bodies:
                    connection.request("POST", path, text, {"Authorization": "Bearer owner",
                                                            "Content-Type": "application/json"})
                    answer = connection.getresponse()
                    content = answer.read()
                    assert answer.status == 200 and b"error" not in content, content[:300]

            database, empty = pages(server)
            database.close()
            threads = [threading.Thread(target=send, args=(bodies,)) for bodies in shares]
            before, began = server.cpu_seconds(), time.perf_counter()
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            count = callers * calls * batch
            rate = count / (time.perf_counter() - began)
            cpu = (server.cpu_seconds() - before) / count * 1e6
            database, full = pages(server)
            schema = [sql for (sql,) in database.execute(
                "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY type = 'index'")]
            directories = database.execute("SELECT * FROM directories").fetchall()
            rows = {table: stored_rows(database, table) for table in IMPORTED}
            database.close()
        assert len(rows["users"]) == count, len(rows["users"])
        bare, deleted, bare_cpu = bare_rows(schema, directories, rows, batch, "ON")
        ok = line(f"import, {callers} caller{'s' * (callers > 1)}",
                  f"{rate:.0f} users/s, {batch} a call and a commit, {cpu:.0f} us of CPU each; {bare:.0f}/s of bare inserts, "
                  f"{bare_cpu:.0f} us", f"ratio {rate / bare:.3f}", ">= 15000/s", rate >= 15_000) and ok
        octets_each = (full - empty) / count
        ok = line(f"import, {callers} caller{'s' * (callers > 1)}, octets a user", f"{count} users, indexes and free space included",
                  f"{octets_each:.0f}", "<= 900", octets_each <= 900) and ok
    careless = bare_rows(schema, directories, rows, batch, "OFF")
    return line("secure_delete", f"{bare:.0f} users/s inserted and {deleted:.0f}/s deleted; without {careless[0]:.0f}/s and "
                f"{careless[1]:.0f}/s", f"ratio {bare / careless[0]:.2f} and {deleted / careless[1]:.2f}", ">= 0.50",
                deleted / careless[1] >= 0.5) and ok

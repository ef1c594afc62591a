# SPDX-License-Identifier: Apache-2.0
"""A database with very many users, made once."""

import concurrent.futures
import hashlib
import http.client
import json
import sqlite3
import sys
import time
import urllib.parse

from bench.server import Server

CALL, CALLERS = 1000, 2
GROUP = "members"


def known(number):
    """Address, telephone number and name of one of them. They lie anywhere among the others, as real ones do."""
    digest = hashlib.sha256(str(number).encode()).hexdigest()
    return digest[:12] + "@example.com", f"+4915{number:08}", "Somebody " + digest[12:18]


def row(number):
    email, phone, name = known(number)
    return {"localId": hashlib.sha256(b"id %d" % number).hexdigest()[:28], "email": email, "emailVerified": number % 4 > 0,
            "displayName": name, "createdAt": str(1_600_000_000_000 + number * 60_000), "disabled": number % 50 == 0} | (
                {"phoneNumber": phone} if number % 2 else {})


def fill(binaries, path, users):
    """Users with an address, every other one with a number; a tenth of them are in one group."""
    with Server(binaries, database=path) as server:
        place = urllib.parse.urlparse(server.url)
        target = (f"/identitytoolkit.googleapis.com/v1/projects/{server.settings['firebase']['projectId']}"
                  "/accounts:batchCreate")

        def send(first):
            connection = http.client.HTTPConnection(place.hostname, place.port)
            for start in range(first * CALL, users, CALLERS * CALL):
                rows = [row(number) for number in range(start, min(users, start + CALL))]
                connection.request("POST", target, json.dumps({"users": rows}),
                                   {"Authorization": "Bearer owner", "Content-Type": "application/json"})
                content = connection.getresponse().read()
                assert b"error" not in content, content[:300]

        began = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(CALLERS) as pool:
            list(pool.map(send, range(CALLERS)))
        sys.stderr.write(f"{users} users in {time.monotonic() - began:.0f} s\n")
        server.command("group", "create", GROUP, "--database", "sqlite:" + path)
    with sqlite3.connect(path, timeout=60) as database:
        group, directory = database.execute("SELECT id, directory_id FROM user_groups WHERE name = ?", (GROUP,)).fetchone()
        database.execute("INSERT INTO group_members (group_id, directory_id, user_id, added_at, by_provider) "
                         "SELECT ?, directory_id, id, created_at, 0 FROM users WHERE directory_id = ? AND rowid % 10 = 0",
                         (group, directory))
    database.close()

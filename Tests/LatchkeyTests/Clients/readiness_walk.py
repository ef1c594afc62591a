# SPDX-License-Identifier: Apache-2.0
"""Readiness of a server whose database somebody else keeps from being written to."""

import sqlite3
import sys

from support import http, steps

database = sys.argv[2]


def ready():
    status, _, body = http("GET", "/health/ready")
    return status, body


def until(wanted):
    while True:
        status, body = ready()
        if status == wanted:
            return body
        assert status in (200, 503), (status, body)


def a_store_that_is_read_only_is_not_ready():
    assert ready()[0] == 200
    connection = sqlite3.connect(database, isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    body = until(503)
    assert body == {"status": "degraded", "failing": ["storage"]}, body
    assert http("GET", "/health/live")[0] == 200
    connection.execute("ROLLBACK")
    connection.close()
    until(200)


steps(a_store_that_is_read_only_is_not_ready)

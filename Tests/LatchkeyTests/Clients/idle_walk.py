# SPDX-License-Identifier: Apache-2.0
"""Idle sockets of one client beside another client. Loopback has sixteen million addresses, so that each is its own."""

import socket
import sys
import time
import urllib.parse

from support import BASE, steps

# How many connections of one client are kept, or "none" where they are not counted.
LIMIT = sys.argv[2]
place = (urllib.parse.urlparse(BASE).hostname, urllib.parse.urlparse(BASE).port)
REQUEST = f"GET /health/live HTTP/1.1\r\nHost: {place[0]}:{place[1]}\r\n\r\n".encode()
OPENED = 450
# Connections at once, of all clients.
TOTAL = int(sys.argv[3]) if len(sys.argv) > 3 else 0


def connect(source):
    return socket.create_connection(place, timeout=20, source_address=(source, 0))


def served(connection):
    connection.sendall(REQUEST)
    return connection.recv(4096).startswith(b"HTTP/1.1 200 ")


def is_served(source):
    try:
        with connect(source) as connection:
            return served(connection)
    except ConnectionError:
        return False


def kept(sockets):
    """Those that the server has not closed: each is asked, and answers or ends."""
    alive = []
    for connection in sockets:
        try:
            if served(connection):
                alive.append(connection)
        except ConnectionError:
            pass
    return alive


def idle_sockets_of_one_client_keep_nobody_else_out():
    sockets = [connect("127.0.0.2") for _ in range(OPENED)]
    for source in ["127.0.0.3", "127.0.0.4", "127.1.0.2"]:
        assert is_served(source), source
    alive = kept(sockets)
    assert len(alive) == int(LIMIT), len(alive)
    # For one more of the same client the one ends that was asked first, and none but that.
    assert is_served("127.0.0.2"), "one more"
    assert len(kept(alive)) == int(LIMIT) - 1 and not kept(alive[:1])
    for connection in sockets:
        connection.close()


def a_newcomer_is_served_where_all_connections_are_idle():
    for attempt in range(5):
        started = time.monotonic()
        sockets = [connect(f"127.0.1.{number // 40 + 1}") for number in range(TOTAL)]
        newcomers = [connect(f"127.0.2.{source + 1}") for source in range(20)]
        served_newcomers, left = len(kept(newcomers)), len(kept(sockets))
        for connection in sockets + newcomers:
            connection.close()
        # On a machine so busy that connections end for saying nothing for ten seconds, once more.
        if time.monotonic() - started < 8 or attempt == 4:
            break
    assert served_newcomers == 20, served_newcomers
    assert left >= TOTAL - 25, left


def a_client_alone_is_served_again_and_again():
    for _ in range(300):
        assert is_served("127.0.0.5")


def a_proxy_has_all_connections():
    sockets = [connect("127.0.0.2") for _ in range(300)]
    assert len(kept(sockets)) == 300


if LIMIT == "none":
    steps(a_proxy_has_all_connections)
else:
    steps(idle_sockets_of_one_client_keep_nobody_else_out, a_newcomer_is_served_where_all_connections_are_idle,
          a_client_alone_is_served_again_and_again)

# SPDX-License-Identifier: Apache-2.0
"""A server whose process has no descriptor left for another connection: what it costs, whom it serves, how it ends."""

import http.client
import os
import re
import resource
import socket
import sys
import time
import urllib.parse

from support import BASE, steps

METRICS, PROCESS = int(sys.argv[2]), int(sys.argv[3])
place = (urllib.parse.urlparse(BASE).hostname, urllib.parse.urlparse(BASE).port)
# Both are connected before descriptors run out.
server = http.client.HTTPConnection(*place, timeout=30)
metrics = http.client.HTTPConnection("127.0.0.1", METRICS, timeout=30)


def get(connection, path):
    connection.request("GET", path)
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


def pauses():
    """How often the server has noticed that it can't accept."""
    found = re.search(r'connections_refused_total\{reason="descriptors"\} (\d+)', get(metrics, "/metrics")[1])
    return int(found[1]) if found else 0


def ticks():
    """Processor time of the server, user and system, in hundredths of a second."""
    with open(f"/proc/{PROCESS}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def without_descriptors_the_server_sleeps_and_comes_back():
    # The second listener may begin after the first.
    while True:
        try:
            metrics.connect()
            break
        except ConnectionRefusedError:
            time.sleep(0.05)
    assert get(server, "/health/live")[0] == 200 and pauses() == 0
    before = resource.prlimit(PROCESS, resource.RLIMIT_NOFILE)
    # A few more than are open: tests beside this one have their own processes.
    most = len(os.listdir(f"/proc/{PROCESS}/fd")) + 10
    resource.prlimit(PROCESS, resource.RLIMIT_NOFILE, (most, before[1]))
    sockets = [socket.create_connection(place, timeout=20, source_address=(f"127.0.2.{n + 1}", 0)) for n in range(60)]
    # The first pause may follow connections that were accepted; later ones are of nothing but failures.
    while pauses() < 2:
        time.sleep(0.25)
    # Whatever else the process does may still open a file.
    assert len(os.listdir(f"/proc/{PROCESS}/fd")) < most - 8
    start, first = ticks(), pauses()
    # Seldom asked, since each answer is the server's time too, and on a busy machine the pauses are long.
    while pauses() < first + 3:
        time.sleep(0.25)
    spent = ticks() - start
    # Three pauses are three seconds. A loop that spins takes all of them.
    assert spent < 100, f"{spent} hundredths of a second of processor time in three pauses"
    assert get(server, "/health/live")[0] == 200, "who is connected is served"
    for connection in sockets:
        connection.close()
    with socket.create_connection(place, timeout=60, source_address=("127.0.3.1", 0)) as connection:
        connection.sendall("GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        assert connection.recv(4096).startswith(b"HTTP/1.1 200 "), "accepts again"
    resource.prlimit(PROCESS, resource.RLIMIT_NOFILE, before)


steps(without_descriptors_the_server_sleeps_and_comes_back)

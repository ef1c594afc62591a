# SPDX-License-Identifier: Apache-2.0
"""What a load balancer sees of a server that is told to stop: it is not ready first, and gone only later."""

import http.client
import os
import signal
import socket
import sys
import urllib.parse

from support import BASE, http as ask, steps

PROCESS = int(sys.argv[2])
place = (urllib.parse.urlparse(BASE).hostname, urllib.parse.urlparse(BASE).port)


def listens():
    try:
        socket.create_connection(place, timeout=30).close()
    except ConnectionRefusedError:
        return False
    except OSError:
        pass
    return True


def readiness_goes_before_the_listener():
    assert ask("GET", "/health/ready")[0] == 200
    # A request that is under way all the while: its body has not come yet.
    slow = socket.create_connection(place, timeout=30)
    slow.sendall(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nConnection: close\r\n"
                 b"X-Amz-Target: AWSCognitoIdentityProviderService.InitiateAuth\r\n\r\n")
    os.kill(PROCESS, signal.SIGTERM)
    # Each question on a connection of its own, as a load balancer asks: the listener takes it.
    while True:
        status, _, body = ask("GET", "/health/ready")
        if status == 503:
            break
    assert body["status"] == "draining", body
    # Requests are still served, and new connections taken, for as long as the delay is: how many fit into it is the
    # machine's affair, and that one did has just been seen.
    for _ in range(20):
        try:
            assert ask("GET", "/health/live")[0] == 200
            assert ask("GET", "/health/ready")[0] == 503
        except OSError as error:
            if listens():
                raise error
            break
    # Then nobody listens any more.
    while listens():
        pass
    slow.sendall(b"{}")
    answer = http.client.HTTPResponse(slow)
    answer.begin()
    assert answer.status == 400, answer.status


steps(readiness_goes_before_the_listener)

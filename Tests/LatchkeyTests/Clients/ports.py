# SPDX-License-Identifier: Apache-2.0
"""A port for a server that is started again and again on it."""

import random
import socket

# Below those that systems give to whoever asks for any (RFC 6335 section 6; Linux starts at 32768): while the server is down, any
# connection of a test beside it could come to have the port, and keeps it for a minute after its end.
_KEPT = range(10_000, 32_000)


def kept_port():
    while True:
        port = random.choice(_KEPT)
        try:
            socket.create_server(("127.0.0.1", port)).close()
        except OSError:
            continue
        return port

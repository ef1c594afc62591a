# SPDX-License-Identifier: Apache-2.0
"""A proxy before PostgreSQL's socket that reads what passes (PostgreSQL, "Message Formats") and counts round trips: how often the
other side waited for an answer. One is a batch of messages up to its Sync, or a simple query."""

import os
import socket
import struct
import threading
import time


class Wire:
    """Passes bytes on between a socket in a folder of its own and the database's, each answer `delay` seconds late."""

    def __init__(self, folder, target):
        self.target, self.lock, self.trips, self.delay = os.path.join(target, ".s.PGSQL.5432"), threading.Lock(), [], 0
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(os.path.join(folder, ".s.PGSQL.5432"))
        self.listener.listen(64)
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            client = self.listener.accept()[0]
            server = socket.socket(socket.AF_UNIX)
            server.connect(self.target)
            threading.Thread(target=self.pass_on, args=(client, server, Questions(self)), daemon=True).start()
            threading.Thread(target=self.pass_on, args=(server, client, None), daemon=True).start()

    def pass_on(self, one, other, questions):
        try:
            while data := one.recv(1 << 16):
                if questions is not None:
                    questions.read(data)
                elif self.delay:
                    time.sleep(self.delay)
                other.sendall(data)
        except OSError:
            pass
        for end in (one, other):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def since(self, start):
        """The round trips since then: of each the statements."""
        with self.lock:
            return self.trips[start:]

    @property
    def count(self):
        with self.lock:
            return len(self.trips)


class Questions:
    """One connection's questions, as they pass."""

    def __init__(self, wire):
        self.wire, self.rest, self.begun, self.texts, self.batch = wire, b"", False, {}, []

    def read(self, data):
        self.rest += data
        while True:
            # The first message has no type.
            head = 1 if self.begun else 0
            if len(self.rest) < head + 4:
                return
            length = head + struct.unpack_from("!I", self.rest, head)[0]
            if len(self.rest) < length:
                return
            message, self.rest = self.rest[:length], self.rest[length:]
            if not self.begun:
                # A request for encryption is answered by a byte, and followed by the message itself.
                self.begun = struct.unpack_from("!I", message, 4)[0] >> 16 == 3
                continue
            self.note(message[:1], message[5:])

    def note(self, kind, body):
        if kind == b"P":
            name, text = body.split(b"\0")[:2]
            self.texts[name] = text.decode()
        elif kind == b"B":
            self.batch.append(self.texts.get(body.split(b"\0")[1], "?"))
        elif kind == b"Q":
            self.batch.append(body.rstrip(b"\0").decode())
        if kind in (b"S", b"Q"):
            with self.wire.lock:
                self.wire.trips.append(self.batch)
            self.batch = []

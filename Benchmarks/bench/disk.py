# SPDX-License-Identifier: Apache-2.0
"""What this disk takes for one flush, and SQLite for one commit."""

import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import time

from bench.places import ROOT


def flush_microseconds():
    """What one flush of a small write costs on the disk that the databases are on."""
    with tempfile.NamedTemporaryFile() as file:
        times = []
        for _ in range(200):
            file.write(b"x" * 4096)
            file.flush()
            began = time.perf_counter()
            os.fdatasync(file.fileno())
            times.append(time.perf_counter() - began)
    return sorted(times)[100] * 1e6


class Flushes:
    """Counts what a program flushes, and lets each flush take longer (Benchmarks/slow-flush.c): its environment says so."""

    def __init__(self, microseconds=0):
        self.directory = tempfile.TemporaryDirectory(prefix="latchkey-bench-")
        self.library = os.path.join(self.directory.name, "slow-flush.so")
        subprocess.run(["cc", "-shared", "-fPIC", "-o", self.library, os.path.join(ROOT, "Benchmarks", "slow-flush.c")], check=True)
        self.file = os.path.join(self.directory.name, "count")
        self.environment = {"LD_PRELOAD": self.library, "FLUSH_MICROSECONDS": str(microseconds), "FLUSH_COUNT": self.file}

    @property
    def count(self):
        with open(self.file, "rb") as file:
            return int.from_bytes(file.read(8), sys.byteorder)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.directory.cleanup()


def commit_microseconds(count=500):
    """What SQLite alone takes to write a row of a kilobyte durably, in a table with an index, one commit after the other."""
    with tempfile.TemporaryDirectory(prefix="latchkey-bench-") as directory:
        database = sqlite3.connect(os.path.join(directory, "bare.sqlite"), isolation_level=None)
        for statement in ("PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL",
                          "CREATE TABLE codes (id BLOB PRIMARY KEY, hash BLOB UNIQUE, content TEXT) STRICT"):
            database.execute(statement)
        began = time.perf_counter()
        for _ in range(count):
            database.execute("INSERT INTO codes VALUES (?, ?, ?)",
                             (random.randbytes(16), random.randbytes(32), "x" * 1000))
        microseconds = (time.perf_counter() - began) / count * 1e6
        database.close()
    return microseconds

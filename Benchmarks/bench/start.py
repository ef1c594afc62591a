# SPDX-License-Identifier: Apache-2.0
"""The time to the first answer, and the memory that nothing has used yet."""

from bench.report import line
from bench.server import Server


def measure_start(binaries):
    with Server(binaries):
        pass
    starts, memory = [], []
    for _ in range(3):
        with Server(binaries) as server:
            starts.append(server.start_seconds)
            memory.append(server.resident_megabytes())
    start, resident = sorted(starts)[1], sorted(memory)[1]
    ok = line("start to ready", "first start: the database, the keys and the demo user are made", f"{start:.2f} s",
              "< 0.50", start < 0.5)
    return line("idle memory", "resident, after one request", f"{resident:.1f} MB", "< 60", resident < 60) and ok

# SPDX-License-Identifier: Apache-2.0
"""The time to the first answer, and the memory that nothing has used yet."""

import time

from bench.report import line
from bench.server import Server


def measure_start(binaries):
    with Server(binaries):
        pass
    starts = []
    for _ in range(3):
        with Server(binaries) as server:
            starts.append(server.start_seconds)
            at_once = server.resident_megabytes()
            if len(starts) == 3:
                # A thread that hashes keeps its memory for ten seconds, and the demo user has a password.
                time.sleep(15)
                resident = server.resident_megabytes()
    start = sorted(starts)[1]
    ok = line("start to ready", "first start: the database, the keys and the demo user are made", f"{start:.2f} s",
              "< 0.50", start < 0.5)
    return line("idle memory", f"resident, at rest; {at_once:.1f} MB right after the start", f"{resident:.1f} MB", "< 60",
                resident < 60, healthy=resident < 90) and ok

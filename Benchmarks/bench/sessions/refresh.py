# SPDX-License-Identifier: Apache-2.0
"""Refreshes, and what a shared commit is worth to them."""

import os
import sys

from bench.disk import Flushes, flush_microseconds
from bench.report import line, told
from bench.server import Server, sign_up


def refresh_rates(binaries, seconds, **variables):
    rates = {}
    for batch in (256, 1):
        with Server(binaries, LATCHKEY_STORE_MAXIMUM_BATCH=batch, **variables) as server:
            tokens = [sign_up(server, number)["refresh_token"] for number in range(64)]
            path = os.path.join(server.directory, "tokens")
            with open(path, "w") as file:
                file.write("\n".join(tokens) + "\n")
            rates[batch] = server.wrk("refresh.lua", "/", 64, 64, seconds, BENCH_TOKENS=path)
    return rates[256], rates[1]


def measure_refresh(binaries, seconds):
    (grouped, failures, cores), (alone, failures_alone, cores_alone) = refresh_rates(binaries, seconds)
    per_core = grouped / cores
    ok = line("refresh, rotated and durable", f"{grouped:.0f}/s from 64 clients, {cores:.2f} cores used by the server "
              f"(SQLite WAL, synchronous=FULL), {failures} failures", f"{per_core:.0f}/s a core", ">= 1000",
              per_core >= 1000 and failures == 0)
    # What sharing a commit saves are flushes. Where one takes less than the rest of a refresh it can't be worth much, so that it is
    # told here, and judged below on a disk where a flush is what there is to save.
    told("... against one commit a request", f"{alone:.0f}/s, {cores_alone:.2f} cores, {failures_alone} failures; a flush takes "
         f"{flush_microseconds():.0f} us here; sharing is worth {grouped / alone:.2f} times")
    ok = ok and failures_alone == 0
    if sys.platform != "linux":
        return ok
    with Flushes(2000) as slow:
        (grouped, failures, _), (alone, failures_alone, _) = refresh_rates(binaries, seconds, **slow.environment)
    return line("... where a flush takes 2 ms more", f"{grouped:.0f}/s grouped, {alone:.0f}/s one by one, "
                f"{failures + failures_alone} failures", f"ratio {grouped / alone:.2f}", ">= 8, no failure",
                grouped / alone >= 8 and failures + failures_alone == 0) and ok

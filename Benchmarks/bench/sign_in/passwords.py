# SPDX-License-Identifier: Apache-2.0
"""Sign-ins by password against the bare hash."""

import json
import os
import subprocess

from bench.places import CORES, ITERATIONS, MEMORY, PASSWORD
from bench.report import line
from bench.server import Server, sign_up

# How many times libargon2's rate is wanted, by the bits of the processor's vectors (0: it has none that a kernel is for).
WANTED = {512: 2.2, 256: 1.8, 128: 1.0, 0: 0.9}


def rates(binaries, threads, seconds):
    """Rows of bits, hashes a second, and how many times libargon2's that is; libargon2 itself first, with no bits."""
    out = subprocess.run([os.path.join(binaries, "latchkey-bench"), "argon2", "--memory", str(MEMORY), "--iterations",
                          str(ITERATIONS), "--threads", str(threads), "--seconds", str(seconds), "--compare"],
                         check=True, text=True, capture_output=True).stdout
    return [[float(word) for word in row.split()] for row in out.splitlines()]


def measure_argon2(binaries, seconds):
    """The kernel of our own beside the system's libargon2, in turns: what sign-ins gain, where the processor has which vectors."""
    ok = True
    for threads in range(1, CORES + 1) if CORES < 3 else (1, CORES):
        (_, library, _), *kernels = rates(binaries, threads, seconds)
        for bits, rate, ratio in kernels:
            ok = line(f"Argon2id, {bits:.0f} bits, {threads} threads", f"{rate:.1f} hashes/s against {library:.1f} by libargon2 "
                      f"({MEMORY} KiB, {ITERATIONS} passes, 1 lane)", f"ratio {ratio:.2f}", f">= {WANTED[int(bits)]:.2f}",
                      ratio >= WANTED[int(bits)]) and ok
    return ok


def measure_sign_in(binaries, seconds):
    """Against bare hashes by the kernel that the server uses, and against those that the system's libargon2 computes."""
    def raw():
        """Hashes a second: the library's, the kernel's; and the bits of that kernel's vectors."""
        rows = rates(binaries, CORES, seconds / 2)
        return rows[0][1], rows[-1][1], int(rows[-1][0])

    with Server(binaries) as server:
        sign_up(server, 0)
        body = json.dumps({"email": "bench0@example.com", "password": PASSWORD})
        before = raw()
        rate, failures, cores = server.wrk("signin.lua", "/auth/v1/token?grant_type=password", 4 * CORES, 1,
                                           2 * seconds, BENCH_BODY=body)
        after = raw()
    library, bound = ((before[index] + after[index]) / 2 for index in (0, 1))
    bits = before[2]
    ok = line("password sign-in", f"{rate:.1f}/s against {bound:.1f} Argon2id hashes/s by the kernel that it uses, of {bits} bits "
              f"({MEMORY} KiB, {ITERATIONS} passes, 1 lane, {CORES} cores), {failures} failures", f"ratio {rate / bound:.3f}", ">= 0.90",
              rate / bound >= 0.90 and failures == 0, healthy=rate / bound >= 0.55 and failures == 0)
    return line("... against the system's libargon2", f"{rate:.1f} sign-ins/s, {library:.1f} bare hashes/s by libargon2",
                f"ratio {rate / library:.2f}", f">= {WANTED[bits]:.2f}", rate / library >= WANTED[bits]) and ok

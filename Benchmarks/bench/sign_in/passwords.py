# SPDX-License-Identifier: Apache-2.0
"""Sign-ins by password against the bare hash."""

import json
import os
import subprocess

from bench.places import CORES, ITERATIONS, MEMORY, PASSWORD
from bench.report import line
from bench.server import Server, sign_up


def measure_argon2(binaries, seconds):
    """The kernel of our own beside the system's libargon2, in turns: what sign-ins gain, where the processor has which vectors."""
    wanted, ok = {512: 2.2, 256: 1.8, 128: 1.0}, True
    for threads in range(1, CORES + 1) if CORES < 3 else (1, CORES):
        out = subprocess.run([os.path.join(binaries, "latchkey-bench"), "argon2", "--memory", str(MEMORY), "--iterations",
                              str(ITERATIONS), "--threads", str(threads), "--seconds", str(seconds), "--compare"],
                             check=True, text=True, capture_output=True).stdout
        (_, library, _), *kernels = ([float(word) for word in row.split()] for row in out.splitlines())
        for bits, rate, ratio in kernels:
            ok = line(f"Argon2id, {bits:.0f} bits, {threads} threads", f"{rate:.1f} hashes/s against {library:.1f} by libargon2 "
                      f"({MEMORY} KiB, {ITERATIONS} passes, 1 lane)", f"ratio {ratio:.2f}", f">= {wanted[int(bits)]:.2f}",
                      ratio >= wanted[int(bits)]) and ok
    return ok


def measure_sign_in(binaries, seconds):
    def raw():
        out = subprocess.run([os.path.join(binaries, "latchkey-bench"), "argon2", "--memory", str(MEMORY),
                              "--iterations", str(ITERATIONS), "--seconds", str(seconds)],
                             check=True, text=True, capture_output=True).stdout
        return float(out)
    with Server(binaries) as server:
        sign_up(server, 0)
        body = json.dumps({"email": "bench0@example.com", "password": PASSWORD})
        before = raw()
        rate, failures, cores = server.wrk("signin.lua", "/auth/v1/token?grant_type=password", 4 * CORES, 1,
                                           2 * seconds, BENCH_BODY=body)
        bound = (before + raw()) / 2
    return line("password sign-in", f"{rate:.1f}/s against {bound:.1f} Argon2id hashes/s ({MEMORY} KiB, {ITERATIONS} "
                f"passes, 1 lane, {CORES} cores), {failures} failures", f"ratio {rate / bound:.3f}", ">= 0.90",
                rate / bound >= 0.90 and failures == 0)

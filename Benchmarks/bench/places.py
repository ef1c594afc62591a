# SPDX-License-Identifier: Apache-2.0
"""Where things lie, what machine this is, and the optimised build."""

import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WRK = os.path.join(ROOT, "Benchmarks", "wrk")
CORES = os.cpu_count()
MEMORY, ITERATIONS = 19456, 2
PASSWORD = "Correct-horse-7-battery"


def build():
    def swift(*arguments):
        return subprocess.run(["swift", "build", "-c", "release", *arguments], cwd=ROOT, check=True, text=True,
                              stdout=subprocess.PIPE).stdout.strip()
    for product in ("latchkey", "latchkey-bench"):
        sys.stderr.write(f"building {product} (release)\n")
        swift("--product", product)
    return swift("--show-bin-path")

# SPDX-License-Identifier: Apache-2.0
"""The store with few users and with many."""

import json
import os
import shutil
import subprocess
import tempfile

from bench.report import line


def measure_scale(binaries, users):
    directory = tempfile.mkdtemp(prefix="latchkey-bench-")
    out = subprocess.run([os.path.join(binaries, "latchkey-bench"), "store", "--many", str(users), "--directory",
                          directory], check=True, text=True, capture_output=True).stdout
    shutil.rmtree(directory, ignore_errors=True)
    report, ok = json.loads(out), True
    few, many = report["users"]["few"], report["users"]["many"]
    for kind in ("signInLookup", "refresh", "firstPage", "activities"):
        ratio = report[kind]["many"] / report[kind]["few"]
        ok = line(f"store, {kind}", f"{report[kind]['many']:.0f} us with {many:.0f} users against "
                  f"{report[kind]['few']:.0f} us with {few:.0f} (medians; WAL, synchronous=FULL)",
                  f"ratio {ratio:.2f}", "<= 1.50", ratio <= 1.5) and ok
    return ok

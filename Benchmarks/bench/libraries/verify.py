# SPDX-License-Identifier: Apache-2.0
"""The library that checks tokens, against its peers."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

from bench.places import CORES, ROOT, WRK
from bench.report import line


def measure_middleware(binaries):
    server = subprocess.Popen([os.path.join(binaries, "route-bench")], stdout=subprocess.PIPE, text=True)
    try:
        port, token = server.stdout.readline().split()

        def rate(path, **variables):
            run = subprocess.run(["wrk", "-t1", "-c64", "-d5s", "-s", os.path.join(WRK, "get.lua"),
                                  f"http://127.0.0.1:{port}{path}"], env=os.environ | variables, text=True,
                                 capture_output=True, check=True)
            requests, microseconds, failures = map(int, re.search(r"RESULT (\d+) (\d+) (\d+)", run.stdout).groups())
            assert failures == 0, run.stdout
            return requests / (microseconds / 1e6)

        rate("/open"), rate("/protected/", BENCH_TOKEN=token)
        runs = [(rate("/open"), rate("/protected/", BENCH_TOKEN=token)) for _ in range(3)]
    finally:
        server.terminate()
        server.wait()
    is_open, protected = (sorted(run[index] for run in runs)[1] for index in (0, 1))
    return line("a protected route, remembered token", f"{protected:.0f}/s against {is_open:.0f}/s of an open route",
                f"ratio {protected / is_open:.3f}", ">= 0.90", protected / is_open >= 0.9)


def measure_verify():
    package = os.path.join(ROOT, "Benchmarks", "tokens")
    swift = ["swift", "build", "-c", "release", "--package-path", package]
    sys.stderr.write("building token-bench (release)\n")
    subprocess.run(swift, check=True, stdout=subprocess.DEVNULL)
    binaries = subprocess.run(swift + ["--show-bin-path"], check=True, text=True, capture_output=True).stdout.strip()
    bench = os.path.join(binaries, "token-bench")

    def report(*command, **options):
        return json.loads(subprocess.run(command, check=True, text=True, capture_output=True, **options).stdout)

    with tempfile.TemporaryDirectory() as directory:
        fixture = os.path.join(directory, "tokens.json")
        subprocess.run([bench, "prepare", fixture], check=True)
        ours, peers = report(bench, "measure", fixture), {}
        if shutil.which("node"):
            peers["node:crypto"] = report("node", os.path.join(ROOT, "Benchmarks", "peers", "node.mjs"), fixture)
        if shutil.which("go"):
            binary = os.path.join(directory, "golang-jwt")
            subprocess.run(["go", "build", "-o", binary, "main.go"], check=True,
                           cwd=os.path.join(ROOT, "Benchmarks", "peers", "golang-jwt"),
                           env=os.environ | {"GO111MODULE": "off", "GOPATH": "/usr/share/gocode",
                                             "GOCACHE": os.path.join(directory, "cache")})
            peers["golang-jwt"] = report(binary, fixture)
    ok = True
    for algorithm, bound in (("RS256", 0.90), ("ES256", 0.95), ("EdDSA", 0.95)):
        us = ours[algorithm]
        ratio = us["raw"] / us["verify"]
        ok = line(f"verify {algorithm}", f"{us['verify']:.1f} us, of which the signature {us['raw']:.1f} us; "
                  f"{us['allocations']:.1f} allocations", f"ratio {ratio:.3f}", f">= {bound:.2f}, < 12 allocations",
                  ratio >= bound and us["allocations"] < 12) and ok
    us = ours["HS256"]
    ok = line("verify HS256", f"the signature alone {us['raw']:.2f} us; {us['allocations']:.1f} allocations",
              f"{us['verify']:.2f} us", "< 8 us, < 12 allocations", us["verify"] < 8 and us["allocations"] < 12) and ok
    worst = max(ours[algorithm]["cached"] for algorithm in ("RS256", "ES256", "EdDSA", "HS256"))
    ok = line("verify, remembered", "the slowest of the four algorithms", f"{worst:.2f} us", "< 1.5 us",
              worst < 1.5) and ok
    us = ours["RS256"]
    ok = line("against jwt-kit, RS256", f"jwt-kit {us['jwtKit']:.1f} us, ours {us['verify']:.1f} us",
              f"ratio {us['jwtKit'] / us['verify']:.2f}", ">= 2.50", us["jwtKit"] / us["verify"] >= 2.5) and ok
    for peer, times in peers.items():
        for algorithm, theirs in times.items():
            mine = ours[algorithm]["verify"]
            ok = line(f"against {peer}, {algorithm}", f"{theirs:.1f} us, ours {mine:.1f} us",
                      f"ratio {theirs / mine:.2f}", "> 1", theirs > mine) and ok
    ok = measure_middleware(binaries) and ok
    ratio = ours["parallel"]["sixteen"] / ours["parallel"]["one"]
    bare = ours["parallel"]["rawSixteen"] / ours["parallel"]["rawOne"]
    return line("16 tasks against one, ES256", f"{ours['parallel']['sixteen']:.0f}/s against "
                f"{ours['parallel']['one']:.0f}/s on {CORES} cores; the bare signature check {bare:.2f} times",
                f"ratio {ratio:.2f}", ">= 1.90", ratio >= 1.9) and ok

# SPDX-License-Identifier: Apache-2.0
"""Load that does not wait for answers (Benchmarks/load/open-loop.c), and what it costs the server."""

import json
import os
import subprocess
import tempfile
import time
import urllib.parse

from bench.places import ROOT


class Usage:
    """What a process has used so far: seconds of CPU, and voluntary switches of its threads, which are its wake-ups."""

    def __init__(self, process):
        # The process's clock, which knows threads that have ended too (clock_getcpuclockid's number for a process).
        self.cpu, self.switches = time.clock_gettime(~process << 3 | 2), 0
        for thread in os.listdir(f"/proc/{process}/task"):
            try:
                with open(f"/proc/{process}/task/{thread}/status") as file:
                    self.switches += int(file.read().split("\nvoluntary_ctxt_switches:")[1].split()[0])
            except FileNotFoundError:
                # It has ended meanwhile.
                pass


class Stream:
    """One kind of request: its line, its fields, its body, and the refresh tokens of the sessions that it goes on with."""

    def __init__(self, name, request, headers, body="", tokens=()):
        self.name, self.tokens = name, list(tokens)
        self.text = "\n".join([request + " HTTP/1.1", *(f"{key}: {value}" for key, value in headers.items())]) + "\n\n" + body


class Load:
    """The program, compiled, and its files. `run` sends streams at rates, and answers what it printed."""

    def __init__(self, connections=64):
        self.connections, self.runs = connections, 0
        self.directory = tempfile.TemporaryDirectory(prefix="latchkey-bench-")
        self.program = os.path.join(self.directory.name, "open-loop")
        subprocess.run(["cc", "-O2", "-o", self.program, os.path.join(ROOT, "Benchmarks", "load", "open-loop.c"), "-lm"],
                       check=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.directory.cleanup()

    def command(self, url, rates, seconds, arrivals, warm_up=0.5):
        """`rates`: requests a second by Stream."""
        place, self.runs = urllib.parse.urlsplit(url), self.runs + 1
        words = []
        for stream, rate in rates.items():
            path = os.path.join(self.directory.name, stream.name)
            with open(path, "w") as file:
                file.write(stream.text)
            words.append(f"{stream.name}:{rate}:{path}")
            if stream.tokens:
                with open(path + "-tokens", "w") as file:
                    file.write("\n".join(stream.tokens) + "\n")
                words[-1] += f":{path}-tokens"
        return [self.program, place.hostname, str(place.port), str(self.connections), str(seconds), str(warm_up), arrivals,
                str(self.runs), *words]

    def run(self, server, rates, seconds, arrivals="poisson"):
        """What the program printed, with the server's CPU and switches for each request that was answered."""
        before = Usage(server.process.pid)
        out = subprocess.run(self.command(server.url, rates, seconds, arrivals), check=True, text=True, stdout=subprocess.PIPE)
        after, report = Usage(server.process.pid), json.loads(out.stdout)
        for stream in rates:
            if stream.tokens:
                with open(os.path.join(self.directory.name, stream.name + "-tokens")) as file:
                    stream.tokens = file.read().split()
        count = sum(stream["answered"] + stream["failed"] for stream in report["streams"].values())
        report["microseconds"] = (after.cpu - before.cpu) / count * 1e6
        report["switches"] = (after.switches - before.switches) / count
        report["failed"] = sum(stream["failed"] for stream in report["streams"].values())
        return report

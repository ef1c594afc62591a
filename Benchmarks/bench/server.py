# SPDX-License-Identifier: Apache-2.0
"""The server that is measured, in a process and a directory of its own."""

import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.request

from bench.places import PASSWORD, WRK


class Server:
    """`latchkey serve --dev` on a free port, in a directory of its own; its database there too, unless one is given."""

    def __init__(self, binaries, database=None, **settings):
        self.binaries, self.database = binaries, database
        self.directory = tempfile.mkdtemp(prefix="latchkey-bench-")
        environment = {k: v for k, v in os.environ.items() if not k.startswith("LATCHKEY_")}
        limits = ("MAIL_SENT", "VERIFY", "TOKEN_REFRESH", "SIGN_IN", "SIGN_UP", "SIGN_IN_PER_IDENTIFIER")
        environment |= {f"LATCHKEY_DIRECTORY_LIMITS_{name}": "1000000000" for name in limits}
        environment |= {"LATCHKEY_LOG_LEVEL": "notice", "LATCHKEY_DIRECTORY_EMAIL_AUTO_CONFIRM": "true"}
        self.environment = environment | {k: str(v) for k, v in settings.items()}
        self.program = os.path.join(binaries, "latchkey")
        self.start()

    def start(self):
        """Also once more, after `halt`, with what is in the directory."""
        began = time.monotonic()
        # A file, which takes however many lines: a pipe that nobody reads would stop the server.
        log = os.path.join(self.directory, "log")
        with open(log, "w") as errors:
            self.process = subprocess.Popen(
                [self.program, "serve", "--dev", "--port", "0",
                 *(("--database", "sqlite:" + self.database) if self.database else ())],
                cwd=self.directory, env=self.environment, stderr=errors, stdout=subprocess.DEVNULL)
        self.url = None
        while self.url is None and self.process.poll() is None:
            with open(log) as lines:
                found = re.search(r"ready.*(http://\S+)\n", lines.read())
            self.url = found and found.group(1)
            time.sleep(0.002)
        self.start_seconds = time.monotonic() - began
        assert self.url, "the server did not start"
        self.settings = self.get("/dev/settings.json")
        self.key = self.settings["supabase"]["anonKey"]

    def call(self, method, path, body=None, headers=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data=data, method=method, headers={
            "apikey": getattr(self, "key", ""), "Content-Type": "application/json"} | (headers or {}))
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.loads(answer.read())

    def get(self, path, **headers):
        return self.call("GET", path, headers=headers)

    def command(self, *words, **options):
        """What `latchkey` with these words prints."""
        return subprocess.run([os.path.join(self.binaries, "latchkey"), *words], check=True, text=True, capture_output=True,
                              **options).stdout

    def cpu_seconds(self):
        with open(f"/proc/{self.process.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def resident_megabytes(self):
        with open(f"/proc/{self.process.pid}/status") as file:
            return int(re.search(r"VmRSS:\s+(\d+)", file.read()).group(1)) / 1024

    def wrk(self, script, path, connections, threads, seconds, **variables):
        """Requests a second, failures, and the cores that the server kept busy."""
        before, began = self.cpu_seconds(), time.monotonic()
        run = subprocess.run(
            ["wrk", f"-t{threads}", f"-c{connections}", f"-d{seconds}s", "--timeout", "30s", "-s",
             os.path.join(WRK, script), self.url + path],
            env=os.environ | {"BENCH_APIKEY": self.key} | variables, text=True, capture_output=True, check=True)
        cores = (self.cpu_seconds() - before) / (time.monotonic() - began)
        requests, microseconds, failures = map(int, re.search(r"RESULT (\d+) (\d+) (\d+)", run.stdout).groups())
        assert requests > 0 and "OUT OF" not in run.stdout, run.stdout
        return requests / (microseconds / 1e6), failures, cores

    def latency(self, path, connections, seconds, script="get.lua", threads=1, **variables):
        """Percentile → microseconds."""
        run = subprocess.run(
            ["wrk", f"-t{threads}", f"-c{connections}", f"-d{seconds}s", "-s", os.path.join(WRK, script), self.url + path],
            env=os.environ | {"BENCH_APIKEY": self.key} | variables, text=True, capture_output=True, check=True)
        assert re.search(r"RESULT [1-9]\d* \d+ 0\n", run.stdout), run.stdout
        return {int(percentile): int(time) for percentile, time in re.findall(r"P(\d+) (\d+)", run.stdout)}

    def halt(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()

    def stop(self):
        self.halt()
        shutil.rmtree(self.directory, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


def sign_up(server, number):
    return server.call("POST", "/auth/v1/signup", {"email": f"bench{number}@example.com", "password": PASSWORD})

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A PostgreSQL server of its own in a temporary folder, on a socket there and no port. Prints its connection URI, or why there is
none, and ends with its input. Its texts are compared as people of some language do: nothing may hang on that."""

import glob
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.parse


def find(program):
    places = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda place: int(place.split("/")[4]), reverse=True)
    places += glob.glob("/opt/homebrew/opt/postgresql@*/bin")
    return next((os.path.join(place, program) for place in places if os.path.exists(os.path.join(place, program))), None) \
        or shutil.which(program)


def main():
    programs = {name: find(name) for name in ("initdb", "postgres")}
    if not all(programs.values()):
        print("none: PostgreSQL is not installed (scripts/setup --tests)", flush=True)
        return
    folder = tempfile.mkdtemp(prefix="latchkey-postgres-")
    data = os.path.join(folder, "data")
    # It refuses to run as root.
    user = {}
    if os.geteuid() == 0:
        entry = pwd.getpwnam("postgres")
        os.chown(folder, entry.pw_uid, entry.pw_gid)
        user = {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
    server = None
    try:
        made = subprocess.run(
            [programs["initdb"], "-D", data, "-U", "latchkey", "-A", "trust", "-E", "UTF8", "--no-sync",
             "--locale=C.UTF-8", "--locale-provider=icu", "--icu-locale=en-US", "--no-instructions"],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, cwd=folder, **user)
        if made.returncode:
            print("none: " + made.stderr.strip().replace("\n", " "), flush=True)
            return
        log = open(os.path.join(folder, "log"), "w")
        # Nothing here outlives a loss of power; that a process is killed it outlives without.
        server = subprocess.Popen(
            [programs["postgres"], "-D", data, "-k", folder, "-c", "listen_addresses=", "-c", "fsync=off",
             "-c", "max_connections=200", *sys.argv[1:]],
            stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=folder, **user)
        socket = os.path.join(folder, ".s.PGSQL.5432")
        while not os.path.exists(socket) and server.poll() is None:
            time.sleep(0.01)
        url = "postgresql:///postgres?user=latchkey&host=" + urllib.parse.quote(folder, safe="")
        ready = ["psql", url, "-Atc", "SELECT 1"]
        while server.poll() is None and subprocess.run(ready, capture_output=True).returncode:
            time.sleep(0.02)
        print(url if server.poll() is None else "none: " + open(log.name).read()[-300:].replace("\n", " "), flush=True)
        print(server.pid, flush=True)
        sys.stdin.read()
    finally:
        if server is not None and server.poll() is None:
            server.send_signal(signal.SIGQUIT)
            server.wait()
        shutil.rmtree(folder, ignore_errors=True)


main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""PgBouncer between a test and its PostgreSQL server, in a temporary folder, on a socket there and no port; or several that share
a port ("so_reuseport"). Prints the connection URI, or why there is none, and ends with its input.

usage: pgbouncer.py URL POOL_MODE POOL_SIZE PROCESSES
"""

import os
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse

# Debian keeps it where only an administrator's shell looks.
PLACES = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/opt/homebrew/bin"])
PORT = 6432


def main():
    url, mode, size = sys.argv[1:4]
    count = int(sys.argv[4])
    program = shutil.which("pgbouncer", path=PLACES)
    if program is None:
        print("none: PgBouncer is not installed (scripts/setup --tests)", flush=True)
        return
    folder, processes = tempfile.mkdtemp(prefix="latchkey-pgbouncer-"), []
    port = free_port() if count > 1 else PORT
    try:
        behind = urllib.parse.parse_qs(urllib.parse.urlsplit(url).query)["host"][0]
        # It refuses to run as root.
        user = {}
        if os.geteuid() == 0:
            entry = pwd.getpwnam("postgres")
            os.chown(folder, entry.pw_uid, entry.pw_gid)
            user = {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
        for number in range(count):
            place = os.path.join(folder, str(number))
            os.mkdir(place)
            if user:
                os.chown(place, user["user"], user["group"])
            configuration = os.path.join(place, "pgbouncer.ini")
            with open(configuration, "w") as file:
                file.write(f"""[databases]
postgres = host={behind} user=latchkey
[pgbouncer]
unix_socket_dir = {place}
listen_port = {port}
auth_type = any
pool_mode = {mode}
default_pool_size = {size}
""")
                if count > 1:
                    file.write("listen_addr = 127.0.0.1\nso_reuseport = 1\n")
            with open(os.path.join(place, "log"), "w+") as log:
                process = subprocess.Popen([program, configuration], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                           cwd=place, **user)
                processes.append(process)
                while process.poll() is None and not answers(os.path.join(place, f".s.PGSQL.{port}")):
                    time.sleep(0.01)
                if process.poll() is not None:
                    log.seek(0)
                    print("none:", log.read()[-300:].replace("\n", " "), flush=True)
                    return
        host = "127.0.0.1" if count > 1 else urllib.parse.quote(os.path.join(folder, "0"), safe="")
        print(f"postgresql:///postgres?user=latchkey&port={port}&host={host}", flush=True)
        sys.stdin.read()
    finally:
        for process in processes:
            if process.poll() is None:
                process.kill()
                process.wait()
        shutil.rmtree(folder, ignore_errors=True)


def free_port():
    """Not held until they have it: another user's socket of the same address would keep them out."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def answers(path):
    with socket.socket(socket.AF_UNIX) as client:
        try:
            client.connect(path)
        except OSError:
            return False
        return True


main()

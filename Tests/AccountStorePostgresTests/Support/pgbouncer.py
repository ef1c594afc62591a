#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""PgBouncer between a test and its PostgreSQL server, in a temporary folder, on a socket there and no port. Prints its connection
URI, or why there is none, and ends with its input.

usage: pgbouncer.py URL POOL_MODE POOL_SIZE
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
    url, mode, size = sys.argv[1:]
    program = shutil.which("pgbouncer", path=PLACES)
    if program is None:
        print("none: PgBouncer is not installed (scripts/setup --tests)", flush=True)
        return
    folder, process = tempfile.mkdtemp(prefix="latchkey-pgbouncer-"), None
    try:
        behind = urllib.parse.parse_qs(urllib.parse.urlsplit(url).query)["host"][0]
        configuration = os.path.join(folder, "pgbouncer.ini")
        with open(configuration, "w") as file:
            file.write(f"""[databases]
postgres = host={behind} user=latchkey
[pgbouncer]
unix_socket_dir = {folder}
listen_port = {PORT}
auth_type = any
pool_mode = {mode}
default_pool_size = {size}
""")
        # It refuses to run as root.
        user = {}
        if os.geteuid() == 0:
            entry = pwd.getpwnam("postgres")
            os.chown(folder, entry.pw_uid, entry.pw_gid)
            user = {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
        with open(os.path.join(folder, "log"), "w+") as log:
            process = subprocess.Popen([program, configuration], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                       cwd=folder, **user)
            while process.poll() is None and not answers(os.path.join(folder, f".s.PGSQL.{PORT}")):
                time.sleep(0.01)
            if process.poll() is not None:
                log.seek(0)
                print("none:", log.read()[-300:].replace("\n", " "), flush=True)
                return
        print(f"postgresql:///postgres?user=latchkey&port={PORT}&host=" + urllib.parse.quote(folder, safe=""), flush=True)
        sys.stdin.read()
    finally:
        if process is not None and process.poll() is None:
            process.kill()
            process.wait()
        shutil.rmtree(folder, ignore_errors=True)


def answers(path):
    with socket.socket(socket.AF_UNIX) as client:
        try:
            client.connect(path)
        except OSError:
            return False
        return True


main()

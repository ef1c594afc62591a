#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A PostgreSQL server of its own in a temporary folder, on a socket there and no port. Prints its connection URI, or why there is
none, and ends with its input. Its texts are compared as people of some language do: nothing may hang on that.

Walks start, stop and kill one by `PostgresServer`."""

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


class NoServer(Exception):
    """Why there is none."""


class PostgresServer:
    def __init__(self, *options):
        self.programs = {name: find(name) for name in ("initdb", "postgres", "psql")}
        if not all(self.programs.values()):
            raise NoServer("PostgreSQL is not installed (scripts/setup --tests)")
        self.options, self.process = options, None
        self.folder = tempfile.mkdtemp(prefix="latchkey-postgres-")
        self.data = os.path.join(self.folder, "data")
        # It refuses to run as root.
        self.user = {}
        if os.geteuid() == 0:
            entry = pwd.getpwnam("postgres")
            os.chown(self.folder, entry.pw_uid, entry.pw_gid)
            self.user = {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
        made = subprocess.run(
            [self.programs["initdb"], "-D", self.data, "-U", "latchkey", "-A", "trust", "-E", "UTF8", "--no-sync",
             "--locale=C.UTF-8", "--locale-provider=icu", "--icu-locale=en-US", "--no-instructions"],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, cwd=self.folder, **self.user)
        if made.returncode:
            shutil.rmtree(self.folder, ignore_errors=True)
            raise NoServer(made.stderr.strip().replace("\n", " "))
        self.url = "postgresql:///postgres?user=latchkey&host=" + urllib.parse.quote(self.folder, safe="")

    def start(self):
        """Returns once it takes connections. One that was killed is followed once its last connection's process has ended."""
        log = os.path.join(self.folder, "log")
        while not self.starts(log):
            said = open(log).read()
            if "pre-existing shared memory block" not in said.rsplit("starting PostgreSQL", 1)[-1][-600:]:
                raise NoServer(said[-300:].replace("\n", " "))
            time.sleep(0.02)

    def starts(self, log):
        with open(log, "a") as output:
            # Nothing here outlives a loss of power; that a process is killed it outlives without.
            self.process = subprocess.Popen(
                [self.programs["postgres"], "-D", self.data, "-k", self.folder, "-c", "listen_addresses=", "-c",
                 "fsync=off", "-c", "max_connections=200", *self.options],
                stdin=subprocess.DEVNULL, stdout=output, stderr=output, cwd=self.folder, **self.user)
        while self.process.poll() is None and self.query("SELECT 1") is None:
            time.sleep(0.02)
        return self.process.poll() is None

    def replica(self):
        """Another server that follows this one, started."""
        other = PostgresServer.__new__(PostgresServer)
        other.__dict__.update(self.__dict__)
        other.process, other.folder = None, tempfile.mkdtemp(prefix="latchkey-postgres-")
        if other.user:
            os.chown(other.folder, other.user["user"], other.user["group"])
        other.data = os.path.join(other.folder, "data")
        other.url = self.url.replace(urllib.parse.quote(self.folder, safe=""), urllib.parse.quote(other.folder, safe=""))
        # -R has it follow whom it was copied from.
        subprocess.run([find("pg_basebackup"), "-D", other.data, "-d", self.url, "-R", "-X", "stream", "--checkpoint=fast",
                        "--no-sync"], check=True, cwd=other.folder, **self.user)
        other.start()
        return other

    def query(self, sql):
        """What psql prints, or None where it fails."""
        done = subprocess.run([self.programs["psql"], self.url, "-Atc", sql], capture_output=True, text=True)
        return done.stdout.strip() if done.returncode == 0 else None

    def kill(self, how=signal.SIGKILL):
        """Ends the server by a signal; the processes of its connections end when they find it gone."""
        self.process.send_signal(how)
        self.process.wait()

    def remove(self):
        if self.process is not None and self.process.poll() is None:
            self.kill(signal.SIGQUIT)
        shutil.rmtree(self.folder, ignore_errors=True)


def main():
    try:
        server = PostgresServer(*sys.argv[1:])
    except NoServer as why:
        print("none:", why, flush=True)
        return
    try:
        server.start()
        print(server.url, flush=True)
        print(server.process.pid, flush=True)
        sys.stdin.read()
    except NoServer as why:
        print("none:", why, flush=True)
    finally:
        server.remove()


if __name__ == "__main__":
    main()

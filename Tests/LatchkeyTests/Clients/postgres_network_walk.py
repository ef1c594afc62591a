# SPDX-License-Identifier: Apache-2.0
"""A network between server and database that is cut at any byte, in either direction: what was acknowledged is kept, once.

usage: postgres_network_walk.py LATCHKEY DIRECTORY POSTGRES_SUPPORT [SEED]
"""

import os
import random
import socket
import sys
import threading
import time

from database_support import PASSWORD, Server, http, support
from postgres_server import PostgresServer

SEED = int(sys.argv[4]) if len(sys.argv) > 4 else 20261123
# Bytes of a connection, half as many in the middle: each has its statements prepared anew, some ten thousand for a sign-up.
OPERATIONS, WORKERS, LONGEST = 240, 4, 60_000
database = PostgresServer()
database.start()
state = {}


class Proxy:
    """Passes bytes on between a port and the database's socket. While it cuts, each connection may pass so many and no more."""

    def __init__(self):
        self.chance, self.cutting, self.cuts = random.Random(SEED), False, 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            client = self.listener.accept()[0]
            server = socket.socket(socket.AF_UNIX)
            server.connect(os.path.join(database.folder, ".s.PGSQL.5432"))
            # Of both directions together, so that a cut comes in the midst of questions and of answers.
            budget = {"left": self.chance.randint(1, LONGEST)}
            for one, other in ((client, server), (server, client)):
                threading.Thread(target=self.pass_on, args=(one, other, budget), daemon=True).start()

    def pass_on(self, one, other, budget):
        try:
            while data := one.recv(4096):
                if self.cutting:
                    passed, budget["left"] = data[:max(0, budget["left"])], budget["left"] - len(data)
                    other.sendall(passed)
                    if budget["left"] <= 0:
                        self.cuts += 1
                        break
                else:
                    other.sendall(data)
        except OSError:
            pass
        for end in (one, other):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


def it_starts_over_the_network():
    state["proxy"] = Proxy()
    url = f"postgresql://latchkey@127.0.0.1:{state['proxy'].port}/postgres?sslmode=disable&gssencmode=disable"
    state["server"] = Server(url)
    config = support.settings()
    state["key"] = {"apikey": config["supabase"]["anonKey"]}
    state["tokens"] = []
    for _ in range(WORKERS):
        status, _, body = http("POST", "/auth/v1/token?grant_type=password",
                               {"email": config["demo"]["email"], "password": config["demo"]["password"]}, state["key"])
        assert status == 200, body
        state["tokens"].append(body["refresh_token"])


def cut_at_any_byte_nothing_acknowledged_is_lost_and_nothing_is_done_twice():
    proxy, kept, faults, statuses = state["proxy"], [], [], {}
    proxy.cutting = True

    def post(path, body):
        status, headers, answer = http("POST", path, body, state["key"])
        statuses[status] = statuses.get(status, 0) + 1
        assert status < 500 or status == 503 and "retry-after" in headers, (status, answer)
        return status, answer

    def client(number):
        chance = random.Random(SEED * 100 + number)
        for serial in range(OPERATIONS // WORKERS):
            if chance.random() < 0.4:
                email = f"cut-{number}-{serial}@example.com"
                status, body = post("/auth/v1/signup", {"email": email, "password": PASSWORD})
                if status == 200:
                    kept.append(email)
            else:
                # One whose answer was lost is asked again with the same token, and has one successor.
                status, body = post("/auth/v1/token?grant_type=refresh_token", {"refresh_token": state["tokens"][number]})
                assert status in (200, 503), (status, body)
                if status == 200:
                    state["tokens"][number] = body["refresh_token"]

    def guarded(number):
        try:
            client(number)
        except BaseException as error:  # noqa: BLE001  (a thread's failure is the walk's)
            faults.append(error)

    threads = [threading.Thread(target=guarded, args=(number,)) for number in range(WORKERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    proxy.cutting = False
    assert not faults, faults
    print(statuses, "answers,", proxy.cuts, "cuts,", len(kept), "sign-ups acknowledged", flush=True)
    assert proxy.cuts >= 20 and statuses.get(200, 0) >= OPERATIONS // 4, (proxy.cuts, statuses)
    stored = database.query("SELECT email FROM latchkey.users WHERE email LIKE 'cut-%' AND deleted_at IS NULL").split()
    assert len(stored) == len(set(stored)) and set(kept) <= set(stored), set(kept) - set(stored)
    for token in state["tokens"]:
        # The last cut may have been a moment ago.
        for _ in range(50):
            status, _, body = http("POST", "/auth/v1/token?grant_type=refresh_token", {"refresh_token": token}, state["key"])
            if status != 503:
                break
            time.sleep(0.1)
        assert status == 200, (status, body)
    # Who was told that a mail is on its way gets one.
    for email in kept:
        support.mail(email, "confirmation")
    assert state["server"].process.poll() is None


try:
    support.steps(
        it_starts_over_the_network,
        cut_at_any_byte_nothing_acknowledged_is_lost_and_nothing_is_done_twice,
    )
finally:
    server = state.get("server")
    if server is not None and server.process.poll() is None:
        server.kill()
    database.remove()

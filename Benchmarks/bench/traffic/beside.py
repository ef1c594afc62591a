# SPDX-License-Identifier: Apache-2.0
"""`GET /v1/me` beside what is dear: sign-ins, lists."""

import json
import os
import subprocess
import threading
import time
import uuid

from bench.places import CORES, PASSWORD
from bench.report import line
from bench.server import Server, sign_up


def measure_beside(binaries, seconds):
    """The latency of `/v1/me`, alone and beside as many sign-ins as the server takes."""
    with Server(binaries) as server:
        token = sign_up(server, 0)["access_token"]
        body = json.dumps({"email": "bench0@example.com", "password": PASSWORD})
        alone = server.latency("/v1/me", 8, seconds, BENCH_TOKEN=token)
        rates = []
        others = threading.Thread(target=lambda: rates.append(server.wrk(
            "signin.lua", "/auth/v1/token?grant_type=password", 4 * CORES, 1, seconds + 2, BENCH_BODY=body)))
        others.start()
        time.sleep(1)
        beside = server.latency("/v1/me", 8, seconds, BENCH_TOKEN=token)
        others.join()
    return line("GET /v1/me beside sign-ins", f"99th percentile {beside[99] / 1e3:.2f} ms, {alone[99] / 1e3:.2f} ms alone; "
                f"median {beside[50] / 1e3:.2f} and {alone[50] / 1e3:.2f} ms; {rates[0][0]:.1f} sign-ins a second, "
                f"{rates[0][1]} failures", f"{beside[99] / 1e3:.2f} ms", "< 10 ms", beside[99] < 10_000 and rates[0][0] > 1)


def measure_lists(binaries, seconds, users):
    """The latency of `/v1/me` while two clients list users by a name that nobody has, page after page."""
    with Server(binaries) as server:
        with open(os.path.join(server.directory, "users.jsonl"), "w+") as file:
            for number in range(users):
                file.write(json.dumps({"id": str(uuid.uuid4()), "email": f"listed{number}@example.com",
                                       "user_metadata": {"name": "Somebody"}}) + "\n")
            file.seek(0)
            database = os.path.join(server.directory, ".latchkey", "development.sqlite")
            subprocess.run([os.path.join(binaries, "latchkey"), "user", "import", "--database", "sqlite:" + database],
                           cwd=server.directory, check=True, stdin=file, capture_output=True)
        token = sign_up(server, 0)["access_token"]
        pages, stopped = [0, 0], threading.Event()

        def walk(index):
            position = None
            while not stopped.is_set():
                body = {"UserPoolId": server.settings["cognito"]["userPoolId"], "Filter": 'name = "Nobody"', "Limit": 60}
                answer = server.call("POST", "/", body | ({"PaginationToken": position} if position else {}), {
                    "Content-Type": "application/x-amz-json-1.1", "Authorization":
                    "AWS4-HMAC-SHA256 Credential=x/20260101/us-east-1/cognito-idp/aws4_request, SignedHeaders=host, "
                    "Signature=00",
                    "X-Amz-Target": "AWSCognitoIdentityProviderService.ListUsers"})
                position = answer.get("PaginationToken")
                pages[index] += 1

        alone = server.latency("/v1/me", 8, seconds, BENCH_TOKEN=token)
        walkers = [threading.Thread(target=walk, args=(index,)) for index in range(2)]
        for walker in walkers:
            walker.start()
        beside = server.latency("/v1/me", 8, seconds, BENCH_TOKEN=token)
        stopped.set()
        for walker in walkers:
            walker.join()
    return line(f"GET /v1/me beside lists of {users} users", f"99th percentile {beside[99] / 1e3:.2f} ms, "
                f"{alone[99] / 1e3:.2f} ms alone; {sum(pages) / seconds:.0f} pages a second",
                f"{beside[99] / 1e3:.2f} ms", "< 20 ms", beside[99] < 20_000 and min(pages) > 0)

# SPDX-License-Identifier: Apache-2.0
"""Sign-ins by somebody else's provider."""

import http.client
import http.server
import json
import os
import subprocess
import threading
import time
import urllib.parse

from bench.places import CORES, PASSWORD
from bench.report import line
from bench.server import Server, sign_up


class Provider:
    """Stands in for somebody's OpenID provider: metadata and keys at once, and every code after `wait` seconds, with a no."""

    wait = 5

    def __init__(self):
        outer, self.keys, self.waiting, self.most = self, b"{}", 0, 0
        lock = threading.Lock()

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self, status, content):
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def do_GET(self):
                self.answer(200, outer.keys if self.path == "/keys" else json.dumps({
                    "issuer": outer.url, "authorization_endpoint": outer.url + "/authorize", "jwks_uri": outer.url + "/keys",
                    "token_endpoint": outer.url + "/token", "response_types_supported": ["code"],
                    "subject_types_supported": ["public"], "id_token_signing_alg_values_supported": ["RS256"],
                    "code_challenge_methods_supported": ["S256"]}).encode())

            def do_POST(self):
                self.rfile.read(int(self.headers["Content-Length"]))
                with lock:
                    outer.waiting += 1
                    outer.most = max(outer.most, outer.waiting)
                time.sleep(outer.wait)
                with lock:
                    outer.waiting -= 1
                self.answer(400, b'{"error":"invalid_grant"}')

            def log_message(self, *_):
                pass

        class Listener(http.server.ThreadingHTTPServer):
            request_queue_size = 1024
            daemon_threads = True

        self.listener = Listener(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.listener.server_port}"
        threading.Thread(target=self.listener.serve_forever, daemon=True).start()


def back_from_provider(server, provider):
    """One browser that was sent to the provider and comes back with a code: where it is sent on to."""
    place = urllib.parse.urlsplit(server.url)
    connection = http.client.HTTPConnection(place.hostname, place.port, timeout=60)

    def get(path, headers):
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        answer.read()
        return answer

    away = get("/auth/v1/authorize?provider=custom:bench", {})
    state = urllib.parse.parse_qs(urllib.parse.urlsplit(away.headers["Location"]).query)["state"][0]
    cookie = away.headers["Set-Cookie"].split(";")[0]
    return get("/auth/v1/callback?" + urllib.parse.urlencode({"state": state, "code": "x"}), {"Cookie": cookie})


def measure_federation(binaries, seconds):
    """Sign-in by ID token against a refresh; and password sign-ins alone, and beside 100 that wait for a provider."""
    provider, clients, people = Provider(), 64, 256
    with Server(binaries) as server:
        database = os.path.join(server.directory, ".latchkey", "development.sqlite")
        subprocess.run([os.path.join(binaries, "latchkey"), "identity-provider", "create", "custom:bench", "--kind", "openid",
                        "--issuer", provider.url, "--client-id", "bench", "--secret-file", "-", "--database",
                        "sqlite:" + database], cwd=server.directory, check=True, text=True, input="secret", capture_output=True)
        sessions = os.path.join(server.directory, "sessions")

        def refreshes(run):
            # Sessions of their own: a token that another run has left behind ends them.
            with open(sessions, "w") as file:
                for number in range(run * clients, (run + 1) * clients):
                    file.write(sign_up(server, number)["refresh_token"] + "\n")
            return server.wrk("refresh.lua", "/", clients, clients, seconds, BENCH_TOKENS=sessions)

        # None is used twice, so that there are half as many again as refreshes in the same time.
        rate, _, _ = refreshes(0)
        count = people + 2 * (clients + int(1.5 * rate * seconds))
        subprocess.run([os.path.join(binaries, "latchkey-bench"), "id-tokens", "--issuer", provider.url, "--count",
                        str(count), "--people", str(people), "--directory", server.directory], check=True)
        with open(os.path.join(server.directory, "keys.json"), "rb") as file:
            provider.keys = file.read()
        with open(os.path.join(server.directory, "tokens")) as file:
            tokens = file.read().split()
        # The first of each makes the account.
        for token in tokens[:people]:
            server.call("POST", "/auth/v1/token?grant_type=id_token", {"provider": "custom:bench", "id_token": token})
        halves, rest = [[], []], tokens[people:]
        for index, half in enumerate((rest[:len(rest) // 2], rest[len(rest) // 2:])):
            path = os.path.join(server.directory, f"tokens-{index}")
            with open(path, "w") as file:
                file.write("\n".join(half) + "\n")
            halves[index] = path
        # In turns, and with the same number of clients.
        runs = [(refreshes(run), server.wrk("id-token.lua", "/", clients, clients, seconds, BENCH_TOKENS=path,
                                            BENCH_THREADS=str(clients))) for run, path in enumerate(halves, 1)]
        refresh, signed_in = (sum(run[index][0] for run in runs) / 2 for index in (0, 1))
        failures = sum(result[1] for run in runs for result in run)
        cores = [sum(run[index][2] for run in runs) / 2 for index in (0, 1)]
        ok = line("sign-in by ID token", f"{signed_in:.0f}/s against {refresh:.0f} refreshes/s, {clients} clients of each (RS256 of the "
                  f"provider's, durable); {cores[1] / signed_in * 1e6:.0f} and {cores[0] / refresh * 1e6:.0f} us of CPU each, "
                  f"{failures} failures", f"ratio {signed_in / refresh:.2f}", ">= 0.50",
                  signed_in / refresh >= 0.5 and failures == 0)

        body = json.dumps({"email": "bench0@example.com", "password": PASSWORD})

        def sign_ins():
            # Less than the provider takes, so that nobody comes back or goes meanwhile: what is measured is the waiting.
            return server.latency("/auth/v1/token?grant_type=password", CORES, provider.wait - 1, "signin.lua", BENCH_BODY=body)

        sent_on = []

        def come_back():
            answer = back_from_provider(server, provider)
            sent_on.append((answer.status, "error=server_error" in answer.headers["Location"]))

        alone, beside = [sign_ins()], []
        for _ in range(3):
            waiting = [threading.Thread(target=come_back) for _ in range(100)]
            for thread in waiting:
                thread.start()
            while provider.waiting < 100:
                time.sleep(0.05)
            beside.append(sign_ins())
            for thread in waiting:
                thread.join()
            alone.append(sign_ins())
    # Nobody was refused a place, and everybody was told what came of it.
    assert len(sent_on) == 300 and all(answer == (302, True) for answer in sent_on), sent_on[:3]

    def median(runs, part):
        return sorted(run[part] for run in runs)[len(runs) // 2] / 1e3

    ratio = median(beside, 99) / median(alone, 99)
    return line("password sign-ins beside a slow provider", f"99th percentile {median(beside, 99):.1f} ms with {provider.most} sign-ins "
                f"that wait {provider.wait} s for a provider, {median(alone, 99):.1f} ms without; median {median(beside, 50):.1f} and "
                f"{median(alone, 50):.1f} ms; medians of {len(beside)} and {len(alone)} turns", f"ratio {ratio:.2f}", "<= 1.20",
                ratio <= 1.2) and ok

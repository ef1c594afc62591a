# SPDX-License-Identifier: Apache-2.0
"""The OpenID provider: codes, its page, introspection."""

import base64
import hashlib
import html
import http.client
import http.cookies
import json
import os
import re
import subprocess
import urllib.parse
import urllib.request

from bench.disk import commit_microseconds
from bench.places import PASSWORD
from bench.report import line
from bench.server import Server, sign_up


class Visitor:
    """A browser: follows redirects on this server, keeps its cookies, and sends the one form of a page."""

    def __init__(self, server):
        place = urllib.parse.urlsplit(server.url)
        self.url, self.cookies = server.url, {}
        self.connection = http.client.HTTPConnection(place.hostname, place.port)

    @property
    def cookie(self):
        return "; ".join(f"{name}={value}" for name, value in self.cookies.items())

    def open(self, path, body=None):
        """The page at the end, or the place on another server that the browser is sent to."""
        while True:
            headers = {"Cookie": self.cookie} if self.cookies else {}
            if body is not None:
                headers |= {"Content-Type": "application/x-www-form-urlencoded", "Origin": self.url}
            self.connection.request("GET" if body is None else "POST", path, body, headers)
            answer = self.connection.getresponse()
            content = answer.read().decode()
            for field in answer.headers.get_all("Set-Cookie") or []:
                self.cookies |= {name: morsel.value for name, morsel in http.cookies.SimpleCookie(field).items()}
            target = answer.headers.get("Location")
            if target is None:
                assert answer.status == 200, (answer.status, content)
                return content
            if not target.startswith(("/", self.url)):
                return target
            path, body = target.removeprefix(self.url), None

    def sign_in(self, path, email):
        page = self.open(path)
        form = dict(re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', page))
        action = html.unescape(re.search(r'<form[^>]* action="([^"]*)"', page).group(1))
        form |= {"identifier": email, "password": PASSWORD}
        return self.open(action, urllib.parse.urlencode({name: html.unescape(form[name]) for name in form}))


def measure_openid(binaries, seconds):
    """A code for a browser that is signed in, redeemed, against its signatures and commits; the page that people sign in
    on, and introspection, against an empty route."""
    def signatures(*command):
        return float(subprocess.run([os.path.join(binaries, "latchkey-bench"), *command, "--seconds", "2"],
                                    check=True, text=True, capture_output=True).stdout)

    def floor():
        """One RS256 signature (the ID token) and one ES256 signature (the access token); a commit."""
        return (1e6 / signatures("rsa", "--libcrypto", "--threads", "1") + 1e6 / signatures("es256"),
                commit_microseconds())

    uri, verifier = "https://app.example/back", "bench-" * 8
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
    with Server(binaries) as server:
        database = os.path.join(server.directory, ".latchkey", "development.sqlite")
        client = json.loads(subprocess.run(
            [os.path.join(binaries, "latchkey"), "client", "create", "Bench", "--redirect-uri", uri, "--first-party",
             "--auth-method", "client_secret_basic", "--database", "sqlite:" + database, "--json"],
            cwd=server.directory, check=True, text=True, capture_output=True).stdout)
        proof = f"{client['clientId']}:{client['clientSecret']}"
        basic = "Basic " + base64.b64encode(proof.encode()).decode()
        authorize = "/oauth2/authorize?" + urllib.parse.urlencode({
            "client_id": client["clientId"], "response_type": "code", "scope": "openid profile email",
            "redirect_uri": uri, "state": "af0ifjsldkj", "nonce": "n-0S6_WzA2Mj",
            "code_challenge": challenge, "code_challenge_method": "S256"})
        redeem = urllib.parse.urlencode({"grant_type": "authorization_code", "redirect_uri": uri,
                                         "code_verifier": verifier}) + "&code="
        cookies, landed = [], None
        for number in range(16):
            sign_up(server, number)
            visitor = Visitor(server)
            landed = visitor.sign_in(authorize, f"bench{number}@example.com")
            assert landed.startswith(uri), landed
            cookies.append(visitor.cookie)
        path = os.path.join(server.directory, "cookies")
        with open(path, "w") as file:
            file.write("\n".join(cookies) + "\n")

        def codes(clients):
            return server.wrk("code.lua", "/", clients, clients, seconds, BENCH_COOKIES=path, BENCH_BASIC=basic,
                              BENCH_AUTHORIZE=authorize, BENCH_BODY=redeem)

        # In turns, so that what else the machine does meets all three.
        floors, alone, empty = [floor()], [], []
        for _ in range(3):
            alone.append(codes(1))
            empty.append(server.wrk("get.lua", "/health/live", 1, 1, seconds))
            floors.append(floor())
        together, failures, cores = codes(16)
        signing, commit = (sorted(part)[len(floors) // 2] for part in zip(*floors))
        bare = signing + 2 * commit
        cost, requests = 1e6 / sorted(run[0] for run in alone)[1], 2e6 / sorted(run[0] for run in empty)[1]
        cpu = sorted(run[2] / run[0] * 1e6 for run in alone)[1]
        failures += sum(run[1] for run in alone)
        ok = line("a code, redeemed", f"{cost:.0f} us from one client, {cpu:.0f} us of CPU, against {bare:.0f} us of its two "
                  f"signatures ({signing:.0f}) and two commits ({commit:.0f} each); {requests:.0f} us are what two empty "
                  f"requests take, {requests / bare:.2f} by themselves, and without them it is {(cost - requests) / bare:.2f}; {together:.0f}/s from 16, "
                  f"{cores / together * 1e6:.0f} us of CPU each, {failures} failures",
                  f"ratio {cost / bare:.2f}", "<= 1.30", cost / bare <= 1.3 and failures == 0,
                  healthy=cost / bare <= 3 and failures == 0)

        code = urllib.parse.parse_qs(urllib.parse.urlsplit(landed).query)["code"][0]
        token = json.loads(urllib.request.urlopen(urllib.request.Request(
            server.url + "/oauth2/token", data=(redeem + code).encode(), headers={
                "Authorization": basic, "Content-Type": "application/x-www-form-urlencoded"})).read())["access_token"]
        body = os.path.join(server.directory, "body")
        with open(body, "w") as file:
            file.write(urllib.parse.urlencode({"token": token}) + "\n")
        asked = {"BENCH_BODIES": body, "BENCH_HEADERS": "Content-Type: application/x-www-form-urlencoded\n"
                 "Authorization: " + basic}
        runs = [(server.wrk("get.lua", "/health/live", 64, 1, seconds), server.wrk("get.lua", "/account/sign-in", 64, 1, seconds),
                 server.wrk("bodies.lua", "/oauth2/introspect", 64, 1, seconds, **asked)) for _ in range(3)]
        page = urllib.request.urlopen(server.url + "/account/sign-in")
        content = page.read()
    # The page's style stands in it, and its policy lets it load nothing.
    assert "default-src 'none'" in page.headers["Content-Security-Policy"] and b" src=" not in content, page.headers
    octets = len(content) + len(str(page.headers))

    def median(index):
        """Requests a second, and microseconds of the server's processor time for each."""
        return (sorted(run[index][0] for run in runs)[1], sorted(run[index][2] / run[index][0] * 1e6 for run in runs)[1])

    empty, empty_cpu = median(0)
    for name, index in (("GET /account/sign-in", 1), ("POST /oauth2/introspect", 2)):
        rate, cpu = median(index)
        failures = sum(run[index][1] for run in runs)
        ok = line(name, f"{rate:.0f}/s at {cpu:.0f} us of CPU against {empty:.0f}/s at {empty_cpu:.0f} us of GET /health/live, "
                  f"{failures} failures", f"ratio {rate / empty:.3f}", ">= 0.50",
                  rate / empty >= 0.5 and failures == 0) and ok
    return line("the sign-in page's size", "with its header fields; it loads nothing", f"{octets} octets", "< 20000",
                octets < 20_000) and ok

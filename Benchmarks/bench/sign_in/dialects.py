# SPDX-License-Identifier: Apache-2.0
"""Each vendor's protocol."""

import json
import os
import subprocess

from bench.places import CORES, PASSWORD
from bench.report import line
from bench.server import Server, sign_up

COGNITO = "Content-Type: application/x-amz-json-1.1\nX-Amz-Target: AWSCognitoIdentityProviderService."
JSON = "Content-Type: application/json"


class Dialect:
    """One dialect's sign-in, refresh and look at the user, as requests."""

    def __init__(self, name, path, headers, sign_in, refresh_path, refresh, read_path, read, signatures):
        self.name, self.path, self.headers, self.sign_in = name, path, headers, sign_in
        self.refresh_path, self.refresh, self.read_path, self.read = refresh_path, refresh, read_path, read
        # RS256 signatures in the answer to one refresh.
        self.signatures = signatures


def dialects(server):
    cognito, firebase = server.settings["cognito"], server.settings["firebase"]
    key = "?key=" + firebase["apiKey"]
    client = cognito["clientId"]
    return [
        Dialect("supabase", "/auth/v1/token?grant_type=password", {"sign_in": JSON},
                lambda email: {"email": email, "password": PASSWORD}, None, None, None, None, 0),
        Dialect("cognito", "/", {name: COGNITO + operation for name, operation in
                                 (("sign_in", "InitiateAuth"), ("refresh", "InitiateAuth"), ("read", "GetUser"))},
                lambda email: {"ClientId": client, "AuthFlow": "USER_PASSWORD_AUTH",
                               "AuthParameters": {"USERNAME": email, "PASSWORD": PASSWORD}},
                "/", lambda answer: {"ClientId": client, "AuthFlow": "REFRESH_TOKEN_AUTH", "AuthParameters": {
                    "REFRESH_TOKEN": answer["AuthenticationResult"]["RefreshToken"]}},
                "/", lambda answer: {"AccessToken": answer["AuthenticationResult"]["AccessToken"]}, 2),
        Dialect("firebase", "/v1/accounts:signInWithPassword" + key,
                {"sign_in": JSON, "refresh": JSON, "read": JSON},
                lambda email: {"email": email, "password": PASSWORD, "returnSecureToken": True},
                "/v1/token" + key,
                lambda answer: {"grantType": "refresh_token", "refreshToken": answer["refreshToken"]},
                "/v1/accounts:lookup" + key, lambda answer: {"idToken": answer["idToken"]}, 1),
    ]


def measure_dialects(binaries, seconds):
    """Sign-in, refresh and read through each dialect; refreshes that end in RS256 against the bare signature."""
    def raw(*options):
        # On every core at once, as the server is measured: cores that are busy together are slower than one alone.
        out = subprocess.run([os.path.join(binaries, "latchkey-bench"), "rsa", "--threads", str(CORES), "--seconds",
                              str(seconds / 2), *options], check=True, text=True, capture_output=True).stdout
        return float(out) / CORES

    plain, fast = raw(), raw("--libcrypto")
    ok = line("RS256 signature, 2048 bits", f"{fast:.0f}/s by libcrypto, against {plain:.0f}/s by swift-crypto, a core",
              f"ratio {fast / plain:.2f}", ">= 0.90", fast / plain >= 0.9)
    with Server(binaries) as server:
        for number in range(16):
            sign_up(server, number)

        def rate(kind, dialect, path, bodies, connections):
            file = os.path.join(server.directory, "bodies")
            with open(file, "w") as out:
                out.write("\n".join(json.dumps(body) for body in bodies) + "\n")
            headers = dialect.headers[kind] + ("\napikey: " + server.key if dialect.name == "supabase" else "")
            return server.wrk("bodies.lua", path, connections, min(16, connections), seconds, BENCH_BODIES=file,
                              BENCH_HEADERS=headers)

        for dialect in dialects(server):
            users = [f"bench{number}@example.com" for number in range(16)]
            bodies = [dialect.sign_in(user) for user in users]
            sign_in, failures, _ = rate("sign_in", dialect, dialect.path, bodies, 4 * CORES)
            text = f"sign-in {sign_in:.1f}/s"
            headers = dict(line.split(": ") for line in dialect.headers["sign_in"].split("\n"))
            answers = [server.call("POST", dialect.path, body, headers) for body in bodies]
            if dialect.refresh is None:
                # Its refresh tokens rotate and its tokens are ES256: each client presents what it was last given.
                tokens = os.path.join(server.directory, "tokens")
                with open(tokens, "w") as file:
                    file.write("\n".join(answer["refresh_token"] for answer in answers) + "\n")
                refresh, failed, _ = server.wrk("refresh.lua", "/", 16, 16, seconds, BENCH_TOKENS=tokens)
                token = server.call("POST", dialect.path, bodies[0], headers)["access_token"]
                read, unread, _ = server.wrk("get.lua", "/auth/v1/user", 64, 1, seconds, BENCH_TOKEN=token)
                print(f"{dialect.name:<34} {text}, refresh {refresh:.0f}/s (ES256, rotated and durable), read "
                      f"{read:.0f}/s, {failures + failed + unread} failures", flush=True)
                ok = ok and failures + failed + unread == 0
                continue
            before = raw()
            refresh, failed, cores = rate(
                "refresh", dialect, dialect.refresh_path, [dialect.refresh(answer) for answer in answers], 64)
            bound = (before + raw()) / 2
            read, unread, _ = rate("read", dialect, dialect.read_path, [dialect.read(answer) for answer in answers], 64)
            signed = refresh * dialect.signatures / cores
            failures += failed + unread
            ok = line(dialect.name, f"{text}, refresh {refresh:.0f}/s ({dialect.signatures} RS256 signatures each), read "
                      f"{read:.0f}/s, {failures} failures; {signed:.0f} signatures a second and core of the server's, "
                      f"against {bound:.0f} of swift-crypto alone", f"ratio {signed / bound:.3f}", ">= 0.85",
                      signed / bound >= 0.85 and failures == 0) and ok
    return ok

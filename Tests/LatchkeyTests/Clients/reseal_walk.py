# SPDX-License-Identifier: Apache-2.0
"""Rotates the master key of a running server and seals everything anew, killing the command at random moments.

usage: reseal_walk.py LATCHKEY DIRECTORY [SEED]
"""

import json
import os
import random
import subprocess
import sys
import threading
import time

LATCHKEY, DIRECTORY = sys.argv[1], sys.argv[2]
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 20261121
sys.argv[1] = "http://not-yet"
import support  # noqa: E402  (it reads the address from the arguments)
from support import PASSWORD, http, steps  # noqa: E402

state = {}
KEYS = os.path.join(DIRECTORY, "keys")
environment = dict(
    os.environ, LATCHKEY_PASSWORDS_MEMORY_KIB="8", LATCHKEY_PASSWORDS_ITERATIONS="1", LATCHKEY_DATABASE="sqlite:s.sqlite",
    LATCHKEY_MASTER_KEY_FILE=KEYS, LATCHKEY_HTTP_REQUIRE_API_KEY="false", LATCHKEY_DIRECTORY_SRP="true",
    LATCHKEY_DIRECTORY_LIMITS_SIGN_IN="100000", LATCHKEY_DIRECTORY_LIMITS_SIGN_IN_PER_IDENTIFIER="100000")
environment.pop("CREDENTIALS_DIRECTORY", None)


def latchkey(*arguments, input="", status=0):
    run = subprocess.run([LATCHKEY, *arguments], cwd=DIRECTORY, env=environment, input=input, capture_output=True,
                         text=True)
    assert run.returncode == status, (arguments, run.returncode, run.stderr)
    return run


def status():
    return json.loads(latchkey("master-key", "status", "--json").stdout)


class Server:
    def __enter__(self):
        self.process = subprocess.Popen([LATCHKEY, "serve", "--port", "0"], cwd=DIRECTORY, env=environment,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        seen = []
        for line in self.process.stderr:
            seen.append(line)
            if '"ready"' in line and "http://" in line:
                break
        else:
            raise SystemExit("the server did not start:\n" + "".join(seen))
        support.BASE = "http://" + line.split("http://")[1].split('"')[0]
        threading.Thread(target=self.process.stderr.read, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.process.terminate()
        assert self.process.wait(timeout=60) == 0


def signs_in():
    code, _, body = http("POST", "/auth/v1/token?grant_type=password", {"email": "ada@example.com",
                                                                        "password": PASSWORD})
    assert code == 200, (code, body)


def provider(**query):
    """The configuration of a provider, whose secret is sealed under a key of the Directory's."""
    path = "/identitytoolkit.googleapis.com/v2/projects/default/oauthIdpConfigs"
    headers = {"Authorization": "Bearer " + state["key"]}
    body = {"clientId": "walk", "issuer": "https://issuer.example", "clientSecret": "a-provider-secret",
            "responseType": {"code": True}}
    answer = (http("POST", path + "?oauthIdpConfigId=oidc.walk", body, headers) if query.get("create")
              else http("GET", path + "/oidc.walk", headers=headers))
    assert answer[0] == 200 and answer[2]["clientSecret"] == "a-provider-secret", answer


def a_new_database_is_sealed_from_its_first_row():
    latchkey("master-key", "generate", KEYS)
    latchkey("directory", "create", "default")
    state["key"] = json.loads(latchkey("api-key", "create", "walk", "--kind", "secret", "--json").stdout)["key"]
    latchkey("user", "create", "ada@example.com", input=PASSWORD + "\n")
    line = json.loads(latchkey("user", "export").stdout.splitlines()[0])
    copies = "".join(
        json.dumps({**line, "id": f"00000000-0000-4000-8000-{n:012}", "email": f"u{n}@example.com", "identities": []})
        + "\n" for n in range(4000))
    run = latchkey("user", "import", "--json", input=copies)
    assert json.loads(run.stdout)["imported"] == 4000, run.stdout
    assert all(count["dataKey"] == 1 for count in status()["values"]), status()


def killed_again_and_again_beside_a_server_the_reseal_ends_and_nobody_notices():
    chance = random.Random(SEED)
    print("seed", SEED, flush=True)
    with Server():
        signs_in()
        provider(create=True)
        latchkey("master-key", "generate", "--add-to", KEYS)
        given = status()["given"]
        assert len(given) == 2, given
        cut = 0
        for _ in range(12):
            process = subprocess.Popen([LATCHKEY, "master-key", "rotate", "--reseal"], cwd=DIRECTORY, env=environment,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(chance.uniform(0.02, 0.4))
            process.kill()
            cut += process.wait() != 0
            signs_in()
            latchkey("user", "show", "u7@example.com")
        assert cut > 2, cut
        latchkey("master-key", "rotate", "--reseal")
        found = status()
        newest = max(key["id"] for key in found["dataKeys"])
        assert [key["id"] for key in found["dataKeys"]] == [newest] and newest > 1, found
        assert all(count["dataKey"] == newest for count in found["values"]), found
        assert all(key["masterKey"] == given[0] for key in found["dataKeys"]), found
        signs_in()
        latchkey("user", "create", "late@example.com", input=PASSWORD + "\n")


def the_old_key_is_no_longer_needed():
    lines = open(KEYS, encoding="ascii").read().split()
    with open(KEYS, "w", encoding="ascii") as file:
        file.write(lines[1] + "\n")
    refused = latchkey("user", "list", status=69)
    assert len(refused.stderr.splitlines()) == 1 and "sealed under the master key" in refused.stderr, refused.stderr
    with open(KEYS, "w", encoding="ascii") as file:
        file.write(lines[0] + "\n")
    with Server():
        signs_in()
        provider()
    assert json.loads(latchkey("user", "list", "--json").stdout)["total"] == 4002


steps(
    a_new_database_is_sealed_from_its_first_row,
    killed_again_and_again_beside_a_server_the_reseal_ends_and_nobody_notices,
    the_old_key_is_no_longer_needed,
)

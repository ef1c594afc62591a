# SPDX-License-Identifier: Apache-2.0
"""What the walks over databases share: a server that is started and killed again on one port, and sessions in each dialect that
are refreshed by clients nobody here wrote. The executable and a folder are the first arguments."""

import os
import signal
import subprocess
import sys
import threading

LATCHKEY, DIRECTORY, POSTGRES = sys.argv[1], sys.argv[2], sys.argv[3]
sys.path.insert(0, POSTGRES)
sys.argv[1] = "http://not-yet"
import support  # noqa: E402  (it reads the address from the arguments)
import boto3  # noqa: E402
import httpx  # noqa: E402
from botocore import UNSIGNED  # noqa: E402
from botocore.config import Config  # noqa: E402
from ports import kept_port  # noqa: E402
from support import PASSWORD, http  # noqa: E402
from supabase_auth import SyncGoTrueClient  # noqa: E402

# Cheap hashes: what is tested is the database, not Argon2.
environment = dict(os.environ, LATCHKEY_PASSWORDS_MEMORY_KIB="8", LATCHKEY_PASSWORDS_ITERATIONS="1",
                   LATCHKEY_HTTP_SHUTDOWN_DELAY="0", LATCHKEY_DIRECTORY_SITE_URL="http://localhost:3000")


def run(*arguments, status=0, variables=None, input=None):
    """One command of the operator's."""
    done = subprocess.run([LATCHKEY, *arguments], cwd=DIRECTORY, env=dict(environment, **(variables or {})),
                          input=input, capture_output=True, text=True, timeout=120)
    assert done.returncode == status, (arguments, done.returncode, done.stdout, done.stderr)
    return done


class Server:
    """Started again and again on one port: the address is in every token."""

    port = kept_port()

    def __init__(self, database):
        self.process = subprocess.Popen(
            [LATCHKEY, "serve", "--dev", "--port", str(Server.port)], cwd=DIRECTORY,
            env=dict(environment, LATCHKEY_DATABASE=database), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            text=True)
        self.log = []
        for line in self.process.stderr:
            self.log.append(line)
            if "ready" in line and "http://" in line:
                break
        else:
            raise AssertionError("the server did not start:\n" + "".join(self.log))
        support.BASE = "http://" + line.split("http://")[1].split()[0]
        # What it goes on to say is read, so that it never waits for a reader.
        self.reader = threading.Thread(target=lambda: self.log.extend(self.process.stderr), daemon=True)
        self.reader.start()

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.reader.join()

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(timeout=60) == 0, "".join(self.log)
        self.reader.join()


class Sessions:
    """One of each dialect of one user."""

    def __init__(self, email):
        self.config = support.settings()
        supabase, pool, firebase = (self.config[name] for name in ("supabase", "cognito", "firebase"))
        self.supabase = supabase_client(supabase)
        self.supabase.sign_in_with_password({"email": email, "password": PASSWORD})
        self.supabase_tokens = self.supabase.get_session()
        self.cognito = boto3.client("cognito-idp", region_name="us-east-1", endpoint_url=support.BASE,
                                    config=Config(signature_version=UNSIGNED, retries={"max_attempts": 1}))
        self.pool = pool["clientId"]
        self.cognito_tokens = self.cognito.initiate_auth(
            ClientId=self.pool, AuthFlow="USER_PASSWORD_AUTH",
            AuthParameters={"USERNAME": email, "PASSWORD": PASSWORD})["AuthenticationResult"]
        self.firebase_key = firebase["apiKey"]
        status, _, signed = http("POST", self.firebase_path("accounts:signInWithPassword"),
                                 {"email": email, "password": PASSWORD, "returnSecureToken": True})
        assert status == 200, signed
        self.firebase_tokens = {"id": signed["idToken"], "refresh": signed["refreshToken"]}

    def firebase_path(self, operation):
        return f"/identitytoolkit.googleapis.com/v1/{operation}?key={self.firebase_key}"

    def refresh(self):
        self.supabase_tokens = self.supabase.refresh_session(self.supabase_tokens.refresh_token).session
        renewed = self.cognito.initiate_auth(
            ClientId=self.pool, AuthFlow="REFRESH_TOKEN_AUTH",
            AuthParameters={"REFRESH_TOKEN": self.cognito_tokens["RefreshToken"]})["AuthenticationResult"]
        self.cognito_tokens = {**self.cognito_tokens, **renewed}
        status, _, renewed = http("POST", f"/securetoken.googleapis.com/v1/token?key={self.firebase_key}",
                                  {"grant_type": "refresh_token", "refresh_token": self.firebase_tokens["refresh"]})
        assert status == 200, renewed
        self.firebase_tokens = {"id": renewed["id_token"], "refresh": renewed["refresh_token"]}

    def me(self):
        """Who each of the three is to the app's own API: the same."""
        people = set()
        for token in (self.supabase_tokens.access_token, self.cognito_tokens["AccessToken"], self.firebase_tokens["id"]):
            status, _, body = http("GET", "/v1/me", headers={"Authorization": "Bearer " + token})
            assert status == 200, (status, body)
            people.add(body["id"])
        assert len(people) == 1, people
        return people.pop()


def supabase_client(config):
    return SyncGoTrueClient(
        url=config["url"] + ("" if config["url"].endswith("/auth/v1") else "/auth/v1"),
        headers={"apikey": config["anonKey"], "Authorization": "Bearer " + config["anonKey"]}, auto_refresh_token=False,
        http_client=httpx.Client(timeout=60))


def sign_up(email):
    """Up to the mailed link, opened and confirmed."""
    config = support.settings()["supabase"]
    made = supabase_client(config).sign_up({"email": email, "password": PASSWORD})
    assert made.session is None and made.user.email == email
    status, _, body = support.open_link(support.mail(email, "confirmation")["link"])
    assert status < 400, (status, body)

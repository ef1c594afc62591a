# SPDX-License-Identifier: Apache-2.0
"""Debian's Glewlwyd, as its package makes it: users in SQLite, its OpenID plugin, ES256, refresh tokens that are good once."""

import concurrent.futures
import gzip
import json
import os
import shutil
import socket
import sqlite3
import subprocess
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

from bench.places import PASSWORD

MODULES = "/usr/lib/glewlwyd/"
CLIENT, SECRET = "bench", "the-secret-of-a-bench-7"


class Glewlwyd:
    """One that runs on a free port, in a directory of its own, with a client and as many users as are asked for."""

    def __init__(self, users, **variables):
        program = shutil.which("glewlwyd", path="/usr/bin:/usr/local/bin")
        assert program, "no glewlwyd: scripts/setup --bench installs it"
        self.directory, self.cookie = tempfile.mkdtemp(prefix="latchkey-bench-"), None
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            port = listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        self.database = os.path.join(self.directory, "database")
        with gzip.open("/usr/share/doc/glewlwyd/database/init.sqlite3.sql.gz", "rt") as script:
            database = sqlite3.connect(self.database)
            database.executescript(script.read())
            database.close()
        configuration = os.path.join(self.directory, "configuration")
        with open(configuration, "w") as file:
            file.write(f"""
                port={port}
                bind_address="127.0.0.1"
                external_url="{self.url}"
                login_url="login.html"
                api_prefix="api"
                log_mode="file"
                log_level="WARNING"
                log_file="{self.directory}/log"
                cookie_secure=0
                session_expiration=3600
                session_key="SESSION"
                admin_scope="g_admin"
                profile_scope="g_profile"
                user_module_path="{MODULES}user"
                client_module_path="{MODULES}client"
                user_auth_scheme_module_path="{MODULES}scheme"
                plugin_module_path="{MODULES}plugin"
                hash_algorithm="SHA512"
                static_files_path="/usr/share/glewlwyd/webapp/"
                database = {{ type = "sqlite3"; path = "{self.database}"; }};
                """)
        self.process = subprocess.Popen([program, "--config-file=" + configuration], stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL, env=os.environ | variables)
        self.configure(users)

    def call(self, method, path, body=None):
        request = urllib.request.Request(
            self.url + "/api/" + path, method=method, data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json"} | ({"Cookie": self.cookie} if self.cookie else {}))
        with urllib.request.urlopen(request, timeout=30) as answer:
            self.cookie = self.cookie or (answer.headers["Set-Cookie"] or "").split(";")[0]
            content = answer.read()
        return json.loads(content) if content else None

    def configure(self, users):
        while True:
            assert self.process.poll() is None, "glewlwyd did not start"
            try:
                self.call("POST", "auth/", {"username": "admin", "password": "password"})
                break
            except urllib.error.URLError:
                time.sleep(0.05)

        def openssl(*arguments, given=None):
            return subprocess.run(["openssl", *arguments], input=given, capture_output=True, text=True, check=True).stdout

        key = openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout")
        self.call("POST", "mod/plugin/", {"module": "oidc", "name": "oidc", "display_name": "OpenID", "parameters": {
            "iss": self.url + "/api/oidc", "jwt-type": "ecdsa", "jwt-key-size": "256", "key": key,
            "cert": openssl("ec", "-pubout", given=key), "access-token-duration": 3600, "refresh-token-duration": 86400,
            "code-duration": 600, "refresh-token-rolling": True, "refresh-token-one-use": "always", "allow-non-oidc": True,
            "jwks-show": True, "auth-type-client-enabled": False, "auth-type-code-enabled": True,
            "auth-type-token-enabled": False, "auth-type-id-token-enabled": True, "auth-type-none-enabled": False,
            "auth-type-password-enabled": True, "auth-type-refresh-enabled": True, "pkce-allowed": True,
            "pkce-method-plain-allowed": False, "request-parameter-allow": False, "subject-type": "public", "jwks-x5c": [],
            "scope": [], "additional-parameters": [], "allowed-scope": ["openid"], "scope-claim": "no",
            "name-claim": "no", "email-claim": "mandatory", "claims": []}})
        self.call("POST", "client/", {
            "client_id": CLIENT, "client_secret": SECRET, "name": "Bench", "enabled": True, "confidential": True,
            "redirect_uri": ["https://app.example/back"], "authorization_type": ["code", "refresh_token", "password"],
            "token_endpoint_auth_method": ["client_secret_basic"], "scope": ["openid"]})
        for number in range(users):
            self.call("POST", "user/", {"username": f"bench{number}", "password": PASSWORD, "name": f"Bench {number}",
                                        "email": f"bench{number}@example.com", "scope": ["openid"], "enabled": True})

    @property
    def terms(self):
        """What it hashes a password with, and how its database is written, as its own rows say."""
        database = sqlite3.connect(self.database)
        # The last one is a user's, made by this version: `hash,iterations`.
        kept, = database.execute("SELECT guw_password FROM g_user_password ORDER BY rowid DESC LIMIT 1").fetchone()
        journal, = database.execute("PRAGMA journal_mode").fetchone()
        database.close()
        return f"PBKDF2-HMAC-SHA256, {kept.rsplit(',')[-1]} iterations", f"SQLite, journal_mode={journal}"

    def stop(self):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.directory, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

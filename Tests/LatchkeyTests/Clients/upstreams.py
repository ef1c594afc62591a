# SPDX-License-Identifier: Apache-2.0
"""Identity providers that nobody here wrote, on this machine: `oidc-provider-mock` from PyPI, and Debian's `glewlwyd`."""

import gzip
import json
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

import requests


class Upstream:
    """A provider that runs, with one user and one client. `issuer`, `client` and `secret` are what an app is told of it."""

    client, secret = "latchkey", "the-secret-of-an-upstream-7"

    def __init__(self):
        self.place = pathlib.Path(tempfile.mkdtemp())

    def start(self, *command, ready):
        self.process = subprocess.Popen([str(part) for part in command], stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        while True:
            assert self.process.poll() is None, (command[0], self.process.returncode)
            try:
                return requests.get(ready, timeout=30)
            except requests.ConnectionError:
                time.sleep(0.05)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.place, ignore_errors=True)


class Mock(Upstream):
    """Takes whoever is named for who they are, by a form of its own."""

    user = {"sub": "mock-alan", "email": "alan@example.com", "email_verified": True, "name": "Alan Turing"}

    def __init__(self, port):
        super().__init__()
        self.issuer = f"http://127.0.0.1:{port}"
        self.start(sys.executable, "-m", "oidc_provider_mock", "--port", port, "--user-claims", json.dumps(self.user),
                   ready=self.issuer + "/.well-known/openid-configuration")

    def answer(self, url):
        """Where the browser is sent back to."""
        return requests.post(url, data={"sub": self.user["sub"]}, allow_redirects=False, timeout=30).headers["Location"]

    def refuse(self, url):
        return requests.post(url, data={"action": "deny"}, allow_redirects=False, timeout=30).headers["Location"]


class Glewlwyd(Upstream):
    """Has users with passwords, scopes that they agree to, and a plugin that is the OpenID provider."""

    user = {"username": "grace", "password": "Grace-hopper-7", "name": "Grace Hopper", "email": "grace@example.com",
            "email_verified": "yes", "scope": ["openid", "email", "profile"], "enabled": True}

    def __init__(self, port):
        program = shutil.which("glewlwyd", path="/usr/bin:/usr/local/bin")
        assert program, "no glewlwyd: scripts/setup --tests installs it"
        super().__init__()
        place = self.place
        self.base = f"http://127.0.0.1:{port}"
        self.issuer = self.base + "/api/oidc"
        database = sqlite3.connect(place / "database")
        with gzip.open("/usr/share/doc/glewlwyd/database/init.sqlite3.sql.gz", "rt") as script:
            database.executescript(script.read())
        database.close()
        modules = "/usr/lib/glewlwyd/"
        (place / "conf").write_text(f"""
            port={port}
            bind_address="127.0.0.1"
            external_url="{self.base}"
            login_url="login.html"
            api_prefix="api"
            log_mode="file"
            log_level="ERROR"
            log_file="{place}/log"
            cookie_secure=0
            session_expiration=3600
            session_key="SESSION"
            admin_scope="g_admin"
            profile_scope="g_profile"
            user_module_path="{modules}user"
            client_module_path="{modules}client"
            user_auth_scheme_module_path="{modules}scheme"
            plugin_module_path="{modules}plugin"
            hash_algorithm="SHA512"
            static_files_path="/usr/share/glewlwyd/webapp/"
            database = {{ type = "sqlite3"; path = "{place}/database"; }};
            """)
        self.start(program, f"--config-file={place}/conf", ready=self.base + "/config")
        self.admin = requests.Session()
        self.call("POST", "auth/", username="admin", password="password")

    def call(self, method, path, **body):
        done = self.admin.request(method, f"{self.base}/api/{path}", json=body or None, timeout=30)
        assert done.status_code == 200, (path, done.status_code, done.text)
        return done

    def configure(self, redirect):
        def openssl(*arguments, given=None):
            return subprocess.run(["openssl", *arguments], input=given, capture_output=True, text=True, check=True).stdout

        key = openssl("genrsa", "2048")
        self.call("POST", "mod/plugin/", module="oidc", name="oidc", display_name="OpenID", parameters={
            "iss": self.issuer, "jwt-type": "rsa", "jwt-key-size": "256", "key": key,
            "cert": openssl("rsa", "-pubout", given=key), "access-token-duration": 3600, "refresh-token-duration": 3600,
            "code-duration": 600, "refresh-token-rolling": True, "allow-non-oidc": False, "jwks-show": True,
            "auth-type-client-enabled": False, "auth-type-code-enabled": True, "auth-type-token-enabled": False,
            "auth-type-id-token-enabled": True, "auth-type-none-enabled": False, "auth-type-password-enabled": False,
            "auth-type-refresh-enabled": True, "pkce-allowed": True, "pkce-method-plain-allowed": False,
            "request-parameter-allow": False, "subject-type": "public", "jwks-x5c": [], "scope": [],
            "additional-parameters": [], "allowed-scope": ["openid"], "scope-claim": "no",
            "name-claim": "on-demand", "name-claim-scope": ["profile"], "email-claim": "on-demand",
            "email-claim-scope": ["email"], "claims": [{
                "name": "email_verified", "user-property": "email_verified", "type": "boolean", "mandatory": True,
                "boolean-value-true": "yes", "boolean-value-false": "no", "on-demand": False, "scope": []}]})
        [users] = self.call("GET", "mod/user/").json()
        users["parameters"]["data-format"]["email_verified"] = {
            "multiple": False, "read": True, "write": True, "profile-read": True, "profile-write": False}
        self.call("PUT", "mod/user/" + users["name"], **users)
        self.call("PUT", f"mod/user/{users['name']}/reset")
        for scope in ("email", "profile"):
            self.call("POST", "scope/", name=scope, display_name=scope, description=scope, password_required=False,
                      scheme={})
        self.call("POST", "client/", client_id=self.client, client_secret=self.secret, name="Latchkey", enabled=True,
                  confidential=True, redirect_uri=[redirect], authorization_type=["code", "refresh_token"],
                  token_endpoint_auth_method=["client_secret_basic"], scope=[])
        self.call("POST", "user/", **self.user)

    def answer(self, url):
        """The user signs in and agrees, as its own pages do it by these calls."""
        browser = requests.Session()
        for method, path, body in [
                ("POST", "auth/", {name: self.user[name] for name in ("username", "password")}),
                ("PUT", "auth/grant/" + self.client, {"scope": "openid email profile"})]:
            done = browser.request(method, f"{self.base}/api/{path}", json=body, timeout=30)
            assert done.status_code == 200, (path, done.status_code, done.text)
        return browser.get(url + "&g_continue", allow_redirects=False, timeout=30).headers["Location"]

# SPDX-License-Identifier: Apache-2.0
"""One device with `yoga`, and the development server that it is at."""

import json
import os
import pathlib
import re
import secrets
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

PASSWORD = "Correct-horse-7-battery"
NEW_PASSWORD = "Second-horse-8-battery"
PACKAGE = pathlib.Path(__file__).resolve().parent.parent


class Failed(Exception):
    """Something was not as it should be."""


def expect(condition, what):
    if not condition:
        raise Failed(what)


class Server:
    """A server of `latchkey serve --dev`, asked as its developer does."""

    # Not by a proxy, whatever the environment says: it is on this machine.
    _opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

    def __init__(self, address):
        self.address = address.rstrip("/")
        self.settings = self.ask("/dev/settings.json")

    def ask(self, path, body=None, method=None, **headers):
        request = urllib.request.Request(
            self.address + path, method=method or ("POST" if body is not None else "GET"),
            data=json.dumps(body).encode() if body is not None else None,
            headers={"Content-Type": "application/json", **{name.replace("_", "-"): text for name, text in headers.items()}})
        try:
            with self._opener.open(request, timeout=30) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise Failed(f"{path} says {error.code}: {error.read(300)!r}") from error
        except urllib.error.URLError as error:
            raise Failed(f"no server at {self.address}: {error.reason}") from error

    def cognito(self, operation, **body):
        """An operation of the user pools' API, as an operator of the development pool."""
        return self.ask(
            "/", {"UserPoolId": self.settings["cognito"]["userPoolId"], **body},
            X_Amz_Target="AWSCognitoIdentityProviderService." + operation, Content_Type="application/x-amz-json-1.1",
            Authorization="AWS4-HMAC-SHA256 Credential=dev/20260101/us-east-1/cognito-idp/aws4_request, "
                          "SignedHeaders=host, Signature=00")

    def mail(self, address, count=1):
        """The newest mail to somebody, once there are so many."""
        for _ in range(200):
            found = self.ask("/dev/mail.json?to=" + address)
            if len(found) >= count:
                return found[0]
            time.sleep(0.05)
        raise Failed(f"no mail to {address}")


def fresh_address(name):
    return f"{name}-{secrets.token_hex(5)}@example.com"


class Device:
    """One installation of the app: what it keeps is its own."""

    _binary = None

    def __init__(self, server, provider, *flags):
        self.server = server
        self._home = tempfile.TemporaryDirectory(prefix="yoga-")
        self.environment = dict(os.environ, YOGA_HOME=self._home.name + "/yoga", LANG="en_US.UTF-8")
        for name in ("LC_ALL", "LC_MESSAGES"):
            self.environment.pop(name, None)
        self.does("configure", "--provider", provider, "--endpoint", server.address, *flags)

    @classmethod
    def binary(cls):
        """`YOGA`, or what `make yoga` built."""
        if cls._binary is None:
            named = os.environ.get("YOGA")
            cls._binary = named or subprocess.run(
                ["swift", "build", "--package-path", str(PACKAGE), "--show-bin-path"], check=True, text=True,
                stdout=subprocess.PIPE).stdout.strip() + "/yoga"
        return cls._binary

    def _run(self, arguments, typed, offline, language):
        print("\n$ yoga " + " ".join(arguments), flush=True)
        environment = dict(self.environment)
        if offline:
            environment["YOGA_OFFLINE"] = "1"
        if language:
            environment["LANG"] = language
        done = subprocess.run(
            [self.binary(), *arguments], input="".join(line + "\n" for line in typed), text=True, timeout=120,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)
        print((done.stdout + done.stderr).rstrip(), flush=True)
        return done

    def does(self, *arguments, typed=(), offline=False):
        """A command that must succeed; what it prints."""
        done = self._run(arguments, typed, offline, None)
        expect(done.returncode == 0, f"yoga {arguments[0]} ended with {done.returncode}")
        return done.stdout

    def says(self, *arguments, typed=(), offline=False):
        """The same by --json: the object, or the objects where there are several lines."""
        lines = [json.loads(line) for line in self.does(*arguments, "--json", typed=typed, offline=offline).splitlines()]
        return lines[0] if len(lines) == 1 else lines

    def answers(self, *arguments, by):
        """A command that shows something and then reads a line, which `by` makes of what was shown."""
        print("\n$ yoga " + " ".join(arguments), flush=True)
        app = subprocess.Popen(
            [self.binary(), *arguments, "--json"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, env=self.environment)
        try:
            out, err = app.communicate(by(json.loads(app.stdout.readline())) + "\n", timeout=120)
        except BaseException:
            app.kill()
            app.wait()
            raise
        print((out + err).rstrip(), flush=True)
        expect(app.returncode == 0, f"yoga {arguments[0]} ended with {app.returncode}")
        return json.loads(out)

    def refuses(self, *arguments, typed=(), offline=False, error=None, about=None):
        """A command that must end with 1 and one line, about this error; behind what it asked, where it asks `about` something."""
        done = self._run((*arguments, "--json"), typed, offline, None)
        lines = done.stderr.splitlines()
        expect(done.returncode == 1 and (about or len(lines) == 1), f"yoga {arguments[0]} ended with {done.returncode}")
        lines = lines[-1:]
        said = json.loads(lines[0])
        expect(error in (None, said["error"]), f"yoga {arguments[0]} says {said['error']}, not {error}")
        return said

    def lacks(self, *arguments, typed=()):
        """A command that asks for a line more than was typed; what it said."""
        done = self._run(arguments, typed, False, None)
        expect(done.returncode == 64, f"yoga {arguments[0]} ended with {done.returncode}")
        return done.stderr

    def signs_in(self, *flags, browser):
        """Signs in on pages, which the browser is led through."""
        said = self._in_browser(flags, browser)
        expect(said.get("state") == "signedIn", f"not signed in, but {said}")

    def turns_back(self, *flags, browser, error):
        """The same where nobody is to be signed in, but this to be said."""
        said = self._in_browser(flags, browser)
        expect(said.get("error") == error, f"not {error}, but {said}")
        self.is_signed_out()

    def _in_browser(self, flags, browser):
        arguments = ["sign-in", "--json", *flags]
        print("\n$ yoga " + " ".join(arguments), flush=True)
        app = subprocess.Popen(
            [self.binary(), *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, env=self.environment)
        try:
            line = app.stderr.readline()
            page = re.search(r"https?://\S+", line)
            expect(page, f"no page to open, but {line!r}")
            browser.visit(page[0])
            out, err = app.communicate(timeout=60)
        except BaseException:
            app.kill()
            app.wait()
            raise
        print((out + err).rstrip(), flush=True)
        if app.returncode:
            return json.loads(err.splitlines()[-1])
        return json.loads(out)

    def hammers(self, calls=100):
        """Many calls at once, with a token that the API takes and with one that it refuses."""
        expect(self.says("hammer", str(calls))["succeeded"] == calls, "a call was refused")
        said = self.says("hammer", str(calls), "--expired")
        expect(said["succeeded"] == calls and said["refreshes"] == 1, f"not one refresh for all, but {said}")

    def is_signed_out(self):
        self.refuses("me", error="not_signed_in")


def as_operator(server):
    """An access token of somebody who may register apps: a member of the administrators' group."""
    name = fresh_address("operator")
    server.cognito("AdminCreateUser", Username=name, MessageAction="SUPPRESS", UserAttributes=[
        {"Name": "email", "Value": name}, {"Name": "email_verified", "Value": "true"}])
    server.cognito("AdminSetUserPassword", Username=name, Password=PASSWORD, Permanent=True)
    if "admin" not in (group["GroupName"] for group in server.cognito("ListGroups")["Groups"]):
        server.cognito("CreateGroup", GroupName="admin")
    server.cognito("AdminAddUserToGroup", Username=name, GroupName="admin")
    signed_in = server.cognito(
        "AdminInitiateAuth", ClientId=server.settings["cognito"]["clientId"], AuthFlow="ADMIN_USER_PASSWORD_AUTH",
        AuthParameters={"USERNAME": name, "PASSWORD": PASSWORD})
    return signed_in["AuthenticationResult"]["AccessToken"]


def shorten(server, client, seconds):
    """Gives an app's refresh tokens a life that a walk can wait for; the vendor's own operation has an hour at least."""
    server.ask(
        "/v1/admin/clients/" + client, {"refreshTokenLifetime": seconds}, method="PATCH",
        Authorization="Bearer " + as_operator(server))

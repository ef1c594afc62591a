# SPDX-License-Identifier: Apache-2.0
"""oidc-agent (Debian's oidc-agent-cli) is let in as a device: it shows a code, somebody types that into the page, and the
agent then hands out access tokens, also after its user has left the browser.

Arguments: the server's URL, the executable, and the database as `sqlite:PATH`."""

import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

import requests

from pages import Browser
from support import BASE, http, settings, steps

EXECUTABLE, DATABASE = sys.argv[2:4]
SCOPE = "openid profile email offline_access"
demo = settings()["demo"]
state = {}


def latchkey(*arguments):
    done = subprocess.run([EXECUTABLE, *arguments, "--json"], capture_output=True, text=True,
                          env=dict(os.environ, LATCHKEY_DATABASE=DATABASE))
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


class Agent:
    """The agent with a configuration of its own, and its commands."""

    def __init__(self, place):
        self.place = pathlib.Path(place)
        (self.place / "password").write_text("a-passphrase-of-this-test\n")
        self.environment = dict(os.environ, HOME=place, OIDC_CONFIG_DIR=place + "/agent", TMPDIR=place)
        (self.place / "agent").mkdir(mode=0o700)
        started = subprocess.run(["oidc-agent"], capture_output=True, text=True, env=self.environment, check=True)
        for name, value in re.findall(r"(OIDC_SOCK|OIDCD_PID)=([^;]+);", started.stdout):
            self.environment[name] = value
        self.wait()

    def wait(self):
        """It says where it listens before it does."""
        until = time.monotonic() + 60
        while True:
            with socket.socket(socket.AF_UNIX) as listening:
                if listening.connect_ex(self.environment["OIDC_SOCK"]) == 0:
                    return
            assert time.monotonic() < until, self.environment["OIDC_SOCK"]
            time.sleep(0.02)

    def stop(self):
        os.kill(int(self.environment["OIDCD_PID"]), signal.SIGTERM)

    def generate(self, name, *options):
        """Begins a sign-in; the process ends once somebody has answered. What it prints is read until the code is there."""
        return subprocess.Popen(
            ["oidc-gen", name, "--flow=device", "--iss=" + BASE, "--scope=" + SCOPE, "--prompt=none", "--confirm-default",
             "--pw-file=" + str(self.place / "password"), *options],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=self.environment)

    def token(self, name):
        done = subprocess.run(["oidc-token", "-f", name],
                              capture_output=True, text=True, env=self.environment)
        assert done.returncode == 0, (done.stdout, done.stderr)
        return done.stdout.strip()


def shown(process):
    """What the agent shows of codes and places, and all that it said until then."""
    said = ""
    for line in process.stdout:
        said += line
        code = re.search(r"\b[A-Z]{4}-[A-Z]{4}\b", said)
        if code:
            # The rest must be read, or the agent waits for somebody to.
            rest = []
            reader = threading.Thread(target=lambda: rest.extend(process.stdout), daemon=True)
            reader.start()
            return code.group(), said, (reader, rest)
    raise AssertionError(said)


def answer(browser, code, button, link=False):
    """Somebody types the code, is asked, and answers."""
    page = browser.open(BASE + "/account/device" + ("?user_code=" + code if link else ""))
    if page.form_with("password"):
        page = browser.submit(page, page.form_with("password"), identifier=demo["email"], password=demo["password"])
    assert page.status == 200 and "/account/device" in page.url, page
    page = browser.submit(page, page.forms[0], user_code=code.lower())
    assert "/account/device/approve" in page.url and code in page.text and "Did you start this" in page.text, page
    form = page.forms[0]
    return browser.submit(page, form, ("answer", button))


def the_agent_is_let_in_by_whoever_types_its_code():
    process = agent.generate("allowed", "--client-id=" + client["clientId"], "--client-secret=")
    code, said, (reader, rest) = shown(process)
    assert BASE + "/account/device" in said, said
    assert process.poll() is None, said
    page = answer(browser, code, "allow")
    assert "/account/device/done" in page.url and "connected" in page.text, page
    assert process.wait(60) == 0, (said, rest)
    reader.join(10)
    token = agent.token("allowed")
    info = requests.get(BASE + "/oauth2/userInfo", headers={"Authorization": "Bearer " + token}, timeout=30)
    assert info.status_code == 200 and info.json()["email"] == demo["email"], info.text
    state["token"] = token


def it_goes_on_when_its_user_has_left_the_browser():
    page = browser.open(BASE + "/account")
    assert "Agent" in page.text, page
    form = next(form for form in page.forms if form["action"].endswith("/account/sign-out"))
    assert "signed-out" in browser.submit(page, form).url
    token = agent.token("allowed")
    assert token != state["token"]
    state["token"] = token
    info = requests.get(BASE + "/oauth2/userInfo", headers={"Authorization": "Bearer " + token}, timeout=30)
    assert info.status_code == 200, info.text


def a_no_is_told_to_the_agent():
    process = agent.generate("denied", "--client-id=" + client["clientId"], "--client-secret=")
    code, said, (reader, rest) = shown(process)
    page = answer(Browser(), code, "deny", link=True)
    assert "not connected" in page.text, page
    process.wait(60)
    reader.join(10)
    told = said + "".join(rest)
    assert "did not agree" in told or "access_denied" in told or "denied" in told.lower(), told


def who_takes_it_back_ends_what_the_agent_holds():
    browser = Browser()
    page = browser.open(BASE + "/account/sign-in")
    page = browser.submit(page, page.form_with("password"), identifier=demo["email"], password=demo["password"])
    form = next(form for form in page.forms if form["fields"].get("app") == client["clientId"])
    browser.submit(page, form)
    info = requests.get(BASE + "/oauth2/userInfo", headers={"Authorization": "Bearer " + state["token"]}, timeout=30)
    assert info.status_code == 401, info.text


def it_registers_itself_by_a_token_of_the_operators():
    token = latchkey(
        "client", "registration-token", "create", "Agents", "--grant", "device_code", "refresh_token", "--scope",
        *SCOPE.split(), "--redirect-host", "localhost", "edu.kit.data.oidc-agent:")["token"]
    process = agent.generate("registered", "--at=" + token)
    code, said, (reader, rest) = shown(process)
    page = answer(Browser(), code, "allow")
    assert "connected" in page.text, page
    assert process.wait(60) == 0, (said, rest)
    reader.join(10)
    info = requests.get(BASE + "/oauth2/userInfo", headers={"Authorization": "Bearer " + agent.token("registered")},
                        timeout=30)
    assert info.status_code == 200 and info.json()["email"] == demo["email"], info.text
    made = [known for known in latchkey("client", "list") if known["name"].startswith("oidc-agent")]
    assert len(made) == 1 and made[0]["consent"] == "remembered", made


browser = Browser()
client = latchkey("client", "create", "Agent", "--public", "--grant", "device_code,refresh_token", "--scope",
                  SCOPE.replace(" ", ","))
with tempfile.TemporaryDirectory() as directory:
    agent = Agent(directory)
    try:
        steps(the_agent_is_let_in_by_whoever_types_its_code, it_goes_on_when_its_user_has_left_the_browser,
              a_no_is_told_to_the_agent, it_registers_itself_by_a_token_of_the_operators, who_takes_it_back_ends_what_the_agent_holds)
    finally:
        agent.stop()

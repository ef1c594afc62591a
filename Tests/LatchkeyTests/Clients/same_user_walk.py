# SPDX-License-Identifier: Apache-2.0
"""A newcomer signs in with "Google" in every way that there is, by what `/dev` says and nothing else, and is the same user each
time: in Chromium through Cognito's hosted UI and on the account pages, by supabase-auth, by Firebase's REST API, by ID token, and
by the shell commands that stand on `/dev`.

Arguments: the server's URL."""

import html
import json
import os
import re
import subprocess
import urllib.parse

import httpx
import requests
from supabase_auth import SyncGoTrueClient

from chromium import Chromium, Window
from support import BASE, settings, steps

shown = settings()
browser = Chromium()
ada = "button[aria-label='Ada Lind']"
state = {}


def same(identifier):
    assert state.setdefault("id", identifier) == identifier, (state["id"], identifier)


def landed(window):
    """What an app is told, where the settings' own links lead."""
    assert window.heading == "Back in the app", (window.url, window.heading, window.text)
    return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(window.url).query))


def snippet(words):
    """The command on `/dev` that says of itself that it does this."""
    page = requests.get(BASE + "/dev", timeout=30).text
    found = [html.unescape(code) for title, code in
             re.findall(r"<figcaption>(.*?)</figcaption><pre>(.*?)</pre>", page, re.DOTALL) if words in html.unescape(title)]
    assert len(found) == 1, (words, found)
    return found[0]


def shell(*commands):
    done = subprocess.run(["sh", "-ec", "\n".join(commands)], capture_output=True, text=True, timeout=60,
                          env={"PATH": os.environ["PATH"]})
    assert done.returncode == 0, (commands, done.stdout, done.stderr)
    return json.loads(done.stdout)


def me(token):
    answer = requests.get(BASE + "/v1/me", headers={"Authorization": "Bearer " + token}, timeout=30)
    assert answer.status_code == 200, answer.text
    assert answer.json()["email"] == "ada@example.com", answer.text
    return answer.json()["id"]


def cognitos_hosted_ui_by_its_button_and_at_once():
    window = Window(browser)
    window.open(shown["cognito"]["signInLink"])
    window.press("a[href*='name=google']")
    assert window.heading == "Choose an account", (window.url, window.text)
    window.press(ada)
    tokens = shell(snippet("tokens for the code that one of the links shows").replace("CODE", landed(window)["code"]))
    same(me(tokens["access_token"]))
    # Signed out, and asked again: by the link that leads to the provider at once.
    window.open(shown["cognito"]["signOutLink"])
    window.open(shown["cognito"]["googleLink"])
    assert window.heading == "Choose an account", (window.url, window.text)
    window.press(ada)
    tokens = shell(snippet("tokens for the code that one of the links shows").replace("CODE", landed(window)["code"]))
    same(me(tokens["access_token"]))


def the_account_pages():
    window = Window(browser)
    window.open(shown["accountPages"]["url"])
    window.press("a[href*='name=google']")
    window.press(ada)
    assert window.heading == "Your account" and "ada@example.com" in window.text, (window.url, window.text)


def supabases_sign_in_with_oauth():
    config = shown["supabase"]
    app = SyncGoTrueClient(url=config["url"] + "/auth/v1", headers={"apikey": config["anonKey"]}, auto_refresh_token=False,
                           flow_type="pkce", http_client=httpx.Client(timeout=60))
    assert "google" in config["providers"].split(), config
    window = Window(browser)
    window.open(app.sign_in_with_oauth({"provider": "google", "options": {"redirect_to": BASE + "/dev/callback"}}).url)
    window.press(ada)
    session = app.exchange_code_for_session({"auth_code": landed(window)["code"]}).session
    assert session.user.email == "ada@example.com", session
    same(session.user.id)
    same(me(session.access_token))


def supabases_link_on_dev():
    window = Window(browser)
    window.open(shown["supabase"]["providerLink"])
    # Their name is first among the providers', whichever the link is for.
    window.press(ada)
    answer = shell(snippet("the session for the code that the link shows").replace("CODE", landed(window)["code"]))
    same(answer["user"]["id"])


def firebases_sign_in_with_idp_by_a_page():
    config = shown["firebase"]
    assert "google.com" in config["providers"].split(), config
    first, second = [part for part in re.split(r"^#.*\n", snippet("Shell: sign in by a provider's page"), flags=re.MULTILINE)
                     if part.strip()]
    begun = shell(first)
    # The app's own place: nobody is there, and the address is what counts.
    back = "http://localhost:3000/back"
    answer = requests.get(begun["authUri"] + "&prompt=none&login_hint=ada@example.com", allow_redirects=False, timeout=30)
    assert answer.headers["Location"].startswith(back), answer.headers
    signed_in = shell(second.replace(back + "?state=…&code=…", answer.headers["Location"])
                      .replace('"sessionId": "…"', json.dumps({"sessionId": begun["sessionId"]})[1:-1]))
    same(signed_in["localId"])


def supabases_id_token_grant():
    answer = shell(snippet("an ID token as a phone's SDK"), snippet("sign in by an ID token of Google's"))
    same(answer["user"]["id"])


def firebases_sign_in_with_idp_by_an_id_token():
    answer = shell(snippet("an ID token as a phone's SDK"), snippet("Shell: the same (id_token"))
    assert answer["providerId"] == "google.com" and "isNewUser" not in answer, answer
    same(answer["localId"])


steps(cognitos_hosted_ui_by_its_button_and_at_once, the_account_pages, supabases_sign_in_with_oauth, supabases_link_on_dev,
      firebases_sign_in_with_idp_by_a_page, supabases_id_token_grant, firebases_sign_in_with_idp_by_an_id_token)

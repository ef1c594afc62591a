# SPDX-License-Identifier: Apache-2.0
"""What people see to in their own account, and a second factor's whole life, in a browser. Codes are computed by RFC 6238 of
the key that the page shows.

Arguments: the server's URL, the executable, and the database as `sqlite:PATH`.
"""

import base64
import hashlib
import hmac
import http.server
import json
import os
import struct
import subprocess
import sys
import threading
import time
import urllib.parse

import requests

from accessible import CheckedWindow
from chromium import Chromium
from support import BASE, PASSWORD, fresh_address, mail, settings, steps

EXECUTABLE, DATABASE = sys.argv[2:4]

VERIFIER, CALLBACK = "v" * 64, BASE + "/back"
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).rstrip(b"=").decode()
ADA, NEW = fresh_address("ada"), fresh_address("new")
state = {}
browser = Chromium()


class App(http.server.BaseHTTPRequestHandler):
    """Where the pages send people back to."""

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><html lang=en><title>App</title><h1>App</h1>")

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), App)
threading.Thread(target=server.serve_forever, daemon=True).start()
window = CheckedWindow(browser, BASE)


def code(step=0):
    """Of the minute; one step early or late is taken too, so that three are good at once."""
    mac = hmac.new(state["secret"], struct.pack(">Q", int(time.time()) // 30 + step), hashlib.sha1).digest()
    offset = mac[-1] & 15
    return f"{(struct.unpack('>I', mac[offset:offset + 4])[0] & 0x7FFFFFFF) % 1_000_000:06}"


def wrong():
    right = {code(step) for step in range(-2, 4)}
    return next(text for text in (str(digit) * 6 for digit in range(10)) if text not in right)


def sign_in(address=ADA):
    window.open(BASE + "/account/sign-in")
    window.fill("identifier", address)
    window.fill("password", PASSWORD)
    window.press()


def sign_out():
    window.open(BASE + "/account/sign-out")
    window.press()
    assert window.heading == "You are signed out", window.text


def tokens(code, client, endpoint=BASE):
    answer = requests.post(endpoint + "/oauth2/token", timeout=30, data={
        "grant_type": "authorization_code", "client_id": client, "redirect_uri": CALLBACK, "code": code,
        "code_verifier": VERIFIER})
    assert answer.status_code == 200, answer.text
    return answer.json()


def claims(token):
    body = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))


def request(client, **parameters):
    return BASE + "/oauth2/authorize?" + urllib.parse.urlencode({
        "response_type": "code", "client_id": client, "redirect_uri": CALLBACK, "state": "s", "scope": "openid email",
        "code_challenge": CHALLENGE, "code_challenge_method": "S256", **parameters})


def answer():
    parts = urllib.parse.urlsplit(window.url)
    assert parts.path == "/back", (window.url, window.text)
    return dict(urllib.parse.parse_qsl(parts.query))


def somebody_sets_up_an_authenticator_app_and_keeps_the_codes():
    window.open(BASE + "/account/sign-up")
    window.fill("identifier", ADA)
    window.fill("newPassword", PASSWORD)
    window.press()
    window.fill("code", mail(ADA)["code"])
    window.press()
    assert window.heading == "Your account" and ADA in window.text, window.text
    window.press("a[href$='/factors']")
    assert window.heading == "Two-step sign-in", window.text
    window.press("a[href$='/factors/new']")
    window.press()
    assert window.has_focus("code"), window.text
    assert window.value("document.querySelector('svg.qr').getBoundingClientRect().width") >= 150
    uri = window.value("document.querySelector('a[href^=\"otpauth:\"]').href")
    parts = urllib.parse.urlsplit(uri)
    key = window.value("document.querySelector('.key').innerText.replaceAll(' ', '')")
    assert dict(urllib.parse.parse_qsl(parts.query))["secret"] == key and ADA in urllib.parse.unquote(parts.path), uri
    state["secret"] = base64.b32decode(key + "=" * (-len(key) % 8))
    window.fill("code", wrong())
    window.press()
    assert window.title.startswith("Error: ") and window.has_focus("code"), window.text
    window.fill("code", code(-1))
    window.press()
    assert window.heading == "Backup codes", window.text
    state["codes"] = window.value("[...document.querySelectorAll('ol.codes li')].map(item => item.innerText)")
    assert len(set(state["codes"])) == 10, state
    window.press("main a.button")
    assert window.heading == "Two-step sign-in" and "10 codes left" in window.text, window.text


def they_are_asked_for_its_code_and_not_let_in_without():
    sign_out()
    sign_in()
    assert window.heading == "Enter your code" and window.has_focus("code"), window.text
    assert window.value("document.querySelector('#code').inputMode") == "numeric"
    there = window.url
    window.open(BASE + "/account")
    assert window.heading == "Sign in", window.text
    window.open(there)
    window.fill("code", wrong())
    window.press()
    assert window.title.startswith("Error: ") and "This code is wrong." in window.text, window.text
    window.fill("code", code())
    window.press()
    assert window.heading == "Your account" and ADA in window.text, window.text


def a_code_that_was_written_down_does_too_once():
    for there in [True, False]:
        sign_out()
        sign_in()
        window.press("button[value=backup]")
        assert window.has_focus("code"), window.text
        window.fill("code", state["codes"][0].upper())
        window.press()
        assert (window.heading == "Your account") is there, window.text
    assert window.title.startswith("Error: "), window.title


def an_app_is_told_how_sure_the_sign_in_is():
    made = subprocess.run(
        [EXECUTABLE, "client", "create", "Bank", "--public", "--first-party", "--redirect-uri", CALLBACK, "--scope",
         "openid,email", "--json"], capture_output=True, text=True, env=dict(os.environ, LATCHKEY_DATABASE=DATABASE))
    assert made.returncode == 0, made.stderr
    client = json.loads(made.stdout)["clientId"]
    window.checks = False
    window.open(request(client, acr_values="aal2"))
    window.checks = True
    assert window.heading == "Sign in", window.text
    window.fill("identifier", ADA)
    window.fill("password", PASSWORD)
    window.press()
    assert window.heading == "Enter your code", window.text
    window.fill("code", code(1))
    window.checks = False
    window.press()
    if window.value("!!document.querySelector('button[value=allow]')"):
        window.press("button[value=allow]")
    said = claims(tokens(answer()["code"], client)["id_token"])
    assert said["acr"] == "aal2" and said["amr"] == ["pwd", "otp"], said
    # Single sign-on says the same, and nobody is asked.
    window.open(request(client, acr_values="aal2", prompt="none"))
    again = claims(tokens(answer()["code"], client)["id_token"])
    assert again["acr"] == "aal2" and again["auth_time"] == said["auth_time"], again
    window.checks = True


def a_hosted_ui_asks_for_it_too():
    pool = settings()["cognito"]
    back = f"http://127.0.0.1:{server.server_address[1]}/callback"
    sign_out()
    window.open(pool["hostedUi"] + "/login?" + urllib.parse.urlencode({
        "response_type": "code", "client_id": pool["clientId"], "redirect_uri": back, "state": "s",
        "code_challenge": CHALLENGE, "code_challenge_method": "S256"}))
    window.fill("identifier", ADA)
    window.fill("password", PASSWORD)
    window.press()
    assert window.heading == "Enter your code", window.text
    window.press("button[value=backup]")
    window.fill("code", state["codes"][1])
    window.press()
    assert window.url.startswith(back) and window.heading == "App", (window.url, window.text)
    parts = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(window.url).query))
    answer = requests.post(pool["hostedUi"] + "/oauth2/token", timeout=30, data={
        "grant_type": "authorization_code", "client_id": pool["clientId"], "redirect_uri": back, "code": parts["code"],
        "code_verifier": VERIFIER})
    assert answer.status_code == 200 and claims(answer.json()["id_token"])["email"] == ADA, answer.text


def they_see_to_their_profile_and_their_address():
    window.open(BASE + "/account/profile")
    window.fill("name", "Ada Lovelace")
    window.press()
    assert "Your profile was saved." in window.text and "Ada Lovelace" in window.text, window.text
    window.press("a[href$='/email']")
    window.fill("address", NEW)
    window.fill("password", "Wrong-horse-1")
    window.press()
    assert window.title.startswith("Error: ") and window.has_focus("password"), window.text
    window.fill("password", PASSWORD)
    window.press()
    assert window.heading == "Check your email" and NEW in window.text, window.text
    window.fill("code", mail(NEW)["code"])
    window.press()
    if window.heading == "Check your email":
        window.fill("code", mail(ADA, kind="email_change_current")["code"])
        window.press()
    assert window.heading == "Your account" and NEW in window.text, window.text


def they_sign_out_everywhere_else():
    other = CheckedWindow(browser, BASE, language="de")
    other.open(BASE + "/account/sign-in")
    other.fill("identifier", NEW)
    other.fill("password", PASSWORD)
    other.press()
    assert other.heading == "Code eingeben", other.text
    other.press("button[value=backup]")
    other.fill("code", state["codes"][2])
    other.press()
    assert other.heading == "Ihr Konto", other.text
    for path in ["profile", "email", "phone", "password", "factors", "factors/new", "factors/codes"]:
        other.open(BASE + "/account/" + path)
    window.open(BASE + "/account")
    window.press("form[action$='/sessions/end-others'] button")
    assert "signed out everywhere else" in window.text, window.text
    other.open(BASE + "/account")
    assert other.heading == "Anmelden", other.text
    assert not other.complaints(), other.complaints()
    other.close()


def they_take_the_second_factor_away_again():
    window.open(BASE + "/account/factors")
    window.press("a[href*='/factors/remove']")
    assert window.heading == "Remove this second factor?", window.text
    window.press()
    assert "The second factor was removed." in window.text, window.text
    sign_out()
    sign_in(NEW)
    assert window.heading == "Your account", window.text


def every_page_was_measured_and_the_browser_has_nothing_to_complain_of():
    seen = {page for page, _ in window.seen}
    assert seen >= {"/account" + path for path in [
        "", "/second-factor", "/factors", "/factors/new", "/factors/confirm", "/factors/remove", "/profile", "/email",
        "/email/confirm"]}, seen
    assert not window.complaints(), window.complaints()


with browser:
    steps(somebody_sets_up_an_authenticator_app_and_keeps_the_codes,
          they_are_asked_for_its_code_and_not_let_in_without, a_code_that_was_written_down_does_too_once,
          an_app_is_told_how_sure_the_sign_in_is, a_hosted_ui_asks_for_it_too,
          they_see_to_their_profile_and_their_address, they_sign_out_everywhere_else,
          they_take_the_second_factor_away_again,
          every_page_was_measured_and_the_browser_has_nothing_to_complain_of)
    server.shutdown()

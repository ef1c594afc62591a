# SPDX-License-Identifier: Apache-2.0
"""A pool's hosted UI, and the page where devices are let in, in a browser: by what a person sees and types.

Arguments: the server's URL, the executable, and the database as `sqlite:PATH`.
"""

import base64
import hashlib
import http.server
import json
import os
import subprocess
import sys
import threading
import urllib.parse

import requests

from accessible import CheckedWindow
from chromium import Chromium
from support import BASE, PASSWORD, fresh_address, mail, settings, steps

EXECUTABLE, DATABASE = sys.argv[2:4]

NEW_PASSWORD, VERIFIER = "Another-horse-8-battery", "v" * 64
config = settings()
pool, demo = config["cognito"], config["demo"]
ADA = fresh_address("ada")
browser = Chromium()
window = CheckedWindow(browser, BASE)


class App(http.server.BaseHTTPRequestHandler):
    """Where the pages send people back to."""

    answer = {}

    def do_GET(self):
        parts = urllib.parse.urlsplit(self.path)
        if parts.path == "/callback":
            App.answer = dict(urllib.parse.parse_qsl(parts.query))
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><html lang=en><title>App</title><h1>The app</h1>")

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), App)
threading.Thread(target=server.serve_forever, daemon=True).start()
HOME = f"http://127.0.0.1:{server.server_address[1]}"


def request(path="/oauth2/authorize"):
    challenge = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).rstrip(b"=").decode()
    return pool["hostedUi"] + path + "?" + urllib.parse.urlencode({
        "response_type": "code", "client_id": pool["clientId"], "redirect_uri": HOME + "/callback", "state": "s",
        "code_challenge": challenge, "code_challenge_method": "S256"})


def arrived(address):
    """Who the app is told has come."""
    assert window.heading == "The app" and App.answer["state"] == "s", (window.url, window.text, App.answer)
    tokens = requests.post(pool["hostedUi"] + "/oauth2/token", timeout=30, data={
        "grant_type": "authorization_code", "client_id": pool["clientId"], "redirect_uri": HOME + "/callback",
        "code": App.answer.pop("code"), "code_verifier": VERIFIER}).json()
    me = requests.get(BASE + "/v1/me", headers={"Authorization": "Bearer " + tokens["access_token"]}, timeout=30)
    assert me.json()["email"] == address, me.text


def sign_in(address, password):
    window.fill("identifier", address)
    window.fill("password", password)
    window.press()


def sign_out():
    window.open(pool["hostedUi"] + "/logout?" + urllib.parse.urlencode({
        "client_id": pool["clientId"], "logout_uri": HOME + "/"}))
    assert window.url == HOME + "/", window.url


def somebody_signs_up_and_confirms_and_is_back_in_the_app():
    window.open(request("/signup"))
    assert window.heading == "Create your account", window.text
    window.fill("identifier", ADA)
    window.fill("newPassword", PASSWORD)
    window.press()
    assert window.heading == "Check your email" and ADA in window.text, window.text
    window.fill("code", mail(ADA)["code"])
    window.press()
    arrived(ADA)


def they_sign_out_and_are_asked_again():
    sign_out()
    window.open(request())
    assert window.heading == "Sign in", window.text
    sign_in(ADA, "Wrong-horse-1")
    assert window.title.startswith("Error: ") and window.has_focus("password"), window.title
    window.fill("password", PASSWORD)
    window.press()
    arrived(ADA)
    # Signed in already.
    window.open(request())
    arrived(ADA)
    sign_out()


def a_forgotten_password_is_replaced_on_the_way_to_the_app():
    window.open(request("/forgotPassword"))
    window.fill("identifier", ADA)
    window.press()
    assert window.heading == "Choose a new password", window.text
    window.fill("code", mail(ADA, kind="recovery")["code"])
    window.fill("newPassword", NEW_PASSWORD)
    window.press()
    arrived(ADA)


def somebody_else_signs_in_in_their_place():
    window.open(request("/login"))
    assert f"Continue as {ADA}" in window.text, window.text
    window.press("a.button.quiet")
    assert window.heading == "Sign in", window.text
    sign_in(demo["email"], demo["password"])
    arrived(demo["email"])
    window.open(BASE + "/account")
    assert demo["email"] in window.text and ADA not in window.text, window.text
    sign_out()


def what_can_be_sent_to_no_app_is_a_page():
    window.open(pool["hostedUi"] + "/logout?" + urllib.parse.urlencode({
        "client_id": pool["clientId"], "logout_uri": "https://evil.example/"}))
    assert window.title.startswith("Error: ") and "redirect_mismatch" in window.text, window.text


def device():
    """What a device asks for, and the codes that it is given."""
    made = subprocess.run(
        [EXECUTABLE, "client", "create", "Television", "--public", "--grant", "device_code,refresh_token", "--scope",
         "openid,email", "--json"],
        capture_output=True, text=True, env=dict(os.environ, LATCHKEY_DATABASE=DATABASE))
    assert made.returncode == 0, made.stderr
    client = json.loads(made.stdout)["clientId"]
    codes = requests.post(BASE + "/oauth2/device_authorization", data={"client_id": client, "scope": "openid email"},
                          timeout=30).json()
    return client, codes


def told(client, codes):
    """The first time that the device asks."""
    return requests.post(BASE + "/oauth2/token", timeout=30, data={
        "grant_type": "urn:ietf:params:oauth:grant-type:device_code", "client_id": client,
        "device_code": codes["device_code"]})


def a_device_is_let_in_by_the_code_that_it_shows():
    client, codes = device()
    window.open(codes["verification_uri"])
    assert window.heading == "Sign in" and "to connect a device" in window.text, window.text
    sign_in(ADA, NEW_PASSWORD)
    assert window.heading == "Connect a device" and window.has_focus("user_code"), window.text
    window.fill("user_code", "BBBB-BBBB")
    window.press()
    assert window.title.startswith("Error: ") and window.has_focus("user_code"), window.title
    window.fill("user_code", codes["user_code"].lower().replace("-", " "))
    window.press()
    assert "Television asks for access" in window.heading and codes["user_code"] in window.text, window.text
    # Loaded once more, and by the browser's button: nothing is decided by looking.
    window.open(window.url)
    window.press("button[value=allow]")
    assert window.heading == "The device is connected", window.text
    answer = told(client, codes)
    assert answer.status_code == 200 and answer.json()["access_token"], answer.text
    window.open(BASE + "/account")
    assert "Television" in window.text, window.text


def another_device_is_refused_by_somebody_who_was_sent_a_link():
    client, codes = device()
    window.open(codes["verification_uri_complete"])
    assert window.value("document.getElementsByName('user_code')[0].value") == codes["user_code"]
    window.press()
    window.press("button[value=deny]")
    assert window.heading == "The device was not connected", window.text
    answer = told(client, codes)
    assert answer.status_code == 400 and answer.json()["error"] == "access_denied", answer.text
    # Back: it was answered, and the page says so.
    window.back()
    window.press("button[value=allow]") if window.value("!!document.querySelector('button[value=allow]')") else None
    assert window.title.startswith("Error: "), window.text


def every_page_was_measured_and_the_browser_has_nothing_to_complain_of():
    seen = {page for page, _ in window.seen}
    assert seen >= {"/account" + path for path in [
        "/sign-in", "/sign-up", "/confirm", "/forgot", "/reset", "/choose", "/device", "/device/approve",
        "/device/done"]}, seen
    assert not window.complaints(), window.complaints()


with browser:
    steps(somebody_signs_up_and_confirms_and_is_back_in_the_app, they_sign_out_and_are_asked_again,
          a_forgotten_password_is_replaced_on_the_way_to_the_app, somebody_else_signs_in_in_their_place,
          what_can_be_sent_to_no_app_is_a_page, a_device_is_let_in_by_the_code_that_it_shows,
          another_device_is_refused_by_somebody_who_was_sent_a_link,
          every_page_was_measured_and_the_browser_has_nothing_to_complain_of)
    server.shutdown()

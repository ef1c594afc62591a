# SPDX-License-Identifier: Apache-2.0
"""The account pages in a browser, by what a person sees and types.

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

from chromium import Chromium
from support import BASE, PASSWORD, fresh_address, mail, settings, steps

EXECUTABLE, DATABASE = sys.argv[2:4]

NEW_PASSWORD = "Another-horse-8-battery"
ADA, demo = fresh_address("ada"), settings()["demo"]
browser = Chromium()
window = browser.window()


def sign_in(address, password):
    window.open(BASE + "/account/sign-in")
    assert window.has_focus("identifier")
    window.fill("identifier", address)
    window.fill("password", password)
    window.press()


def somebody_signs_up_and_confirms():
    window.open(BASE + "/account")
    assert window.heading == "Sign in", window.text
    window.press("a[href$='/sign-up']")
    window.fill("identifier", ADA)
    window.fill("newPassword", PASSWORD)
    window.press()
    assert window.heading == "Check your email" and ADA in window.text, window.text
    window.fill("code", "000000")
    window.press()
    assert window.title.startswith("Error: ") and window.has_focus("code"), window.title
    window.fill("code", mail(ADA)["code"])
    window.press()
    assert window.heading == "Your account" and ADA in window.text, window.text


def they_sign_out_and_another_signs_in():
    window.press("form[action$='/sign-out'] button")
    assert window.heading == "You are signed out", window.text
    window.back()
    assert window.heading == "Sign in", window.text
    sign_in(demo["email"], demo["password"])
    assert window.heading == "Your account" and demo["email"] in window.text and ADA not in window.text, window.text
    window.press("form[action$='/sign-out'] button")


def a_wrong_password_is_said_and_the_address_kept():
    sign_in(ADA, "Wrong-horse-1")
    assert window.title.startswith("Error: ") and "Invalid email or password" in window.text, window.text
    assert window.value("document.getElementsByName('identifier')[0].value") == ADA
    assert window.has_focus("password")


def a_forgotten_password_is_replaced():
    window.press("a[href$='/forgot']")
    window.fill("identifier", ADA)
    window.press()
    assert window.heading == "Choose a new password", window.text
    window.fill("code", mail(ADA, kind="recovery")["code"])
    window.fill("newPassword", NEW_PASSWORD)
    window.press()
    assert window.heading == "Your account" and ADA in window.text, window.text
    window.press("form[action$='/sign-out'] button")


def the_link_of_a_message_does_the_same_in_another_browser():
    window.open(BASE + "/account/forgot")
    other = browser.window(language="de")
    address = fresh_address("bob")
    other.open(BASE + "/account/sign-up")
    assert other.heading == "Ihr Konto erstellen", other.text
    other.fill("identifier", address)
    other.fill("newPassword", PASSWORD)
    other.press()
    link = mail(address)["link"]
    window.open(link)
    assert address in window.text, window.text
    window.press()
    assert window.heading == "Your account" and address in window.text, window.text
    assert not other.complaints(), other.complaints()
    other.close()
    window.press("form[action$='/sign-out'] button")


class App(http.server.BaseHTTPRequestHandler):
    """An app that somebody is sent back to. It leads on to its own front page, as apps do."""

    def do_GET(self):
        parts = urllib.parse.urlsplit(self.path)
        if parts.path == "/back":
            App.answer = dict(urllib.parse.parse_qsl(parts.query))
            self.send_response(303)
            self.send_header("Location", f"http://localhost:{App.port}/front")
            self.end_headers()
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<h1>The app</h1>")

    def log_message(self, *arguments):
        pass


def an_app_is_let_in_and_led_back_to():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), App)
    App.port = server.server_address[1]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    back = f"http://127.0.0.1:{App.port}/back"
    made = subprocess.run(
        [EXECUTABLE, "client", "create", "Photo App", "--public", "--redirect-uri", back, "--json"],
        capture_output=True, text=True, env=dict(os.environ, LATCHKEY_DATABASE=DATABASE))
    assert made.returncode == 0, made.stderr
    challenge = base64.urlsafe_b64encode(hashlib.sha256(b"v" * 64).digest()).rstrip(b"=").decode()
    request = BASE + "/oauth2/authorize?" + urllib.parse.urlencode({
        "response_type": "code", "client_id": json.loads(made.stdout)["clientId"], "redirect_uri": back,
        "scope": "openid email", "state": "s", "code_challenge": challenge, "code_challenge_method": "S256"})
    window.open(request)
    assert window.heading == "Sign in" and "to continue to Photo App" in window.text, window.text
    window.fill("identifier", demo["email"])
    window.fill("password", demo["password"])
    window.press()
    assert window.heading == "Photo App asks for access" and demo["email"] in window.text, window.text
    window.press("button[value=allow]")
    # Through every redirect that the app makes: a policy of the page's would stop the browser here, and not another one.
    assert window.heading == "The app" and App.answer["code"] and App.answer["state"] == "s", (window.url, App.answer)
    window.open(request)
    assert window.heading == "The app", "agreed to already, and signed in already"
    window.open(BASE + "/account")
    assert "Photo App" in window.text, window.text
    window.press("form[action*='/apps/revoke'] button")
    assert "No app has access" in window.text, window.text
    window.open(request)
    assert window.heading == "Photo App asks for access", window.text
    window.press("button[value=deny]")
    assert window.heading == "The app" and App.answer["error"] == "access_denied", App.answer
    window.open(BASE + "/account")
    window.press("form[action$='/sign-out'] button")
    server.shutdown()


def every_page_fits_a_small_screen_and_large_type():
    for width in [320, 1280]:
        window.size(width, 800)
        for path in ["sign-in", "sign-up", "forgot", "signed-out", "nowhere"]:
            window.open(f"{BASE}/account/{path}")
            wide = window.value("document.documentElement.scrollWidth")
            assert wide <= width, (path, wide)
            small = window.value(
                "[...document.querySelectorAll('button, main input:not([type=hidden]):not([type=checkbox]), footer a')]"
                ".filter(e => !e.hidden && e.getBoundingClientRect().height < 24).map(e => e.outerHTML)")
            assert not small, (path, small)


def a_page_is_dark_where_its_reader_wants_it():
    dark = browser.window(dark=True)
    colours = []
    for each in [window, dark]:
        each.open(BASE + "/account/sign-in")
        colours.append(each.value("getComputedStyle(document.querySelector('main')).backgroundColor"))
    assert colours == ["rgb(255, 255, 255)", "rgb(23, 27, 33)"], colours
    dark.close()


def the_browser_has_nothing_to_complain_of():
    assert not window.complaints(), window.complaints()


with browser:
    steps(somebody_signs_up_and_confirms, they_sign_out_and_another_signs_in,
          a_wrong_password_is_said_and_the_address_kept, a_forgotten_password_is_replaced,
          the_link_of_a_message_does_the_same_in_another_browser, an_app_is_let_in_and_led_back_to,
          every_page_fits_a_small_screen_and_large_type, a_page_is_dark_where_its_reader_wants_it,
          the_browser_has_nothing_to_complain_of)

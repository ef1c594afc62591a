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

from accessible import CheckedWindow
from chromium import Chromium
from support import BASE, PASSWORD, fresh_address, http as call, mail, settings, steps

EXECUTABLE, DATABASE = sys.argv[2:4]

NEW_PASSWORD = "Another-horse-8-battery"
config = settings()
ADA, demo = fresh_address("ada"), config["demo"]
browser = Chromium()
# Every page that the walk comes to, refusals among them, is measured as a checker does.
window = CheckedWindow(browser, BASE)


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
    other = CheckedWindow(browser, BASE, language="de")
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


def supabase(method, path, body, token=None):
    key = config["supabase"]["serviceRoleKey" if token == "service" else "anonKey"]
    status, _, answer = call(method, "/auth/v1" + path, body, headers={
        "apikey": key, "Authorization": "Bearer " + (key if token in (None, "service") else token)})
    assert status == 200, answer
    return answer


def cognito(operation, **members):
    status, _, answer = call("POST", "/", members, headers={
        "Content-Type": "application/x-amz-json-1.1", "X-Amz-Target": "AWSCognitoIdentityProviderService." + operation})
    assert status == 200, answer


def firebase(operation, **members):
    status, _, answer = call("POST", f"/identitytoolkit.googleapis.com/v1/accounts:{operation}?key="
                             + config["firebase"]["apiKey"], members)
    assert status == 200, answer
    return answer


def opened(address, kind, heading):
    """Opens the newest link; what it is for is done by the page's form alone."""
    link = mail(address, kind=kind)["link"]
    call("HEAD", link)
    call("GET", link)
    window.open(link)
    assert window.heading == heading, (window.url, window.text)
    return link


def signed_in_as(address):
    assert window.heading == "Your account" and address in window.text, (window.url, window.text)
    window.press("form[action$='/sign-out'] button")


def chooses_a_password():
    window.fill("newPassword", NEW_PASSWORD)
    window.press()


def the_links_of_an_app_that_names_no_place_end_here_by_supabase():
    address, other, guest = fresh_address("sb"), fresh_address("sb-other"), fresh_address("sb-guest")
    supabase("POST", "/signup", {"email": address, "password": PASSWORD})
    link = opened(address, "confirmation", "Confirm your email address")
    assert link.startswith(BASE + "/auth/v1/verify?token=") and "redirect_to" not in link, link
    window.press()
    assert "Your email address is confirmed." in window.text, window.text
    signed_in_as(address)
    window.open(link)
    assert window.title.startswith("Error: This link does not work any more"), window.title
    supabase("POST", "/recover", {"email": address})
    opened(address, "recovery", "Choose a new password")
    chooses_a_password()
    signed_in_as(address)
    supabase("POST", "/invite", {"email": guest}, token="service")
    opened(guest, "invite", "You are invited")
    chooses_a_password()
    signed_in_as(guest)
    token = supabase("POST", "/token?grant_type=password", {"email": address, "password": NEW_PASSWORD})["access_token"]
    # The app's own API: both addresses are asked.
    status, _, answer = call("POST", "/v1/users/register", {"email": other}, headers={"Authorization": "Bearer " + token})
    assert status in (200, 201), answer
    opened(address, "email_change_current", "Change your email address")
    window.press()
    assert window.heading == "Thank you", window.text
    opened(other, "email_change_new", "Change your email address")
    window.press()
    assert "Your new email address is confirmed." in window.text, window.text
    signed_in_as(other)
    supabase("POST", "/magiclink", {"email": guest})
    opened(guest, "magic_link", "Sign in")
    window.press()
    signed_in_as(guest)


def the_links_of_an_app_that_names_no_place_end_here_by_cognito():
    address, client = fresh_address("cg"), config["cognito"]["clientId"]
    cognito("SignUp", ClientId=client, Username=address, Password=PASSWORD,
            UserAttributes=[{"Name": "email", "Value": address}])
    opened(address, "confirmation", "Confirm your email address")
    window.press()
    signed_in_as(address)
    cognito("InitiateAuth", ClientId=client, AuthFlow="USER_PASSWORD_AUTH",
            AuthParameters={"USERNAME": address, "PASSWORD": PASSWORD})
    cognito("ForgotPassword", ClientId=client, Username=address)
    opened(address, "recovery", "Choose a new password")
    chooses_a_password()
    signed_in_as(address)


def the_links_of_an_app_that_names_no_place_end_here_by_firebase():
    address = fresh_address("fb")
    token = firebase("signUp", email=address, password=PASSWORD, returnSecureToken=True)["idToken"]
    firebase("sendOobCode", requestType="VERIFY_EMAIL", idToken=token)
    opened(address, "confirmation", "Confirm your email address")
    window.press()
    assert window.heading == "Your email address is confirmed", window.text
    firebase("sendOobCode", requestType="PASSWORD_RESET", email=address)
    link = opened(address, "recovery", "Choose a new password")
    chooses_a_password()
    assert window.heading == "Your password was changed", window.text
    window.open(link)
    window.press("a.button")
    assert window.heading == "Reset your password", window.text


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
        [EXECUTABLE, "client", "create", "Photo App", "--redirect-uri", back, "--json"],
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


def what_is_over_says_so_and_leads_on():
    window.open(BASE + "/account/sign-in?request=nobodys")
    assert window.title.startswith("Error: This page has expired"), window.title
    window.press("a.button")
    assert window.heading == "Sign in", window.text
    window.open(BASE + "/account/nowhere")
    assert window.title.startswith("Error: "), window.title
    window.open(BASE + "/.well-known/change-password")
    assert window.heading == "Reset your password", "nobody is signed in"


def every_page_was_measured_with_long_names_too():
    address = fresh_address("a-person-with-a-rather-long-name") + ".and.a.long.domain.example"
    german = CheckedWindow(browser, BASE, language="de")
    german.open(BASE + "/account/sign-up")
    german.fill("identifier", address)
    german.fill("newPassword", "short")
    german.press()
    german.fill("newPassword", PASSWORD)
    german.press()
    german.open(mail(address)["link"])
    german.press()
    assert german.heading == "Ihr Konto" and address in german.text, german.text
    for path in ["password", "sign-out"]:
        german.open(f"{BASE}/account/{path}")
    german.close()
    seen = {page for page, _ in window.seen}
    assert seen >= {"/account" + path for path in [
        "", "/sign-in", "/sign-up", "/confirm", "/link", "/forgot", "/reset", "/consent", "/signed-out", "/nowhere"]}, seen


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
          the_link_of_a_message_does_the_same_in_another_browser,
          the_links_of_an_app_that_names_no_place_end_here_by_supabase,
          the_links_of_an_app_that_names_no_place_end_here_by_cognito,
          the_links_of_an_app_that_names_no_place_end_here_by_firebase, an_app_is_let_in_and_led_back_to,
          what_is_over_says_so_and_leads_on, every_page_was_measured_with_long_names_too, a_page_is_dark_where_its_reader_wants_it,
          the_browser_has_nothing_to_complain_of)

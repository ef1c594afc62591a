# SPDX-License-Identifier: Apache-2.0
"""People at a browser sign in with Google and others: completed, cancelled, failing, slow and revoked, at the providers that a
development server plays. The provider's page is measured as the account pages are.

Arguments: the server's URL."""

import http.server
import json
import threading
import urllib.parse

from accessible import CheckedWindow
from chromium import Chromium
from support import BASE, http as call, settings, steps

AUTH = settings()["supabase"]["url"].rstrip("/") + "/auth/v1"
PLACE = BASE + "/dev/identity-provider"


class App(http.server.BaseHTTPRequestHandler):
    """Where the app is: a page that says nothing, since all that it is told stands in its address."""

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>app</title><h1>The app</h1>")

    def log_message(self, *_):
        pass


app = http.server.ThreadingHTTPServer(("127.0.0.1", 0), App)
threading.Thread(target=app.serve_forever, daemon=True).start()
BACK = f"http://127.0.0.1:{app.server_port}/back"
browser = Chromium()


def leave(window, provider, **more):
    window.open(f"{AUTH}/authorize?" + urllib.parse.urlencode({"provider": provider, "redirect_to": BACK, **more}))
    assert window.heading == "Choose an account" and window.url.startswith(PLACE), (window.heading, window.url)


def person(name):
    return f"button[aria-label='{name}']"


def told(window):
    """What the app is told, by its address."""
    assert window.heading == "The app", (window.url, window.heading, window.text)
    parts = urllib.parse.urlsplit(window.url)
    return dict(urllib.parse.parse_qsl(parts.fragment or parts.query, keep_blank_values=True))


def user(answer):
    status, _, body = call("GET", AUTH + "/user", headers={
        "apikey": settings()["supabase"]["anonKey"], "Authorization": "Bearer " + answer["access_token"]})
    assert status == 200, body
    return body


def sign_in(window, provider, name):
    leave(window, provider)
    window.press(person(name))
    return user(told(window))


def everybody_signs_in_with_google_and_is_the_same_the_next_time():
    window = CheckedWindow(browser, BASE)
    first = sign_in(window, "google", "Ada Lind")
    assert first["email"] == "ada@example.com" and first["app_metadata"]["provider"] == "google", first
    again = sign_in(CheckedWindow(browser, BASE, dark=True), "google", "Ada Lind")
    assert again["id"] == first["id"], (first, again)
    assert not window.complaints(), window.complaints()


def who_cancels_is_back_in_the_app_and_may_try_again():
    window = CheckedWindow(browser, BASE)
    leave(window, "google")
    window.press("button[value=cancel]")
    answer = told(window)
    assert answer["error"] == "access_denied" and "access_token" not in answer, answer
    window.back()
    window.press(person("Ada Lind"))
    # The state was good once: by it nobody is signed in, nor sent to where it said.
    assert window.url.startswith(BASE + "/account") and "access_token" not in window.url, window.url
    leave(window, "google")
    window.press("button[value=fail]")
    assert told(window)["error"] == "server_error", window.url
    assert sign_in(window, "google", "Demo User")["email"] == "demo@example.com"


def a_provider_that_is_down_or_talks_nonsense_is_said_to_the_app():
    for behaviour in ("unavailable", "garbled"):
        window = CheckedWindow(browser, BASE)
        leave(window, "google")
        window.value(f"document.querySelector('input[value={behaviour}]').click()")
        window.press(person("Ada Lind"))
        answer = told(window)
        assert answer["error"] in ("server_error", "temporarily_unavailable"), (behaviour, answer)
        assert "access_token" not in answer and "secret" not in json.dumps(answer), answer


def a_slow_provider_keeps_nobody_else_waiting():
    slow, quick = CheckedWindow(browser, BASE), CheckedWindow(browser, BASE)
    leave(slow, "google")
    slow.value("document.querySelector('input[value=slow]').click()")

    def meanwhile():
        slow.value(f"document.querySelector(\"{person('Ada Lind')}\").click()")
        assert sign_in(quick, "google", "Demo User")["email"] == "demo@example.com"

    slow.loaded(meanwhile)
    assert user(told(slow))["email"] == "ada@example.com"


def to_google(window, behaviour=None):
    """From the server's own page to the provider's."""
    window.open(BASE + "/account/sign-in")
    window.press("a[href*='name=google']")
    assert window.heading == "Choose an account" and window.url.startswith(PLACE), (window.heading, window.url)
    if behaviour:
        window.value(f"document.querySelector('input[value={behaviour}]').click()")


def on_the_servers_own_pages_a_no_or_an_outage_is_said_where_the_ways_in_are():
    window = CheckedWindow(browser, BASE)
    for button, behaviour, said in [("button[value=cancel]", None, "cancelled"), ("button[value=fail]", None, None),
                                    (person("Ada Lind"), "unavailable", None), (person("Ada Lind"), "garbled", None)]:
        to_google(window, behaviour)
        window.press(button)
        assert window.url.startswith(BASE + "/account/sign-in") and window.title.startswith("Error: "), (button, window.url)
        alert = window.value("document.querySelector('[role=alert]').innerText")
        assert alert and (said is None or said in alert), (behaviour, alert)
        # The way back: the provider's button is there still, and nobody is signed in.
        assert window.value("!!document.querySelector(\"a[href*='name=google']\")"), window.text
    window.open(BASE + "/account")
    assert window.url.startswith(BASE + "/account/sign-in"), window.url


def on_the_servers_own_pages_google_is_asked_again_after_signing_out():
    window = CheckedWindow(browser, BASE)
    for behaviour in (None, "slow"):
        to_google(window, behaviour)
        window.press(person("Ada Lind"))
        assert window.heading == "Your account" and "ada@example.com" in window.text, (window.url, window.text)
        window.open(BASE + "/account/sign-out")
        window.press("main form button:not(.quiet)")
        assert window.url == BASE + "/account/signed-out", window.url
        # By the page's own way on, and not by what the browser has kept.
        window.back()
        assert "ada@example.com" not in window.text, window.text
    assert not window.complaints(), window.complaints()


def somebody_is_made_up():
    window = CheckedWindow(browser, BASE)
    leave(window, "openid")
    for name, text in {"subject": "made-up", "email": "new@example.org", "name": "New Person"}.items():
        window.fill(name, text)
    window.value("document.getElementsByName('verified')[0].click()")
    window.press("main form:last-of-type button")
    assert user(told(window))["email"] == "new@example.org"


def a_page_may_be_read_in_german():
    window = CheckedWindow(browser, BASE, language="de")
    window.open(f"{AUTH}/authorize?provider=microsoft&redirect_to={urllib.parse.quote(BACK)}")
    assert window.heading == "Konto auswählen", window.heading
    window.press(person("Ada Lind"))
    assert user(told(window))["email"] == "ada@example.com"


def what_was_agreed_to_is_shown_and_taken_back():
    window = CheckedWindow(browser, BASE)
    window.open(PLACE)
    assert "Ada Lind" in window.text and "New Person" in window.text, window.text
    window.press("form:has(input[value=made-up]) button")
    assert "Revoked" in window.text and "New Person" not in window.text, window.text


def what_is_revoked_at_the_provider_ends_here():
    """Google's security event (Y-E4): the sessions that came of its word end at once."""
    window = CheckedWindow(browser, BASE)
    leave(window, "google")
    window.press(person("Ada Lind"))
    answer = told(window)
    mine = user(answer)
    subject = next(one["id"] for one in mine["identities"] if one["provider"] == "google")
    window.open(PLACE)
    window.press(f"form:has(input[value=google]):has(input[value='{subject}']) button")
    status, _, body = call("GET", AUTH + "/user", headers={
        "apikey": settings()["supabase"]["anonKey"], "Authorization": "Bearer " + answer["access_token"]})
    assert status in (401, 403), (status, body)
    # And they may come again.
    assert sign_in(window, "google", "Ada Lind")["id"] == mine["id"]


steps(everybody_signs_in_with_google_and_is_the_same_the_next_time, who_cancels_is_back_in_the_app_and_may_try_again,
      a_provider_that_is_down_or_talks_nonsense_is_said_to_the_app, a_slow_provider_keeps_nobody_else_waiting,
      on_the_servers_own_pages_a_no_or_an_outage_is_said_where_the_ways_in_are,
      on_the_servers_own_pages_google_is_asked_again_after_signing_out,
      somebody_is_made_up, a_page_may_be_read_in_german, what_was_agreed_to_is_shown_and_taken_back,
      what_is_revoked_at_the_provider_ends_here)

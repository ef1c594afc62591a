# SPDX-License-Identifier: Apache-2.0
"""The example Examples/web-app as its README runs it: sign in, `/v1/me`, sign out, and being asked again.

Arguments: the server's URL, the executable, the database as `sqlite:PATH`, and a free port."""

import json
import os
import pathlib
import subprocess
import sys
import time

from pages import Browser
from support import BASE, http, settings, steps

EXECUTABLE, DATABASE, PORT = sys.argv[2:5]
HOME = f"http://127.0.0.1:{PORT}"
APP = pathlib.Path(__file__).resolve().parents[3] / "Examples/web-app/app.py"
demo = settings()["demo"]
browser = Browser()


def start():
    done = subprocess.run(
        [EXECUTABLE, "client", "create", "A web app", "--redirect-uri", HOME + "/callback", "--post-logout-uri",
         HOME + "/", "--first-party", "--json"],
        capture_output=True, text=True, env=dict(os.environ, LATCHKEY_DATABASE=DATABASE))
    assert done.returncode == 0, done.stderr
    client = json.loads(done.stdout)
    app = subprocess.Popen([sys.executable, str(APP)], stderr=subprocess.DEVNULL, env=dict(
        os.environ, OIDC_ISSUER=BASE, OIDC_CLIENT_ID=client["clientId"], OIDC_CLIENT_SECRET=client["clientSecret"],
        PORT=PORT))
    for _ in range(100):
        try:
            http("GET", HOME + "/")
            return app
        except OSError:
            time.sleep(0.1)
    raise AssertionError("the app does not start")


def a_visitor_signs_in_and_is_called_by_name():
    assert "Nobody is signed in" in browser.open(HOME + "/").text
    page = browser.sign_in(browser.open(HOME + "/sign-in"), demo["email"], demo["password"])
    assert page.url == HOME + "/" and demo["email"] in page.text, page


def who_signs_out_is_nobody_and_is_asked_again():
    page = browser.open(HOME + "/")
    page = browser.submit(page, page.forms[0])
    assert page.url.rstrip("/") == HOME and "Nobody is signed in" in page.text, page
    page = browser.open(HOME + "/sign-in")
    assert page.url.startswith(BASE) and page.forms and demo["email"] not in page.text, page


def an_answer_that_nobody_asked_for_signs_nobody_in():
    for query in ("code=x&state=y", f"code=x&state=y&iss={BASE}", "error=access_denied"):
        assert Browser().open(f"{HOME}/callback?{query}").status == 400
    assert "Nobody is signed in" in Browser().open(HOME + "/").text


app = start()
try:
    steps(a_visitor_signs_in_and_is_called_by_name, who_signs_out_is_nobody_and_is_asked_again,
          an_answer_that_nobody_asked_for_signs_nobody_in)
finally:
    app.terminate()
    app.wait()

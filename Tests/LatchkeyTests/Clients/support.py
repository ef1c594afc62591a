# SPDX-License-Identifier: Apache-2.0
"""What the walks share: the server's own settings page, its outbox, and plain HTTP."""

import html.parser
import json
import secrets
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

BASE = sys.argv[1].rstrip("/")
PASSWORD = "Correct-horse-7-battery"


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *arguments, **keywords):
        return None


_opener = urllib.request.build_opener(NoRedirect)


def http(method, path, body=None, headers=None, raw=None):
    """Status, headers (lower case) and body (parsed when it is JSON) of one request. Redirects are not followed."""
    url = path if path.startswith("http") else BASE + path
    data = raw if raw is not None else (json.dumps(body).encode() if body is not None else None)
    request = urllib.request.Request(url, data=data, method=method, headers=headers or {})
    if data is not None and not request.has_header("Content-type"):
        request.add_header("Content-Type", "application/json")
    try:
        answer = _opener.open(request, timeout=120)
    except urllib.error.HTTPError as error:
        answer = error
    content = answer.read()
    received = {name.lower(): value for name, value in answer.headers.items()}
    try:
        parsed = json.loads(content) if content else None
    except ValueError:
        parsed = content.decode(errors="replace")
    return answer.status, received, parsed


def settings():
    status, _, body = http("GET", "/dev/settings.json")
    assert status == 200, (status, body)
    return body


def mail(to, kind=None, newer_than=None):
    """The newest message to an address, waiting for the worker's transaction if it is not there yet."""
    for _ in range(1200):
        status, _, messages = http("GET", "/dev/mail.json?to=" + urllib.parse.quote(to))
        assert status == 200, (status, messages)
        wanted = [m for m in messages if kind is None or m["kind"] == kind]
        if newer_than is not None:
            wanted = [m for m in wanted if m["id"] != newer_than]
        if wanted:
            return wanted[0]
        time.sleep(0.05)
    raise AssertionError(f"no {kind or 'mail'} for {to}: {[m['kind'] for m in messages]}")


class Form(html.parser.HTMLParser):
    """The one form of a page."""

    def __init__(self):
        super().__init__()
        self.method = self.action = None
        self.fields = {}

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if tag == "form":
            self.method, self.action = given["method"], given["action"]
        elif tag == "input":
            # What a person has to type is empty.
            self.fields[given["name"]] = given.get("value") or ""
        assert tag not in ("script", "img", "link", "iframe"), tag


def page_of(link):
    """The form of the page that a mailed link opens."""
    status, headers, page = http("GET", link)
    assert status == 200 and headers["content-type"].startswith("text/html"), (status, headers, page)
    assert headers["cache-control"] == "no-store" and headers["referrer-policy"] == "strict-origin", headers
    assert "default-src 'none'" in headers["content-security-policy"], headers
    form = Form()
    form.feed(page)
    assert form.method == "post" and form.fields, page
    return form


def press(link, form, origin=None):
    """Presses the button, as a browser does: says where the form comes from, and follows no redirect."""
    url = urllib.parse.urljoin(link, form.action)
    parts = urllib.parse.urlsplit(link)
    return http("POST", url, raw=urllib.parse.urlencode(form.fields).encode(), headers={
        "Content-Type": "application/x-www-form-urlencoded",
        "Origin": origin or f"{parts.scheme}://{parts.netloc}"})


def open_link(link):
    """Opens a mailed link and presses the button of its page; for one that no longer works, what the link itself says."""
    status, headers, body = http("GET", link)
    return press(link, page_of(link)) if status == 200 else (status, headers, body)


def in_another_second():
    """Returns once the clock shows another second: where whole seconds are compared, what came before is earlier then."""
    start = int(time.time())
    while int(time.time()) <= start:
        time.sleep(0.02)


def served(url):
    """What is at an address whose listener may begin a moment after the server says that it is ready."""
    while True:
        try:
            return http("GET", url)
        except urllib.error.URLError as error:
            if not isinstance(error.reason, ConnectionRefusedError):
                raise


def fresh_address(name):
    return f"{name}-{secrets.token_hex(4)}@example.com"


def steps(*functions):
    for function in functions:
        function()
        print("ok", function.__name__.replace("_", " "), flush=True)

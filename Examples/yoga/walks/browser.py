# SPDX-License-Identifier: Apache-2.0
"""A person at a browser without scripts: follows redirects, fills in the forms of pages and presses their buttons."""

import html.parser
import http.cookiejar
import json
import urllib.error
import urllib.parse
import urllib.request

from .support import Failed


class Page(html.parser.HTMLParser):
    """The forms of a page, each with its fields and buttons."""

    def __init__(self, address, source):
        super().__init__()
        self.address, self.forms, self.fields = address, [], []
        self.feed(source)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if tag == "form":
            self.forms.append({"action": given.get("action") or "", "method": (given.get("method") or "get").lower(),
                               "fields": {}, "kinds": {}, "buttons": []})
        elif not self.forms:
            return
        elif tag == "input" and given.get("name") and given.get("type") != "submit":
            if given.get("type") not in ("checkbox", "radio") or "checked" in given:
                self.forms[-1]["fields"][given["name"]] = given.get("value") or ""
                self.forms[-1]["kinds"][given["name"]] = given.get("type", "text")
        elif tag in ("button", "input") and given.get("type", "submit") == "submit":
            self.forms[-1]["buttons"].append((given.get("name"), given.get("value") or ""))

    def form(self, *, field=None, button=None):
        for form in self.forms:
            if field in form["kinds"].values() or (button and button in form["buttons"]):
                return form
        return None


class _Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


class Browser:
    """One browser with its cookies, and somebody who knows what to press.

    - `account`: who they are at the Google that the server plays: the subject of an account there.
    - `typed`: the same of an account that is not there yet: subject, address and name; `claims` are what else its token says.
    - `button`: instead of an account, such as `cancel` or `fail`.
    - `person`: address and password on the server's own pages.
    """

    def __init__(self, account=None, typed=None, claims=None, button=None, person=None):
        self.account, self.typed, self.claims, self.button, self.person = account, typed, claims, button, person
        self.visited = []
        self._opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()), _Stay())

    def visit(self, address):
        """Goes on until a page asks nothing any more, which is the app's own."""
        address, data, headers = address, None, {}
        for _ in range(24):
            self.visited.append(address)
            request = urllib.request.Request(address, data=data, headers=headers)
            try:
                with self._opener.open(request, timeout=30) as answer:
                    source = answer.read().decode()
            except urllib.error.HTTPError as error:
                if error.code not in (301, 302, 303):
                    raise Failed(f"{address.split('?')[0]} says {error.code}") from error
                address, data, headers = urllib.parse.urljoin(address, error.headers["Location"]), None, {}
                continue
            page = Page(address, source)
            if not page.forms:
                return
            address, data, headers = self._answer(page)
        raise Failed("the browser goes round in circles: " + " ".join(step.split("?")[0] for step in self.visited))

    def agree(self, address):
        """Reads a page that the user was sent to, and presses its button."""
        with self._opener.open(address, timeout=30) as answer:
            page = Page(address, answer.read().decode())
        form = next(form for form in page.forms if form["method"] == "post")
        target, data, headers = self._send(page, form, {}, form["buttons"][0])
        with self._opener.open(urllib.request.Request(target, data=data, headers=headers), timeout=30) as answer:
            if answer.status != 200:
                raise Failed(f"{target.split('?')[0]} says {answer.status}")

    def _answer(self, page):
        if "/dev/identity-provider/" in page.address:
            return self._at_google(page)
        form = page.form(field="password")
        if form and self.person:
            values = {name: self.person[1] if kind == "password" else self.person[0]
                      for name, kind in form["kinds"].items() if kind in ("password", "email", "text")}
            return self._send(page, form, values, form["buttons"][0])
        raise Failed(f"a page that nobody expected: {page.address.split('?')[0]}")

    def _at_google(self, page):
        if self.button:
            button = ("answer", self.button)
            return self._send(page, page.form(button=button), {}, button)
        if self.account:
            button = ("account", self.account)
            form = page.form(button=button)
            if form is None:
                raise Failed(f"the provider has no account {self.account}")
            return self._send(page, form, {}, button)
        subject, email, name = self.typed
        form = next(form for form in page.forms if "subject" in form["fields"])
        values = {"subject": subject, "email": email, "name": name, "verified": "1"}
        if self.claims:
            values["claims"] = json.dumps(self.claims)
        return self._send(page, form, values, (None, ""))

    @staticmethod
    def _send(page, form, values, button):
        fields = dict(form["fields"], **values)
        if button[0]:
            fields[button[0]] = button[1]
        parts = urllib.parse.urlsplit(page.address)
        action = urllib.parse.urljoin(page.address, form["action"]) if form["action"] else page.address
        if form["method"] == "get":
            return action.split("?")[0] + "?" + urllib.parse.urlencode(fields), None, {}
        return action, urllib.parse.urlencode(fields).encode(), {
            "Origin": f"{parts.scheme}://{parts.netloc}", "Content-Type": "application/x-www-form-urlencoded"}

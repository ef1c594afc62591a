# SPDX-License-Identifier: Apache-2.0
"""A person at a browser without scripts: follows redirects, reads a page's forms, fills them in and presses buttons."""

import html.parser
import urllib.parse

import requests


class Page(html.parser.HTMLParser):
    """What a person sees of a page: its forms, each with its fields and buttons, and its text."""

    def __init__(self, response):
        super().__init__()
        self.url, self.status, self.headers = response.url, response.status_code, response.headers
        self.source = response.text
        self.forms, self.links, self.text, self._inside = [], [], "", []
        self.feed(self.source)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if tag == "form":
            self.forms.append({"method": given.get("method", "get"), "action": given.get("action", ""), "fields": {},
                               "kinds": {}, "buttons": []})
        elif tag == "input" and self.forms and given.get("name"):
            form, kind = self.forms[-1], given.get("type", "text")
            if kind == "submit":
                form["buttons"].append((given["name"], given.get("value", "")))
            elif kind not in ("checkbox", "radio") or "checked" in given:
                form["fields"][given["name"]] = given.get("value") or ""
                form["kinds"][given["name"]] = kind
        elif tag == "button" and self.forms and given.get("type", "submit") == "submit":
            self.forms[-1]["buttons"].append((given.get("name"), given.get("value", "")))
        elif tag == "a" and given.get("href"):
            self.links.append(given["href"])
        if tag in ("style", "script"):
            self._inside.append(tag)

    def handle_endtag(self, tag):
        if self._inside and self._inside[-1] == tag:
            self._inside.pop()

    def handle_data(self, data):
        if not self._inside:
            self.text += data

    def __repr__(self):
        return f"{self.status} {self.url}\n{' '.join(self.text.split())[:600]}\n{self.forms}"

    def form_with(self, kind):
        """The form that asks for something of this kind; None where there is none."""
        return next((form for form in self.forms if kind in form["kinds"].values()), None)


class Browser:
    """One browser with its cookies. `away` are the places that it does not open: it stops in front of them."""

    def __init__(self, *away):
        self.session = requests.Session()
        self.away = away
        self.seen = []

    def open(self, url):
        return self._follow(self._send("GET", url))

    def submit(self, page, form, button=None, **values):
        """Sends a form as a browser does, with what was typed and the button that was pressed."""
        fields = dict(form["fields"], **values)
        if button and button[0]:
            fields[button[0]] = button[1]
        url = urllib.parse.urljoin(page.url, form["action"]) if form["action"] else page.url
        if form["method"].lower() == "get":
            return self.open(url.split("?")[0] + "?" + urllib.parse.urlencode(fields))
        parts = urllib.parse.urlsplit(page.url)
        return self._follow(self._send("POST", url, data=fields, headers={
            "Origin": f"{parts.scheme}://{parts.netloc}", "Sec-Fetch-Site": "same-origin"}))

    def _send(self, method, url, **more):
        self.seen.append(url)
        return self.session.request(method, url, allow_redirects=False, timeout=30, **more)

    def _follow(self, response):
        """A page, or the URL of a place that is not opened."""
        for _ in range(20):
            if response.status_code not in (301, 302, 303, 307, 308):
                return Page(response)
            # RFC 9700, section 4.12: a form that has a password in it is not sent on.
            assert response.status_code != 307 and response.status_code != 308, response.headers
            target = urllib.parse.urljoin(response.url, response.headers["Location"])
            if target.startswith(tuple(self.away)):
                return target
            response = self._send("GET", target)
        raise AssertionError("redirected for ever: " + " ".join(self.seen[-20:]))

    def sign_in(self, at, email, password, consent=True):
        """Whatever the server asks until the browser leaves or no page asks any more: name, password, consent."""
        for _ in range(8):
            if isinstance(at, str):
                return at
            asked = at.form_with("password") or at.form_with("email") or at.form_with("text")
            if asked is None:
                approval = self._approval(at) if consent else None
                if approval is None:
                    return at
                at = self.submit(at, *approval)
                continue
            values = {}
            for name, kind in asked["kinds"].items():
                if kind == "password":
                    values[name] = password
                elif kind in ("email", "text"):
                    values[name] = email
            at = self.submit(at, asked, asked["buttons"][0] if asked["buttons"] else None, **values)
        raise AssertionError(f"asked for ever: {at}")

    @staticmethod
    def _approval(page):
        """The form and the button that allow what is asked for."""
        if "/choose" in page.url:
            return page.forms[0], None
        if "/consent" not in page.url:
            return None
        for form in page.forms:
            for button in form["buttons"]:
                if button[1] == "allow":
                    return form, button
        return None

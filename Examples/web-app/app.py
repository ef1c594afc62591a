# SPDX-License-Identifier: Apache-2.0
"""A web app that signs its users in by Latchkey, in a hundred lines: see README.md for how to run it."""

import http.server
import os
import secrets
import urllib.parse
from html import escape

import requests
from authlib.integrations.requests_client import OAuth2Session
from joserfc import jwt
from joserfc.jwk import KeySet

ISSUER = os.environ["OIDC_ISSUER"].rstrip("/")
CLIENT = os.environ["OIDC_CLIENT_ID"], os.environ["OIDC_CLIENT_SECRET"]
PORT = int(os.environ.get("PORT", "8000"))
HOME = f"http://127.0.0.1:{PORT}"
PROVIDER = requests.get(ISSUER + "/.well-known/openid-configuration", timeout=10).json()
# Who is signed in, and who is about to be, by the browser's cookie. A real app has a store for this.
SESSIONS = {}


def oauth():
    return OAuth2Session(*CLIENT, scope="openid email profile", redirect_uri=HOME + "/callback",
                         code_challenge_method="S256")


class App(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        path = urllib.parse.urlsplit(self.path).path
        pages = {"/": self.home, "/sign-in": self.sign_in, "/callback": self.callback}
        pages.get(path, self.nothing)()

    def do_POST(self):
        # A form of this very page, and of no other (the cookie is SameSite=Lax as well).
        if self.path == "/sign-out" and self.headers.get("Origin") == HOME:
            return self.sign_out()
        self.nothing()

    def home(self):
        tokens = self.session().get("tokens")
        if not tokens:
            return self.page('<p>Nobody is signed in.</p><p><a href="/sign-in">Sign in</a></p>')
        me = requests.get(ISSUER + "/v1/me", timeout=10,
                          headers={"Authorization": "Bearer " + tokens["access_token"]})
        if me.status_code != 200:
            # The user was signed out elsewhere, or the token has expired.
            self.session().clear()
            return self.redirect("/sign-in")
        self.page(f"<p>Signed in as <b>{escape(me.json()['email'])}</b>.</p>"
                  '<form method="post" action="/sign-out"><button>Sign out</button></form>')

    def sign_in(self):
        started = {"verifier": secrets.token_urlsafe(48), "nonce": secrets.token_urlsafe(16)}
        url, started["state"] = oauth().create_authorization_url(
            PROVIDER["authorization_endpoint"], code_verifier=started["verifier"], nonce=started["nonce"])
        self.redirect(url, {"started": started})

    def callback(self):
        started = self.session().pop("started", None)
        query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.path).query))
        if not started or query.get("state") != started["state"] or query.get("iss") != ISSUER:
            return self.page("<p>That was not the answer to a question of ours.</p>", 400)
        if "code" not in query:
            return self.page(f"<p>You were not signed in: {escape(query.get('error', ''))}</p>", 403)
        tokens = oauth().fetch_token(PROVIDER["token_endpoint"], code=query["code"], state=started["state"],
                                     code_verifier=started["verifier"])
        keys = KeySet.import_key_set(requests.get(PROVIDER["jwks_uri"], timeout=10).json())
        claims = jwt.decode(tokens["id_token"], keys, algorithms=["RS256"]).claims
        jwt.JWTClaimsRegistry(
            iss={"essential": True, "value": ISSUER}, aud={"essential": True, "value": CLIENT[0]},
            exp={"essential": True}, nonce={"essential": True, "value": started["nonce"]}).validate(claims)
        self.redirect("/", {"tokens": tokens})

    def sign_out(self):
        tokens = self.session().get("tokens")
        self.session().clear()
        if not tokens:
            return self.redirect("/")
        self.redirect(PROVIDER["end_session_endpoint"] + "?" + urllib.parse.urlencode(
            {"id_token_hint": tokens["id_token"], "post_logout_redirect_uri": HOME + "/"}))

    def nothing(self):
        self.page("<p>There is nothing here.</p>", 404)

    def session(self):
        cookies = dict(pair.strip().partition("=")[::2] for pair in self.headers.get("Cookie", "").split(";"))
        return SESSIONS.get(cookies.get("web-app"), {})

    def redirect(self, url, session=None):
        self.send_response(303)
        self.send_header("Location", url)
        if session:
            # A new one each time: what somebody else may have known before is worth nothing after.
            name = secrets.token_urlsafe(32)
            SESSIONS[name] = session
            self.send_header("Set-Cookie", f"web-app={name}; HttpOnly; SameSite=Lax; Path=/")
        self.end_headers()

    def page(self, content, status=200):
        self.send_response(status)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(f"<!doctype html><title>A web app</title><h1>A web app</h1>{content}".encode())


if __name__ == "__main__":
    http.server.ThreadingHTTPServer(("127.0.0.1", PORT), App).serve_forever()

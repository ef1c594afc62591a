# SPDX-License-Identifier: Apache-2.0
"""Authlib signs users in by the provider: every way for a client to prove itself, single sign-on, consent, refresh,
introspection, revocation and sign-out.

Arguments: the server's URL, the executable, and the database as `sqlite:PATH`."""

import base64
import hashlib
import json
import os
import secrets
import subprocess
import sys
import tempfile
import time
import urllib.parse

import requests
from authlib.integrations.requests_client import OAuth2Session, OAuthError
from authlib.oauth2.rfc7523 import PrivateKeyJWT
from authlib.oauth2.rfc8414 import AuthorizationServerMetadata
from authlib.oidc.discovery import OpenIDProviderMetadata
from joserfc import jwt
from joserfc.jwk import ECKey, KeySet

from pages import Browser
from support import BASE, http, settings, steps

EXECUTABLE, DATABASE = sys.argv[2:4]
ONE, TWO, THIRD = "https://one.example/back", "https://two.example/back", "https://third.example/back"
OUT = "https://one.example/out"
# Of this machine: a server in development lets in no others.
PAGE = "http://localhost:5173"
SCOPE = "openid profile email offline_access"
demo = settings()["demo"]
metadata = requests.get(BASE + "/.well-known/openid-configuration", timeout=30).json()


def latchkey(*arguments):
    """What a command prints, as JSON."""
    done = subprocess.run([EXECUTABLE, *arguments, "--json"], capture_output=True, text=True,
                          env=dict(os.environ, LATCHKEY_DATABASE=DATABASE))
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def client(name, uri, *options):
    return latchkey("client", "create", name, "--redirect-uri", uri, *options)


class App:
    """A relying party: a client of the provider, in Authlib's hands."""

    def __init__(self, registered, uri, scope=SCOPE, method="client_secret_basic", **more):
        self.id, self.uri, self.scope = registered["clientId"], uri, scope
        self.session = OAuth2Session(
            self.id, more.pop("secret", registered.get("clientSecret")), scope=scope, redirect_uri=uri,
            token_endpoint_auth_method=method, revocation_endpoint_auth_method=method, code_challenge_method="S256",
            **more)

    def start(self, **parameters):
        """The URL to send the browser to."""
        self.verifier, self.nonce = secrets.token_urlsafe(48), secrets.token_urlsafe(16)
        url, self.state = self.session.create_authorization_url(
            metadata["authorization_endpoint"], code_verifier=self.verifier, nonce=self.nonce, **parameters)
        return url

    def finish(self, landed):
        """The claims of the ID token that the code is worth."""
        query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(landed).query))
        assert query["state"] == self.state and query["iss"] == BASE, query
        self.tokens = self.session.fetch_token(
            metadata["token_endpoint"], authorization_response=landed, code_verifier=self.verifier, state=self.state)
        return self.claims(self.tokens["id_token"], self.nonce)

    def claims(self, id_token, nonce=None):
        keys = KeySet.import_key_set(requests.get(metadata["jwks_uri"], timeout=30).json())
        token = jwt.decode(id_token, keys, algorithms=["RS256", "ES256"])
        rules = {"iss": {"essential": True, "value": BASE}, "aud": {"essential": True, "value": self.id},
                 "exp": {"essential": True}, "sub": {"essential": True}}
        if nonce:
            rules["nonce"] = {"essential": True, "value": nonce}
        jwt.JWTClaimsRegistry(**rules).validate(token.claims)
        return token.claims

    def sign_in(self, browser, **parameters):
        landed = browser.sign_in(browser.open(self.start(**parameters)), demo["email"], demo["password"])
        assert isinstance(landed, str) and landed.startswith(self.uri), landed
        return self.finish(landed)


def asked_of(browser):
    """The pages that the browser was shown."""
    return [urllib.parse.urlsplit(url).path for url in browser.seen if "/account/" in url]


def error_of(landed):
    return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(landed).query)).get("error")


state = {}


def the_metadata_is_what_authlib_validates():
    OpenIDProviderMetadata(metadata).validate()
    AuthorizationServerMetadata(metadata).validate()
    assert metadata["issuer"] == BASE
    assert "none" not in metadata["id_token_signing_alg_values_supported"]


def a_user_signs_in_by_name_and_password():
    app = state["one"] = App(client("One", ONE, "--post-logout-uri", OUT, "--first-party"), ONE,
                             scope="openid profile email")
    browser = state["browser"] = Browser(ONE, TWO, THIRD, OUT)
    claims = state["claims"] = app.sign_in(browser)
    assert claims["sub"] and claims["auth_time"] and claims["sid"], claims
    assert "/account/sign-in" in asked_of(browser) and "/account/consent" not in asked_of(browser)
    user = app.session.get(metadata["userinfo_endpoint"]).json()
    assert user["sub"] == claims["sub"] and user["email"] == demo["email"], user
    me = app.session.get(BASE + "/v1/me")
    assert me.status_code == 200 and me.json()["email"] == demo["email"], me.text


def another_app_gets_them_without_a_page():
    app = state["two"] = App(client("Two", TWO, "--first-party", "--auth-method", "client_secret_post"), TWO,
                             method="client_secret_post")
    browser = state["browser"]
    browser.seen.clear()
    claims = app.sign_in(browser)
    assert asked_of(browser) == [], browser.seen
    for name in ("sub", "auth_time", "sid"):
        assert claims[name] == state["claims"][name], (name, claims)
    silent = app.sign_in(browser, prompt="none")
    assert silent["sub"] == claims["sub"]


def consent_is_asked_once_and_remembered():
    app = state["third"] = App(client("Third", THIRD), THIRD)
    browser = state["browser"]
    landed = browser.open(app.start(prompt="none"))
    assert error_of(landed) == "consent_required", landed
    browser.seen.clear()
    app.sign_in(browser)
    assert "/account/consent" in asked_of(browser), browser.seen
    browser.seen.clear()
    app.sign_in(browser)
    assert asked_of(browser) == [], browser.seen


def a_login_that_is_demanded_is_a_new_one():
    browser = state["browser"]
    browser.seen.clear()
    claims = state["one"].sign_in(browser, prompt="login")
    assert "/account/sign-in" in asked_of(browser)
    assert claims["sub"] == state["claims"]["sub"] and claims["auth_time"] >= state["claims"]["auth_time"]


def a_public_app_needs_pkce_and_its_refresh_tokens_rotate():
    uri = "http://127.0.0.1:41641/back"
    registered = client("Desktop", "http://127.0.0.1/back", "--public", "--first-party")
    app = App(registered, uri, method="none")
    browser = Browser("http://127.0.0.1:41641/")
    claims = app.sign_in(browser)
    first = app.tokens["refresh_token"]
    tokens = app.session.refresh_token(metadata["token_endpoint"], refresh_token=first)
    assert tokens["refresh_token"] != first
    refreshed = app.claims(tokens["id_token"])
    assert refreshed["sub"] == claims["sub"] and refreshed["auth_time"] == claims["auth_time"]
    # Without a challenge there is no code.
    url = app.start()
    query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(url).query))
    del query["code_challenge"], query["code_challenge_method"]
    landed = browser.open(url.split("?")[0] + "?" + urllib.parse.urlencode(query))
    assert error_of(landed) == "invalid_request", landed


def a_client_proves_itself_by_a_key():
    key = ECKey.generate_key("P-256", private=True)
    public = key.as_dict(private=False)
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump({"keys": [public]}, file)
        file.flush()
        registered = client("Signer", ONE, "--auth-method", "private_key_jwt", "--jwks", file.name, "--first-party")
    assert "clientSecret" not in registered
    app = App(registered, ONE, method="private_key_jwt", secret=key)
    app.session.register_client_auth_method(PrivateKeyJWT(BASE, alg="ES256"))
    assert app.sign_in(state["browser"])["aud"]
    # What Authlib signs unless it is told the issuer is made out to the endpoint.
    app.session.register_client_auth_method(PrivateKeyJWT(metadata["token_endpoint"], alg="ES256"))
    landed = state["browser"].open(app.start())
    try:
        app.finish(landed)
        raise AssertionError("an assertion for the endpoint was taken")
    except OAuthError as error:
        assert error.error == "invalid_client", error


def a_client_of_fapi_2_binds_all_that_it_gets_to_a_key():
    """Pushed, proved by a key, and bound to another one, with joserfc's signatures and thumbprints (RFC 9449)."""
    key, bound = ECKey.generate_key("P-256", private=True), ECKey.generate_key("P-256", private=True)
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump({"keys": [key.as_dict(private=False)]}, file)
        file.flush()
        registered = client("Bank", ONE, "--profile", "fapi2", "--jwks", file.name, "--first-party")
    name = registered["clientId"]
    assert registered["dpopBoundAccessTokens"] and registered["requiresPushedRequests"], registered

    def proof(method, url, token=None, nonce=None):
        claims = {"jti": secrets.token_urlsafe(12), "htm": method, "htu": url, "iat": int(time.time())}
        if token:
            digest = hashlib.sha256(token.encode()).digest()
            claims["ath"] = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        if nonce:
            claims["nonce"] = nonce
        return jwt.encode({"alg": "ES256", "typ": "dpop+jwt", "jwk": bound.as_dict(private=False)}, claims, bound)

    def post(url, form, **headers):
        claims = {"iss": name, "sub": name, "aud": BASE, "jti": secrets.token_urlsafe(12),
                  "iat": int(time.time()), "exp": int(time.time()) + 60}
        form |= {"client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
                 "client_assertion": jwt.encode({"alg": "ES256"}, claims, key)}
        return requests.post(url, data=form, headers=headers, timeout=30)

    verifier = secrets.token_urlsafe(48)
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    token_url = metadata["token_endpoint"]
    pushed = post(metadata["pushed_authorization_request_endpoint"], {
        "client_id": name, "response_type": "code", "redirect_uri": ONE, "scope": "openid email", "state": "s",
        "code_challenge": challenge, "code_challenge_method": "S256", "dpop_jkt": bound.thumbprint()})
    assert pushed.status_code == 201, pushed.text
    landed = state["browser"].open(metadata["authorization_endpoint"] + "?" + urllib.parse.urlencode(
        {"client_id": name, "request_uri": pushed.json()["request_uri"]}))
    code = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(landed).query))["code"]
    form = {"grant_type": "authorization_code", "code": code, "redirect_uri": ONE, "code_verifier": verifier}
    bare = post(token_url, dict(form))
    assert (bare.status_code, bare.json()["error"]) == (400, "invalid_dpop_proof"), bare.text
    answer = post(token_url, dict(form), DPoP=proof("POST", token_url))
    tokens = answer.json()
    assert answer.status_code == 200 and tokens["token_type"] == "DPoP", answer.text
    access = tokens["access_token"]
    for url in (metadata["userinfo_endpoint"], BASE + "/v1/me"):
        shown = {"Authorization": "DPoP " + access, "DPoP": proof("GET", url, access, answer.headers["DPoP-Nonce"])}
        good = requests.get(url, headers=shown, timeout=30)
        assert good.status_code == 200 and good.json()["sub"] == state["claims"]["sub"], good.text
        assert requests.get(url, headers=shown, timeout=30).status_code == 401, "the same proof again"
        bearer = requests.get(url, headers={"Authorization": "Bearer " + access}, timeout=30)
        assert bearer.status_code == 401 and bearer.headers["WWW-Authenticate"].startswith("DPoP "), bearer.headers
    again = post(token_url, {"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"]},
                 DPoP=proof("POST", token_url))
    assert again.json()["refresh_token"] == tokens["refresh_token"], again.text


def a_client_that_signs_all_that_it_asks_for_is_not_spoken_for():
    """Request objects by joserfc (RFC 9101, section 10.5)."""
    key = ECKey.generate_key("P-256", private=True)
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump({"keys": [key.as_dict(private=False)]}, file)
        file.flush()
        registered = client("Signer", ONE, "--auth-method", "private_key_jwt", "--jwks", file.name, "--first-party",
                            "--require-signed-requests", "--request-object-algorithm", "ES256")
    assert registered["requiresSignedRequests"] and registered["requestObjectAlgorithm"] == "ES256", registered
    app = App(registered, ONE, method="private_key_jwt", secret=key.as_pem(private=True).decode())
    url = urllib.parse.urlsplit(app.start(prompt="none"))
    asked = dict(urllib.parse.parse_qsl(url.query))
    landed = state["browser"].open(url.geturl())
    assert error_of(landed) == "invalid_request", landed
    now = int(time.time())
    signed = jwt.encode({"alg": "ES256", "typ": "oauth-authz-req+jwt"},
                        {**asked, "iss": app.id, "aud": BASE, "iat": now, "exp": now + 60}, key)
    query = urllib.parse.urlencode({"client_id": app.id, "request": signed, "state": "another"})
    landed = state["browser"].open(url._replace(query=query).geturl())
    answer = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(landed).query))
    assert answer.get("code") and answer["state"] == app.state, landed


def a_page_of_an_app_may_call_what_it_needs():
    """A browser asks before each call that is not a plain one (Fetch standard, section 3.2.2), whoever answers there."""
    asked = "authorization, content-type, dpop, x-amz-user-agent"
    documents = ["/.well-known/openid-configuration", "/.well-known/oauth-authorization-server", "/.well-known/jwks.json",
                 "/.well-known/oauth-authorization-server/auth/v1", "/auth/v1/.well-known/openid-configuration",
                 "/auth/v1/.well-known/oauth-authorization-server", "/auth/v1/.well-known/jwks.json"]
    calls = ["/oauth2/token", "/oauth2/userInfo", "/oauth2/revoke", "/oauth2/par", "/oauth2/device_authorization",
             "/oauth2/register", "/oauth2/register/x", "/auth/v1/oauth/token", "/auth/v1/oauth/userinfo",
             "/auth/v1/oauth/clients/register"]
    closed = ["/oauth2/authorize", "/oauth2/authorize/continue", "/oauth2/logout", "/oauth2/introspect", "/account/sign-in"]
    for method, paths in (("GET", documents), ("POST", calls), ("GET", closed)):
        for path in paths:
            answer = requests.options(BASE + path, timeout=30, headers={
                "Origin": PAGE, "Access-Control-Request-Method": method,
                "Access-Control-Request-Headers": asked})
            allowed = answer.headers.get("Access-Control-Allow-Origin")
            if paths is closed:
                assert allowed is None, (path, answer.headers)
                continue
            assert answer.status_code == 204 and allowed in ("*", PAGE), (path, answer.headers)
            assert answer.headers["Access-Control-Allow-Headers"] == asked, (path, answer.headers)
            assert method in answer.headers["Access-Control-Allow-Methods"], (path, answer.headers)
            assert "Access-Control-Allow-Credentials" not in answer.headers, path
    for path in documents:
        answer = requests.get(BASE + path, timeout=30, headers={"Origin": PAGE})
        assert answer.headers.get("Access-Control-Allow-Origin") in ("*", PAGE), (path, answer.status_code)


def a_wrong_secret_and_an_unknown_client_are_refused_alike():
    landed = state["browser"].open(state["one"].start())
    code = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(landed).query))["code"]
    form = {"grant_type": "authorization_code", "code": code, "redirect_uri": ONE,
            "code_verifier": state["one"].verifier}
    answers = []
    for name, secret in ((state["one"].id, "wrong"), ("unknown", "wrong")):
        answer = requests.post(metadata["token_endpoint"], data=form, auth=(name, secret), timeout=30)
        assert answer.headers["WWW-Authenticate"].startswith("Basic"), answer.headers
        answers.append((answer.status_code, answer.json()))
    assert answers[0] == answers[1] and answers[0][0] == 401 and answers[0][1]["error"] == "invalid_client", answers
    # A stranger's guess has not burnt the code.
    assert state["one"].finish(landed)["sub"] == state["claims"]["sub"]


def a_program_acts_for_itself():
    registered = latchkey("client", "create", "Nightly", "--grant", "client_credentials", "--scope", "reports:read")
    session = OAuth2Session(registered["clientId"], registered["clientSecret"], scope="reports:read")
    tokens = session.fetch_token(metadata["token_endpoint"], grant_type="client_credentials")
    assert tokens["scope"] == "reports:read" and "refresh_token" not in tokens and "id_token" not in tokens, tokens
    answer = session.introspect_token(metadata["introspection_endpoint"], token=tokens["access_token"])
    assert answer.json()["active"] is True and answer.json()["sub"].startswith("client:"), answer.text
    assert session.get(BASE + "/v1/me").status_code in (401, 403)


def what_is_revoked_is_dead():
    app = state["two"]
    app.sign_in(state["browser"])
    access, refresh = app.tokens["access_token"], app.tokens["refresh_token"]
    look = lambda token: app.session.introspect_token(metadata["introspection_endpoint"], token=token).json()
    assert look(access)["active"] is True and look(access)["client_id"] == app.id
    answer = app.session.revoke_token(metadata["revocation_endpoint"], token=refresh)
    assert answer.status_code == 200, (answer.text, answer.request.headers, answer.request.body)
    assert look(refresh) == {"active": False} and look(access) == {"active": False}
    answer = http("GET", metadata["userinfo_endpoint"], headers={"Authorization": "Bearer " + access})
    assert answer[0] == 401, answer


def a_rotated_secret_ends_the_old_one():
    app = state["two"]
    made = latchkey("client", "rotate-secret", app.id)
    landed = state["browser"].open(app.start())
    try:
        app.finish(landed)
        raise AssertionError("the old secret was taken")
    except OAuthError as error:
        assert error.error == "invalid_client", error
    app.session.client_secret = made["clientSecret"]
    app.finish(landed)


def who_signs_out_is_asked_again_everywhere():
    app, browser = state["one"], state["browser"]
    app.sign_in(browser)
    mark = secrets.token_hex(8)
    url = metadata["end_session_endpoint"] + "?" + urllib.parse.urlencode({
        "id_token_hint": app.tokens["id_token"], "post_logout_redirect_uri": OUT, "state": mark})
    landed = browser.open(url)
    assert landed == f"{OUT}?state={mark}", landed
    for name in ("one", "two", "third"):
        landed = browser.open(state[name].start(prompt="none"))
        assert error_of(landed) == "login_required", (name, landed)
    page = browser.open(app.start())
    assert page.form_with("password") or page.form_with("email") or page.form_with("text"), page
    # What an app was given ends with the browser's session, but for the one that the user let act in their absence.
    answer = http("GET", metadata["userinfo_endpoint"],
                  headers={"Authorization": "Bearer " + app.tokens["access_token"]})
    assert answer[0] == 401, answer
    offline = state["third"]
    tokens = offline.session.refresh_token(
        metadata["token_endpoint"], refresh_token=offline.tokens["refresh_token"])
    assert offline.claims(tokens["id_token"])["sub"] == state["claims"]["sub"]


steps(the_metadata_is_what_authlib_validates, a_user_signs_in_by_name_and_password,
      another_app_gets_them_without_a_page, consent_is_asked_once_and_remembered,
      a_login_that_is_demanded_is_a_new_one, a_public_app_needs_pkce_and_its_refresh_tokens_rotate,
      a_client_proves_itself_by_a_key, a_client_of_fapi_2_binds_all_that_it_gets_to_a_key,
      a_client_that_signs_all_that_it_asks_for_is_not_spoken_for, a_page_of_an_app_may_call_what_it_needs,
      a_wrong_secret_and_an_unknown_client_are_refused_alike, a_program_acts_for_itself, what_is_revoked_is_dead,
      a_rotated_secret_ends_the_old_one, who_signs_out_is_asked_again_everywhere)

# SPDX-License-Identifier: Apache-2.0
"""The Supabase dialect's OAuth server: supabase-auth registers clients, a page of the site asks its user, and Authlib is the
relying party.

Arguments: the server's URL."""

import secrets
import urllib.parse

import httpx
import requests
from authlib.integrations.requests_client import OAuth2Session, OAuthError
from authlib.oauth2.rfc8414 import AuthorizationServerMetadata
from joserfc import jwt
from joserfc.jwk import KeySet
from supabase_auth import SyncGoTrueClient
from supabase_auth.errors import AuthApiError
from supabase_auth.types import CreateOAuthClientParams, UpdateOAuthClientParams

from support import BASE, fresh_address, http, settings, steps

PASSWORD = "Walking-7-clients"
BACK = "https://rp.example/back"
config = settings()["supabase"]
AUTH = config["url"].rstrip("/") + "/auth/v1"
metadata = requests.get(AUTH + "/.well-known/openid-configuration", timeout=30).json()
admin = SyncGoTrueClient(
    url=AUTH, auto_refresh_token=False, http_client=httpx.Client(timeout=60),
    headers={"apikey": config["serviceRoleKey"], "Authorization": "Bearer " + config["serviceRoleKey"]}).admin
state = {}


class Site:
    """The operator's own site: somebody is signed in to it, and its page asks them (`/oauth/consent`)."""

    def __init__(self):
        address = fresh_address("grantor")
        admin.create_user({"email": address, "password": PASSWORD, "email_confirm": True,
                           "user_metadata": {"name": "Grace"}})
        client = SyncGoTrueClient(url=AUTH, headers={"apikey": config["anonKey"]}, auto_refresh_token=False,
                                  http_client=httpx.Client(timeout=60))
        self.address = address
        self.session = client.sign_in_with_password({"email": address, "password": PASSWORD}).session
        self.headers = {"apikey": config["anonKey"], "Authorization": "Bearer " + self.session.access_token}

    def call(self, method, path, body=None):
        reply = requests.request(method, AUTH + path, json=body, headers=self.headers, timeout=30)
        return reply.status_code, reply.json() if reply.text else None

    def consent(self, url, action="approve"):
        """Follows the client's link to the page, which asks and answers; where the browser goes then."""
        reply = requests.get(url, allow_redirects=False, timeout=30)
        assert reply.status_code == 302, (reply.status_code, reply.text)
        page = urllib.parse.urlsplit(reply.headers["Location"])
        assert page.path == "/oauth/consent", page
        path = "/oauth/authorizations/" + urllib.parse.parse_qs(page.query)["authorization_id"][0]
        status, question = self.call("GET", path)
        assert status == 200, question
        if "redirect_url" in question:
            return question, question["redirect_url"]
        status, answer = self.call("POST", path + "/consent", {"action": action})
        assert status == 200, answer
        return question, answer["redirect_url"]


class App:
    """A relying party, in Authlib's hands."""

    def __init__(self, registered, scope="openid email profile"):
        self.id = registered.client_id
        self.session = OAuth2Session(
            self.id, registered.client_secret, scope=scope, redirect_uri=BACK, code_challenge_method="S256",
            token_endpoint_auth_method=registered.token_endpoint_auth_method)

    def start(self):
        self.verifier, self.nonce = secrets.token_urlsafe(48), secrets.token_urlsafe(16)
        url, self.state = self.session.create_authorization_url(
            metadata["authorization_endpoint"], code_verifier=self.verifier, nonce=self.nonce)
        return url

    def finish(self, landed):
        self.tokens = self.session.fetch_token(
            metadata["token_endpoint"], authorization_response=landed, code_verifier=self.verifier, state=self.state)
        return self.tokens


def the_metadata_is_such_as_the_standards_ask_for():
    AuthorizationServerMetadata(metadata).validate()
    assert metadata["issuer"] == AUTH, metadata
    for place in (AUTH + "/.well-known/oauth-authorization-server",
                  BASE + "/.well-known/oauth-authorization-server/auth/v1"):
        assert requests.get(place, timeout=30).json() == metadata, place


def supabase_auth_registers_reads_changes_and_deletes_clients():
    made = admin.oauth.create_client(CreateOAuthClientParams(client_name="Walk", redirect_uris=[BACK])).client
    assert made.client_secret and made.client_type == "confidential" and made.registration_type == "manual", made
    assert made.client_id in [client.client_id for client in admin.oauth.list_clients().clients]
    assert admin.oauth.get_client(made.client_id).client.client_secret is None
    changed = admin.oauth.update_client(made.client_id, UpdateOAuthClientParams(client_name="Walked")).client
    assert changed.client_name == "Walked" and changed.redirect_uris == [BACK], changed
    other = admin.oauth.regenerate_client_secret(made.client_id).client
    assert other.client_secret and other.client_secret != made.client_secret
    gone = admin.oauth.create_client(CreateOAuthClientParams(client_name="Gone", redirect_uris=[BACK])).client
    admin.oauth.delete_client(gone.client_id)
    try:
        admin.oauth.get_client(gone.client_id)
        raise AssertionError("still there")
    except AuthApiError as error:
        assert error.code == "oauth_client_not_found" and error.status == 404, error
    state["client"] = other


def authlib_signs_a_user_in_who_is_asked_once():
    state["site"], state["app"] = Site(), App(state["client"])
    question, landed = state["site"].consent(state["app"].start())
    assert question["client"]["name"] == "Walked" and question["user"]["email"] == state["site"].address, question
    tokens = state["app"].finish(landed)
    keys = KeySet.import_key_set(requests.get(metadata["jwks_uri"], timeout=30).json())
    claims = jwt.decode(tokens["id_token"], keys, algorithms=metadata["id_token_signing_alg_values_supported"]).claims
    rules = {"iss": {"essential": True, "value": AUTH}, "aud": {"essential": True, "value": state["app"].id},
             "nonce": {"essential": True, "value": state["app"].nonce}, "exp": {"essential": True},
             "sub": {"essential": True, "value": state["site"].session.user.id}}
    jwt.JWTClaimsRegistry(**rules).validate(claims)
    assert claims["email"] == state["site"].address and claims["name"] == "Grace", claims
    question, landed = state["site"].consent(state["app"].start())
    assert "client" not in question, question
    state["app"].finish(landed)


def the_clients_tokens_are_refreshed_and_read_the_user():
    app = state["app"]
    info = app.session.get(metadata["userinfo_endpoint"], timeout=30).json()
    assert info["sub"] == state["site"].session.user.id and info["email"] == state["site"].address, info
    before = app.tokens["refresh_token"]
    tokens = app.session.refresh_token(metadata["token_endpoint"], refresh_token=before)
    assert tokens["access_token"] and tokens["refresh_token"] != before, tokens
    # Supabase's own client library reads the account by it.
    holder = SyncGoTrueClient(url=AUTH, headers={"apikey": config["anonKey"]}, auto_refresh_token=False,
                              http_client=httpx.Client(timeout=60))
    assert holder.get_user(tokens["access_token"]).user.email == state["site"].address
    # And the server's own API says what its scopes let it.
    status, _, me = http("GET", "/v1/me", headers={"Authorization": "Bearer " + tokens["access_token"]})
    assert status == 200 and me["email"] == state["site"].address and me["phone"] is None, (status, me)
    status, _, _ = http("GET", "/v1/activities", headers={"Authorization": "Bearer " + tokens["access_token"]})
    assert status == 403, status


def a_code_is_used_once_and_a_no_is_a_no():
    app = state["app"]
    _, landed = state["site"].consent(app.start())
    app.finish(landed)
    try:
        app.finish(landed)
        raise AssertionError("used twice")
    except OAuthError as error:
        assert error.error == "invalid_grant", error
    fresh = Site()
    _, landed = fresh.consent(app.start(), "deny")
    query = urllib.parse.parse_qs(urllib.parse.urlsplit(landed).query)
    assert query["error"] == ["access_denied"] and query["state"] == [app.state], landed


def a_grant_that_is_taken_back_ends_what_the_client_has():
    site, app = state["site"], state["app"]
    _, landed = site.consent(app.start())
    tokens = app.finish(landed)
    status, grants = site.call("GET", "/user/oauth/grants")
    assert status == 200 and [grant["client"]["id"] for grant in grants] == [app.id], grants
    assert site.call("DELETE", "/user/oauth/grants?client_id=" + app.id) == (204, None)
    try:
        app.session.refresh_token(metadata["token_endpoint"], refresh_token=tokens["refresh_token"])
        raise AssertionError("refreshed")
    except OAuthError as error:
        assert error.error == "invalid_grant", error
    question, _ = site.consent(app.start())
    assert "client" in question, question


def a_stranger_registers_a_public_client_and_proves_nothing_but_its_code():
    reply = requests.post(metadata["registration_endpoint"], timeout=30, json={
        "client_name": "A tool", "redirect_uris": [BACK], "token_endpoint_auth_method": "none"})
    assert reply.status_code == 201, reply.text
    made = reply.json()
    assert made["registration_type"] == "dynamic" and "client_secret" not in made, made
    app = App(admin.oauth.get_client(made["client_id"]).client, scope="openid")
    _, landed = state["site"].consent(app.start())
    assert app.finish(landed)["id_token"]


steps(the_metadata_is_such_as_the_standards_ask_for, supabase_auth_registers_reads_changes_and_deletes_clients,
      authlib_signs_a_user_in_who_is_asked_once, the_clients_tokens_are_refreshed_and_read_the_user,
      a_code_is_used_once_and_a_no_is_a_no, a_grant_that_is_taken_back_ends_what_the_client_has,
      a_stranger_registers_a_public_client_and_proves_nothing_but_its_code)

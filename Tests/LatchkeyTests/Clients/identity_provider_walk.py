# SPDX-License-Identifier: Apache-2.0
"""Authlib and joserfc are an app's server, and judge the providers that a development server plays: any OpenID provider
and Google by redirect, and whatever a script is given."""

import hashlib
import secrets
import urllib.parse

import requests
from authlib.integrations.requests_client import OAuth2Session, OAuthError
from authlib.oidc.core import CodeIDToken
from joserfc import jwt
from joserfc.errors import InvalidClaimError
from joserfc.jwk import KeySet

from pages import Browser
from support import BASE, settings, steps

shown = settings()["identityProviders"]
PLACE = BASE + "/dev/identity-provider"
BACK = "http://localhost:3999/back"


def metadata(provider):
    return requests.get(f"{PLACE}/{provider}/.well-known/openid-configuration", timeout=30).json()


def judged(provider, token, nonce, access_token, issuer=None):
    """The claims, as Authlib holds them to OpenID Connect Core, section 3.1.3.7."""
    about = metadata(provider)
    keys = KeySet.import_key_set(requests.get(about["jwks_uri"], timeout=30).json())
    read = jwt.decode(token, keys, algorithms=about["id_token_signing_alg_values_supported"])
    claims = CodeIDToken(read.claims, read.header, {"iss": {"value": issuer or about["issuer"]}},
                         {"client_id": shown[provider + "ClientId"], "nonce": nonce, "access_token": access_token})
    claims.validate(leeway=60)
    return claims


class Trip:
    """One sign-in: away to the provider, a choice on its page, and back."""

    def __init__(self, provider, **more):
        about = metadata(provider)
        self.provider, self.nonce = provider, secrets.token_urlsafe(16)
        self.session = OAuth2Session(
            shown[provider + "ClientId"], shown[provider + "ClientSecret"], scope="openid email profile",
            redirect_uri=BACK, code_challenge_method="S256", token_endpoint_auth_method="client_secret_basic")
        self.verifier = secrets.token_urlsafe(48)
        url, self.state = self.session.create_authorization_url(
            about["authorization_endpoint"], nonce=self.nonce, code_verifier=self.verifier, **more)
        self.browser = Browser(BACK)
        self.page = self.browser.open(url)

    def choose(self, name, value, index=0, **typed):
        self.back = self.browser.submit(self.page, self.page.forms[index], (name, value), **typed)
        return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.back).query))

    def tokens(self):
        return self.session.fetch_token(metadata(self.provider)["token_endpoint"], authorization_response=self.back,
                                        code_verifier=self.verifier, state=self.state)


def accounts(trip):
    return [value for name, value in trip.page.forms[0]["buttons"] if name == "account"]


def any_provider_and_google_sign_somebody_in():
    for provider in ("openid", "google"):
        trip = Trip(provider)
        answer = trip.choose("account", accounts(trip)[0])
        assert answer["state"] == trip.state and answer["iss"] == metadata(provider)["issuer"], answer
        tokens = trip.tokens()
        claims = judged(provider, tokens["id_token"], trip.nonce, tokens["access_token"])
        assert claims["email"] == "ada@example.com" and claims["email_verified"] is True, claims
        profile = trip.session.get(metadata(provider)["userinfo_endpoint"]).json()
        assert profile["sub"] == claims["sub"] and profile["name"] == "Ada Lind", profile


def somebody_made_up_has_the_claims_that_were_typed():
    trip = Trip("google")
    trip.choose(None, "", index=1, subject="424242", email="eve@example.com",
                claims='{"email_verified": "false", "iss": "accounts.google.com"}')
    tokens = trip.tokens()
    claims = judged("google", tokens["id_token"], trip.nonce, tokens["access_token"], "accounts.google.com")
    assert claims["sub"] == "424242" and claims["email_verified"] == "false", claims


def who_cancels_comes_back_without_a_code():
    for answer, error in {"cancel": "access_denied", "fail": "server_error"}.items():
        trip = Trip("openid")
        back = trip.choose("answer", answer)
        assert back["error"] == error and "code" not in back and back["state"] == trip.state, back


def a_code_is_redeemed_by_whoever_asked_for_it_once():
    trip = Trip("openid")
    trip.choose("account", accounts(trip)[0])
    right, trip.verifier = trip.verifier, secrets.token_urlsafe(48)
    for verifier in (trip.verifier, right):
        trip.verifier = verifier
        try:
            raise AssertionError(trip.tokens())
        except OAuthError as error:
            assert error.error == "invalid_grant", error


def a_script_gets_what_a_phone_would():
    raw = secrets.token_urlsafe(16)
    hashed = hashlib.sha256(raw.encode()).hexdigest()
    for provider in ("google", "apple", "microsoft", "openid"):
        answer = requests.post(shown["idToken"], timeout=30, json={
            "provider": provider, "subject": "ada@example.com", "nonce": hashed}).json()
        issuer = metadata(provider)["issuer"].replace("{tenantid}", "11111111-2222-4333-8444-555555555555")
        try:
            claims = judged(provider, answer["id_token"], hashed, answer["access_token"], issuer)
        except InvalidClaimError as error:
            # Google names the phone's client, and an app takes it that knows it to be its own.
            assert provider == "google" and "azp" in str(error), (provider, error)
            continue
        assert provider != "google" and claims["email"] == "ada@example.com", claims
        if provider == "apple":
            assert claims["email_verified"] == "true" and claims["real_user_status"] == 2, claims


def what_is_revoked_is_over():
    trip = Trip("openid")
    trip.choose("account", accounts(trip)[1])
    tokens = trip.tokens()
    overview = trip.browser.open(PLACE)
    form = next(form for form in overview.forms
                if form["fields"]["provider"] == "openid" and form["fields"]["subject"] == accounts(trip)[1])
    assert "Revoked" in trip.browser.submit(overview, form).text
    profile = trip.session.get(metadata("openid")["userinfo_endpoint"], headers={
        "Authorization": "Bearer " + tokens["access_token"]})
    assert profile.status_code == 401, profile.text


steps(any_provider_and_google_sign_somebody_in, somebody_made_up_has_the_claims_that_were_typed,
      who_cancels_comes_back_without_a_code, a_code_is_redeemed_by_whoever_asked_for_it_once,
      a_script_gets_what_a_phone_would, what_is_revoked_is_over)

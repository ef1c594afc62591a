# SPDX-License-Identifier: Apache-2.0
"""A pool's hosted UI: boto3 makes the pool and its app clients, requests walks the pages to a code and tokens, and boto3
takes the tokens. Authlib reads the pool's metadata and does the same.

Argument: the server's URL."""

import base64
import hashlib
import secrets
import urllib.parse

import boto3
import requests
from authlib.integrations.requests_client import OAuth2Session
from botocore.config import Config
from botocore.exceptions import ClientError
from joserfc import jwt
from joserfc.jwk import KeySet

from pages import Browser
from support import BASE, PASSWORD, fresh_address, mail, steps

CALLBACK, OUT = "http://localhost:3000/back", "http://localhost:3000/out"
NEXT_PASSWORD = "Another-horse-8-battery!"
SCOPE = "openid email aws.cognito.signin.user.admin"
cognito = boto3.client("cognito-idp", endpoint_url=BASE, region_name="us-east-1", aws_access_key_id="local",
                       aws_secret_access_key="local", config=Config(retries={"total_max_attempts": 1}))
state = {}


def refused(code, call, **arguments):
    try:
        call(**arguments)
    except ClientError as error:
        assert error.response["Error"]["Code"] == code, error
        return error.response["Error"]["Message"]
    raise AssertionError(f"{code} expected")


class App:
    """An app client and what its app keeps between two pages."""

    def __init__(self, name, **members):
        self.client = cognito.create_user_pool_client(
            UserPoolId=state["pool"], ClientName=name, AllowedOAuthFlowsUserPoolClient=True,
            **{"AllowedOAuthFlows": ["code"], "AllowedOAuthScopes": SCOPE.split(), "CallbackURLs": [CALLBACK],
               "LogoutURLs": [OUT], "SupportedIdentityProviders": ["COGNITO"],
               "ExplicitAuthFlows": ["ALLOW_USER_PASSWORD_AUTH", "ALLOW_REFRESH_TOKEN_AUTH"], **members}
        )["UserPoolClient"]
        self.id, self.secret = self.client["ClientId"], self.client.get("ClientSecret")

    def url(self, path="/oauth2/authorize", **parameters):
        """What an SDK opens."""
        self.verifier, self.state, self.nonce = (secrets.token_urlsafe(48) for _ in range(3))
        self.state += "-ä +%20&=?"
        challenge = base64.urlsafe_b64encode(hashlib.sha256(self.verifier.encode()).digest()).rstrip(b"=").decode()
        return BASE + path + "?" + urllib.parse.urlencode({
            "response_type": "code", "client_id": self.id, "redirect_uri": CALLBACK, "state": self.state,
            "scope": SCOPE, "nonce": self.nonce, "code_challenge": challenge, "code_challenge_method": "S256",
            "identity_provider": "COGNITO", **parameters})

    def token(self, **form):
        # As an SDK in a page does it: without credentials, and with a header of its own.
        answer = requests.post(
            BASE + "/oauth2/token", data={"client_id": self.id, **form}, timeout=30,
            auth=(self.id, self.secret) if self.secret else None,
            headers={"x-amz-user-agent": "aws-amplify/6", "Origin": "http://localhost:3000"})
        assert answer.headers["Content-Type"] == "application/json;charset=UTF-8", (answer.headers, answer.text)
        return answer

    def finish(self, landed):
        assert isinstance(landed, str) and landed.startswith(CALLBACK), landed
        query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(landed).query))
        assert query["state"] == self.state, query
        answer = self.token(grant_type="authorization_code", code=query["code"], redirect_uri=CALLBACK,
                            code_verifier=self.verifier)
        assert answer.status_code == 200, answer.text
        self.tokens = answer.json()
        return self.tokens


def claims(token):
    keys = KeySet.import_key_set(requests.get(state["metadata"]["jwks_uri"], timeout=30).json())
    return jwt.decode(token, keys, algorithms=["RS256"]).claims


def fill(page, **typed):
    """Sends the page's form with what is typed into its fields."""
    form = next((form for form in page.forms if set(typed) <= set(form["fields"])), None)
    assert form, page
    return state["browser"].submit(page, form, form["buttons"][0], **typed)


def boto3_makes_a_pool_with_app_clients_and_a_user():
    pool = cognito.create_user_pool(
        PoolName="Hosted", UsernameAttributes=["email"], AutoVerifiedAttributes=["email"])["UserPool"]
    state["pool"] = pool["Id"]
    state["app"] = App("Phone")
    state["web"] = App("Web", GenerateSecret=True)
    state["email"] = fresh_address("ada")
    cognito.admin_create_user(
        UserPoolId=pool["Id"], Username=state["email"], MessageAction="SUPPRESS",
        UserAttributes=[{"Name": "email", "Value": state["email"]}, {"Name": "email_verified", "Value": "true"},
                        {"Name": "nickname", "Value": "Countess"}])
    cognito.admin_set_user_password(
        UserPoolId=pool["Id"], Username=state["email"], Password=PASSWORD, Permanent=True)
    state["metadata"] = requests.get(
        f"{BASE}/{pool['Id']}/.well-known/openid-configuration", timeout=30).json()
    assert state["metadata"]["token_endpoint"] == BASE + "/oauth2/token", state["metadata"]


def a_user_walks_the_pages_to_a_code_and_tokens():
    app, browser = state["app"], Browser(CALLBACK, OUT)
    state["browser"] = browser
    page = browser.open(app.url())
    assert page.form_with("password"), page
    tokens = app.finish(browser.sign_in(page, state["email"], PASSWORD))
    assert tokens["token_type"] == "Bearer" and tokens["expires_in"] == 3600, tokens
    identity, access = claims(tokens["id_token"]), claims(tokens["access_token"])
    assert identity["aud"] == app.id and identity["nonce"] == app.nonce, identity
    assert identity["iss"] == access["iss"] == state["metadata"]["issuer"], (identity, access)
    assert identity["nickname"] == "Countess" and identity["email_verified"] is True, identity
    assert access["token_use"] == "access" and access["version"] == 2, access
    assert access["scope"].split() == SCOPE.split(), access


def boto3_takes_the_tokens_of_the_page():
    app = state["app"]
    user = cognito.get_user(AccessToken=app.tokens["access_token"])
    attributes = {each["Name"]: each["Value"] for each in user["UserAttributes"]}
    assert attributes["email"] == state["email"], user
    answer = requests.get(state["metadata"]["userinfo_endpoint"], timeout=30,
                          headers={"Authorization": "Bearer " + app.tokens["access_token"]})
    assert answer.json()["email_verified"] == "true" and answer.json()["sub"] == attributes["sub"], answer.text
    landed = state["browser"].open(app.url(scope="openid"))
    little = app.finish(landed)["access_token"]
    said = refused("NotAuthorizedException", cognito.get_user, AccessToken=little)
    assert said == "Access Token does not have required scopes", said


def tokens_are_refreshed_by_either_way():
    app = state["app"]
    app.finish(state["browser"].open(app.url()))
    answer = app.token(grant_type="refresh_token", refresh_token=app.tokens["refresh_token"])
    assert answer.status_code == 200 and "refresh_token" not in answer.json(), answer.text
    assert claims(answer.json()["access_token"])["scope"].split() == SCOPE.split()
    result = cognito.initiate_auth(
        ClientId=app.id, AuthFlow="REFRESH_TOKEN_AUTH",
        AuthParameters={"REFRESH_TOKEN": app.tokens["refresh_token"]})["AuthenticationResult"]
    assert claims(result["AccessToken"])["scope"].split() == SCOPE.split()
    wrong = app.token(grant_type="refresh_token", refresh_token="x")
    assert wrong.status_code == 400 and wrong.json()["error"] == "invalid_grant", wrong.text
    assert wrong.json()["error_message"], wrong.text


def another_app_client_signs_in_without_a_page_by_authlib():
    web, metadata = state["web"], state["metadata"]
    session = OAuth2Session(web.id, web.secret, scope="openid email", redirect_uri=CALLBACK,
                            code_challenge_method="S256")
    verifier = secrets.token_urlsafe(48)
    url, mark = session.create_authorization_url(metadata["authorization_endpoint"], code_verifier=verifier)
    state["browser"].seen.clear()
    landed = state["browser"].open(url)
    assert landed.startswith(CALLBACK) and not any("/account/" in url for url in state["browser"].seen), landed
    tokens = session.fetch_token(metadata["token_endpoint"], authorization_response=landed, code_verifier=verifier,
                                 state=mark)
    assert claims(tokens["id_token"])["aud"] == web.id
    assert session.get(metadata["userinfo_endpoint"]).json()["email"] == state["email"]
    assert session.revoke_token(metadata["revocation_endpoint"], token=tokens["refresh_token"]).status_code == 200
    dead = session.get(metadata["userinfo_endpoint"])
    assert dead.status_code == 401 and "invalid_token" in dead.headers["WWW-Authenticate"], dead.headers


def signing_out_asks_again():
    app, browser = state["app"], state["browser"]
    app.finish(browser.open(app.url()))
    landed = browser.open(BASE + "/logout?" + urllib.parse.urlencode({"client_id": app.id, "logout_uri": OUT}))
    assert landed == OUT, landed
    page = browser.open(app.url())
    assert not isinstance(page, str) and page.form_with("password"), page
    silent = browser.open(app.url(prompt="none"))
    assert "error=login_required" in silent, silent
    assert app.token(grant_type="refresh_token", refresh_token=app.tokens["refresh_token"]).status_code == 400
    # The other form: straight to the sign-in page.
    page = browser.open(app.url("/logout"))
    assert page.form_with("password"), page
    app.finish(browser.sign_in(page, state["email"], PASSWORD))
    page = browser.open(BASE + "/logout?" + urllib.parse.urlencode({
        "client_id": app.id, "logout_uri": "https://evil.example/"}))
    assert page.status == 400 and "redirect_mismatch" in page.text, page


def somebody_signs_up_on_the_pages():
    app, email = state["app"], fresh_address("ada")
    state["browser"] = browser = Browser(CALLBACK, OUT)
    page = fill(browser.open(app.url("/signup")), identifier=email, newPassword=PASSWORD)
    code = mail(email)["code"]
    tokens = app.finish(fill(page, code=code))
    assert claims(tokens["id_token"])["email"] == email
    assert cognito.admin_get_user(UserPoolId=state["pool"], Username=email)["UserStatus"] == "CONFIRMED"
    state["new"] = email


def a_forgotten_password_is_replaced_on_the_pages():
    app, email = state["app"], state["new"]
    before = mail(email)["id"]
    state["browser"] = browser = Browser(CALLBACK, OUT)
    start = browser.open(app.url("/forgotPassword"))
    page = fill(start, identifier=email)
    code = mail(email, newer_than=before)["code"]
    at = fill(page, code=code, newPassword=NEXT_PASSWORD)
    app.finish(at if isinstance(at, str) else browser.sign_in(at, email, NEXT_PASSWORD))
    cognito.initiate_auth(ClientId=app.id, AuthFlow="USER_PASSWORD_AUTH",
                          AuthParameters={"USERNAME": email, "PASSWORD": NEXT_PASSWORD})


steps(boto3_makes_a_pool_with_app_clients_and_a_user, a_user_walks_the_pages_to_a_code_and_tokens,
      boto3_takes_the_tokens_of_the_page, tokens_are_refreshed_by_either_way,
      another_app_client_signs_in_without_a_page_by_authlib, signing_out_asks_again, somebody_signs_up_on_the_pages,
      a_forgotten_password_is_replaced_on_the_pages)

# SPDX-License-Identifier: Apache-2.0
"""A pool's hosted UI: boto3 makes the pool and its app clients, requests walks the pages to a code and tokens, and boto3
takes the tokens. Authlib reads the pool's metadata and does the same. First of all a newcomer does it by what `/dev` says.

Argument: the server's URL."""

import base64
import hashlib
import html
import re
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
from support import BASE, PASSWORD, fresh_address, mail, settings, steps

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


def a_newcomer_signs_up_and_in_by_what_dev_says():
    dev = settings()["cognito"]
    email, callback, out = fresh_address("newcomer"), dev["callbackUrl"], dev["signOutUrl"]
    verifier, mark = secrets.token_urlsafe(48), secrets.token_urlsafe(8)
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    request = dev["hostedUi"] + "/oauth2/authorize?" + urllib.parse.urlencode({
        "response_type": "code", "client_id": dev["clientId"], "redirect_uri": callback, "scope": dev["scopes"],
        "state": mark, "code_challenge": challenge, "code_challenge_method": "S256"})
    state["browser"] = browser = Browser(callback, out)
    page = browser.open(request)
    assert page.form_with("password"), page
    links = [link for link in page.links if "/sign-up" in link]
    page = fill(browser.open(urllib.parse.urljoin(page.url, links[0])), identifier=email, newPassword=PASSWORD)
    landed = fill(page, code=mail(email)["code"])
    query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(landed).query))
    assert landed.startswith(callback) and query["state"] == mark, landed
    tokens = requests.post(dev["hostedUi"] + "/oauth2/token", timeout=30, data={
        "grant_type": "authorization_code", "client_id": dev["clientId"], "redirect_uri": callback,
        "code": query["code"], "code_verifier": verifier}).json()
    user = cognito.get_user(AccessToken=tokens["access_token"])
    assert {"Name": "email", "Value": email} in user["UserAttributes"], user
    me = requests.get(BASE + "/v1/me", headers={"Authorization": "Bearer " + tokens["access_token"]}, timeout=30)
    assert me.status_code == 200 and me.json()["email"] == email, me.text
    landed = browser.open(dev["hostedUi"] + "/logout?" + urllib.parse.urlencode({
        "client_id": dev["clientId"], "logout_uri": out}))
    assert landed == out, landed
    page = browser.open(request)
    assert not isinstance(page, str) and page.form_with("password"), "asked again"


def the_links_of_dev_sign_in_and_out_without_an_app():
    dev = settings()["cognito"]
    page = requests.get(BASE + "/dev", timeout=30).text
    for name in ["signInLink", "signOutLink"]:
        assert html.escape(dev[name]) in page, name
    state["browser"] = browser = Browser()
    demo = settings()["demo"]
    page = browser.sign_in(browser.open(dev["signInLink"]), demo["email"], demo["password"])
    assert page.status == 200 and "/dev/callback?" in page.url and "Back in the app" in page.text, page
    query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(page.url).query))
    assert query["code"] in page.text and query["state"] == "development", page
    # As the page's own snippet says it.
    snippet = html.unescape(requests.get(BASE + "/dev", timeout=30).text)
    form = dict(re.findall(r"-d (\w+)=(\S+)", snippet[snippet.index("curl "):]), code=query["code"])
    answer = requests.post(BASE + "/oauth2/token", data=form, timeout=30)
    assert answer.status_code == 200 and answer.json()["id_token"], answer.text
    # Signed in already: at once.
    assert "/dev/callback?" in browser.open(dev["signInLink"]).url
    assert browser.open(dev["signOutLink"]).url == BASE + "/dev"
    assert browser.open(dev["signInLink"]).form_with("password")
    for query in ["code=%3Cscript%3E", "code=a&code=b", "code=%", "x=" + "y" * 9000]:
        answer = requests.get(BASE + "/dev/callback?" + query, timeout=30)
        assert answer.status_code in (200, 400, 414, 413, 431) and "<script>" not in answer.text, (query, answer.status_code)


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


def an_app_client_acts_for_itself_by_scopes_of_a_resource_server():
    cognito.create_resource_server(
        UserPoolId=state["pool"], Identifier="https://notes.example", Name="Notes",
        Scopes=[{"ScopeName": "read", "ScopeDescription": "Read notes"},
                {"ScopeName": "write", "ScopeDescription": "Write notes"}])
    read = "https://notes.example/read"
    robot = App("Robot", AllowedOAuthFlows=["client_credentials"], AllowedOAuthScopes=[read], GenerateSecret=True,
                CallbackURLs=[], LogoutURLs=[])
    session = OAuth2Session(robot.id, robot.secret, scope=read)
    token = session.fetch_token(state["metadata"]["token_endpoint"], grant_type="client_credentials")
    said = claims(token["access_token"])
    assert said["scope"] == read and said["client_id"] == robot.id and "refresh_token" not in token, (said, token)
    refused("NotAuthorizedException", cognito.get_user, AccessToken=token["access_token"])
    other = robot.token(grant_type="client_credentials", scope="https://notes.example/write")
    assert other.status_code == 400 and other.json()["error"] == "invalid_scope", other.text
    user = state["app"].token(grant_type="client_credentials")
    assert user.status_code == 400 and user.json()["error"] == "unauthorized_client", user.text
    page = Browser(CALLBACK).open(robot.url())
    assert page.status == 400, "nobody is sent anywhere by it"
    # With the resource server the scope goes.
    cognito.delete_resource_server(UserPoolId=state["pool"], Identifier="https://notes.example")
    gone = robot.token(grant_type="client_credentials")
    assert gone.status_code == 400 and gone.json()["error"] == "invalid_scope", gone.text


def a_domain_is_of_its_own_pools_app_clients_alone():
    app, prefix = state["app"], "walk-" + secrets.token_hex(4)
    cognito.create_user_pool_domain(UserPoolId=state["pool"], Domain=prefix)
    stranger = settings()["cognito"]["clientId"]
    at = Browser(CALLBACK, OUT)
    at.session.headers["Host"] = prefix + ".localhost:" + BASE.rsplit(":", 1)[1]
    page = at.open(app.url())
    assert page.form_with("password") and "/directories/" in page.forms[0]["action"], page
    landed = at.sign_in(page, state["email"], PASSWORD)
    app.finish(landed)
    wanted = requests.get(BASE + "/.well-known/change-password", headers=at.session.headers, allow_redirects=False,
                          timeout=30)
    assert wanted.headers["Location"].startswith("/directories/"), wanted.headers
    for path, query in [
        ("/oauth2/authorize", {"response_type": "code", "redirect_uri": "http://127.0.0.1/callback"}),
        ("/login", {"response_type": "code", "redirect_uri": "http://127.0.0.1/callback"}),
        ("/logout", {"logout_uri": "http://127.0.0.1/"}),
    ]:
        page = at.open(BASE + path + "?" + urllib.parse.urlencode({"client_id": stranger, **query}))
        assert page.status == 400 and not isinstance(page, str), (path, page)
    answer = at.session.post(BASE + "/oauth2/token", timeout=30, data={
        "grant_type": "refresh_token", "client_id": stranger, "refresh_token": "x"})
    assert answer.status_code == 401 and answer.json()["error"] == "invalid_client", answer.text
    # Nobody was signed out on the way to nowhere.
    assert isinstance(at.open(app.url(prompt="none")), str)
    assert "error=" not in at.open(app.url(prompt="none"))
    assert at.open(BASE + "/error?error=redirect_mismatch").status == 400
    assert at.open(BASE + "/logout?" + urllib.parse.urlencode({"client_id": app.id, "logout_uri": OUT})) == OUT
    assert "error=login_required" in at.open(app.url(prompt="none"))
    # Identity providers send browsers back to the host that they left from: moved apps are registered with it.
    at.seen.clear()
    at.open(App("Google alone", SupportedIdentityProviders=["Google"]).url(identity_provider="Google"))
    left = next(url for url in at.seen if "/identity-provider/google/authorize" in url)
    place = urllib.parse.parse_qs(urllib.parse.urlsplit(left).query)["redirect_uri"]
    assert place == [f"http://{at.session.headers['Host']}/oauth2/idpresponse"], left
    cognito.delete_user_pool_domain(UserPoolId=state["pool"], Domain=prefix)
    page = at.open(app.url())
    assert page.form_with("password"), "a host that is nobody's is the server's own"


steps(a_newcomer_signs_up_and_in_by_what_dev_says, the_links_of_dev_sign_in_and_out_without_an_app,
      boto3_makes_a_pool_with_app_clients_and_a_user, a_user_walks_the_pages_to_a_code_and_tokens,
      boto3_takes_the_tokens_of_the_page, tokens_are_refreshed_by_either_way,
      another_app_client_signs_in_without_a_page_by_authlib, signing_out_asks_again, somebody_signs_up_on_the_pages,
      a_forgotten_password_is_replaced_on_the_pages, an_app_client_acts_for_itself_by_scopes_of_a_resource_server,
      a_domain_is_of_its_own_pools_app_clients_alone)

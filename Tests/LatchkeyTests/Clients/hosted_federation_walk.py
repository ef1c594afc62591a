# SPDX-License-Identifier: Apache-2.0
"""A pool's hosted UI with Google behind it, in a browser, by what `/dev` says: completed, cancelled, failing, slow, then signed
out and asked again. boto3 links a user to Google, who is that user the first time that they come; and an app client without
the pool itself leads straight there.

Argument: the server's URL."""

import base64
import hashlib
import http.server
import json
import secrets
import threading
import urllib.parse

import boto3
import requests
from botocore.config import Config

from accessible import CheckedWindow
from chromium import Chromium
from support import BASE, fresh_address, settings, steps

pool = settings()["cognito"]
POOL, GOOGLE, VERIFIER = pool["userPoolId"], BASE + "/dev/identity-provider", "v" * 64
cognito = boto3.client("cognito-idp", endpoint_url=BASE, region_name="us-east-1", aws_access_key_id="local",
                       aws_secret_access_key="local", config=Config(retries={"total_max_attempts": 1}))
browser = Chromium()
window = CheckedWindow(browser, BASE)
state = {"subject": "hosted-" + secrets.token_hex(4), "address": fresh_address("grace")}


class App(http.server.BaseHTTPRequestHandler):
    """Where the pages send people back to, and what they bring."""

    answer = {}

    def do_GET(self):
        parts = urllib.parse.urlsplit(self.path)
        if parts.path == "/callback":
            App.answer = dict(urllib.parse.parse_qsl(parts.query))
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><html lang=en><title>App</title><h1>The app</h1>")

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), App)
threading.Thread(target=server.serve_forever, daemon=True).start()
HOME = f"http://127.0.0.1:{server.server_address[1]}"


def request(client=None, **more):
    challenge = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).rstrip(b"=").decode()
    return BASE + "/oauth2/authorize?" + urllib.parse.urlencode({
        "response_type": "code", "client_id": client or pool["clientId"], "redirect_uri": HOME + "/callback",
        "scope": "openid email profile aws.cognito.signin.user.admin", "state": "s t", "code_challenge": challenge,
        "code_challenge_method": "S256", **more})


def at_google(at=None):
    at = at or window
    assert at.heading == "Choose an account" and at.url.startswith(GOOGLE), (at.heading, at.url)


def come_as(subject, address, at=None, verified=True):
    """Makes somebody up at Google's page."""
    at = at or window
    at_google(at)
    for name, text in {"subject": subject, "email": address, "name": "Grace Hopper"}.items():
        at.fill(name, text)
    if verified:
        at.value("document.getElementsByName('verified')[0].click()")
    at.press("main form:last-of-type button")


def told(at=None):
    at = at or window
    assert at.heading == "The app", (at.url, at.heading, at.text)
    answer, App.answer = App.answer, {}
    assert answer["state"] == "s t", answer
    return answer


def tokens(client=None):
    answer = told()
    found = requests.post(BASE + "/oauth2/token", timeout=30, data={
        "grant_type": "authorization_code", "client_id": client or pool["clientId"],
        "redirect_uri": HOME + "/callback", "code": answer["code"], "code_verifier": VERIFIER})
    assert found.status_code == 200, found.text
    return found.json()


def claims(token):
    part = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))


def sign_out():
    window.open(BASE + "/logout?" + urllib.parse.urlencode({"client_id": pool["clientId"], "logout_uri": HOME + "/"}))
    assert window.heading == "The app", (window.url, window.text)


def the_button_leads_to_google_and_back_to_the_app():
    window.open(request())
    assert window.heading == "Sign in" and "Continue with Google" in window.text, window.text
    window.press("a[href*='name=google']")
    # Where moved apps are registered already.
    place = urllib.parse.parse_qs(urllib.parse.urlsplit(window.url).query).get("redirect_uri", [""])[0]
    assert not place or place == BASE + "/oauth2/idpresponse", window.url
    come_as(state["subject"], state["address"])
    answer = tokens()
    said = claims(answer["id_token"])
    # As apps read it: objects of texts, in a list.
    identity, = said["identities"]
    assert {**identity, "dateCreated": ""} == {
        "userId": state["subject"], "providerName": "Google", "providerType": "Google", "issuer": None,
        "primary": "true", "dateCreated": ""} and identity["dateCreated"].isdigit(), identity
    assert said["cognito:username"] == "Google_" + state["subject"], said
    assert said["cognito:groups"] == [POOL + "_Google"] and said["email"] == state["address"], said
    user = cognito.get_user(AccessToken=answer["access_token"])
    assert user["Username"] == said["cognito:username"], user
    shown = cognito.admin_get_user(UserPoolId=POOL, Username=said["cognito:username"])
    assert shown["UserStatus"] == "EXTERNAL_PROVIDER", shown
    kept = {each["Name"]: each["Value"] for each in shown["UserAttributes"]}
    assert json.loads(kept["identities"])[0]["primary"] is True and kept["sub"] == said["sub"], kept
    listed = cognito.list_users_in_group(UserPoolId=POOL, GroupName=POOL + "_Google")["Users"]
    assert said["cognito:username"] in [each["Username"] for each in listed], listed
    state["sub"] = said["sub"]
    assert not window.complaints(), window.complaints()


def signed_out_they_are_asked_again_and_are_the_same():
    window.open(request())
    assert "code" in told(), "signed in still"
    sign_out()
    window.open(request(prompt="none"))
    assert told()["error"] == "login_required"
    window.open(request(identity_provider="Google"))
    come_as(state["subject"], state["address"])
    assert claims(tokens()["id_token"])["sub"] == state["sub"]
    sign_out()


def who_cancels_and_whom_google_fails_are_back_in_the_app():
    for button, code in [("cancel", "access_denied"), ("fail", "invalid_request")]:
        window.open(request(identity_provider="Google"))
        at_google()
        window.press(f"button[value={button}]")
        answer = told()
        assert answer["error"] == code and "code" not in answer and answer["error_description"], answer
    for behaviour in ("unavailable", "garbled"):
        window.open(request(identity_provider="Google"))
        at_google()
        window.value(f"document.querySelector('input[value={behaviour}]').click()")
        window.press("button[aria-label='Bruno Costa']")
        answer = told()
        assert answer["error"] == "invalid_request" and "code" not in answer, answer
    window.open(request(prompt="none"))
    assert told()["error"] == "login_required", "nothing half-made stays"


def a_slow_provider_keeps_nobody_else_waiting():
    window.open(request(identity_provider="Google"))
    at_google()
    window.value("document.querySelector('input[value=slow]').click()")

    def meanwhile():
        window.value("document.querySelector(\"button[aria-label='Bruno Costa']\").click()")
        demo = settings()["demo"]
        signed = cognito.initiate_auth(
            ClientId=pool["clientId"], AuthFlow="USER_PASSWORD_AUTH",
            AuthParameters={"USERNAME": demo["email"], "PASSWORD": demo["password"]})
        assert signed["AuthenticationResult"]["IdToken"], signed

    window.loaded(meanwhile)
    assert claims(tokens()["id_token"])["email"] == "bruno@example.net"
    sign_out()


def boto3_links_a_user_who_then_comes_by_google():
    name, subject = "linked-" + secrets.token_hex(4), "linked-" + secrets.token_hex(4)
    made = cognito.admin_create_user(
        UserPoolId=POOL, Username=name, MessageAction="SUPPRESS",
        UserAttributes=[{"Name": "email", "Value": fresh_address("linked")}])["User"]
    source = {"ProviderName": "Google", "ProviderAttributeName": "Cognito_Subject", "ProviderAttributeValue": subject}
    # As operators' scripts write it.
    cognito.admin_set_user_password(UserPoolId=POOL, Username=name, Password="Linked-horse-7-battery", Permanent=True)
    cognito.admin_link_provider_for_user(
        UserPoolId=POOL, SourceUser=source,
        DestinationUser={"ProviderName": "Cognito", "ProviderAttributeName": "x", "ProviderAttributeValue": name})
    window.open(request(identity_provider="Google"))
    come_as(subject, fresh_address("elsewhere"))
    said = claims(tokens()["id_token"])
    sub = next(each["Value"] for each in made["Attributes"] if each["Name"] == "sub")
    assert said["sub"] == sub and said["cognito:username"] == name, said
    assert said["identities"][0]["primary"] == "false" and "cognito:groups" not in said, said
    assert cognito.admin_get_user(UserPoolId=POOL, Username=name)["UserStatus"] == "CONFIRMED"
    sign_out()
    cognito.admin_disable_provider_for_user(UserPoolId=POOL, User=source)
    user = cognito.admin_get_user(UserPoolId=POOL, Username=name)
    assert "identities" not in [each["Name"] for each in user["UserAttributes"]], user
    # It is nobody's now: who comes by it is somebody new.
    window.open(request(identity_provider="Google"))
    come_as(subject, fresh_address("new"))
    assert claims(tokens()["id_token"])["sub"] != sub
    sign_out()


def an_app_client_of_google_alone_leads_straight_there():
    client = cognito.create_user_pool_client(
        UserPoolId=POOL, ClientName="Google alone", AllowedOAuthFlowsUserPoolClient=True, AllowedOAuthFlows=["code"],
        AllowedOAuthScopes=["openid", "email", "profile", "aws.cognito.signin.user.admin"],
        CallbackURLs=[HOME + "/callback"], LogoutURLs=[HOME + "/"], SupportedIdentityProviders=["Google"],
    )["UserPoolClient"]["ClientId"]
    window.open(request(client))
    come_as(state["subject"], state["address"])
    assert claims(tokens(client)["id_token"])["sub"] == state["sub"]
    sign_out()
    window.open(request(client, identity_provider="COGNITO"))
    assert "password" not in window.text.lower() and window.url.startswith(BASE), window.text


steps(the_button_leads_to_google_and_back_to_the_app, signed_out_they_are_asked_again_and_are_the_same,
      who_cancels_and_whom_google_fails_are_back_in_the_app, a_slow_provider_keeps_nobody_else_waiting,
      boto3_links_a_user_who_then_comes_by_google, an_app_client_of_google_alone_leads_straight_there)

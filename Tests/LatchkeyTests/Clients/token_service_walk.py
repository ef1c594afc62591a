# SPDX-License-Identifier: Apache-2.0
"""Credentials from a security token service: a stand-in that speaks AWS's query protocol, and verifies the identity's token by
PyJWT and what the server publishes, as MinIO and the cloud do. Then it refuses, fails, talks nonsense and is gone.

Arguments: the server's URL, the port of the stand-in."""

import datetime
import http.server
import sys
import threading
import urllib.parse

import boto3
import jwt
import requests
from botocore import UNSIGNED
from botocore.config import Config
from botocore.exceptions import ClientError

from support import BASE, http as send, settings, steps

dev = settings()["cognito"]
app = boto3.client("cognito-identity", endpoint_url=BASE, region_name=dev["region"],
                   config=Config(signature_version=UNSIGNED, retries={"total_max_attempts": 1}))
seen, behaviour = [], {"mode": "good"}
END = datetime.datetime(2099, 1, 2, 3, 4, 5, tzinfo=datetime.timezone.utc)

GRANTED = """<?xml version="1.0" encoding="UTF-8"?>
<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
  <!-- not the only way to write it -->
  <AssumeRoleWithWebIdentityResult>
    <AssumedRoleUser><Arn>arn</Arn><AssumedRoleId>id</AssumedRoleId></AssumedRoleUser>
    <Credentials>
      <AccessKeyId>ASIAWALK</AccessKeyId><SecretAccessKey>secret-of-the-walk&amp;&#x26;</SecretAccessKey>
      <SessionToken>token-of-the-walk</SessionToken><Expiration>2099-01-02T03:04:05Z</Expiration>
    </Credentials>
  </AssumeRoleWithWebIdentityResult>
  <ResponseMetadata><RequestId>1</RequestId></ResponseMetadata>
</AssumeRoleWithWebIdentityResponse>"""
REFUSED = """<ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><Error><Type>Sender</Type><Code>{}</Code>
<Message>No</Message></Error><RequestId>1</RequestId></ErrorResponse>"""


class TokenService(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        form = urllib.parse.parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        call = {name: values[0] for name, values in form.items()}
        seen.append({**call, "authorization": self.headers.get("Authorization")})
        status, text = 200, GRANTED
        if behaviour["mode"] == "good":
            try:
                self.judge(call)
            except Exception as error:
                print("the stand-in refuses:", error, file=sys.stderr)
                status, text = 400, REFUSED.format("InvalidIdentityToken")
        else:
            status, text = behaviour["mode"]
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/xml")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def judge(self, call):
        assert call["Action"] == "AssumeRoleWithWebIdentity" and call["Version"] == "2011-06-15", call
        token = call["WebIdentityToken"]
        # It trusts one issuer, as whoever runs it has configured it.
        issuer = jwt.decode(token, options={"verify_signature": False})["iss"]
        assert issuer.startswith(BASE + "/identity-pools/"), issuer
        metadata = requests.get(issuer + "/.well-known/openid-configuration", timeout=30).json()
        key = jwt.PyJWKClient(metadata["jwks_uri"]).get_signing_key_from_jwt(token)
        self.server.claims = jwt.decode(token, key, algorithms=["RS256"], issuer=issuer, audience=dev["identityPoolId"])

    def log_message(self, *arguments):
        pass


service = http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[2])), TokenService)
threading.Thread(target=service.serve_forever, daemon=True).start()
state = {}


def refused(code):
    try:
        app.get_credentials_for_identity(IdentityId=state["identity"], Logins=state["logins"])
    except ClientError as error:
        assert error.response["Error"]["Code"] == code, error
        assert error.response["ResponseMetadata"]["HTTPStatusCode"] == 400, error
        return
    raise AssertionError(f"{code} expected")


def a_google_token_becomes_the_services_credentials():
    status, _, body = send("POST", "/dev/identity-provider/id-token",
                           {"provider": "google", "subject": "ada@example.com", "nonce": "n"})
    assert status == 200, body
    state["logins"] = {"accounts.google.com": body["id_token"]}
    state["identity"] = app.get_id(IdentityPoolId=dev["identityPoolId"], Logins=state["logins"])["IdentityId"]
    given = app.get_credentials_for_identity(IdentityId=state["identity"], Logins=state["logins"])["Credentials"]
    assert given["AccessKeyId"] == "ASIAWALK" and given["SecretKey"] == "secret-of-the-walk&&", given
    assert given["SessionToken"] == "token-of-the-walk" and given["Expiration"] == END, given
    call = seen[-1]
    assert call["RoleArn"] == "arn:aws:iam::000000000000:role/development" and call["DurationSeconds"] == "3600", call
    assert call["RoleSessionName"] == "CognitoIdentityCredentials" and call["authorization"] is None, call
    assert service.claims["sub"] == state["identity"], service.claims


def what_it_refuses_or_fails_at_is_said_as_the_service_says_it():
    for mode, code in (
        ((403, REFUSED.format("AccessDenied")), "InvalidIdentityPoolConfigurationException"),
        ((400, REFUSED.format("ExpiredTokenException")), "InvalidIdentityPoolConfigurationException"),
        ((400, REFUSED.format("IDPCommunicationError")), "ExternalServiceException"),
        ((503, REFUSED.format("ServiceUnavailable")), "ExternalServiceException"),
        ((302, "elsewhere"), "ExternalServiceException"), ((200, "{}"), "ExternalServiceException"),
        ((200, ""), "ExternalServiceException"), ((200, "<a>" * 2000), "ExternalServiceException"),
        ((200, GRANTED.replace("2099", "2001")), "ExternalServiceException"),
        ((200, GRANTED.replace("ASIAWALK", "")), "ExternalServiceException"),
        ((200, "<!DOCTYPE a [<!ENTITY b 'c'>]>" + GRANTED), "ExternalServiceException"),
        ((200, GRANTED + " " * (1 << 19)), "ExternalServiceException"),
    ):
        behaviour["mode"] = mode
        refused(code)
    behaviour["mode"] = "good"
    assert app.get_credentials_for_identity(IdentityId=state["identity"], Logins=state["logins"])["Credentials"]


def gone_it_keeps_nobody_from_anything_else():
    service.shutdown()
    service.server_close()
    refused("ExternalServiceException")
    assert app.get_id(IdentityPoolId=dev["identityPoolId"], Logins=state["logins"])["IdentityId"] == state["identity"]


steps(a_google_token_becomes_the_services_credentials, what_it_refuses_or_fails_at_is_said_as_the_service_says_it,
      gone_it_keeps_nobody_from_anything_else)

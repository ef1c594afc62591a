# SPDX-License-Identifier: Apache-2.0
"""A server that is not in development mode takes no vendor's shortcuts: signatures and keys are checked."""

import json
import subprocess
import sys

import boto3
from botocore import UNSIGNED
from botocore.config import Config
from botocore.exceptions import ClientError

from support import BASE, PASSWORD, fresh_address, http, steps

KEY, SECRET, LATCHKEY, DATABASE = sys.argv[2:6]
TOOLKIT = "/identitytoolkit.googleapis.com/v1"
EMAIL = fresh_address("operated")
state = {}


def cognito(key, secret, **options):
    return boto3.client("cognito-idp", endpoint_url=BASE, region_name="us-east-1", aws_access_key_id=key,
                        aws_secret_access_key=secret, config=Config(retries={"max_attempts": 0}, **options))


def api_key(kind, *options):
    run = subprocess.run([LATCHKEY, "api-key", "create", "walk-" + kind, "--kind", kind, "--json", "--database",
                          DATABASE, *options], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)["key"]


def there_are_no_development_pages():
    for path in ("/dev", "/dev/mail", "/dev/settings.json", "/dev/identity-provider", "/dev/identity-provider/google/keys",
                 "/dev/identity-provider/openid/.well-known/openid-configuration"):
        assert http("GET", path)[0] == 404, path
    # Nor does anybody say who somebody is.
    assert http("POST", "/dev/identity-provider/id-token", {"provider": "google", "subject": "1"})[0] == 404


def pools_need_a_right_signature():
    for name, client in {
        "unsigned": cognito("x", "x", signature_version=UNSIGNED), "unknown key": cognito("nobody", SECRET),
        "wrong secret": cognito(KEY, SECRET + "x"),
    }.items():
        try:
            client.list_user_pools(MaxResults=1)
            raise AssertionError(name)
        except ClientError as error:
            assert error.response["ResponseMetadata"]["HTTPStatusCode"] == 400, (name, error)
            assert SECRET not in str(error.response), name


def the_operator_runs_a_pool():
    operator = cognito(KEY, SECRET)
    pool = operator.create_user_pool(PoolName="Production", UsernameAttributes=["email"])["UserPool"]["Id"]
    client = operator.create_user_pool_client(
        UserPoolId=pool, ClientName="app", ExplicitAuthFlows=["ALLOW_USER_PASSWORD_AUTH", "ALLOW_REFRESH_TOKEN_AUTH"])
    client = client["UserPoolClient"]["ClientId"]
    operator.admin_create_user(UserPoolId=pool, Username=EMAIL, MessageAction="SUPPRESS", UserAttributes=[
        {"Name": "email", "Value": EMAIL}, {"Name": "email_verified", "Value": "true"}])
    operator.admin_set_user_password(UserPoolId=pool, Username=EMAIL, Password=PASSWORD, Permanent=True)
    # Signing in needs no signature: that is what users do.
    answer = cognito("x", "x").initiate_auth(
        ClientId=client, AuthFlow="USER_PASSWORD_AUTH", AuthParameters={"USERNAME": EMAIL, "PASSWORD": PASSWORD})
    token = answer["AuthenticationResult"]["AccessToken"]
    status, _, me = http("GET", "/v1/me", headers={"Authorization": "Bearer " + token})
    assert status == 200 and me["email"] == EMAIL, me
    keys = http("GET", f"/{pool}/.well-known/jwks.json")[2]["keys"]
    assert keys and all(key["alg"] == "RS256" and "d" not in key for key in keys), keys


def a_project_needs_its_keys():
    body = {"email": EMAIL, "password": PASSWORD, "returnSecureToken": True}
    for key in ("development-key", "x"):
        status, _, answer = http("POST", f"{TOOLKIT}/accounts:signInWithPassword?key={key}", body)
        assert status == 400 and "API key not valid" in answer["error"]["message"], (status, answer)
    owner = {"Authorization": "Bearer owner"}
    assert http("GET", f"{TOOLKIT}/projects/default/accounts:batchGet", headers=owner)[0] == 401
    secret, publishable = api_key("secret"), api_key("publishable")
    status, _, answer = http("POST", f"{TOOLKIT}/projects/default/accounts",
                             {"email": EMAIL, "password": PASSWORD, "emailVerified": True},
                             {"Authorization": "Bearer " + secret})
    assert status == 200, answer
    status, _, answer = http("POST", f"{TOOLKIT}/accounts:signInWithPassword?key={publishable}", body)
    assert status == 200 and answer["email"] == EMAIL, answer
    # The key that ships with an app administers nothing.
    assert http("GET", f"{TOOLKIT}/projects/default/accounts:batchGet",
                headers={"Authorization": "Bearer " + publishable})[0] in (401, 403)


def a_key_may_do_what_its_scopes_say():
    def status(key, path):
        return http("GET", path, headers={"apikey": key, "Authorization": "Bearer " + key})[0]

    users, projects = "/auth/v1/admin/users", "/api.supabase.com/v1/projects"
    for scope, expected in {
        "reports:read": (403, 401), "admin:users": (200, 401), "admin:directories": (403, 200),
    }.items():
        key = api_key("secret", "--form", "supabase", "--scope", scope)
        assert (status(key, users), status(key, projects)) == expected, (scope, status(key, users))
    whole = api_key("secret", "--form", "supabase")
    assert (status(whole, users), status(whole, projects)) == (200, 200)


def the_apps_own_api_takes_keys_of_programs():
    def status(key, path="/v1/admin/users", **headers):
        return http("GET", path, headers={"X-API-Key": key, **headers})[0]

    users, reports = api_key("secret", "--scope", "admin:users"), api_key("secret", "--scope", "reports:read")
    assert (status(users), status(reports), status(api_key("publishable"))) == (200, 403, 403)
    assert (status(users + "x"), status("x", Authorization="Bearer " + users)) == (401, 401)
    assert http("GET", "/v1/admin/users", headers={"Authorization": "Bearer " + users})[0] == 401
    # It is nobody's account.
    assert status(users, "/v1/me") == 403


steps(there_are_no_development_pages, pools_need_a_right_signature, the_operator_runs_a_pool, a_project_needs_its_keys,
      a_key_may_do_what_its_scopes_say, the_apps_own_api_takes_keys_of_programs)

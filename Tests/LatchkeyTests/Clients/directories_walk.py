# SPDX-License-Identifier: Apache-2.0
"""Directories are made, listed and deleted by each dialect's own administration and by the command line, and nothing of
one can be seen or done through another."""

import json
import os
import subprocess
import sys

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

from support import BASE, PASSWORD, fresh_address, http, settings, steps

LATCHKEY, DATABASE = sys.argv[2], sys.argv[3]
config = settings()
os.environ["FIREBASE_AUTH_EMULATOR_HOST"] = config["firebase"]["emulatorHost"]
import firebase_admin  # noqa: E402
from firebase_admin import auth as firebase_auth  # noqa: E402

firebase_admin.initialize_app(options={"projectId": config["firebase"]["projectId"]})
cognito = boto3.client(
    "cognito-idp", endpoint_url=BASE, region_name=config["cognito"]["region"], aws_access_key_id="dev",
    aws_secret_access_key="dev", config=Config(retries={"max_attempts": 0}))
bearer = {"Authorization": "Bearer " + config["supabase"]["serviceRoleKey"]}
OWNER = {"Authorization": "Bearer owner"}
TENANTS = f"/identitytoolkit.googleapis.com/v2/projects/{config['firebase']['projectId']}/tenants"
PROJECTS = "/api.supabase.com/v1/projects"
made = {}


def command(*arguments):
    run = subprocess.run([LATCHKEY, *arguments, "--json", "--database", DATABASE], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def names():
    return {row["name"] for row in command("directory", "list")}


def supabase_makes_lists_and_deletes_projects():
    assert http("GET", PROJECTS)[0] == 401
    assert http("POST", PROJECTS, {"name": "Stranger"}, {"Authorization": "Bearer nobody"})[0] == 401
    assert http("POST", PROJECTS, {}, bearer)[0] == 400
    status, _, project = http("POST", PROJECTS, {"name": "A Project"}, bearer)
    assert status == 201 and project["name"] == "A Project", (status, project)
    made["supabase"] = project["ref"]
    status, _, listed = http("GET", PROJECTS, headers=bearer)
    assert status == 200 and project["ref"] in [each["ref"] for each in listed], listed
    assert http("GET", f"{PROJECTS}/{project['ref']}", headers=bearer)[2]["status"] == "ACTIVE_HEALTHY"
    keys = {each["name"]: each["api_key"] for each in http("GET", f"{PROJECTS}/{project['ref']}/api-keys",
                                                          headers=bearer)[2]}
    made["keys"] = keys
    # The keys of a project are no keys of the server's.
    assert http("GET", PROJECTS, headers={"Authorization": "Bearer " + keys["service_role"]})[0] == 401
    assert http("GET", PROJECTS + "/nothing-here", headers=bearer)[0] == 404
    assert http("DELETE", PROJECTS + "/default", headers=bearer)[0] == 400
    assert project["ref"] in names()


def cognito_makes_lists_and_deletes_pools():
    pool = cognito.create_user_pool(PoolName="A Pool", UsernameAttributes=["email"],
                                    AutoVerifiedAttributes=["email"])["UserPool"]
    made["pool"] = pool["Id"]
    listed = cognito.list_user_pools(MaxResults=60)["UserPools"]
    # Neither the Directory that is always there nor one of another dialect.
    assert [each["Id"] for each in listed] == [pool["Id"]], listed
    assert cognito.describe_user_pool(UserPoolId=pool["Id"])["UserPool"]["Name"] == "A Pool"
    made["client"] = cognito.create_user_pool_client(
        UserPoolId=pool["Id"], ClientName="app",
        ExplicitAuthFlows=["ALLOW_USER_PASSWORD_AUTH", "ALLOW_REFRESH_TOKEN_AUTH"])["UserPoolClient"]["ClientId"]


def firebase_makes_lists_and_deletes_tenants():
    # The Admin SDK asks the vendor for tenants wherever it was told to go, so these are plain requests.
    status, _, tenant = http("POST", TENANTS, {"displayName": "A-Tenant", "allowPasswordSignup": True}, OWNER)
    assert status == 200, tenant
    made["tenant"] = tenant["name"].split("/")[-1]
    assert tenant["name"] in [each["name"] for each in http("GET", TENANTS, headers=OWNER)[2]["tenants"]]
    assert http("GET", f"{TENANTS}/{made['tenant']}", headers=OWNER)[2]["displayName"] == "A-Tenant"
    assert http("GET", TENANTS)[0] in (401, 403)
    assert made["tenant"] in names()


def the_command_line_makes_and_lists_them():
    made["command"] = "by-command"
    assert command("directory", "create", made["command"])["name"] == made["command"]
    assert made["command"] in names()
    status, _, listed = http("GET", PROJECTS, headers=bearer)
    assert made["command"] in [each["ref"] for each in listed]


def supabase_operations_know_nothing_of_another_project():
    here, there = "/auth/v1", f"/directories/{made['supabase']}/auth/v1"
    home = {"apikey": config["supabase"]["anonKey"]}
    away = {"apikey": made["keys"]["anon"]}
    boss = {"apikey": made["keys"]["service_role"], "Authorization": "Bearer " + made["keys"]["service_role"]}
    email = fresh_address("isolated")
    admin = {"apikey": config["supabase"]["serviceRoleKey"], **bearer}
    status, _, user = http("POST", here + "/admin/users",
                           {"email": email, "password": PASSWORD, "email_confirm": True}, admin)
    assert status == 200, user
    status, _, session = http("POST", here + "/token?grant_type=password", {"email": email, "password": PASSWORD}, home)
    assert status == 200, session
    token = {"Authorization": "Bearer " + session["access_token"]}
    tried = {
        "password": ("POST", "/token?grant_type=password", {"email": email, "password": PASSWORD}, away),
        "refresh": ("POST", "/token?grant_type=refresh_token", {"refresh_token": session["refresh_token"]}, away),
        "pkce": ("POST", "/token?grant_type=pkce", {"auth_code": "x" * 43, "code_verifier": "x" * 43}, away),
        "user": ("GET", "/user", None, away | token),
        "change": ("PUT", "/user", {"data": {"x": 1}}, away | token),
        "reauthenticate": ("GET", "/reauthenticate", None, away | token),
        "sign out": ("POST", "/logout", {}, away | token),
        "verify": ("POST", "/verify", {"type": "email", "email": email, "token": "123456"}, away),
        "get": ("GET", "/admin/users/" + user["id"], None, boss),
        "update": ("PUT", "/admin/users/" + user["id"], {"email_confirm": True}, boss),
        "delete": ("DELETE", "/admin/users/" + user["id"], {}, boss),
        "foreign key": ("GET", "/admin/users", None, admin),
        "foreign anon": ("GET", "/settings", None, home),
    }
    for name, (method, path, body, headers) in tried.items():
        status, _, answer = http(method, there + path, body, headers)
        assert 400 <= status < 500, (name, status, answer)
    assert http("GET", there + "/admin/users", headers=boss)[2]["users"] == []
    assert http("GET", there + "/admin/audit", headers=boss)[0] == 200
    # Nothing of it has changed anything at home.
    assert http("GET", here + "/user", headers=home | token)[0] == 200
    assert http("POST", here + "/token?grant_type=refresh_token", {"refresh_token": session["refresh_token"]},
                home)[0] == 200
    made["user"], made["email"], made["token"] = user["id"], email, session["access_token"]


def cognito_operations_know_nothing_of_another_pool():
    pool = {"UserPoolId": made["pool"], "Username": made["user"]}
    tried = {
        "get": lambda: cognito.admin_get_user(**pool),
        "by email": lambda: cognito.admin_get_user(UserPoolId=made["pool"], Username=made["email"]),
        "disable": lambda: cognito.admin_disable_user(**pool),
        "delete": lambda: cognito.admin_delete_user(**pool),
        "password": lambda: cognito.admin_set_user_password(**pool, Password=PASSWORD + "x", Permanent=True),
        "sign out": lambda: cognito.admin_user_global_sign_out(**pool),
        "sign in": lambda: cognito.initiate_auth(
            ClientId=made["client"], AuthFlow="USER_PASSWORD_AUTH",
            AuthParameters={"USERNAME": made["email"], "PASSWORD": PASSWORD}),
        "foreign token": lambda: cognito.get_user(AccessToken=made["token"]),
        "foreign client": lambda: cognito.describe_user_pool_client(
            UserPoolId=made["pool"], ClientId=config["cognito"]["clientId"]),
    }
    for name, call in tried.items():
        try:
            call()
            raise AssertionError(name)
        except ClientError as error:
            assert error.response["ResponseMetadata"]["HTTPStatusCode"] == 400, (name, error)
    assert cognito.list_users(UserPoolId=made["pool"])["Users"] == []


def firebase_operations_know_nothing_of_another_tenant():
    tenant = firebase_auth.Client(firebase_admin.get_app(), tenant_id=made["tenant"])
    for name, call in {
        "get": lambda: tenant.get_user(made["user"]),
        "by email": lambda: tenant.get_user_by_email(made["email"]),
        "update": lambda: tenant.update_user(made["user"], disabled=True),
        "delete": lambda: tenant.delete_user(made["user"]),
        "revoke": lambda: tenant.revoke_refresh_tokens(made["user"]),
    }.items():
        try:
            call()
            raise AssertionError(name)
        except firebase_auth.UserNotFoundError:
            pass
    assert list(tenant.list_users().iterate_all()) == []
    key = "?key=" + config["firebase"]["apiKey"]
    status, _, answer = http("POST", "/v1/accounts:signInWithPassword" + key, {
        "email": made["email"], "password": PASSWORD, "tenantId": made["tenant"], "returnSecureToken": True})
    assert status == 400, answer


def each_deletes_its_own_and_the_first_one_is_untouched():
    assert http("DELETE", f"{PROJECTS}/{made['supabase']}", headers=bearer)[0] == 200
    cognito.delete_user_pool(UserPoolId=made["pool"])
    assert http("DELETE", f"{TENANTS}/{made['tenant']}", headers=OWNER)[0] == 200
    command("directory", "delete", made["command"], "--yes")
    assert names() == {"default"}, names()
    try:
        cognito.describe_user_pool(UserPoolId=made["pool"])
        raise AssertionError("the pool is still there")
    except cognito.exceptions.ResourceNotFoundException:
        pass
    assert firebase_auth.get_user(made["user"]).email == made["email"]


steps(
    supabase_makes_lists_and_deletes_projects,
    cognito_makes_lists_and_deletes_pools,
    firebase_makes_lists_and_deletes_tenants,
    the_command_line_makes_and_lists_them,
    supabase_operations_know_nothing_of_another_project,
    cognito_operations_know_nothing_of_another_pool,
    firebase_operations_know_nothing_of_another_tenant,
    each_deletes_its_own_and_the_first_one_is_untouched,
)

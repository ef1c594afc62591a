# SPDX-License-Identifier: Apache-2.0
"""Identity pools through boto3: the development pool exchanges a Google ID token for credentials, and a pool of one's own
has logins of several providers, guests, users whom a backend vouches for, roles by rules and by token. PyJWT verifies an
identity's token by what its issuer publishes. Last of all every operation of botocore's model is told everything wrong.

Argument: the server's URL."""

import uuid

import boto3
import jwt
import requests
from botocore import UNSIGNED
from botocore.config import Config
from botocore.exceptions import ClientError

from support import BASE, PASSWORD, fresh_address, http, settings, steps

config = settings()
dev, region = config["cognito"], config["cognito"]["region"]
options = {"endpoint_url": BASE, "region_name": region}
once = {"retries": {"total_max_attempts": 1}}
# An app has no keys; an operator's program has.
app = boto3.client("cognito-identity", config=Config(signature_version=UNSIGNED, **once), **options)
keys = {"aws_access_key_id": "dev", "aws_secret_access_key": "dev", "config": Config(**once)}
backend = boto3.client("cognito-identity", **keys, **options)
users = boto3.client("cognito-idp", **keys, **options)
POOL_HOST = f"cognito-idp.{region}.amazonaws.com/"
ROLE, ADMINS, GUESTS = (f"arn:aws:iam::123456789012:role/{name}" for name in ("users", "admins", "guests"))
state = {}


def refused(code, text, call, **arguments):
    try:
        call(**arguments)
    except ClientError as error:
        said = error.response["Error"]
        assert said["Code"] == code and text in said["Message"], error
        # By a type of its own, which boto3 has for what the operation declares.
        assert code == "ValidationException" or type(error).__name__ == code, type(error)
        return
    raise AssertionError(f"{code} expected")


def upstream_token(provider, subject, **claims):
    status, _, body = http("POST", "/dev/identity-provider/id-token",
                           {"provider": provider, "subject": subject, "nonce": "n-" + subject, "claims": claims})
    assert status == 200, (status, body)
    return body["id_token"]


def google(subject, **claims):
    """As an app's web client is given it. A phone's says the phone's client in `azp`, which then is what counts."""
    claims = {"azp": config["identityProviders"]["googleClientId"], **claims}
    return {"accounts.google.com": upstream_token("google", subject, **claims)}


def sign_in(name):
    return users.initiate_auth(
        ClientId=dev["clientId"], AuthFlow="USER_PASSWORD_AUTH",
        AuthParameters={"USERNAME": name, "PASSWORD": PASSWORD})["AuthenticationResult"]


def credentials(identity, logins=None, **more):
    logins = {"Logins": logins} if logins else {}
    return app.get_credentials_for_identity(IdentityId=identity, **logins, **more)


def role_of(answer):
    """What a development server's session token says that it is for."""
    import base64
    import json
    text = answer["Credentials"]["SessionToken"].split(".")[1]
    return json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))["role"]


def google_token_for_credentials_from_make_run_alone():
    pool = dev["identityPoolId"]
    token = google("ada@example.com")
    identity = app.get_id(IdentityPoolId=pool, Logins=token)["IdentityId"]
    answer = credentials(identity, token)
    given = answer["Credentials"]
    assert answer["IdentityId"] == identity, answer
    assert given["AccessKeyId"].startswith("ASIALATCHKEYDEV") and len(given["AccessKeyId"]) == 20, given
    assert given["SecretKey"] and given["SessionToken"].startswith("latchkey-development."), given
    # The same login later, with another token: the same identity.
    assert app.get_id(IdentityPoolId=pool, Logins=google("ada@example.com"))["IdentityId"] == identity
    # Apple's, any OpenID provider's and the user pool's are taken too, and guests.
    for provider, name in (("apple", "appleid.apple.com"), ("openid", BASE.split("//")[1] + "/dev/identity-provider/openid")):
        assert app.get_id(IdentityPoolId=pool, Logins={name: upstream_token(provider, "noor")})["IdentityId"]
    assert role_of(credentials(app.get_id(IdentityPoolId=pool)["IdentityId"])).endswith("-guest")


def pool_of_ones_own():
    made = backend.create_identity_pool(
        IdentityPoolName="walk", AllowUnauthenticatedIdentities=True, AllowClassicFlow=True,
        DeveloperProviderName="login.acme",
        SupportedLoginProviders={"accounts.google.com": config["identityProviders"]["googleClientId"]},
        CognitoIdentityProviders=[
            {"ProviderName": POOL_HOST + dev["userPoolId"], "ClientId": dev["clientId"], "ServerSideTokenCheck": True}],
        OpenIdConnectProviderARNs=["arn:aws:iam::123456789012:oidc-provider/appleid.apple.com"],
        IdentityPoolTags={"stage": "walk"})
    state["pool"] = made["IdentityPoolId"]
    del made["ResponseMetadata"]
    described = backend.describe_identity_pool(IdentityPoolId=state["pool"])
    assert {name: described[name] for name in made} == made, described
    listed = [pool for page in backend.get_paginator("list_identity_pools").paginate(MaxResults=1)
              for pool in page["IdentityPools"]]
    assert {pool["IdentityPoolName"] for pool in listed} == {"development", "walk"}, listed
    identity = app.get_id(IdentityPoolId=state["pool"])["IdentityId"]
    refused("InvalidIdentityPoolConfigurationException", "Check assigned IAM roles", app.get_credentials_for_identity,
            IdentityId=identity)
    backend.set_identity_pool_roles(
        IdentityPoolId=state["pool"], Roles={"authenticated": ROLE, "unauthenticated": GUESTS})
    assert role_of(credentials(identity)) == GUESTS
    state["guest"] = identity


def a_user_and_google_become_one():
    name = fresh_address("pool")
    users.admin_create_user(UserPoolId=dev["userPoolId"], Username=name, MessageAction="SUPPRESS",
                            UserAttributes=[{"Name": "email", "Value": name}, {"Name": "email_verified", "Value": "true"}])
    users.admin_set_user_password(UserPoolId=dev["userPoolId"], Username=name, Password=PASSWORD, Permanent=True)
    tokens = sign_in(name)
    state["user"], state["tokens"] = name, tokens
    pool, own = state["pool"], {POOL_HOST + dev["userPoolId"]: tokens["IdToken"]}
    # SDKs make the name of the token's issuer: that of this server is the same pool's.
    issuer = jwt.decode(tokens["IdToken"], options={"verify_signature": False})["iss"]
    first = app.get_id(IdentityPoolId=pool, Logins=own)["IdentityId"]
    assert app.get_id(IdentityPoolId=pool, Logins={issuer.split("//")[1]: tokens["IdToken"]})["IdentityId"] == first
    # The guest who logs in by Google keeps their identity; both logins together then are the older one's.
    guest = state["guest"]
    assert credentials(guest, google("bruno"))["IdentityId"] == guest
    assert app.get_id(IdentityPoolId=pool, Logins=google("bruno"))["IdentityId"] == guest
    both = app.get_id(IdentityPoolId=pool, Logins={**own, **google("bruno")})["IdentityId"]
    assert both == guest, (both, guest, first)
    assert app.get_id(IdentityPoolId=pool, Logins=own)["IdentityId"] == both
    shown = backend.describe_identity(IdentityId=both)
    assert set(shown["Logins"]) == {"accounts.google.com", POOL_HOST + dev["userPoolId"]}, shown
    assert shown["LastModifiedDate"] >= shown["CreationDate"]
    listed = backend.list_identities(IdentityPoolId=pool, MaxResults=60, HideDisabled=True)["Identities"]
    assert [entry["IdentityId"] for entry in listed] == [both], listed
    refused("NotAuthorizedException", f"Access to Identity '{both}' is forbidden.", app.get_credentials_for_identity,
            IdentityId=both)
    refused("NotAuthorizedException", "Logins don't match.", app.get_credentials_for_identity, IdentityId=both,
            Logins=google("chen"))
    refused("ResourceNotFoundException", f"Identity '{first}' not found.", app.get_open_id_token, IdentityId=first)
    refused("NotAuthorizedException", "Missing a required claim: aud", app.get_id, IdentityPoolId=pool,
            Logins={POOL_HOST + dev["userPoolId"]: tokens["AccessToken"]})
    app.unlink_identity(IdentityId=both, Logins=own, LoginsToRemove=["accounts.google.com"])
    assert app.get_id(IdentityPoolId=pool, Logins=google("bruno"))["IdentityId"] != both
    state["identity"], state["own"] = both, own


def its_token_is_verified_by_what_is_published():
    answer = app.get_open_id_token(IdentityId=state["identity"], Logins=state["own"])
    issuer = jwt.decode(answer["Token"], options={"verify_signature": False})["iss"]
    metadata = requests.get(issuer + "/.well-known/openid-configuration", timeout=30).json()
    assert metadata["issuer"] == issuer and issuer.startswith(BASE), metadata
    key = jwt.PyJWKClient(metadata["jwks_uri"]).get_signing_key_from_jwt(answer["Token"])
    claims = jwt.decode(answer["Token"], key, algorithms=metadata["id_token_signing_alg_values_supported"],
                        audience=state["pool"], issuer=issuer, options={"require": ["exp", "iat", "sub", "aud"]})
    assert claims["sub"] == state["identity"] and claims["amr"][0] == "authenticated", claims
    assert claims["exp"] - claims["iat"] == 600, claims
    # It is no token of the user's anywhere.
    for name in (POOL_HOST + dev["userPoolId"], "accounts.google.com"):
        refused("NotAuthorizedException", "", app.get_id, IdentityPoolId=state["pool"], Logins={name: answer["Token"]})
    status, _, _ = http("GET", "/v1/me", headers={"Authorization": "Bearer " + answer["Token"]})
    assert status == 401, status
    try:
        users.get_user(AccessToken=answer["Token"])
        raise AssertionError("an identity's token opened a user's account")
    except users.exceptions.NotAuthorizedException:
        pass


def an_ended_session_gives_nothing():
    users.admin_user_global_sign_out(UserPoolId=dev["userPoolId"], Username=state["user"])
    refused("NotAuthorizedException", "Token has been revoked.", app.get_credentials_for_identity,
            IdentityId=state["identity"], Logins=state["own"])
    tokens = sign_in(state["user"])
    state["own"] = {POOL_HOST + dev["userPoolId"]: tokens["IdToken"]}
    assert role_of(credentials(state["identity"], state["own"])) == ROLE


def a_backend_vouches_for_its_users():
    pool = state["pool"]
    ada = backend.get_open_id_token_for_developer_identity(
        IdentityPoolId=pool, Logins={"login.acme": "ada"}, TokenDuration=3600)
    answer = credentials(ada["IdentityId"], {"cognito-identity.amazonaws.com": ada["Token"]})
    assert answer["IdentityId"] == ada["IdentityId"] and role_of(answer) == ROLE
    # An app vouches for nobody.
    refused("InvalidParameterException", "Please provide a valid public provider.", app.get_id, IdentityPoolId=pool,
            Logins={"login.acme": "ada"})
    bob = backend.get_open_id_token_for_developer_identity(
        IdentityPoolId=pool, Logins={"login.acme": "bob", **google("bob")})
    refused("DeveloperUserAlreadyRegisteredException", "already registered",
            backend.get_open_id_token_for_developer_identity, IdentityPoolId=pool, IdentityId=bob["IdentityId"],
            Logins={"login.acme": "ada"})
    merged = backend.merge_developer_identities(
        IdentityPoolId=pool, SourceUserIdentifier="bob", DestinationUserIdentifier="ada",
        DeveloperProviderName="login.acme")["IdentityId"]
    assert merged == ada["IdentityId"]
    found = backend.lookup_developer_identity(IdentityPoolId=pool, DeveloperUserIdentifier="bob")
    assert found["IdentityId"] == merged and found["DeveloperUserIdentifierList"] == ["ada", "bob"], found
    assert app.get_id(IdentityPoolId=pool, Logins=google("bob"))["IdentityId"] == merged
    backend.unlink_developer_identity(IdentityPoolId=pool, IdentityId=merged, DeveloperProviderName="login.acme",
                                      DeveloperUserIdentifier="bob")
    anew = backend.get_open_id_token_for_developer_identity(IdentityPoolId=pool, Logins={"login.acme": "bob"})
    assert anew["IdentityId"] not in (merged, bob["IdentityId"])
    refused("ResourceNotFoundException", "", backend.lookup_developer_identity, IdentityPoolId=pool,
            DeveloperUserIdentifier="nobody")


def roles_by_rules_and_by_token():
    pool, users_name = state["pool"], f"{POOL_HOST}{dev['userPoolId']}:{dev['clientId']}"
    mappings = {
        "accounts.google.com": {
            "Type": "Rules", "AmbiguousRoleResolution": "Deny", "RulesConfiguration": {"Rules": [
                {"Claim": "hd", "MatchType": "Equals", "Value": "example.com", "RoleARN": ADMINS},
                {"Claim": "email", "MatchType": "StartsWith", "Value": "chen@", "RoleARN": ROLE}]}},
        users_name: {"Type": "Token", "AmbiguousRoleResolution": "AuthenticatedRole"}}
    backend.set_identity_pool_roles(IdentityPoolId=pool, Roles={"authenticated": ROLE}, RoleMappings=mappings)
    assert backend.get_identity_pool_roles(IdentityPoolId=pool)["RoleMappings"] == mappings
    for subject, claims, role in (("r1", {"hd": "example.com"}, ADMINS), ("r2", {"email": "chen@example.org"}, ROLE)):
        token = google(subject, **claims)
        assert role_of(credentials(app.get_id(IdentityPoolId=pool, Logins=token)["IdentityId"], token)) == role
    token = google("r3", hd="example.org", email="x@example.org")
    refused("NotAuthorizedException", "", app.get_credentials_for_identity, Logins=token,
            IdentityId=app.get_id(IdentityPoolId=pool, Logins=token)["IdentityId"])
    refused("InvalidParameterException", "not supported with RoleMappings", app.get_open_id_token,
            IdentityId=state["identity"], Logins=state["own"])
    # The user's groups say their roles, in the token of the next sign-in.
    assert role_of(credentials(state["identity"], state["own"])) == ROLE
    for name, role, precedence in (("walk-admins", ADMINS, 1), ("walk-guests", GUESTS, 2)):
        users.create_group(UserPoolId=dev["userPoolId"], GroupName=name, RoleArn=role, Precedence=precedence)
        users.admin_add_user_to_group(UserPoolId=dev["userPoolId"], Username=state["user"], GroupName=name)
    group = users.get_group(UserPoolId=dev["userPoolId"], GroupName="walk-admins")["Group"]
    assert group["RoleArn"] == ADMINS, group
    token = sign_in(state["user"])["IdToken"]
    claims = jwt.decode(token, options={"verify_signature": False})
    assert claims["cognito:preferred_role"] == ADMINS and set(claims["cognito:roles"]) == {ADMINS, GUESTS}, claims
    logins = {POOL_HOST + dev["userPoolId"]: token}
    assert role_of(credentials(state["identity"], logins)) == ADMINS
    assert role_of(credentials(state["identity"], logins, CustomRoleArn=GUESTS)) == GUESTS
    refused("NotAuthorizedException", "", app.get_credentials_for_identity, IdentityId=state["identity"], Logins=logins,
            CustomRoleArn=ROLE)


def tags_and_the_end():
    pool = state["pool"]
    arn = f"arn:aws:cognito-identity:{region}:123456789012:identitypool/{pool}"
    backend.tag_resource(ResourceArn=arn, Tags={"team": "red"})
    backend.untag_resource(ResourceArn=arn, TagKeys=["stage"])
    assert backend.list_tags_for_resource(ResourceArn=arn)["Tags"] == {"team": "red"}
    name = POOL_HOST + dev["userPoolId"]
    backend.set_principal_tag_attribute_map(IdentityPoolId=pool, IdentityProviderName=name, UseDefaults=True)
    assert backend.get_principal_tag_attribute_map(IdentityPoolId=pool, IdentityProviderName=name)["PrincipalTags"] == {
        "username": "sub", "client": "aud"}
    gone = backend.delete_identities(IdentityIdsToDelete=[state["identity"]])
    assert gone["UnprocessedIdentityIds"] == []
    refused("ResourceNotFoundException", "not found.", backend.describe_identity, IdentityId=state["identity"])
    changed = backend.update_identity_pool(IdentityPoolId=pool, IdentityPoolName="walked",
                                           AllowUnauthenticatedIdentities=False)
    assert changed["IdentityPoolName"] == "walked" and "SupportedLoginProviders" not in changed, changed


# What is the matter with a member's value, for each of the model's types.
WRONG = {
    "string": [None, "", "\x00", "x" * 60_000, 7, [], {}, "🏳️‍🌈", "..%2f..%2f", "us-east-1:" + str(uuid.uuid4())],
    "boolean": [None, "true", 1, []], "integer": [None, "1", -1, 0, 2**31, 1.5, True], "long": [None, "1", -1, 0, 2**63],
    "list": [None, {}, "x", [None], [[]], ["x"] * 500, [{}]], "map": [None, [], "x", {"": ""}, {"x" * 200: "y"}, {"a": None},
                                                                 {"a": {}}, {str(i): "y" for i in range(60)}],
    "structure": [None, [], "x", {}],
}


def everything_wrong_is_answered_by_what_the_operation_declares():
    model, pool = backend.meta.service_model, state["pool"]
    identity = app.get_id(IdentityPoolId=dev["identityPoolId"], Logins=google("wrong"))["IdentityId"]
    good = {
        "IdentityPoolId": pool, "IdentityId": identity, "IdentityPoolName": "n", "AllowUnauthenticatedIdentities": False,
        "MaxResults": 5, "Logins": google("wrong"), "LoginsToRemove": ["accounts.google.com"],
        "IdentityIdsToDelete": [f"{region}:{uuid.uuid4()}"], "SourceUserIdentifier": "a", "DestinationUserIdentifier": "b",
        "DeveloperUserIdentifier": "a", "DeveloperProviderName": "login.acme", "Roles": {},
        "IdentityProviderName": "accounts.google.com", "TagKeys": ["a"], "Tags": {"a": "b"},
        "ResourceArn": f"arn:aws:cognito-identity:{region}:1:identitypool/{pool}",
    }
    # What every operation of the protocol may say ("Common errors" of the API's reference).
    common = {"ValidationException", "SerializationException", "MissingAuthenticationTokenException",
              "IncompleteSignatureException", "InvalidSignatureException", "TooManyRequestsException"}
    signature = ("AWS4-HMAC-SHA256 Credential=dev/20261122/us-east-1/cognito-identity/aws4_request, "
                 "SignedHeaders=host;x-amz-date, Signature=" + "0" * 64)
    count = 0
    for name in model.operation_names:
        operation = model.operation_model(name)
        declared = {shape.name for shape in operation.error_shapes} | common
        needed = {member: good[member] for member in operation.input_shape.required_members}

        def call(body, authorization=signature, raw=None):
            nonlocal count
            count += 1
            headers = {"X-Amz-Target": "AWSCognitoIdentityService." + name, "Content-Type": "application/x-amz-json-1.1"}
            if authorization:
                headers["Authorization"] = authorization
            status, received, answer = http("POST", "/", body, headers, raw=raw)
            assert status in (200, 400), (name, body, status, answer)
            if status == 400:
                assert answer["__type"] in declared, (name, str(body)[:200], answer)
                assert received["x-amzn-errortype"] == answer["__type"] + ":", received
            return answer

        for raw in (b"[]", b"{", b"\xff", b'"x"'):
            assert call(None, raw=raw)["__type"] == "SerializationException"
        if operation.auth_type != "none":
            assert call(needed, authorization=None)["__type"] == "MissingAuthenticationTokenException"
        for member in operation.input_shape.required_members:
            assert "__type" in call({other: needed[other] for other in needed if other != member}), (name, member)
        # Not what deletes the pool that the others are about.
        if name == "DeleteIdentityPool":
            needed["IdentityPoolId"] = f"{region}:{uuid.uuid4()}"
        for member, shape in operation.input_shape.members.items():
            for value in WRONG[shape.type_name]:
                if name == "DeleteIdentityPool" and member != "IdentityPoolId":
                    continue
                call({**needed, member: value})
    assert count > 500, count
    # A pool goes last, with whatever is in it.
    backend.delete_identity_pool(IdentityPoolId=pool)
    refused("ResourceNotFoundException", f"IdentityPool '{pool}' not found.", backend.describe_identity_pool,
            IdentityPoolId=pool)


steps(google_token_for_credentials_from_make_run_alone, pool_of_ones_own, a_user_and_google_become_one,
      its_token_is_verified_by_what_is_published, an_ended_session_gives_nothing, a_backend_vouches_for_its_users,
      roles_by_rules_and_by_token, tags_and_the_end, everything_wrong_is_answered_by_what_the_operation_declares)

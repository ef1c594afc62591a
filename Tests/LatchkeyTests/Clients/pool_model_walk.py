# SPDX-License-Identifier: Apache-2.0
"""Every member that botocore's model gives pools and app clients: what is taken is shown again, and what is not done is
refused by its name."""

import boto3
import botocore.config
import botocore.exceptions

from support import BASE, settings, steps

config = settings()
cognito = boto3.client(
    "cognito-idp", endpoint_url=BASE, region_name=config["cognito"]["region"], aws_access_key_id="dev",
    aws_secret_access_key="dev", config=botocore.config.Config(retries={"max_attempts": 0}))
model = cognito.meta.service_model

ARN = "arn:aws:lambda:us-east-1:000000000000:function:one"
# A text that the model's pattern takes, by the name of its shape.
TEXTS = {
    "ArnType": ARN, "OptionalArnType": ARN, "EncryptionKeyArnType": ARN, "UserPoolNameType": "A name",
    "SmsVerificationMessageType": "It is {####}", "EmailVerificationMessageType": "It is {####}",
    "EmailVerificationMessageByLinkType": "Press {##here##}", "SmsInviteMessageType": "{username} {####}",
    "EmailInviteMessageType": "{username} {####}", "EmailAddressType": "a@example.com", "RegionCodeType": "us-east-1",
    "AcrLevelKeyType": "Level1", "ClientPermissionType": "email", "ScopeType": "openid", "HexStringType": "abcdef",
    "HexString": "abcdef", "RedirectUrlType": "https://app.example/", "ClientSecretType": "a" * 24,
    "ProviderNameType": "COGNITO",
}
# What a member can't do without, where the service says so in words that name another.
BESIDE = {
    "AllowedOAuthFlowsUserPoolClient": {
        "AllowedOAuthFlows": ["code"], "AllowedOAuthScopes": ["openid"], "CallbackURLs": ["https://app.example/"]},
    "DefaultRedirectURI": {"CallbackURLs": ["https://app.example/"]},
}
BOUNDS = {"MinValue", "MaxValue", "MinLength", "MaxLength"}


def text(shape, name):
    return "7" if name in BOUNDS else TEXTS.get(shape.name, "word")


def any_value(shape, name):
    return next(values(shape, name))[0]


def values(shape, name, path=()):
    """Values of a shape, in which each leaf has each of its kinds of values once; with the names that lead to it."""
    path += (name,)
    if shape.type_name == "structure":
        # An attribute needs its name, though the model does not say so.
        needed = {m: any_value(shape.members[m], m) for m in shape.required_members + ["Name"] * (name == "Schema")}
        for member, inner in shape.members.items():
            for value, where in values(inner, member, path):
                yield needed | {member: value}, where
    elif shape.type_name == "list":
        for value, where in values(shape.member, name, path):
            yield [value], where
    elif shape.type_name == "map":
        for value, where in values(shape.value, name, path):
            yield {text(shape.key, name): value}, where
    elif shape.type_name == "boolean":
        yield True, path
        yield False, path
    elif shape.type_name in ("integer", "long"):
        for number in {shape.metadata.get("min", 0), shape.metadata.get("max", 1)}:
            yield number, path
    else:
        assert shape.type_name == "string", shape
        for value in shape.enum or [text(shape, name)]:
            yield value, path


def contains(shown, given):
    """Whether all that was given is shown; what is off may be shown by its absence."""
    if isinstance(given, dict):
        return all(contains((shown or {}).get(name), value) for name, value in given.items())
    if isinstance(given, list) and given and isinstance(given[0], dict):
        return all(any(contains(each, value) for each in shown or []) for value in given)
    return shown == given or (shown is None and not given)


def is_named(refusal, path):
    code, said = refusal.response["Error"]["Code"], refusal.response["Error"]["Message"].lower()
    if code == "InvalidOAuthFlowException":
        # A client without a secret doesn't act for itself.
        return path[-1] == "AllowedOAuthFlows" and "client_credentials" in said
    assert code in ("InvalidParameterException", "FeatureUnavailableInTierException"), (path, code, said)
    return any(name.lower() in said for name in path) or (path[-1].endswith("Validity") and "token validity" in said)


def walk(operation, call, describe, special=lambda shown, name, value: None):
    """Counts what was taken and what was refused."""
    taken, refused = 0, 0
    shape = model.operation_model(operation).input_shape
    for name, inner in shape.members.items():
        if name in ("UserPoolId", "ClientId"):
            continue
        for value, path in values(inner, name):
            try:
                answer = call(BESIDE.get(name, {}) | {name: value})
            except botocore.exceptions.ClientError as refusal:
                assert is_named(refusal, path), (operation, path, value, str(refusal))
                refused += 1
                continue
            shown = describe(answer)
            verdict = special(shown, name, value)
            assert contains(shown.get(name), value) if verdict is None else verdict, (operation, path, value, shown)
            taken += 1
    return taken, refused


def pool_as_it_is(answer):
    return cognito.describe_user_pool(UserPoolId=answer["UserPool"]["Id"])["UserPool"]


def of_pool(shown, name, value):
    if name == "PoolName":
        return shown["Name"] == value
    if name == "Schema":
        named = [element | {"Name": ("dev:" if element.get("DeveloperOnlyAttribute") else "") + "custom:" + element["Name"]}
                 for element in value]
        return contains(shown["SchemaAttributes"], named)
    return None


def of_client(shown, name, value):
    if name == "GenerateSecret":
        return ("ClientSecret" in shown) == value
    if name == "RefreshTokenValidity" and value == 0:
        return shown[name] == 30
    return None


def a_new_pool_keeps_and_shows_what_it_takes():
    def create(member):
        return cognito.create_user_pool(**{"PoolName": "walked"} | member)

    taken, refused = walk("CreateUserPool", create, pool_as_it_is, of_pool)
    print(f"   {taken} taken, {refused} refused")
    assert taken > 80 and refused > 10


def a_changed_pool_keeps_and_shows_what_it_takes():
    pool = cognito.create_user_pool(PoolName="changed")

    def update(member):
        cognito.update_user_pool(UserPoolId=pool["UserPool"]["Id"], **member)
        return pool

    taken, refused = walk("UpdateUserPool", update, pool_as_it_is, of_pool)
    print(f"   {taken} taken, {refused} refused")
    assert taken > 70 and refused > 10


def a_client_keeps_and_shows_what_it_takes():
    pool = cognito.create_user_pool(PoolName="clients")["UserPool"]["Id"]
    client = cognito.create_user_pool_client(UserPoolId=pool, ClientName="changed")["UserPoolClient"]["ClientId"]

    def create(member):
        return cognito.create_user_pool_client(**{"UserPoolId": pool, "ClientName": "walked"} | member)

    def update(member):
        return cognito.update_user_pool_client(UserPoolId=pool, ClientId=client, **member)

    def as_it_is(answer):
        return cognito.describe_user_pool_client(
            UserPoolId=pool, ClientId=answer["UserPoolClient"]["ClientId"])["UserPoolClient"]

    for operation, call in [("CreateUserPoolClient", create), ("UpdateUserPoolClient", update)]:
        taken, refused = walk(operation, call, as_it_is, of_client)
        print(f"   {taken} taken, {refused} refused")
        assert taken > 30


def an_attribute_that_is_added_is_held_to():
    pool = cognito.create_user_pool(PoolName="added")["UserPool"]["Id"]
    cognito.add_custom_attributes(UserPoolId=pool, CustomAttributes=[
        {"Name": "level", "AttributeDataType": "Number", "NumberAttributeConstraints": {"MaxValue": "9"}}])
    for level, taken in [("10", False), ("x", False), ("9", True)]:
        try:
            cognito.admin_create_user(UserPoolId=pool, Username="ada", MessageAction="SUPPRESS", UserAttributes=[
                {"Name": "email", "Value": "ada@example.com"}, {"Name": "custom:level", "Value": level}])
            assert taken, level
        except cognito.exceptions.InvalidParameterException as refusal:
            assert not taken and "custom:level" in str(refusal), (level, refusal)


def a_protected_pool_is_deleted_once_it_is_not():
    pool = cognito.create_user_pool(PoolName="protected", DeletionProtection="ACTIVE")["UserPool"]["Id"]
    try:
        cognito.delete_user_pool(UserPoolId=pool)
        raise AssertionError("a protected pool was deleted")
    except cognito.exceptions.InvalidParameterException as refusal:
        assert "deletion protection is activated" in str(refusal), refusal
    cognito.update_user_pool(UserPoolId=pool, DeletionProtection="INACTIVE")
    cognito.delete_user_pool(UserPoolId=pool)


steps(a_new_pool_keeps_and_shows_what_it_takes, a_changed_pool_keeps_and_shows_what_it_takes,
      a_client_keeps_and_shows_what_it_takes, an_attribute_that_is_added_is_held_to,
      a_protected_pool_is_deleted_once_it_is_not)

# SPDX-License-Identifier: Apache-2.0
"""One user's life through boto3, pycognito and warrant-lite, clients nobody here wrote, over a real socket.

Every answer is also held to the service's own model, which boto3 carries: no member that the model does not have, none
missing that it requires, each of its type.

Arguments: the server's URL, and for a server that checks signatures an access key and its secret.
"""

import base64
import contextlib
import hashlib
import hmac
import json
import secrets
import sys
import uuid

import boto3
import warrant_lite
from botocore.config import Config
from botocore.exceptions import ClientError
from pycognito import Cognito
from pycognito.exceptions import ForceChangePasswordException

from support import BASE, PASSWORD, fresh_address, http, mail, steps

REGION = "us-east-1"
KEY, SECRET = sys.argv[2:4] if len(sys.argv) > 3 else ("local", "local")
NEXT_PASSWORD = "Another-horse-8-battery!"
LAST_PASSWORD = "Third-horse-9-battery!"
checked = set()


def held_to_the_model(http_response, model, **_):
    if http_response.status_code != 200:
        return
    body = json.loads(http_response.content or b"{}")
    checked.add(model.name)
    if model.output_shape is None:
        assert body == {}, (model.name, body)
    else:
        conforms(body, model.output_shape, model.name)


def conforms(value, shape, place):
    kind = shape.type_name
    if kind == "structure":
        assert isinstance(value, dict), (place, value)
        for name, member in value.items():
            assert name in shape.members, f"{place}.{name} is not in the model"
            conforms(member, shape.members[name], f"{place}.{name}")
        for name in shape.required_members:
            assert name in value, f"{place}.{name} is missing"
    elif kind == "list":
        assert isinstance(value, list), (place, value)
        for member in value:
            conforms(member, shape.member, place + "[]")
    elif kind == "map":
        assert isinstance(value, dict), (place, value)
        for member in value.values():
            conforms(member, shape.value, place + "{}")
    elif kind == "string":
        assert isinstance(value, str), (place, value)
        assert not getattr(shape, "enum", None) or value in shape.enum, (place, value)
    elif kind == "boolean":
        assert isinstance(value, bool), (place, value)
    elif kind in ("integer", "long"):
        assert isinstance(value, int) and not isinstance(value, bool), (place, value)
    elif kind == "timestamp":
        assert isinstance(value, (int, float)) and 1_000_000_000 < value < 10_000_000_000, (place, value)


def client(key=KEY, secret=SECRET):
    idp = boto3.client(
        "cognito-idp", region_name=REGION, endpoint_url=BASE, aws_access_key_id=key, aws_secret_access_key=secret,
        config=Config(retries={"max_attempts": 0}))
    idp.meta.events.register("after-call.cognito-identity-provider", held_to_the_model)
    return idp


def refused(call, code, message=None):
    try:
        call()
    except ClientError as error:
        said = error.response["Error"]
        assert said["Code"] == code, said
        assert message is None or said["Message"] == message, said
        assert error.response["ResponseMetadata"]["HTTPStatusCode"] == 400, error.response
        return error
    raise AssertionError(f"accepted; expected {code}")


def secret_hash(name, client_id, client_secret):
    digest = hmac.new(client_secret.encode(), (name + client_id).encode(), hashlib.sha256).digest()
    return base64.b64encode(digest).decode()


def attributes(answer):
    return {a["Name"]: a["Value"] for a in answer.get("UserAttributes") or answer["Attributes"]}


idp = client()
EMAIL = fresh_address("ada")
NAME = "ada-" + secrets.token_hex(4)
state = {}


def pycognito(name, **keywords):
    return Cognito(
        state["pool"], state["client"], user_pool_region=REGION, username=name, access_key=KEY, secret_key=SECRET,
        boto3_client_kwargs={"endpoint_url": BASE}, **keywords)


def a_pool_and_a_client_are_made():
    pool = idp.create_user_pool(
        PoolName="Walk " + secrets.token_hex(4), AutoVerifiedAttributes=["email"], AliasAttributes=["email"],
        Schema=[{"Name": "plan", "AttributeDataType": "String", "Mutable": True}])["UserPool"]
    state["pool"] = pool["Id"]
    assert len(pool["SchemaAttributes"]) == 21, len(pool["SchemaAttributes"])
    state["client"] = idp.create_user_pool_client(
        UserPoolId=pool["Id"], ClientName="walk",
        ExplicitAuthFlows=["ALLOW_USER_PASSWORD_AUTH", "ALLOW_USER_SRP_AUTH", "ALLOW_REFRESH_TOKEN_AUTH",
                           "ALLOW_ADMIN_USER_PASSWORD_AUTH"],
        PreventUserExistenceErrors="ENABLED")["UserPoolClient"]["ClientId"]
    assert idp.describe_user_pool(UserPoolId=pool["Id"])["UserPool"]["Name"] == pool["Name"]
    described = idp.describe_user_pool_client(UserPoolId=pool["Id"], ClientId=state["client"])["UserPoolClient"]
    assert described["PreventUserExistenceErrors"] == "ENABLED" and "ClientSecret" not in described
    found = [p["Id"] for page in idp.get_paginator("list_user_pools").paginate(PaginationConfig={"PageSize": 1})
             for p in page["UserPools"]]
    assert found == [pool["Id"]], found
    refused(lambda: idp.describe_user_pool(UserPoolId=REGION + "_" + "0" * 21 + "7"), "ResourceNotFoundException")


def sign_up_sends_a_code():
    user = pycognito(NAME)
    user.set_base_attributes(email=EMAIL, given_name="Ada")
    user.add_custom_attributes(plan="gold")
    answer = user.register(NAME, PASSWORD + "!")
    local, domain = EMAIL.split("@")
    assert answer["UserConfirmed"] is False
    assert answer["CodeDeliveryDetails"] == {
        "Destination": f"{local[0]}***@{domain[0]}***", "DeliveryMedium": "EMAIL", "AttributeName": "email"}, answer
    state["sub"] = answer["UserSub"]
    seen = idp.admin_get_user(UserPoolId=state["pool"], Username=NAME)
    assert seen["UserStatus"] == "UNCONFIRMED" and attributes(seen)["email_verified"] == "false", seen
    refused(lambda: idp.sign_up(ClientId=state["client"], Username=NAME, Password=PASSWORD + "!",
                                UserAttributes=[{"Name": "email", "Value": fresh_address("eve")}]),
            "UsernameExistsException", "User already exists")
    refused(lambda: idp.sign_up(ClientId=state["client"], Username="x", Password="short",
                                UserAttributes=[{"Name": "email", "Value": fresh_address("eve")}]),
            "InvalidPasswordException", "Password did not conform with policy: Password not long enough")


def an_unconfirmed_user_cannot_sign_in():
    refused(lambda: sign_in(NAME, PASSWORD + "!"), "UserNotConfirmedException", "User is not confirmed.")
    refused(lambda: sign_in(NAME, "Wrong-1-password!"), "NotAuthorizedException", "Incorrect username or password.")


def sign_in(name, password, **more):
    return idp.initiate_auth(
        ClientId=state["client"], AuthFlow="USER_PASSWORD_AUTH",
        AuthParameters={"USERNAME": name, "PASSWORD": password, **more})


def the_mailed_code_confirms():
    code = mail(EMAIL, "confirmation")["code"]
    wrong = "000000" if code != "000000" else "000001"
    refused(lambda: idp.confirm_sign_up(ClientId=state["client"], Username=NAME, ConfirmationCode=wrong),
            "CodeMismatchException", "Invalid verification code provided, please try again.")
    pycognito(NAME).confirm_sign_up(code, username=NAME)
    seen = idp.admin_get_user(UserPoolId=state["pool"], Username=state["sub"])
    assert seen["UserStatus"] == "CONFIRMED" and seen["Username"] == NAME, seen
    assert attributes(seen) == {"email": EMAIL, "email_verified": "true", "given_name": "Ada", "custom:plan": "gold",
                                "sub": state["sub"]}, attributes(seen)


def srp_signs_in_and_its_tokens_verify():
    user = pycognito(NAME)
    user.authenticate(PASSWORD + "!")
    assert user.access_token and user.id_token and user.refresh_token and user.token_type == "Bearer"
    assert user.access_claims["token_use"] == "access" and user.access_claims["client_id"] == state["client"]
    assert user.id_claims["sub"] == state["sub"] and user.id_claims["email"] == EMAIL, user.id_claims
    state["access"], state["refresh"] = user.access_token, user.refresh_token
    by_address = pycognito(EMAIL)
    by_address.authenticate(PASSWORD + "!")
    refused(lambda: pycognito(NAME).authenticate("Wrong-1-password!"),
            "NotAuthorizedException", "Incorrect username or password.")
    refused(lambda: pycognito("nobody").authenticate("Wrong-1-password!"),
            "NotAuthorizedException", "Incorrect username or password.")


def the_user_reads_and_writes_their_attributes():
    user = idp.get_user(AccessToken=state["access"])
    assert user["Username"] == NAME and attributes(user)["given_name"] == "Ada", user
    answer = idp.update_user_attributes(
        AccessToken=state["access"], UserAttributes=[{"Name": "given_name", "Value": "Augusta"},
                                                     {"Name": "custom:plan", "Value": ""}])
    assert answer["CodeDeliveryDetailsList"] == [], answer
    seen = attributes(idp.get_user(AccessToken=state["access"]))
    assert seen["given_name"] == "Augusta" and "custom:plan" not in seen, seen
    refused(lambda: idp.update_user_attributes(
        AccessToken=state["access"], UserAttributes=[{"Name": "email_verified", "Value": "true"}]),
        "NotAuthorizedException", "A client attempted to write unauthorized attribute")
    refused(lambda: idp.update_user_attributes(
        AccessToken=state["access"], UserAttributes=[{"Name": "nonsense", "Value": "true"}]),
        "InvalidParameterException")


def a_new_address_is_verified_by_its_code():
    address = fresh_address("countess")
    answer = idp.update_user_attributes(
        AccessToken=state["access"], UserAttributes=[{"Name": "email", "Value": address}])
    assert answer["CodeDeliveryDetailsList"][0]["Destination"].startswith("c***@"), answer
    code = mail(address)["code"]
    wrong = "000000" if code != "000000" else "000001"
    refused(lambda: idp.verify_user_attribute(AccessToken=state["access"], AttributeName="email", Code=wrong),
            "CodeMismatchException")
    idp.verify_user_attribute(AccessToken=state["access"], AttributeName="email", Code=code)
    seen = attributes(idp.admin_get_user(UserPoolId=state["pool"], Username=NAME))
    assert seen["email"] == address and seen["email_verified"] == "true", seen
    state["email"] = address


def tokens_are_refreshed_and_revoked():
    session = sign_in(NAME, PASSWORD + "!")["AuthenticationResult"]
    again = idp.initiate_auth(ClientId=state["client"], AuthFlow="REFRESH_TOKEN_AUTH",
                              AuthParameters={"REFRESH_TOKEN": session["RefreshToken"]})["AuthenticationResult"]
    assert "RefreshToken" not in again and again["TokenType"] == "Bearer" and again["ExpiresIn"] == 3600, again
    assert idp.get_user(AccessToken=again["AccessToken"])["Username"] == NAME
    idp.revoke_token(ClientId=state["client"], Token=session["RefreshToken"])
    refused(lambda: idp.initiate_auth(ClientId=state["client"], AuthFlow="REFRESH_TOKEN_AUTH",
                                      AuthParameters={"REFRESH_TOKEN": session["RefreshToken"]}),
            "NotAuthorizedException")
    refused(lambda: idp.get_user(AccessToken=again["AccessToken"]), "NotAuthorizedException",
            "Access Token has been revoked")


def a_password_is_changed():
    state["access"] = sign_in(NAME, PASSWORD + "!")["AuthenticationResult"]["AccessToken"]
    refused(lambda: idp.change_password(AccessToken=state["access"], PreviousPassword="Wrong-1-password!",
                                        ProposedPassword=NEXT_PASSWORD),
            "NotAuthorizedException", "Incorrect username or password.")
    idp.change_password(AccessToken=state["access"], PreviousPassword=PASSWORD + "!", ProposedPassword=NEXT_PASSWORD)
    refused(lambda: sign_in(NAME, PASSWORD + "!"), "NotAuthorizedException")
    pycognito(NAME).authenticate(NEXT_PASSWORD)


def a_forgotten_password_is_replaced_by_mail():
    answer = idp.forgot_password(ClientId=state["client"], Username=NAME)
    assert answer["CodeDeliveryDetails"]["AttributeName"] == "email", answer
    nobody = idp.forgot_password(ClientId=state["client"], Username="nobody-" + secrets.token_hex(4))
    assert nobody["CodeDeliveryDetails"].keys() == answer["CodeDeliveryDetails"].keys()
    code = mail(state["email"], "recovery")["code"]
    idp.confirm_forgot_password(ClientId=state["client"], Username=NAME, ConfirmationCode=code, Password=LAST_PASSWORD)
    refused(lambda: idp.confirm_forgot_password(
        ClientId=state["client"], Username=NAME, ConfirmationCode=code, Password=LAST_PASSWORD),
        "CodeMismatchException")
    refused(lambda: sign_in(NAME, NEXT_PASSWORD), "NotAuthorizedException")
    state["access"] = sign_in(NAME, LAST_PASSWORD)["AuthenticationResult"]["AccessToken"]


def groups_are_in_the_tokens():
    idp.create_group(UserPoolId=state["pool"], GroupName="admin", Precedence=1, Description="Operators")
    for _ in range(2):
        idp.admin_add_user_to_group(UserPoolId=state["pool"], Username=NAME, GroupName="admin")
    user = pycognito(NAME)
    user.authenticate(LAST_PASSWORD)
    assert user.access_claims["cognito:groups"] == ["admin"], user.access_claims
    groups = idp.admin_list_groups_for_user(UserPoolId=state["pool"], Username=NAME)["Groups"]
    assert [g["GroupName"] for g in groups] == ["admin"]
    members = idp.list_users_in_group(UserPoolId=state["pool"], GroupName="admin")["Users"]
    assert [m["Username"] for m in members] == [NAME]
    refused(lambda: idp.create_group(UserPoolId=state["pool"], GroupName="admin"), "GroupExistsException")
    idp.update_group(UserPoolId=state["pool"], GroupName="admin", Description="All of them")
    assert idp.get_group(UserPoolId=state["pool"], GroupName="admin")["Group"]["Precedence"] == 1
    assert len(idp.list_groups(UserPoolId=state["pool"])["Groups"]) == 1
    idp.admin_remove_user_from_group(UserPoolId=state["pool"], Username=NAME, GroupName="admin")
    idp.delete_group(UserPoolId=state["pool"], GroupName="admin")


def an_administrator_makes_a_user_who_chooses_a_password():
    address = fresh_address("bob")
    name = "bob-" + secrets.token_hex(4)
    user = idp.admin_create_user(
        UserPoolId=state["pool"], Username=name,
        UserAttributes=[{"Name": "email", "Value": address}, {"Name": "name", "Value": "Bob"}])["User"]
    assert user["UserStatus"] == "FORCE_CHANGE_PASSWORD" and user["Enabled"], user
    message = mail(address, "temporary_password")
    assert name in message["text"]
    temporary = message["code"]
    challenge = sign_in(name, temporary)
    assert challenge["ChallengeName"] == "NEW_PASSWORD_REQUIRED", challenge
    invited = pycognito(name)
    try:
        invited.authenticate(temporary)
    except ForceChangePasswordException:
        pass
    else:
        raise AssertionError("a temporary password signed in")
    invited.new_password_challenge(temporary, NEXT_PASSWORD)
    assert invited.access_token
    assert idp.admin_get_user(UserPoolId=state["pool"], Username=name)["UserStatus"] == "CONFIRMED"
    idp.admin_set_user_password(UserPoolId=state["pool"], Username=name, Password=LAST_PASSWORD, Permanent=True)
    answer = idp.admin_initiate_auth(
        UserPoolId=state["pool"], ClientId=state["client"], AuthFlow="ADMIN_USER_PASSWORD_AUTH",
        AuthParameters={"USERNAME": name, "PASSWORD": LAST_PASSWORD})
    assert answer["AuthenticationResult"]["AccessToken"]
    idp.admin_update_user_attributes(UserPoolId=state["pool"], Username=name,
                                     UserAttributes=[{"Name": "name", "Value": "Robert"}])
    idp.admin_delete_user_attributes(UserPoolId=state["pool"], Username=name, UserAttributeNames=["name"])
    found = pycognito(name).get_users()
    assert {u.username for u in found} == {name, NAME}, found
    pages = [p["Users"] for p in idp.get_paginator("list_users").paginate(
        UserPoolId=state["pool"], PaginationConfig={"PageSize": 1})]
    assert [len(p) for p in pages if p] == [1, 1], pages
    listed = idp.list_users(UserPoolId=state["pool"], Filter=f'email ^= "{address[:8]}"', AttributesToGet=["email"])
    assert [u["Attributes"] for u in listed["Users"]] == [[{"Name": "email", "Value": address}]], listed
    refused(lambda: idp.list_users(UserPoolId=state["pool"], Filter="nonsense"), "InvalidParameterException")
    state["second"] = name


def a_disabled_user_is_refused_everywhere():
    idp.admin_disable_user(UserPoolId=state["pool"], Username=NAME)
    refused(lambda: sign_in(NAME, LAST_PASSWORD), "NotAuthorizedException", "User is disabled.")
    refused(lambda: pycognito(NAME).authenticate(LAST_PASSWORD), "NotAuthorizedException", "User is disabled.")
    refused(lambda: idp.get_user(AccessToken=state["access"]), "NotAuthorizedException")
    idp.admin_enable_user(UserPoolId=state["pool"], Username=NAME)
    state["access"] = sign_in(NAME, LAST_PASSWORD)["AuthenticationResult"]["AccessToken"]


def a_client_with_a_secret_proves_it():
    made = idp.create_user_pool_client(
        UserPoolId=state["pool"], ClientName="server", GenerateSecret=True,
        ExplicitAuthFlows=["ALLOW_USER_PASSWORD_AUTH", "ALLOW_USER_SRP_AUTH"])["UserPoolClient"]
    flow = {"ClientId": made["ClientId"], "AuthFlow": "USER_PASSWORD_AUTH"}
    named = {"USERNAME": NAME, "PASSWORD": LAST_PASSWORD}
    refused(lambda: idp.initiate_auth(**flow, AuthParameters=named), "NotAuthorizedException",
            f"Client {made['ClientId']} is configured with secret but SECRET_HASH was not received")
    proof = secret_hash(NAME, made["ClientId"], made["ClientSecret"])
    assert idp.initiate_auth(**flow, AuthParameters={**named, "SECRET_HASH": proof})["AuthenticationResult"]
    server = Cognito(
        state["pool"], made["ClientId"], user_pool_region=REGION, username=NAME, client_secret=made["ClientSecret"],
        access_key=KEY, secret_key=SECRET, boto3_client_kwargs={"endpoint_url": BASE})
    server.authenticate(LAST_PASSWORD)
    # This client is told who is not there: nothing was said of it when it was registered.
    refused(lambda: idp.forgot_password(ClientId=made["ClientId"], Username="nobody", SecretHash=secret_hash(
        "nobody", made["ClientId"], made["ClientSecret"])), "UserNotFoundException")
    changed = idp.update_user_pool_client(UserPoolId=state["pool"], ClientId=made["ClientId"], ClientName="renamed")
    assert changed["UserPoolClient"]["ClientSecret"] == made["ClientSecret"]
    names = [c["ClientName"] for page in idp.get_paginator("list_user_pool_clients").paginate(
        UserPoolId=state["pool"], PaginationConfig={"PageSize": 1}) for c in page["UserPoolClients"]]
    assert sorted(names) == ["renamed", "walk"], names
    idp.delete_user_pool_client(UserPoolId=state["pool"], ClientId=made["ClientId"])
    refused(lambda: idp.initiate_auth(**flow, AuthParameters=named), "ResourceNotFoundException")


def warrant_lite_signs_in_a_user_named_by_a_uuid():
    # It sets a locale for the names of days, which this machine need not have: they are the same in the one there is.
    warrant_lite.temp_locale = lambda _: contextlib.nullcontext()
    name = str(uuid.uuid4())
    user = idp.admin_create_user(
        UserPoolId=state["pool"], Username=name, TemporaryPassword=PASSWORD + "!", MessageAction="SUPPRESS",
        UserAttributes=[{"Name": "email", "Value": fresh_address("carol")}])["User"]
    assert user["Username"] == name and attributes(user)["sub"] != name, user
    made = idp.create_user_pool_client(
        UserPoolId=state["pool"], ClientName="warrant", GenerateSecret=True,
        ExplicitAuthFlows=["ALLOW_USER_SRP_AUTH"])["UserPoolClient"]
    keys = {"keys": http("GET", f"/{state['pool']}/.well-known/jwks.json")[2]["keys"]}

    def warrant(password):
        client = warrant_lite.WarrantLite(
            name, password, state["pool"], made["ClientId"], client=idp, client_secret=made["ClientSecret"])
        client.pool_jwk = keys
        return client

    try:
        warrant(PASSWORD + "!").authenticate_user()
    except warrant_lite.ForceChangePasswordException:
        pass
    else:
        raise AssertionError("a temporary password signed in")
    assert warrant(PASSWORD + "!").set_new_password_challenge(NEXT_PASSWORD)["AuthenticationResult"]
    signed_in = warrant(NEXT_PASSWORD)
    tokens = signed_in.authenticate_user()["AuthenticationResult"]
    access = signed_in.verify_token(tokens["AccessToken"], "access_token", "access")
    assert access["username"] == name and access["sub"] == attributes(user)["sub"], access
    assert signed_in.verify_token(tokens["IdToken"], "id_token", "id")["cognito:username"] == name
    refused(lambda: warrant(LAST_PASSWORD).authenticate_user(), "NotAuthorizedException",
            "Incorrect username or password.")
    found = idp.list_users(UserPoolId=state["pool"], Filter=f'sub ^= "{access["sub"][:13]}"')["Users"]
    assert [u["Username"] for u in found] == [name], found
    idp.admin_delete_user(UserPoolId=state["pool"], Username=access["sub"])
    idp.delete_user_pool_client(UserPoolId=state["pool"], ClientId=made["ClientId"])


def resource_servers_have_scopes_that_clients_may_have():
    pool = state["pool"]
    made = idp.create_resource_server(
        UserPoolId=pool, Identifier="https://api.example", Name="The API",
        Scopes=[{"ScopeName": "read", "ScopeDescription": "Reads"}, {"ScopeName": "write", "ScopeDescription": "Writes"}])
    named = {"UserPoolId": pool, "Identifier": "https://api.example"}
    assert idp.describe_resource_server(**named)["ResourceServer"] == made["ResourceServer"]
    for letter in "abc":
        idp.create_resource_server(UserPoolId=pool, Identifier=letter, Name=letter)
    pages = idp.get_paginator("list_resource_servers").paginate(UserPoolId=pool, PaginationConfig={"PageSize": 2})
    listed = [server["Identifier"] for page in pages for server in page["ResourceServers"]]
    assert listed == ["a", "b", "c", "https://api.example"], listed
    machine = {
        "AllowedOAuthFlowsUserPoolClient": True, "AllowedOAuthFlows": ["client_credentials"],
        "AllowedOAuthScopes": ["https://api.example/read", "https://api.example/write"]}
    refused(lambda: idp.create_user_pool_client(UserPoolId=pool, ClientName="m", **machine), "InvalidOAuthFlowException",
            "client_credentials flow can not be selected if client does not have a client secret.")
    client = idp.create_user_pool_client(UserPoolId=pool, ClientName="m", GenerateSecret=True, **machine)["UserPoolClient"]
    refused(lambda: idp.update_user_pool_client(
        UserPoolId=pool, ClientId=client["ClientId"], **{**machine, "AllowedOAuthScopes": ["https://api.example/none"]}),
        "ScopeDoesNotExistException", "Invalid scope requested: https://api.example/none")
    idp.update_resource_server(**named, Name="The API", Scopes=[{"ScopeName": "read", "ScopeDescription": "Reads"}])
    shown = idp.describe_user_pool_client(UserPoolId=pool, ClientId=client["ClientId"])["UserPoolClient"]
    assert shown["AllowedOAuthScopes"] == ["https://api.example/read"], shown
    idp.delete_user_pool_client(UserPoolId=pool, ClientId=client["ClientId"])
    for identifier in listed:
        idp.delete_resource_server(UserPoolId=pool, Identifier=identifier)
    refused(lambda: idp.describe_resource_server(**named), "ResourceNotFoundException")


def a_domain_is_the_pools_and_has_a_look():
    pool, prefix = state["pool"], "app-" + secrets.token_hex(6)
    refused(lambda: idp.set_ui_customization(UserPoolId=pool, CSS=""), "InvalidParameterException",
            "There has to be an existing domain associated with this user pool")
    idp.create_user_pool_domain(UserPoolId=pool, Domain=prefix)
    refused(lambda: idp.create_user_pool_domain(UserPoolId=pool, Domain=prefix + "2"), "InvalidParameterException",
            "User pool already has a domain configured.")
    own = prefix + ".example.com"
    made = idp.create_user_pool_domain(UserPoolId=pool, Domain=own, CustomDomainConfig={
        "CertificateArn": "arn:aws:acm:us-east-1:123456789012:certificate/1"})
    assert made["CloudFrontDomain"], made
    idp.update_user_pool_domain(UserPoolId=pool, Domain=own, ManagedLoginVersion=2)
    described = idp.describe_user_pool_domain(Domain=own)["DomainDescription"]
    assert described["UserPoolId"] == pool and described["Status"] == "ACTIVE", described
    shown = idp.describe_user_pool(UserPoolId=pool)["UserPool"]
    assert (shown["Domain"], shown["CustomDomain"]) == (prefix, own), shown
    # Where everybody else's host is refused, in development, the operator's own is let in.
    foreign = 403 if len(sys.argv) <= 3 else 200
    for host, status in [(own, 200), (f"{prefix}.localhost", 200), ("other.example.com", foreign)]:
        said, _, _ = http("GET", "/health/live", None, {"Host": host})
        assert said == status, (host, said)
    image = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
    css = ".submitButton-customizable { background-color: #004488; }"
    look = idp.set_ui_customization(UserPoolId=pool, ClientId="ALL", CSS=css, ImageFile=image)["UICustomization"]
    assert look["CSS"] == css and look["ImageUrl"].startswith("data:image/png;base64,"), look
    assert idp.get_ui_customization(UserPoolId=pool)["UICustomization"] == look
    idp.set_ui_customization(UserPoolId=pool)
    assert idp.get_ui_customization(UserPoolId=pool)["UICustomization"] == {}
    for domain in (prefix, own):
        idp.delete_user_pool_domain(UserPoolId=pool, Domain=domain)
        assert idp.describe_user_pool_domain(Domain=domain)["DomainDescription"] == {}
    assert http("GET", "/health/live", None, {"Host": own})[0] == foreign


def only_the_operator_administers():
    if len(sys.argv) <= 3:
        return
    for key, secret in [(KEY, SECRET + "x"), ("nobody", SECRET)]:
        try:
            client(key, secret).list_user_pools(MaxResults=1)
        except ClientError as error:
            assert error.response["Error"]["Code"] in ("InvalidSignatureException", "UnrecognizedClientException")
        else:
            raise AssertionError("a forged signature was accepted")


def everybody_is_signed_out():
    idp.global_sign_out(AccessToken=state["access"])
    refused(lambda: idp.get_user(AccessToken=state["access"]), "NotAuthorizedException",
            "Access Token has been revoked")
    state["access"] = sign_in(NAME, LAST_PASSWORD)["AuthenticationResult"]["AccessToken"]
    idp.admin_user_global_sign_out(UserPoolId=state["pool"], Username=NAME)
    refused(lambda: idp.get_user(AccessToken=state["access"]), "NotAuthorizedException",
            "Access Token has been revoked")


def what_is_not_there_says_so():
    refused(lambda: idp.associate_software_token(AccessToken="a.b.c"), "NotAuthorizedException", "Invalid Access Token")
    # Every operation of the model: whatever is not there answers by an exception that the operation declares.
    model = idp.meta.service_model
    common = {"AccessDeniedException", "MissingAuthenticationTokenException", "SerializationException",
              "IncompleteSignatureException"}
    for name in model.operation_names:
        operation = model.operation_model(name)
        declared = {shape.name for shape in operation.error_shapes} | common
        status, _, body = http("POST", "/", {}, {"X-Amz-Target": "AWSCognitoIdentityProviderService." + name})
        assert status == 400 and body["__type"] in declared, (name, status, body)
    assert idp.get_user_pool_mfa_config(UserPoolId=state["pool"])["MfaConfiguration"] == "OFF"
    assert idp.set_user_pool_mfa_config(UserPoolId=state["pool"], MfaConfiguration="OFF")["MfaConfiguration"] == "OFF"
    refused(lambda: idp.set_user_pool_mfa_config(UserPoolId=state["pool"], MfaConfiguration="ON"),
            "InvalidParameterException")
    assert idp.list_identity_providers(UserPoolId=state["pool"])["Providers"] == []
    assert idp.list_resource_servers(UserPoolId=state["pool"], MaxResults=5)["ResourceServers"] == []
    status, headers, body = http("POST", "/", {}, {"X-Amz-Target": "AWSCognitoIdentityProviderService.Nonsense"})
    assert status == 400 and body["__type"] == "UnknownOperationException", (status, body)
    assert headers["x-amzn-errortype"] == "UnknownOperationException:", headers
    status, _, body = http("POST", "/", {"MaxResults": 1},
                           {"X-Amz-Target": "AWSCognitoIdentityProviderService.ListUserPools"})
    assert status == 400 and body["__type"] == "MissingAuthenticationTokenException", (status, body)


def accounts_and_the_pool_are_deleted():
    access = sign_in(NAME, LAST_PASSWORD)["AuthenticationResult"]["AccessToken"]
    idp.delete_user(AccessToken=access)
    refused(lambda: idp.get_user(AccessToken=access), "UserNotFoundException", "User does not exist.")
    refused(lambda: idp.admin_get_user(UserPoolId=state["pool"], Username=NAME), "UserNotFoundException",
            "User does not exist.")
    refused(lambda: sign_in(NAME, LAST_PASSWORD), "NotAuthorizedException", "Incorrect username or password.")
    idp.admin_delete_user(UserPoolId=state["pool"], Username=state["second"])
    assert idp.list_users(UserPoolId=state["pool"])["Users"] == []
    idp.delete_user_pool(UserPoolId=state["pool"])
    refused(lambda: idp.describe_user_pool(UserPoolId=state["pool"]), "ResourceNotFoundException")


def every_answer_was_held_to_the_model():
    assert len(checked) >= 45, (len(checked), sorted(checked))


steps(
    a_pool_and_a_client_are_made, sign_up_sends_a_code, an_unconfirmed_user_cannot_sign_in, the_mailed_code_confirms,
    srp_signs_in_and_its_tokens_verify, the_user_reads_and_writes_their_attributes,
    a_new_address_is_verified_by_its_code, tokens_are_refreshed_and_revoked, a_password_is_changed,
    a_forgotten_password_is_replaced_by_mail, groups_are_in_the_tokens,
    an_administrator_makes_a_user_who_chooses_a_password, a_disabled_user_is_refused_everywhere,
    a_client_with_a_secret_proves_it, warrant_lite_signs_in_a_user_named_by_a_uuid,
    resource_servers_have_scopes_that_clients_may_have, a_domain_is_the_pools_and_has_a_look,
    only_the_operator_administers, everybody_is_signed_out, what_is_not_there_says_so,
    accounts_and_the_pool_are_deleted, every_answer_was_held_to_the_model)

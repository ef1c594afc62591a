# SPDX-License-Identifier: Apache-2.0
"""Who writes of a user, where it goes, and what each dialect's tokens then say. Every writer writes every name that
means something somewhere; what a token says beyond that is a way around a wall."""

import base64
import json

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

from support import BASE, PASSWORD, fresh_address, http, settings, steps

config = settings()
pool = config["cognito"]["userPoolId"]
cognito = boto3.client(
    "cognito-idp", endpoint_url=BASE, region_name=config["cognito"]["region"], aws_access_key_id="dev",
    aws_secret_access_key="dev", config=Config(retries={"max_attempts": 0}))
anonymous = {"apikey": config["supabase"]["anonKey"]}
service = {"apikey": config["supabase"]["serviceRoleKey"],
           "Authorization": "Bearer " + config["supabase"]["serviceRoleKey"]}
key = config["firebase"]["apiKey"]
project = config["firebase"]["projectId"]
OWNER = {"Authorization": "Bearer owner"}


def app_client(**members):
    made = cognito.create_user_pool_client(
        UserPoolId=pool, ClientName="walls", ExplicitAuthFlows=["ALLOW_USER_PASSWORD_AUTH"], **members)
    return made["UserPoolClient"]["ClientId"]


# Through the second one users write nothing but their address.
WIDE, NARROW = app_client(), app_client(WriteAttributes=["email"])

NAMES = [
    "name", "picture", "full_name", "avatar_url", "given_name", "preferred_username", "custom:role",
    "dev:custom:secret", "claims", "admin", "role", "groups", "cognito:groups", "cognito", "firebase", "user",
    "operator", "displayName", "photoUrl", "customAttributes", "provider", "sub", "email", "email_verified",
    "phone_number", "iss", "aud",
]
# What differs from one token to the next of an unchanged account.
PASSING = {"iat", "exp", "auth_time", "jti", "event_id", "origin_jti", "session_id", "amr"}


class Person:
    """A confirmed user, seen and written through every dialect."""

    def __init__(self, name):
        self.email = fresh_address(name)
        status, _, body = http("POST", "/auth/v1/admin/users",
                               {"email": self.email, "password": PASSWORD, "email_confirm": True}, service)
        assert status == 200, body
        self.id = body["id"]
        self.before = self.says()

    def supabase(self):
        status, _, body = http("POST", "/auth/v1/token?grant_type=password",
                               {"email": self.email, "password": PASSWORD}, anonymous)
        assert status == 200, body
        return body["access_token"]

    def cognito(self, client):
        return cognito.initiate_auth(
            ClientId=client, AuthFlow="USER_PASSWORD_AUTH",
            AuthParameters={"USERNAME": self.email, "PASSWORD": PASSWORD})["AuthenticationResult"]

    def firebase(self):
        status, _, body = http("POST", f"/v1/accounts:signInWithPassword?key={key}",
                               {"email": self.email, "password": PASSWORD, "returnSecureToken": True})
        assert status == 200, body
        return body["idToken"]

    def says(self):
        wide, narrow = self.cognito(WIDE), self.cognito(NARROW)
        return {
            "supabase": claims(self.supabase()), "cognito": claims(wide["IdToken"]),
            "cognito access": claims(wide["AccessToken"]), "cognito narrow": claims(narrow["IdToken"]),
            "firebase": claims(self.firebase()),
        }

    def changed(self):
        """What each token says that it did not say at first, and the operators' view of the attributes."""
        now = self.says()
        differences = {}
        for dialect, before in self.before.items():
            difference = {}
            for name in now[dialect].keys() | before.keys():
                old, new = before.get(name), now[dialect].get(name)
                if name in ("user_metadata", "app_metadata"):
                    new = {member: value for member, value in new.items() if old.get(member) != value}
                    old = {}
                if old != new:
                    difference[name] = new
            differences[dialect] = difference
        user = cognito.admin_get_user(UserPoolId=pool, Username=self.id)
        differences["operators"] = {
            a["Name"]: a["Value"] for a in user["UserAttributes"] if a["Name"] not in ("email", "email_verified", "sub")}
        return differences


def claims(token):
    payload = token.split(".")[1]
    body = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
    return {name: value for name, value in body.items() if name not in PASSING}


def bearer(token):
    return {"Authorization": "Bearer " + token}


def attributes(**members):
    return [{"Name": name, "Value": value} for name, value in members.items()]


def holds(person, supabase=None, cognito_id=None, narrow=None, firebase=None, operators=None):
    """Exactly this changed, and nothing else anywhere."""
    expected = {
        "supabase": supabase or {}, "cognito": cognito_id or {}, "cognito access": {}, "cognito narrow": narrow or {},
        "firebase": firebase or {}, "operators": operators if operators is not None else (cognito_id or {}),
    }
    found = person.changed()
    assert found == expected, "\n".join(
        f"{place}: {found[place]} and not {expected[place]}" for place in expected if found[place] != expected[place])


def shown(written):
    """What Supabase's users show of what was written: of one member they say what was proved."""
    return {name: value for name, value in written.items() if name != "email_verified"}


def a_user_through_supabase():
    person = Person("s")
    written = {name: "S" for name in NAMES}
    status, _, body = http("PUT", "/auth/v1/user", {"data": written}, anonymous | bearer(person.supabase()))
    assert status == 200, body
    shared = {"name": "S", "picture": "S"}
    holds(person, supabase={"user_metadata": shown(written)}, cognito_id=shared, firebase=shared)
    status, _, body = http("PUT", "/auth/v1/user", {"app_metadata": {"claims": {"admin": True}}},
                           anonymous | bearer(person.supabase()))
    assert status == 403, body
    holds(person, supabase={"user_metadata": shown(written)}, cognito_id=shared, firebase=shared)


def a_user_who_signs_up_through_supabase():
    email = fresh_address("s")
    data = {"custom:role": "admin", "dev:custom:secret": "1", "claims": {"admin": True}}
    status, _, body = http("POST", "/auth/v1/signup", {"email": email, "password": PASSWORD, "data": data}, anonymous)
    assert status == 200, body
    user = cognito.admin_get_user(UserPoolId=pool, Username=body["id"])
    assert {a["Name"] for a in user["UserAttributes"]} == {"email", "email_verified", "sub"}, user
    status, _, body = http("POST", f"/identitytoolkit.googleapis.com/v1/projects/{project}/accounts:lookup",
                           {"localId": [body["id"]]}, OWNER)
    assert status == 200 and "customAttributes" not in body["users"][0], body


def a_user_through_cognito():
    person = Person("c")
    token = person.cognito(WIDE)["AccessToken"]
    written = {"name": "C", "picture": "C", "given_name": "C", "custom:role": "C"}
    cognito.update_user_attributes(AccessToken=token, UserAttributes=attributes(**written))
    shared = {"name": "C", "picture": "C"}
    # Readable by every client: what one may not write it may still show.
    expected = dict(supabase={"user_metadata": shared}, cognito_id=written, narrow=written, firebase=shared)
    holds(person, **expected)
    narrow = person.cognito(NARROW)["AccessToken"]
    for using, name in [(token, "dev:custom:secret"), (token, "email_verified"), (narrow, "custom:role"),
                        (narrow, "name")]:
        try:
            cognito.update_user_attributes(AccessToken=using, UserAttributes=attributes(**{name: "true"}))
            raise AssertionError(f"{name} was written")
        except ClientError as error:
            assert error.response["Error"]["Code"] == "NotAuthorizedException", error.response
    holds(person, **expected)
    # A name that was written here is not overwritten from elsewhere.
    status, _, body = http("PUT", "/auth/v1/user", {"data": {"name": "S", "custom:role": "S"}},
                           anonymous | bearer(person.supabase()))
    assert status == 200, body
    holds(person, supabase={"user_metadata": {"name": "S", "picture": "C", "custom:role": "S"}}, cognito_id=written,
          narrow=written, firebase={"name": "S", "picture": "C"})
    # And where it is deleted here, it is gone.
    cognito.delete_user_attributes(AccessToken=token, UserAttributeNames=["name", "picture"])
    rest = {"given_name": "C", "custom:role": "C"}
    holds(person, supabase={"user_metadata": {"custom:role": "S"}}, cognito_id=rest, narrow=rest)


def a_user_through_firebase():
    person = Person("f")
    body = {"idToken": person.firebase(), "displayName": "F", "photoUrl": "F"}
    status, _, answer = http("POST", f"/v1/accounts:update?key={key}", body)
    assert status == 200, answer
    shared = {"name": "F", "picture": "F"}
    expected = dict(supabase={"user_metadata": shared}, cognito_id=shared, firebase=shared)
    holds(person, **expected)
    for name in ("customAttributes", "emailVerified", "disableUser"):
        status, _, answer = http("POST", f"/v1/accounts:update?key={key}",
                                 {"idToken": person.firebase(), name: '{"admin":true}' if name[0] == "c" else True})
        assert status == 400, (name, answer)
    for name in NAMES:
        if name not in ("displayName", "photoUrl", "customAttributes", "email"):
            http("POST", f"/v1/accounts:update?key={key}", {"idToken": person.firebase(), name: "F"})
    holds(person, **expected)


def a_user_through_the_app():
    person = Person("a")
    status, _, body = http("POST", "/v1/users/register", {"name": "A", "picture": "https://example.com/a"},
                           bearer(person.supabase()))
    assert status == 200, body
    assert http("GET", "/v1/me", headers=bearer(person.firebase()))[2]["name"] == "A"
    holds(person)


def an_operator_through_supabase():
    person = Person("so")
    written = {name: "O" for name in NAMES}
    status, _, body = http("PUT", f"/auth/v1/admin/users/{person.id}",
                           {"user_metadata": written, "app_metadata": written}, service)
    assert status == 200, body
    shared = {"name": "O", "picture": "O"}
    holds(person, supabase={"user_metadata": shown(written), "app_metadata": written}, cognito_id=shared,
          firebase=shared)


def an_operator_through_cognito():
    person = Person("co")
    written = {"name": "O", "given_name": "O", "custom:role": "O"}
    cognito.admin_update_user_attributes(
        UserPoolId=pool, Username=person.id, UserAttributes=attributes(**written, **{"dev:custom:secret": "O"}))
    expected = dict(supabase={"user_metadata": {"name": "O"}}, cognito_id=written, narrow=written,
                    firebase={"name": "O"}, operators=written | {"dev:custom:secret": "O"})
    holds(person, **expected)
    # Whatever a user then writes elsewhere, the tokens of this dialect say what the operator wrote.
    status, _, body = http("PUT", "/auth/v1/user", {"data": {name: "S" for name in NAMES}},
                           anonymous | bearer(person.supabase()))
    assert status == 200, body
    found = person.changed()
    assert found["cognito"] == written | {"picture": "S"} and found["cognito narrow"] == written, found
    assert found["operators"] == written | {"dev:custom:secret": "O", "picture": "S"}, found


def an_operator_through_firebase():
    person = Person("fo")
    written = {"admin": True, "role": "O", "custom:role": "O", "groups": ["O"], "given_name": "O"}
    status, _, body = http("POST", f"/identitytoolkit.googleapis.com/v1/projects/{project}/accounts:update",
                           {"localId": person.id, "customAttributes": json.dumps(written)}, OWNER)
    assert status == 200, body
    difference = person.changed()
    assert difference.pop("firebase") == written, difference
    assert not any(difference.values()), difference
    # Nor does an operator of another dialect reach them.
    status, _, body = http("PUT", f"/auth/v1/admin/users/{person.id}",
                           {"app_metadata": {"claims": {"admin": False}, "firebase": {"operator": {"claims": {}}}}},
                           service)
    assert status == 200, body
    found = person.says()["firebase"]
    assert found["admin"] is True and found["role"] == "O", found


steps(
    a_user_through_supabase,
    a_user_who_signs_up_through_supabase,
    a_user_through_cognito,
    a_user_through_firebase,
    a_user_through_the_app,
    an_operator_through_supabase,
    an_operator_through_cognito,
    an_operator_through_firebase,
)

# SPDX-License-Identifier: Apache-2.0
"""The served OpenAPI document is valid, and the server does what it says: every operation, with and without a token,
answers with a documented status and a body of the documented form."""

import jsonschema
from openapi_spec_validator import validate

from support import BASE, http, settings, steps

config = settings()
status, headers, document = http("GET", "/openapi.json")
assert status == 200 and headers["content-type"].startswith("application/json")
session = http("POST", config["supabase"]["url"] + "/auth/v1/token?grant_type=password", config["demo"],
               {"apikey": config["supabase"]["anonKey"]})[2]
BEARER = {"Authorization": "Bearer " + session["access_token"]}


def check(path, method, operation, answer):
    status, _, body = answer
    assert str(status) in operation["responses"], (path, method, status, body)
    content = operation["responses"][str(status)].get("content")
    if content:
        schema = {**content["application/json"]["schema"], "components": document["components"]}
        jsonschema.Draft202012Validator(schema).validate(body)


def the_document_is_valid_openapi():
    validate(document)
    assert document["openapi"] == "3.1.0" and document["servers"][0]["url"] == BASE


def every_operation_answers_as_documented():
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            body = {"name": "Ada"} if "requestBody" in operation else None
            if path == "/v1/account/consents" and body:
                body = {"version": 1, "analytics": True}
            # The demo user is no administrator.
            expected = 403 if path.startswith("/v1/admin/") else 200
            if path.startswith("/v1/user-sync"):
                # Nobody signs in for it: the walk below has what it answers.
                expected = 400 if body else 404
            if path == "/v1/account/export":
                # The link is mailed.
                expected = 202
            if (method, path) == ("post", "/v1/account/factor-recovery"):
                # This Directory's operator has set no wait.
                expected = 400
            if method == "delete" and path.startswith("/v1/sessions"):
                # Nothing says which; nobody's.
                expected = 404 if "{id}" in path else 400
            path = path.replace("{id}", "00000000-0000-4000-8000-000000000000").replace("{secret}", "none")
            path = path.replace("{name}", "none").replace("{version}", "1")
            if (method, path) != ("delete", "/v1/account"):
                answer = http(method.upper(), path, body, BEARER)
                assert answer[0] == expected, (path, answer)
                check(path, method, operation, answer)
            if operation.get("security"):
                answer = http(method.upper(), path, body)
                assert answer[0] == 401, (path, answer)
                check(path, method, operation, answer)


def a_user_follows_their_identity_provider():
    operation = document["paths"]["/v1/user-sync"]["post"]
    given = http("POST", "/dev/identity-provider/id-token", {
        "provider": "google", "subject": "openapi", "claims": {"email": "openapi@gmail.com", "email_verified": True}})[2]
    for status in (201, 200):
        answer = http("POST", "/v1/user-sync", {"provider": "google", "idToken": given["id_token"]})
        assert answer[0] == status, answer
        check("/v1/user-sync", "post", operation, answer)


def every_parameter_is_taken_and_its_bounds_kept():
    operation = document["paths"]["/v1/activities"]["get"]
    first = http("GET", "/v1/activities?limit=1", headers=BEARER)[2]
    good = {"limit": "100", "cursor": None, "type": first["activities"][0]["type"], "from": "2020-01-01T00:00:00Z",
            "until": "2100-01-01T00:00:00+01:00"}
    for parameter in operation["parameters"]:
        value = good[parameter["name"]]
        if value is not None:
            answer = http("GET", f"/v1/activities?{parameter['name']}={value.replace('+', '%2B')}", headers=BEARER)
            assert answer[0] == 200, (parameter, answer)
            check("/v1/activities", "get", operation, answer)
        answer = http("GET", f"/v1/activities?{parameter['name']}=%00%00", headers=BEARER)
        if parameter["name"] != "type":
            assert answer[0] == 400, (parameter, answer)
            check("/v1/activities", "get", operation, answer)
    answer = http("GET", "/v1/activities?type=" + good["type"], headers=BEARER)
    assert {a["type"] for a in answer[2]["activities"]} == {good["type"]}


def undocumented_members_are_refused():
    operation = document["paths"]["/v1/users/register"]["post"]
    answer = http("POST", "/v1/users/register", {"role": "admin"}, BEARER)
    assert answer[0] == 400
    check("/v1/users/register", "post", operation, answer)


def sessions_are_listed_and_ended_and_the_account_deleted():
    paths = document["paths"]
    other = http("POST", config["supabase"]["url"] + "/auth/v1/token?grant_type=password", config["demo"],
                 {"apikey": config["supabase"]["anonKey"], "X-Device-Name": "Ada's phone", "X-Device-OS": "iOS 26.1",
                  "X-App-Version": "4.2"})[2]
    owner = {"Authorization": "Bearer " + other["access_token"]}
    listed = http("GET", "/v1/sessions", headers=owner)
    check("/v1/sessions", "get", paths["/v1/sessions"]["get"], listed)
    own = [s for s in listed[2]["sessions"] if s["current"]]
    assert [(s["device"], s["operatingSystem"], s["appVersion"]) for s in own] == [("Ada's phone", "iOS 26.1", "4.2")]
    former = next(s for s in listed[2]["sessions"] if not s["current"])
    ended = http("DELETE", "/v1/sessions/" + former["id"], headers=owner)
    assert ended[0] == 200, ended
    check("/v1/sessions/{id}", "delete", paths["/v1/sessions/{id}"]["delete"], ended)
    ended = http("DELETE", "/v1/sessions?others=true", headers=owner)
    assert ended[0] == 200, ended
    check("/v1/sessions", "delete", paths["/v1/sessions"]["delete"], ended)
    answer = http("GET", "/v1/me", headers=BEARER)
    assert answer[0] == 401 and answer[2]["code"] == "session_not_found", answer
    explained = http("GET", "/v1/account/deletion", headers=owner)
    assert explained[2]["graceSeconds"] == 0 and not explained[2]["needsRecentSignIn"], explained
    gone = http("DELETE", "/v1/account", headers=owner)
    assert gone[0] == 200 and gone[2] == {"deleted": True, "deletionDueAt": None}, gone
    check("/v1/account", "delete", paths["/v1/account"]["delete"], gone)
    again = http("POST", config["supabase"]["url"] + "/auth/v1/token?grant_type=password", config["demo"],
                 {"apikey": config["supabase"]["anonKey"]})
    assert again[0] == 400 and again[2]["error_code"] == "invalid_credentials", again


steps(the_document_is_valid_openapi, every_operation_answers_as_documented, a_user_follows_their_identity_provider,
      every_parameter_is_taken_and_its_bounds_kept,
      undocumented_members_are_refused, sessions_are_listed_and_ended_and_the_account_deleted)

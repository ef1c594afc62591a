# SPDX-License-Identifier: Apache-2.0
"""Wrong passwords at one account, through whatever dialect and in whatever spelling: three, and no more."""

from support import http, settings, steps

config = settings()
ANON, KEY, CLIENT = config["supabase"]["anonKey"], config["firebase"]["apiKey"], config["cognito"]["clientId"]
WRONG = "Wrong-horse-7-battery"


def supabase(name):
    member = "email" if "@" in name else "phone"
    status, _, body = http(
        "POST", "/auth/v1/token?grant_type=password", {member: name, "password": WRONG}, {"apikey": ANON})
    assert (status, body.get("error_code")) in [(400, "invalid_credentials"), (429, "over_request_rate_limit")], body
    return status == 429


def firebase(name):
    status, _, body = http(
        "POST", f"/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key={KEY}",
        {"email": name, "password": WRONG, "returnSecureToken": True})
    assert status == 400, (status, body)
    return "TOO_MANY_ATTEMPTS_TRY_LATER" in body["error"]["message"]


def cognito(name):
    status, _, body = http(
        "POST", "/", {"ClientId": CLIENT, "AuthFlow": "USER_PASSWORD_AUTH",
                      "AuthParameters": {"USERNAME": name, "PASSWORD": WRONG}},
        {"X-Amz-Target": "AWSCognitoIdentityProviderService.InitiateAuth",
         "Content-Type": "application/x-amz-json-1.1"})
    assert status == 400, (status, body)
    return body["message"] == "Password attempts exceeded"


def an_address_is_one_in_every_spelling_and_dialect():
    assert not supabase("Victim@Example.com")
    assert not firebase("victim@example.COM")
    assert not cognito("VICTIM@example.com")
    for dialect in [supabase, firebase, cognito]:
        assert dialect("victim@example.com"), dialect.__name__
    assert not firebase("somebody.else@example.com")


def a_number_is_one_with_its_plus_and_without():
    assert not supabase("4917012345678")
    assert not cognito("+4917012345678")
    assert not supabase("+49 170 12345678")
    assert supabase("4917012345678") and cognito("+4917012345678")


steps(an_address_is_one_in_every_spelling_and_dialect, a_number_is_one_with_its_plus_and_without)

# SPDX-License-Identifier: Apache-2.0
"""A stranger opens an account with somebody's address, through each dialect, and its owner comes by each message. Once the owner
has answered, nothing of the stranger's opens anything, and the owner signs in.

The stranger and the owner are in two networks: loopback has many.

Arguments: the server's URL."""

import http.client
import json
import urllib.parse

from support import BASE, fresh_address, mail, open_link, settings, steps

shown = settings()
supabase, pool, firebase = (shown[name] for name in ("supabase", "cognito", "firebase"))
place = urllib.parse.urlsplit(BASE)
STRANGERS, OWNERS = "Mallory-was-here-7", "Vera-came-back-9"
STRANGER, OWNER, SHARED = "127.0.2.1", "127.0.3.1", {}


def ask(origin, method, path, body=None, **fields):
    """Status and parsed body of one call, from an address."""
    connection = http.client.HTTPConnection(place.hostname, place.port, timeout=60, source_address=(origin, 0))
    try:
        connection.request(method, path, None if body is None else json.dumps(body),
                           {"Content-Type": "application/json", **fields})
        answer = connection.getresponse()
        content = answer.read()
        return answer.status, json.loads(content) if content else None
    finally:
        connection.close()


def gotrue(origin, path, body, key="anonKey"):
    return ask(origin, "POST", urllib.parse.urlsplit(supabase["url"]).path.removesuffix("/auth/v1") + "/auth/v1" + path, body,
               apikey=supabase[key], Authorization="Bearer " + supabase[key])


def toolkit(origin, operation, body):
    return ask(origin, "POST", f"/identitytoolkit.googleapis.com/v1/accounts:{operation}?key={firebase['apiKey']}", body)


def cognito(origin, operation, body):
    return ask(origin, "POST", "/", {"ClientId": pool["clientId"], **body},
               **{"Content-Type": "application/x-amz-json-1.1", "X-Amz-Target": "AWSCognitoIdentityProviderService." + operation})


# How a stranger opens it: what they then hold.

def by_firebase(address):
    status, made = toolkit(STRANGER, "signUp", {"email": address, "password": STRANGERS, "returnSecureToken": True})
    assert status == 200, made
    return {"token": made["idToken"], "refresh": made["refreshToken"]}


def by_supabase(address):
    status, made = gotrue(STRANGER, "/signup", {"email": address, "password": STRANGERS})
    assert status == 200, made
    return {}


def by_cognito(address):
    status, made = cognito(STRANGER, "SignUp", {"Username": address, "Password": STRANGERS,
                                                "UserAttributes": [{"Name": "email", "Value": address}]})
    assert status == 200, made
    return {}


# How the owner comes: `before` is done before the stranger is there, and gives what is answered afterwards.

def follow(url):
    status, headers, body = open_link(url)
    assert status < 400 and "error" not in headers.get("location", ""), (status, headers, body)


def link(address, kind, before=None):
    follow(mail(address, kind, newer_than=before and before["id"])["link"])


def resent(address, _):
    status, body = gotrue(OWNER, "/resend", {"type": "signup", "email": address})
    assert status == 200, body
    link(address, "confirmation", SHARED.get(address))


def resent_by_cognito(address, _):
    status, body = cognito(OWNER, "ResendConfirmationCode", {"Username": address})
    assert status == 200, body
    before = SHARED.get(address)
    code = mail(address, "confirmation", newer_than=before and before["id"])["code"]
    status, body = cognito(OWNER, "ConfirmSignUp", {"Username": address, "ConfirmationCode": code})
    assert status == 200, body


def magic(address, _):
    status, body = gotrue(OWNER, "/otp", {"email": address, "create_user": False})
    assert status == 200, body
    # To an account that waits for its confirmation it is one.
    link(address, None, SHARED.get(address))


def recovered(address, _):
    status, body = gotrue(OWNER, "/recover", {"email": address})
    assert status == 200, body
    link(address, "recovery")


def invited(address, _):
    status, body = gotrue("127.0.0.1", "/invite", {"email": address}, key="serviceRoleKey")
    assert status == 200, body
    link(address, "invite")


def generated(address, _):
    status, body = gotrue("127.0.0.1", "/admin/generate_link", {"type": "magiclink", "email": address}, key="serviceRoleKey")
    assert status == 200, body
    follow(body["action_link"])


def expect_nothing_left(address, held, why):
    """Whatever the stranger has is refused."""
    for dialect, (status, body) in {
        "supabase": gotrue(STRANGER, "/token?grant_type=password", {"email": address, "password": STRANGERS}),
        "firebase": toolkit(STRANGER, "signInWithPassword", {"email": address, "password": STRANGERS}),
        "cognito": cognito(STRANGER, "InitiateAuth", {
            "AuthFlow": "USER_PASSWORD_AUTH", "AuthParameters": {"USERNAME": address, "PASSWORD": STRANGERS}}),
    }.items():
        assert 400 <= status < 500, (why, dialect, status, body)
    if "refresh" in held:
        status, body = ask(STRANGER, "POST", f"/securetoken.googleapis.com/v1/token?key={firebase['apiKey']}",
                           {"grant_type": "refresh_token", "refresh_token": held["refresh"]})
        assert 400 <= status < 500, (why, status, body)
        status, body = ask(STRANGER, "GET", "/v1/me", Authorization="Bearer " + held["token"])
        assert status == 401, (why, status, body)
        status, body = toolkit(STRANGER, "update", {"idToken": held["token"], "password": STRANGERS + "x"})
        assert 400 <= status < 500, (why, status, body)


def expect_owner(address, why):
    """The owner sets a password by an operator's word, and signs in by each dialect."""
    status, users = ask("127.0.0.1", "GET", "/auth/v1/admin/users?filter=" + urllib.parse.quote(address),
                        apikey=supabase["serviceRoleKey"], Authorization="Bearer " + supabase["serviceRoleKey"])
    found = [user for user in users["users"] if user["email"] == address]
    assert status == 200 and len(found) == 1 and found[0]["email_confirmed_at"], (why, users)
    status, body = ask("127.0.0.1", "PUT", "/auth/v1/admin/users/" + found[0]["id"], {"password": OWNERS},
                       apikey=supabase["serviceRoleKey"], Authorization="Bearer " + supabase["serviceRoleKey"])
    assert status == 200, (why, body)
    status, body = gotrue(OWNER, "/token?grant_type=password", {"email": address, "password": OWNERS})
    assert status == 200, (why, body)
    status, body = toolkit(OWNER, "signInWithPassword", {"email": address, "password": OWNERS, "returnSecureToken": True})
    assert status == 200, (why, body)


def comes(opening, message):
    def step():
        address = fresh_address("victim")
        held = opening(address)
        # A dialect that waits has sent a message of its own, which is the stranger's sign-up's.
        if opening is not by_firebase:
            SHARED[address] = mail(address, "confirmation")
        message(address, held)
        why = (opening.__name__, message.__name__)
        expect_nothing_left(address, held, why)
        expect_owner(address, why)
    step.__name__ = f"opened_{opening.__name__}_{message.__name__}"
    return step


def asked_for_before_the_stranger_came():
    address = fresh_address("victim")
    status, body = gotrue(OWNER, "/otp", {"email": address})
    assert status == 200, body
    held = by_firebase(address)
    link(address, None)
    expect_nothing_left(address, held, "earlier")
    expect_owner(address, "earlier")


def who_answers_their_own_sign_up_keeps_the_password():
    for opening in (by_supabase, by_cognito):
        address = fresh_address("owner")
        opening(address)
        if opening is by_cognito:
            status, body = cognito(STRANGER, "ConfirmSignUp", {
                "Username": address, "ConfirmationCode": mail(address, "confirmation")["code"]})
            assert status == 200, body
        else:
            link(address, "confirmation")
        status, body = gotrue(STRANGER, "/token?grant_type=password", {"email": address, "password": STRANGERS})
        assert status == 200, (opening.__name__, body)


steps(*(comes(opening, message) for opening in (by_firebase, by_supabase, by_cognito)
        for message in (resent, resent_by_cognito, magic, recovered, invited, generated)),
      asked_for_before_the_stranger_came, who_answers_their_own_sign_up_keeps_the_password)

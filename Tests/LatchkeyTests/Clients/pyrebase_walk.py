# SPDX-License-Identifier: Apache-2.0
"""One user's life through Pyrebase4, which knows the platform's hosts and no others, over a real socket.

usage: pyrebase_walk.py URL
"""

import json
import urllib.parse

import pyrebase.pyrebase
import requests

from support import BASE, PASSWORD, fresh_address, http, mail, open_link, page_of, press, steps

NEW_PASSWORD = "Another-horse-8-battery"
EMAIL = fresh_address("ada")
state = {}


class Elsewhere:
    """What the library sends with, to this server: the platform's host becomes the first part of the path."""

    Session = requests.Session

    @staticmethod
    def post(url, **options):
        return requests.post(BASE + "/" + url.split("://", 1)[1], timeout=30, **options)


pyrebase.pyrebase.requests = Elsewhere
auth = pyrebase.pyrebase.Firebase({
    "apiKey": "any-key", "authDomain": "project.example", "databaseURL": "https://project.example", "storageBucket": "x",
}).auth()


def refused(code, call, *arguments):
    try:
        call(*arguments)
    except requests.exceptions.HTTPError as error:
        message = json.loads(error.args[1])["error"]["message"]
        assert message.split(" : ")[0] == code, message
        return
    raise AssertionError(f"accepted; expected {code}")


def record(token):
    users = auth.get_account_info(token)["users"]
    assert len(users) == 1, users
    return users[0]


def parameters(link):
    return {name: values[0] for name, values in urllib.parse.parse_qs(urllib.parse.urlparse(link).query).items()}


def signs_up_and_is_signed_in_without_a_mail():
    user = auth.create_user_with_email_and_password(EMAIL, PASSWORD)
    state["uid"], state["token"] = user["localId"], user["idToken"]
    assert len(user["localId"]) == 28 and user["localId"].isalnum(), user
    shown = record(user["idToken"])
    assert shown["emailVerified"] is False and shown["email"] == EMAIL, shown
    assert shown["passwordUpdatedAt"] // 1000 <= int(shown["validSince"]) + 1, shown
    assert http("GET", "/dev/mail.json?to=" + urllib.parse.quote(EMAIL))[2] == []
    refused("EMAIL_EXISTS", auth.create_user_with_email_and_password, EMAIL, PASSWORD)
    refused("INVALID_LOGIN_CREDENTIALS", auth.sign_in_with_email_and_password, EMAIL, "wrong")


def verifies_the_address():
    assert auth.send_email_verification(state["token"])["email"] == EMAIL
    first = mail(EMAIL, "confirmation")
    assert parameters(first["link"])["mode"] == "verifyEmail", first
    assert auth.send_email_verification(state["token"])["email"] == EMAIL
    again = mail(EMAIL, "confirmation", newer_than=first["id"])
    # The library names no place to go on to, so a page says that it is done.
    status, _, page = open_link(again["link"])
    assert status == 200 and "Your email address is confirmed" in page, (status, page)
    assert record(state["token"])["emailVerified"] is True


def changes_profile_and_password():
    changed = auth.update_profile(state["token"], display_name="Ada")
    assert changed["displayName"] == "Ada" and changed["localId"] == state["uid"], changed
    assert "displayName" not in auth.update_profile(state["token"], delete_attribute=["DISPLAY_NAME"])
    refused("OPERATION_NOT_ALLOWED", auth.change_email, state["token"], fresh_address("other"))
    changed = auth.change_password(state["token"], NEW_PASSWORD)
    assert record(changed["idToken"])["localId"] == state["uid"]
    refused("TOKEN_EXPIRED", auth.get_account_info, state["token"])
    refused("INVALID_LOGIN_CREDENTIALS", auth.sign_in_with_email_and_password, EMAIL, PASSWORD)
    user = auth.sign_in_with_email_and_password(EMAIL, NEW_PASSWORD)
    assert auth.refresh(user["refreshToken"])["userId"] == state["uid"]


def sets_a_password_by_the_page_of_a_reset():
    assert auth.send_password_reset_email(EMAIL)["email"] == EMAIL
    link = mail(EMAIL, "recovery")["link"]
    form = page_of(link)
    form.fields["newPassword"] = "short"
    status, headers, page = press(link, form)
    assert status == 400 and "too short" in page and headers["content-type"].startswith("text/html"), (status, page)
    form.fields["newPassword"] = PASSWORD
    status, _, page = press(link, form)
    assert status == 200 and PASSWORD not in page and "Your password was changed" in page, (status, page)
    refused("INVALID_OOB_CODE", auth.verify_password_reset_code, parameters(link)["oobCode"], NEW_PASSWORD)
    state["token"] = auth.sign_in_with_email_and_password(EMAIL, PASSWORD)["idToken"]


def gives_an_anonymous_user_a_name():
    guest = auth.sign_in_anonymous()
    assert len(guest["localId"]) == 28 and "email" not in guest, guest
    email = fresh_address("guest")
    body = {"idToken": guest["idToken"], "email": email, "password": PASSWORD, "returnSecureToken": True}
    # The library has no call for it.
    answer = Elsewhere.post("https://identitytoolkit.googleapis.com/v1/accounts:signUp?key=any-key", json=body)
    assert answer.status_code == 200 and answer.json()["localId"] == guest["localId"], answer.text
    assert auth.sign_in_with_email_and_password(email, PASSWORD)["localId"] == guest["localId"]
    refused("TOKEN_EXPIRED", auth.refresh, guest["refreshToken"])


def deletes_the_account():
    auth.delete_user_account(state["token"])
    refused("USER_NOT_FOUND", auth.get_account_info, state["token"])
    refused("INVALID_LOGIN_CREDENTIALS", auth.sign_in_with_email_and_password, EMAIL, PASSWORD)
    again = auth.create_user_with_email_and_password(EMAIL, PASSWORD)
    assert again["localId"] != state["uid"]


steps(signs_up_and_is_signed_in_without_a_mail, verifies_the_address, changes_profile_and_password,
      sets_a_password_by_the_page_of_a_reset, gives_an_anonymous_user_a_name, deletes_the_account)

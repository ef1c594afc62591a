# SPDX-License-Identifier: Apache-2.0
"""What a self-hosted platform has and has not, through gotrue, an older client that nobody here wrote, over a real socket."""

import sqlite3
import sys

import jwt
from gotrue import SyncGoTrueClient
from gotrue.errors import AuthApiError, AuthWeakPasswordError
from gotrue.http_clients import SyncClient

from support import BASE, PASSWORD, fresh_address, http, steps

SECRET, DATABASE = sys.argv[2], sys.argv[3]
NUMBER, CODE = "14155550100", "123456"


def project_key(role):
    return jwt.encode({"role": role, "iss": "supabase", "iat": 1700000000, "exp": 2000000000}, SECRET, "HS256")


def client(role="anon"):
    key = project_key(role)
    return SyncGoTrueClient(url=BASE, headers={"apikey": key, "Authorization": f"Bearer {key}"},
                            auto_refresh_token=False, http_client=SyncClient(timeout=60))


def refused(call, code, status):
    try:
        call()
    except AuthApiError as error:
        assert (error.code, error.status) == (code, status), (error.code, error.status, error.message)
        return error
    raise AssertionError(f"accepted; expected {code}")


EMAIL = fresh_address("ada")
user, admin = client(), client("service_role").admin
state = {}


def a_short_password_is_refused_in_the_platforms_words():
    try:
        client().sign_up({"email": fresh_address("weak"), "password": "qm7"})
    except AuthWeakPasswordError as error:
        assert error.message == "Password should be at least 6 characters.", error.message
        assert error.reasons == ["length"], error.reasons
    else:
        raise AssertionError("accepted")


def a_confirmed_address_shows_in_the_metadata():
    answer = user.sign_up({"email": EMAIL, "password": PASSWORD, "options": {"data": {"name": "Ada"}}})
    assert answer.session and answer.user.user_metadata == {"name": "Ada", "email_verified": True}, answer.user
    claims = jwt.decode(answer.session.access_token, SECRET, ["HS256"], audience="authenticated")
    assert claims["user_metadata"]["email_verified"] is True, claims
    state["id"] = answer.user.id


def a_number_without_a_gateway_is_refused_and_nothing_is_written():
    for call in (lambda: client().sign_in_with_otp({"phone": "+4915112345678"}),
                 lambda: client().sign_up({"phone": "+4915112345678", "password": PASSWORD}),
                 lambda: user.update_user({"phone": "+4915112345678"})):
        error = refused(call, "unexpected_failure", 500)
        assert error.message == "Unable to get SMS provider", error.message
    rows = sqlite3.connect(DATABASE).execute("SELECT state FROM outbox WHERE channel = 'sms' AND state <> 'discarded'")
    assert rows.fetchall() == []
    refused(lambda: client().sign_in_with_otp({"phone": "+" + NUMBER, "options": {"channel": "whatsapp"}}),
            "validation_failed", 400)


def a_test_number_has_its_code():
    for _ in range(2):
        phoned = client()
        phoned.sign_in_with_otp({"phone": "+" + NUMBER})
        refused(lambda: phoned.verify_otp({"phone": "+" + NUMBER, "token": "000000", "type": "sms"}), "otp_expired", 403)
        answer = phoned.verify_otp({"phone": "+" + NUMBER, "token": CODE, "type": "sms"})
        assert answer.session and answer.user.phone == NUMBER and answer.user.phone_confirmed_at


def what_is_off_says_so():
    refused(lambda: user.link_identity({"provider": "google"}), "manual_linking_disabled", 404)
    begun = user.mfa.enroll({"factor_type": "totp", "issuer": "x"})
    assert begun.totp.uri.startswith("otpauth://totp/x:") and begun.friendly_name == "", begun
    assert user.mfa.unenroll({"factor_id": begun.id}).id == begun.id
    refused(lambda: user.mfa.enroll({"factor_type": "phone", "phone": NUMBER}), "mfa_phone_enroll_not_enabled", 422)
    assert user.mfa.list_factors().all == []
    refused(lambda: client().sign_in_with_sso({"domain": "example.com"}), "saml_provider_disabled", 404)
    refused(lambda: client().sign_in_with_id_token({"provider": "google", "token": "x"}), "provider_disabled", 400)
    address = client().sign_in_with_oauth({"provider": "google"}).url
    status, _, body = http("GET", address)
    assert status == 400 and "provider is not enabled" in body["msg"], (status, body)


def an_operator_lists_sorts_and_bans():
    client().sign_up({"email": fresh_address("eve"), "password": PASSWORD})
    assert len(admin.list_users(page=1, per_page=5000)) >= 3
    key = {"Authorization": "Bearer " + project_key("service_role")}
    status, _, body = http("GET", "/admin/users?page=1&per_page=5000&sort=created_at%20asc", headers=key)
    made = [user["created_at"] for user in body["users"]]
    assert status == 200 and made == sorted(made) and len(made) >= 3, body
    status, _, entries = http("GET", "/admin/audit?query=type:team", headers=key)
    assert status == 200 and entries and {e["payload"]["log_type"] for e in entries} == {"team"}, entries
    link = admin.generate_link({"type": "magiclink", "email": EMAIL})
    answer = client().verify_otp({"type": "recovery", "token_hash": link.properties.hashed_token})
    assert answer.session and answer.user.email == EMAIL
    admin.update_user_by_id(state["id"], {"ban_duration": "24h"})
    refused(lambda: client().sign_in_with_password({"email": EMAIL, "password": PASSWORD}), "user_banned", 400)


def mails_that_nothing_carries_are_kept_and_not_called_sent():
    address = fresh_address("recover")
    one = client()
    one.sign_up({"email": address, "password": PASSWORD})
    one.reset_password_for_email(address)
    rows = sqlite3.connect(DATABASE).execute("SELECT state, sent_at FROM outbox WHERE recipient = ?", (address,)).fetchall()
    assert rows and all(row[0] in ("pending", "kept") and row[1] is None for row in rows), rows


def the_root_says_what_runs_here():
    status, headers, page = http("GET", "/")
    assert status == 200 and headers["content-type"].startswith("text/html") and "identity server" in page, page
    # The other dialect's calls still go there.
    status, _, body = http("POST", "/", {})
    assert status == 400 and "__type" in body, (status, body)


steps(
    a_short_password_is_refused_in_the_platforms_words,
    a_confirmed_address_shows_in_the_metadata,
    a_number_without_a_gateway_is_refused_and_nothing_is_written,
    a_test_number_has_its_code,
    what_is_off_says_so,
    an_operator_lists_sorts_and_bans,
    mails_that_nothing_carries_are_kept_and_not_called_sent,
    the_root_says_what_runs_here,
)

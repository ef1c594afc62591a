# SPDX-License-Identifier: Apache-2.0
"""A second factor's life through supabase-auth, a client nobody here wrote, over a real socket. Codes are computed here by
RFC 6238, and the secret is read from the QR code's own URI."""

import base64
import concurrent.futures
import hashlib
import hmac
import struct
import time
import urllib.parse

import httpx
from supabase_auth import SyncGoTrueClient
from supabase_auth.errors import AuthApiError

from support import PASSWORD, fresh_address, mail, settings, steps

config = settings()["supabase"]
EMAIL = fresh_address("ada")
state = {}


def client():
    return SyncGoTrueClient(
        url=config["url"] + "/auth/v1" if not config["url"].endswith("/auth/v1") else config["url"],
        headers={"apikey": config["anonKey"], "Authorization": f"Bearer {config['anonKey']}"},
        auto_refresh_token=False,
        http_client=httpx.Client(timeout=60),
    )


def code(step=0):
    counter = int(time.time()) // 30 + step
    mac = hmac.new(state["secret"], struct.pack(">Q", counter), hashlib.sha1).digest()
    offset = mac[-1] & 15
    return f"{(struct.unpack('>I', mac[offset:offset + 4])[0] & 0x7FFFFFFF) % 1_000_000:06}"


def refused(call, wanted, status=None):
    try:
        call()
    except AuthApiError as error:
        assert error.code == wanted, (error.code, error.message)
        assert status is None or error.status == status, error.status
        return
    raise AssertionError(f"accepted; expected {wanted}")


def verify(user, text):
    challenge = user.mfa.challenge({"factor_id": state["factor"]})
    return user.mfa.verify({"factor_id": state["factor"], "challenge_id": challenge.id, "code": text})


def signed_in():
    user = client()
    user.sign_in_with_password({"email": EMAIL, "password": PASSWORD})
    return user


def somebody_has_a_confirmed_account():
    user = client()
    user.sign_up({"email": EMAIL, "password": PASSWORD})
    user.verify_otp({"email": EMAIL, "token": mail(EMAIL, "confirmation")["code"], "type": "signup"})
    state["user"] = signed_in()
    level = state["user"].mfa.get_authenticator_assurance_level()
    assert (level.current_level, level.next_level) == ("aal1", "aal1"), level


def an_app_is_enrolled_by_its_qr_code():
    enrolled = state["user"].mfa.enroll({"factor_type": "totp", "friendly_name": "phone", "issuer": "Yoga: Studio"})
    assert enrolled.totp.qr_code.startswith("data:image/svg+xml;utf-8,<svg"), enrolled.totp.qr_code[:60]
    uri = urllib.parse.urlsplit(enrolled.totp.uri)
    query = urllib.parse.parse_qs(uri.query)
    assert uri.scheme == "otpauth" and query["secret"] == [enrolled.totp.secret], enrolled.totp.uri
    assert urllib.parse.unquote(uri.path).endswith(":" + EMAIL), uri.path
    state["secret"] = base64.b32decode(enrolled.totp.secret + "=" * (-len(enrolled.totp.secret) % 8))
    state["factor"] = enrolled.id
    refused(lambda: state["user"].mfa.enroll({"factor_type": "totp", "friendly_name": "phone"}),
            "mfa_factor_name_conflict", 422)


def a_code_verifies_it_and_raises_the_session():
    verified = verify(state["user"], code())
    assert verified.user.factors[0].status == "verified", verified.user.factors
    level = state["user"].mfa.get_authenticator_assurance_level()
    assert (level.current_level, level.next_level) == ("aal2", "aal2"), level
    assert [m.method for m in level.current_authentication_methods][:1] == ["totp"], level
    state["user"].refresh_session()
    assert state["user"].mfa.get_authenticator_assurance_level().current_level == "aal2"
    assert len(state["user"].mfa.list_factors().totp) == 1
    assert mail(EMAIL, "factor_added")


def a_code_is_good_once_also_in_a_race():
    users = [signed_in() for _ in range(8)]
    text = code(1)
    challenges = [user.mfa.challenge({"factor_id": state["factor"]}).id for user in users]

    def attempt(pair):
        user, challenge = pair
        try:
            user.mfa.verify({"factor_id": state["factor"], "challenge_id": challenge, "code": text})
            return "in"
        except AuthApiError as error:
            return error.code

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        outcomes = list(pool.map(attempt, zip(users, challenges)))
    # Those who come after the first are told that the code was used, or that their session has ended by the first's.
    assert outcomes.count("in") == 1, outcomes
    assert set(outcomes) <= {"in", "mfa_verification_failed", "session_not_found"}, outcomes


def a_low_session_may_not_change_how_its_user_signs_in():
    user = signed_in()
    level = user.mfa.get_authenticator_assurance_level()
    assert (level.current_level, level.next_level) == ("aal1", "aal2"), level
    refused(lambda: user.update_user({"password": PASSWORD + "x"}), "insufficient_aal", 401)
    refused(lambda: user.mfa.unenroll({"factor_id": state["factor"]}), "insufficient_aal", 422)
    refused(lambda: user.mfa.enroll({"factor_type": "totp", "friendly_name": "another"}), "insufficient_aal", 403)


def wrong_codes_lock_the_factor_and_not_the_password():
    user = signed_in()
    for _ in range(3):
        refused(lambda: verify(user, "000000" if code() != "000000" else "111111"), "mfa_verification_failed", 422)
    refused(lambda: verify(user, code()), "over_request_rate_limit", 429)
    assert signed_in().get_session() is not None


def the_raised_session_was_spared_and_takes_the_factor_away():
    # Those that were raised are nobody else's to end.
    state["user"].mfa.unenroll({"factor_id": state["factor"]})
    assert mail(EMAIL, "factor_removed")
    state["user"].refresh_session()
    assert state["user"].mfa.get_authenticator_assurance_level().current_level == "aal1"
    assert state["user"].mfa.list_factors().all == []


steps(
    somebody_has_a_confirmed_account,
    an_app_is_enrolled_by_its_qr_code,
    a_code_verifies_it_and_raises_the_session,
    a_code_is_good_once_also_in_a_race,
    a_low_session_may_not_change_how_its_user_signs_in,
    wrong_codes_lock_the_factor_and_not_the_password,
    the_raised_session_was_spared_and_takes_the_factor_away,
)

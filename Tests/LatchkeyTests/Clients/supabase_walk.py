# SPDX-License-Identifier: Apache-2.0
"""One user's life through supabase-auth, a client nobody here wrote, over a real socket."""

import urllib.parse

import httpx
from supabase_auth import SyncGoTrueClient
from supabase_auth.errors import AuthApiError, AuthWeakPasswordError

from support import BASE, PASSWORD, fresh_address, http, mail, open_link, page_of, press, settings, steps

config = settings()["supabase"]
app = settings()["app"]["url"]


def client(flow="implicit", key=None, place=None):
    """A client of its own; `place` is the loopback address that it calls from."""
    key = key or config["anonKey"]
    return SyncGoTrueClient(
        url=config["url"] + "/auth/v1" if not config["url"].endswith("/auth/v1") else config["url"],
        headers={"apikey": key, "Authorization": f"Bearer {key}"},
        auto_refresh_token=False,
        http_client=httpx.Client(timeout=60, transport=httpx.HTTPTransport(local_address=place)),
        flow_type=flow,
    )


def refused(call, code, status=None):
    try:
        call()
    except AuthApiError as error:
        assert error.code == code, (error.code, error.message)
        assert status is None or error.status == status, error.status
        return error
    raise AssertionError(f"accepted; expected {code}")


EMAIL = fresh_address("ada")
user = client()
state = {}


def sign_up_sends_a_confirmation_and_no_session():
    answer = user.sign_up({"email": EMAIL, "password": PASSWORD, "options": {"data": {"name": "Ada"}}})
    assert answer.session is None
    assert answer.user.email == EMAIL and answer.user.aud == "authenticated"
    assert answer.user.user_metadata["name"] == "Ada"
    assert answer.user.identities and answer.user.identities[0].provider == "email"
    assert answer.user.email_confirmed_at is None and answer.user.confirmation_sent_at is not None
    state["id"] = answer.user.id


def the_development_pages_show_the_mail():
    message = mail(EMAIL, "confirmation")
    status, headers, page = http("GET", "/dev/mail")
    assert status == 200 and headers["content-type"].startswith("text/html"), (status, headers)
    assert EMAIL in page and message["code"] in page and f'href="/dev/mail/{message["id"]}"' in page, page
    status, _, page = http("GET", "/dev/mail/" + message["id"])
    assert status == 200 and message["code"] in page and "srcdoc=" in page, page
    status, _, page = http("GET", "/dev")
    assert status == 200 and config["anonKey"] in page, page
    assert http("POST", "/dev/mail", {})[0] == 405


def a_weak_password_says_every_reason():
    try:
        client().sign_up({"email": fresh_address("weak"), "password": "abc"})
    except AuthWeakPasswordError as error:
        assert "length" in error.reasons and "characters" in error.reasons, error.reasons
    else:
        raise AssertionError("accepted")


def an_unconfirmed_address_cannot_sign_in():
    refused(lambda: client().sign_in_with_password({"email": EMAIL, "password": PASSWORD}), "email_not_confirmed", 400)
    refused(lambda: client().sign_in_with_password({"email": EMAIL, "password": "Wrong-1-password"}),
            "invalid_credentials", 400)


def the_mailed_link_confirms_and_leads_to_the_site():
    message = mail(EMAIL, "confirmation")
    assert message["link"] and message["code"] and message["tokenHash"]
    assert message["link"] in message["text"]
    form = page_of(message["link"])
    http("HEAD", message["link"])
    # A scanner that opens the link confirms nothing, nor does a page of somebody else's with a link of theirs.
    refused(lambda: client().sign_in_with_password({"email": EMAIL, "password": PASSWORD}), "email_not_confirmed", 400)
    assert press(message["link"], form, origin="https://evil.test")[0] == 403
    assert press(message["link"], form, origin="null")[0] == 403
    status, headers, _ = press(message["link"], form)
    assert status == 303, status
    target = urllib.parse.urlparse(headers["location"])
    fragment = urllib.parse.parse_qs(target.fragment)
    assert fragment["type"] == ["signup"] and fragment["access_token"] and fragment["refresh_token"], fragment
    assert "access_token" not in target.query
    for status, headers, _ in [http("GET", message["link"]), press(message["link"], form)]:
        assert status == 303 and "error_code=otp_expired" in headers["location"], headers


def a_stranger_who_signs_up_first_has_nothing():
    address = fresh_address("victim")
    stranger = client(place="127.0.7.7")
    planted = stranger.sign_up({"email": address, "password": PASSWORD + "-stranger", "options": {"data": {"x": 1}}})
    theirs = mail(address, "confirmation")
    # Once more from there is told to wait; the owner, from where they are, has a message of their own at once.
    refused(lambda: stranger.sign_up({"email": address, "password": PASSWORD + "-stranger"}),
            "over_email_send_rate_limit", 429)
    answer = client().sign_up({"email": address, "password": PASSWORD, "options": {"data": {"name": "Vi"}}})
    assert answer.user.id == planted.user.id
    own = mail(address, "confirmation", newer_than=theirs["id"])
    form = page_of(own["link"])
    assert press(own["link"], form)[0] == 303
    session = client().sign_in_with_password({"email": address, "password": PASSWORD})
    assert session.user.user_metadata["name"] == "Vi" and "x" not in session.user.user_metadata
    refused(lambda: stranger.sign_in_with_password({"email": address, "password": PASSWORD + "-stranger"}),
            "invalid_credentials", 400)
    refused(lambda: stranger.verify_otp({"type": "signup", "email": address, "token": theirs["code"]}),
            "otp_expired", 403)
    assert "otp_expired" in http("GET", theirs["link"])[1]["location"]


def sign_in_with_the_password():
    answer = user.sign_in_with_password({"email": EMAIL, "password": PASSWORD})
    assert answer.session.token_type == "bearer" and answer.session.expires_in == 3600
    claims = user.get_claims()["claims"]
    assert claims["sub"] == state["id"] and claims["role"] == "authenticated" and claims["aal"] == "aal1"
    assert claims["amr"][0]["method"] == "password" and claims["session_id"] and claims["is_anonymous"] is False
    assert user.get_user().user.email_confirmed_at is not None


def the_same_answer_for_unknown_and_wrong():
    unknown = refused(lambda: client().sign_in_with_password({"email": fresh_address("nobody"), "password": PASSWORD}),
                      "invalid_credentials", 400)
    wrong = refused(lambda: client().sign_in_with_password({"email": EMAIL, "password": "Wrong-1-password"}),
                    "invalid_credentials", 400)
    assert unknown.message == wrong.message


def the_user_writes_their_own_metadata():
    answer = user.update_user({"data": {"city": "London", "name": None}})
    assert answer.user.user_metadata["city"] == "London" and not answer.user.user_metadata.get("name")


def refresh_and_the_lost_answer():
    first = user.get_session().refresh_token
    second = client().refresh_session(first).session.refresh_token
    assert second != first
    # The answer was lost: the client only has the first token, and is given the live one again.
    assert client().refresh_session(first).session.refresh_token == second
    third = client().refresh_session(second).session.refresh_token
    assert third not in (first, second)
    state["old"], state["live"] = first, third


def replay_of_an_old_token_ends_the_family():
    for _ in range(9):
        # Past the tokens that racing tabs may still hold, so that only a thief would present the first.
        state["live"] = client().refresh_session(state["live"]).session.refresh_token
    refused(lambda: client().refresh_session(state["old"]), "refresh_token_already_used", 400)
    error = None
    try:
        client().refresh_session(state["live"])
    except AuthApiError as caught:
        error = caught
    assert error is not None and error.status == 400, error


def an_invented_refresh_token_is_unknown():
    refused(lambda: client().refresh_session("not-a-token"), "refresh_token_not_found", 400)


def recovery_by_mail_and_a_new_password():
    other = client()
    other.reset_password_for_email(EMAIL)
    message = mail(EMAIL, "recovery")
    answer = other.verify_otp({"type": "recovery", "token_hash": message["tokenHash"]})
    assert answer.session is not None
    refused(lambda: other.update_user({"password": PASSWORD}), "same_password", 422)
    other.update_user({"password": PASSWORD + "-new"})
    refused(lambda: client().sign_in_with_password({"email": EMAIL, "password": PASSWORD}), "invalid_credentials", 400)
    user.sign_in_with_password({"email": EMAIL, "password": PASSWORD + "-new"})
    refused(lambda: client().verify_otp({"type": "recovery", "token_hash": message["tokenHash"]}), "otp_expired", 403)


def recovery_of_an_unknown_address_looks_the_same():
    client().reset_password_for_email(fresh_address("nobody"))


def magic_link_with_pkce():
    address = fresh_address("magic")
    other = client(flow="pkce")
    other.sign_in_with_otp({"email": address})
    message = mail(address)
    status, headers, _ = open_link(message["link"])
    assert status == 303, status
    query = urllib.parse.parse_qs(urllib.parse.urlparse(headers["location"]).query)
    assert "access_token" not in headers["location"]
    refused(lambda: client(flow="pkce").exchange_code_for_session(
        {"auth_code": query["code"][0], "code_verifier": "wrong" * 10}), "bad_code_verifier")
    # A wrong verifier spends the code: whoever had it could try again otherwise.
    refused(lambda: other.exchange_code_for_session({"auth_code": query["code"][0]}), "flow_state_not_found")


def the_link_of_a_pkce_request_is_no_token_hash():
    address = fresh_address("magic")
    other = client(flow="pkce")
    other.sign_in_with_otp({"email": address})
    message = mail(address)
    token = urllib.parse.parse_qs(urllib.parse.urlparse(message["link"]).query)["token"][0]
    assert token != message["tokenHash"]
    refused(lambda: client().verify_otp({"type": "email", "token_hash": token}), "otp_expired", 403)
    # The template's TokenHash leads to the operator's own page, which hands it over: the documented way with SSR.
    answer = other.verify_otp({"type": "email", "token_hash": message["tokenHash"]})
    assert answer.session and answer.user.email == address


def magic_link_with_pkce_exchanged_by_its_owner():
    address = fresh_address("magic")
    other = client(flow="pkce")
    other.sign_in_with_otp({"email": address})
    status, headers, _ = open_link(mail(address)["link"])
    code = urllib.parse.parse_qs(urllib.parse.urlparse(headers["location"]).query)["code"][0]
    answer = other.exchange_code_for_session({"auth_code": code})
    assert answer.session and answer.user.email == address


def a_code_by_mail():
    address = fresh_address("code")
    other = client()
    other.sign_in_with_otp({"email": address})
    message = mail(address)
    assert len(message["code"]) == 6 and message["code"].isdigit()
    wrong = "000000" if message["code"] != "000000" else "111111"
    refused(lambda: other.verify_otp({"email": address, "token": wrong, "type": "email"}), "otp_expired", 403)
    answer = other.verify_otp({"email": address, "token": message["code"], "type": "email"})
    assert answer.session and answer.user.email_confirmed_at
    refused(lambda: other.verify_otp({"email": address, "token": message["code"], "type": "email"}), "otp_expired", 403)


def a_code_by_text_message():
    number = "49151" + str(abs(hash(EMAIL)))[:8].rjust(8, "7")
    other = client()
    other.sign_in_with_otp({"phone": "+" + number})
    message = mail("+" + number)
    answer = other.verify_otp({"phone": "+" + number, "token": message["code"], "type": "sms"})
    assert answer.session and answer.user.phone == number and answer.user.phone_confirmed_at


def anonymous_then_upgraded():
    address = fresh_address("anon")
    other = client()
    answer = other.sign_in_anonymously()
    assert answer.user.is_anonymous and answer.session
    before = answer.user.id
    other.update_user({"email": address})
    message = mail(address)
    answer = other.verify_otp({"type": "email_change", "token_hash": message["tokenHash"]})
    assert answer.user.id == before and answer.user.email == address and not answer.user.is_anonymous
    other.update_user({"password": PASSWORD})
    assert client().sign_in_with_password({"email": address, "password": PASSWORD}).user.id == before


def an_address_changes_only_with_both_sides_consent():
    address, wanted = fresh_address("from"), fresh_address("to")
    admin().create_user({"email": address, "password": PASSWORD, "email_confirm": True})
    other = client()
    other.sign_in_with_password({"email": address, "password": PASSWORD})
    assert other.update_user({"email": wanted}).user.new_email == wanted
    other.verify_otp({"type": "email_change", "token_hash": mail(wanted)["tokenHash"]})
    assert other.get_user().user.email == address
    other.verify_otp({"type": "email_change", "token_hash": mail(address, "email_change_current")["tokenHash"]})
    assert client().sign_in_with_password({"email": wanted, "password": PASSWORD}).user.email == wanted


def sign_out_in_each_scope():
    def session():
        other = client()
        other.sign_in_with_password({"email": EMAIL, "password": PASSWORD + "-new"})
        return other

    here, there = session(), session()
    here.sign_out({"scope": "local"})
    assert there.get_user().user.email == EMAIL

    here = session()
    token = there.get_session().access_token
    here.sign_out({"scope": "others"})
    assert here.get_user().user.email == EMAIL
    refused(lambda: client().get_user(token), "session_not_found", 403)

    there = session()
    tokens = [here.get_session().access_token, there.get_session().access_token]
    here.sign_out({"scope": "global"})
    for token in tokens:
        refused(lambda: client().get_user(token), "session_not_found", 403)


def admin():
    return client(key=config["serviceRoleKey"]).admin


def administration():
    address = fresh_address("managed")
    created = admin().create_user(
        {"email": address, "password": PASSWORD, "email_confirm": True, "app_metadata": {"plan": "pro"},
         "user_metadata": {"name": "Managed"}}).user
    assert created.app_metadata["plan"] == "pro" and created.app_metadata["provider"] == "email"
    assert admin().get_user_by_id(created.id).user.email == address
    assert any(u.id == created.id for u in admin().list_users(page=1, per_page=50))
    refused(lambda: admin().create_user({"email": address, "password": PASSWORD}), "email_exists", 422)
    banned = admin().update_user_by_id(created.id, {"ban_duration": "24h"}).user
    assert banned.banned_until
    refused(lambda: client().sign_in_with_password({"email": address, "password": PASSWORD}), "user_banned")
    admin().update_user_by_id(created.id, {"ban_duration": "none"})
    signed_in = client()
    signed_in.sign_in_with_password({"email": address, "password": PASSWORD})
    admin().delete_user(created.id)
    refused(lambda: admin().get_user_by_id(created.id), "user_not_found", 404)
    refused(lambda: signed_in.refresh_session(), "refresh_token_not_found")
    refused(lambda: client().sign_in_with_password({"email": address, "password": PASSWORD}), "invalid_credentials")


def an_account_made_by_an_administrator_is_its_owners():
    address = fresh_address("made")
    made = admin().create_user({"email": address, "password": PASSWORD, "user_metadata": {"plan": "gold"}}).user
    answer = client().sign_up({"email": address, "password": PASSWORD + "-stranger", "options": {"data": {"plan": "x"}}})
    assert answer.session is None and answer.user.id != made.id
    assert admin().get_user_by_id(made.id).user.user_metadata == {"plan": "gold"}
    refused(lambda: client().sign_in_with_password({"email": address, "password": PASSWORD}), "email_not_confirmed", 400)
    client().resend({"type": "signup", "email": address})
    client().verify_otp({"type": "signup", "token_hash": mail(address, "confirmation")["tokenHash"]})
    assert client().sign_in_with_password({"email": address, "password": PASSWORD}).session
    refused(lambda: client().sign_in_with_password({"email": address, "password": PASSWORD + "-stranger"}),
            "invalid_credentials", 400)


def invitations_and_links():
    address = fresh_address("guest")
    invited = admin().invite_user_by_email(address).user
    assert invited.invited_at
    message = mail(address, "invite")
    answer = client().verify_otp({"type": "invite", "token_hash": message["tokenHash"]})
    assert answer.session and answer.user.id == invited.id
    link = admin().generate_link({"type": "magiclink", "email": address})
    handed = admin().generate_link({"type": "recovery", "email": address})
    assert client().verify_otp({"type": "recovery", "token_hash": handed.properties.hashed_token}).session
    assert link.properties.action_link and link.properties.hashed_token and link.properties.verification_type == "magiclink"
    answer = client().verify_otp({"email": address, "token": link.properties.email_otp, "type": "magiclink"})
    assert answer.user.id == invited.id


def an_anonymous_key_is_no_administrator():
    refused(lambda: client().admin.list_users(), "not_admin")
    token = client().sign_in_anonymously().session.access_token
    refused(lambda: client(key=config["anonKey"]).admin.get_user_by_id(state["id"]), "not_admin")
    status, _, body = http("GET", config["url"] + "/auth/v1/admin/users",
                           headers={"apikey": config["anonKey"], "Authorization": "Bearer " + token})
    assert status == 403 and body["error_code"] == "not_admin", (status, body)


def a_registered_address_gets_the_same_answer_and_a_mail():
    answer = client().sign_up({"email": EMAIL, "password": PASSWORD})
    assert answer.session is None and answer.user.id != state["id"]
    assert mail(EMAIL, "account_exists")


def the_protected_api_knows_the_user():
    demo = settings()["demo"]
    other = client()
    other.sign_in_with_password({"email": demo["email"], "password": demo["password"]})
    bearer = {"Authorization": "Bearer " + other.get_session().access_token}
    status, _, me = http("GET", app + "/v1/me", headers=bearer)
    assert status == 200 and me["email"] == demo["email"] and "name" in me and "picture" in me, me
    seen, cursor = [], None
    while True:
        path = app + "/v1/activities" + (f"?cursor={urllib.parse.quote(cursor)}" if cursor else "")
        status, _, page = http("GET", path, headers=bearer)
        assert status == 200, (status, page)
        seen += page["activities"]
        cursor = page.get("nextCursor")
        if not cursor:
            break
        assert len(page["activities"]) == 20
    assert len(seen) == 250 and len({a["id"] for a in seen}) == 250, len(seen)
    assert [a["timestamp"] for a in seen] == sorted((a["timestamp"] for a in seen), reverse=True)
    status, headers, body = http("GET", app + "/v1/me", headers={"Authorization": bearer["Authorization"][:-4] + "AAAA"})
    assert status == 401 and headers["www-authenticate"].startswith("Bearer") and body["error"], (status, headers, body)


def both_forms_of_errors():
    status, headers, body = http("POST", config["url"] + "/auth/v1/token?grant_type=password",
                                 {"email": EMAIL, "password": "x"}, {"apikey": config["anonKey"]})
    # Beside the vendor's words, in places of their own: the message's key, and it in the reader's language.
    told = {"message_key": "auth.error_invalid_credentials", "localized_message": "Invalid email or password"}
    assert (status, body) == (400, {"code": 400, "error_code": "invalid_credentials",
                                    "msg": "Invalid login credentials", **told}), body
    status, headers, body = http("POST", config["url"] + "/auth/v1/token?grant_type=password",
                                 {"email": EMAIL, "password": "x"},
                                 {"apikey": config["anonKey"], "X-Supabase-Api-Version": "2024-01-01"})
    assert (status, body) == (400, {"code": "invalid_credentials", "message": "Invalid login credentials", **told}), body
    assert headers["x-supabase-api-version"] == "2024-01-01"


steps(
    sign_up_sends_a_confirmation_and_no_session,
    the_development_pages_show_the_mail,
    a_weak_password_says_every_reason,
    an_unconfirmed_address_cannot_sign_in,
    the_mailed_link_confirms_and_leads_to_the_site,
    a_stranger_who_signs_up_first_has_nothing,
    sign_in_with_the_password,
    the_same_answer_for_unknown_and_wrong,
    the_user_writes_their_own_metadata,
    refresh_and_the_lost_answer,
    replay_of_an_old_token_ends_the_family,
    an_invented_refresh_token_is_unknown,
    recovery_by_mail_and_a_new_password,
    recovery_of_an_unknown_address_looks_the_same,
    magic_link_with_pkce,
    the_link_of_a_pkce_request_is_no_token_hash,
    magic_link_with_pkce_exchanged_by_its_owner,
    a_code_by_mail,
    a_code_by_text_message,
    anonymous_then_upgraded,
    an_address_changes_only_with_both_sides_consent,
    sign_out_in_each_scope,
    administration,
    an_account_made_by_an_administrator_is_its_owners,
    invitations_and_links,
    an_anonymous_key_is_no_administrator,
    a_registered_address_gets_the_same_answer_and_a_mail,
    the_protected_api_knows_the_user,
    both_forms_of_errors,
)

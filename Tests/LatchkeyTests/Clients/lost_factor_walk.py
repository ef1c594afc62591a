# SPDX-License-Identifier: Apache-2.0
"""Who has lost every second factor begins a wait, by Supabase's client and the App API. The mailed link stops it once; the second time
a sign-in by another vendor's protocol removes the factors, and no other device stays.

Arguments: the server's URL, the executable, and the database as `sqlite:PATH`. The server's wait is of seconds.
"""

import base64
import datetime
import hashlib
import hmac
import json
import struct
import subprocess
import sys
import time
import urllib.parse

from supabase_auth import SyncGoTrueClient

from support import BASE, PASSWORD, Form, fresh_address, http, mail, settings, steps

EXECUTABLE, DATABASE = sys.argv[2:4]
config = settings()
ANON, KEY = config["supabase"]["anonKey"], config["firebase"]["apiKey"]
ADA = fresh_address("ada")
state = {}


def signed_in():
    client = SyncGoTrueClient(url=BASE + "/auth/v1", headers={"apikey": ANON}, auto_refresh_token=False)
    client.sign_in_with_password({"email": ADA, "password": PASSWORD})
    return client


def bearer(client):
    return {"Authorization": "Bearer " + client.get_session().access_token}


def firebase():
    """Whether a password alone lets in; that dialect asks for a factor before there is a session."""
    status, _, body = http(
        "POST", f"/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key={KEY}",
        {"email": ADA, "password": PASSWORD, "returnSecureToken": True})
    assert status == 200, (status, body)
    assert ("idToken" in body) != ("mfaPendingCredential" in body), body.keys()
    return "idToken" in body


def code():
    mac = hmac.new(state["secret"], struct.pack(">Q", int(time.time()) // 30), hashlib.sha1).digest()
    offset = mac[-1] & 15
    return f"{(struct.unpack('>I', mac[offset:offset + 4])[0] & 0x7FFFFFFF) % 1_000_000:06}"


def mails(kind):
    status, _, messages = http("GET", "/dev/mail.json?to=" + urllib.parse.quote(ADA))
    assert status == 200, (status, messages)
    return [message for message in messages if message["kind"] == kind]


def latchkey(*arguments):
    done = subprocess.run(
        [EXECUTABLE, *arguments, "--database", DATABASE, "--json"], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def somebody_has_a_second_factor():
    client = SyncGoTrueClient(url=BASE + "/auth/v1", headers={"apikey": ANON}, auto_refresh_token=False)
    client.sign_up({"email": ADA, "password": PASSWORD})
    client.verify_otp({"email": ADA, "token": mail(ADA, "confirmation")["code"], "type": "signup"})
    state["strong"] = client = signed_in()
    enrolled = client.mfa.enroll({"factor_type": "totp", "friendly_name": "phone"})
    state["secret"] = base64.b32decode(enrolled.totp.secret + "=" * (-len(enrolled.totp.secret) % 8))
    challenge = client.mfa.challenge({"factor_id": enrolled.id})
    client.mfa.verify({"factor_id": enrolled.id, "challenge_id": challenge.id, "code": code()})
    assert not firebase()


def begin():
    state["weak"] = signed_in()
    status, _, body = http("POST", "/v1/account/factor-recovery", {}, headers=bearer(state["weak"]))
    assert status == 202, (status, body)
    return datetime.datetime.fromisoformat(body["dueAt"]).timestamp()


def the_owner_stops_it_by_the_button_of_the_mail():
    status, _, standing = http("GET", "/v1/account/factor-recovery", headers=bearer(signed_in()))
    assert status == 200 and standing["offered"] and standing["recovery"] is None, standing
    begin()
    message = mail(ADA, "factor_recovery_begun")
    assert message["link"] in message["text"], message["text"]
    # Whoever has the password asks once more: nothing is sent, and nothing moves.
    status, _, again = http("POST", "/v1/account/factor-recovery", {}, headers=bearer(signed_in()))
    status, _, standing = http("GET", "/v1/account/factor-recovery", headers=bearer(signed_in()))
    assert standing["recovery"]["dueAt"] == again["dueAt"] and len(mails("factor_recovery_begun")) == 1, standing
    link = urllib.parse.urlsplit(message["link"])
    place = link.path + "?" + link.query
    status, headers, page = http("GET", place)
    assert status == 200, (status, page)
    form = Form()
    form.feed(page)
    post = {"Content-Type": "application/x-www-form-urlencoded", "Cookie": headers["set-cookie"].split(";")[0]}
    body = urllib.parse.urlencode(form.fields).encode()
    target = urllib.parse.urljoin(place, form.action)
    # The form is this browser's, whose cookie came with the page.
    status, _, page = http("POST", target, raw=body, headers=post)
    assert status == 200 and "set-cookie" in headers, (status, page)
    assert mail(ADA, "factor_recovery_stopped")
    status, _, page = http("GET", place)
    assert status == 410, status
    status, _, standing = http("GET", "/v1/account/factor-recovery", headers=bearer(signed_in()))
    assert standing["recovery"] is None, standing
    assert not firebase()


def nobody_stops_it_and_a_sign_in_by_another_protocol_removes_the_factors():
    due = begin()
    is_in = firebase()
    assert not is_in or time.time() >= due
    while not is_in:
        time.sleep(0.2)
        is_in = firebase()
        assert time.time() < due + 60, "never"
    assert time.time() >= due
    assert mail(ADA, "factor_recovery_done")
    assert len(mails("factor_recovery_done")) == 1
    for former in (state["strong"], state["weak"]):
        status, _, body = http("GET", "/v1/me", headers=bearer(former))
        assert status == 401 and body["code"] == "session_not_found", (status, body)
    fresh = signed_in()
    assert fresh.mfa.list_factors().all == []
    assert firebase()


def an_operator_deletes_at_the_users_wish():
    due = latchkey("user", "deletion", "request", ADA, "--days", "30")["deletionDueAt"]
    assert [user["deletionDueAt"] for user in latchkey("user", "deletion", "list")["users"]] == [due]
    assert mail(ADA, "deletion_scheduled")
    signed_in()
    assert latchkey("user", "deletion", "list")["users"] == []
    latchkey("user", "deletion", "now", ADA)
    assert mail(ADA, "account_deleted")


steps(
    somebody_has_a_second_factor,
    the_owner_stops_it_by_the_button_of_the_mail,
    nobody_stops_it_and_a_sign_in_by_another_protocol_removes_the_factors,
    an_operator_deletes_at_the_users_wish,
)

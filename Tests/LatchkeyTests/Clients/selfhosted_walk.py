# SPDX-License-Identifier: Apache-2.0
"""The server in the place of a self-hosted platform's auth container: no prefix, shared secret, its own variables."""

import hmac
import json
import sqlite3
import sys
from base64 import urlsafe_b64encode
from hashlib import sha256

import httpx
import jwt
from supabase_auth import SyncGoTrueClient
from supabase_auth.errors import AuthApiError

from support import BASE, PASSWORD, fresh_address, http, steps

SECRET, DATABASE = sys.argv[2], sys.argv[3]


def project_key(role):
    """As the platform's own tools make them: HS256 under the shared secret, naming no key."""
    return jwt.encode({"role": role, "iss": "supabase", "iat": 1700000000, "exp": 2000000000}, SECRET, "HS256")


def client(key):
    return SyncGoTrueClient(url=BASE, headers={"apikey": key, "Authorization": f"Bearer {key}"},
                            auto_refresh_token=False, http_client=httpx.Client(timeout=60))


def health_at_the_root():
    status, _, body = http("GET", "/health")
    assert status == 200 and body["version"], body


def sign_up_confirms_itself_and_the_token_verifies_with_the_shared_secret():
    address = fresh_address("self")
    answer = client(project_key("anon")).sign_up({"email": address, "password": "lower case only but long"})
    assert answer.session and answer.session.expires_in == 1800
    claims = jwt.decode(answer.session.access_token, SECRET, ["HS256"], audience="authenticated")
    assert claims["iss"] == "http://gateway.example:8000" and claims["sub"] == answer.user.id


def the_service_role_key_of_the_platform_administrates():
    users = client(project_key("service_role")).admin.list_users()
    assert len(users) >= 1
    try:
        client(jwt.encode({"role": "service_role", "exp": 2000000000}, "x" * 40, "HS256")).admin.list_users()
    except AuthApiError as error:
        assert error.status in (401, 403), error.status
    else:
        raise AssertionError("a key under another secret administrates")


def the_role_of_a_platform_token_decides_and_a_users_needs_no_session():
    admin = jwt.encode({"sub": "1234567890", "role": "supabase_admin"}, SECRET, "HS256")
    address = fresh_address("minted")
    user = client(admin).admin.create_user(
        {"email": address, "password": "lower case only but long", "email_confirm": True}).user
    minted = jwt.encode({"sub": user.id, "role": "authenticated", "aud": "authenticated"}, SECRET, "HS256")
    assert client(project_key("anon")).get_user(minted).user.email == address
    status, _, body = http("GET", "/admin/users", headers={"Authorization": f"Bearer {minted}"})
    assert status == 403, (status, body)


def clients_are_counted_by_the_gateways_header_alone():
    def asks(headers):
        return http("POST", "/recover", {"email": fresh_address("nobody")}, headers)[0]
    assert [asks({"X-Client": "203.0.113.1, 10.0.0.1"}) for _ in range(4)] == [200, 200, 200, 429]
    assert asks({"X-Client": "203.0.113.2"}) == 200
    assert [asks({}) for _ in range(5)] == [200] * 5
    assert [asks({"X-Forwarded-For": "203.0.113.1"}) for _ in range(5)] == [200] * 5


def recovery_links_lead_to_the_gateway():
    address = fresh_address("recover")
    one = client(project_key("anon"))
    one.sign_up({"email": address, "password": "lower case only but long"})
    one.reset_password_for_email(address)
    content = sqlite3.connect(DATABASE).execute(
        "SELECT content FROM outbox WHERE recipient = ? AND kind = 'recovery'", (address,)).fetchone()[0]
    # In the clear, since there is no master key: the first octet says so.
    link = json.loads(content[1:])["link"]
    assert link.startswith("http://gateway.example:8000/auth/v1/verify?token="), link
    assert "redirect_to=http%3A%2F%2Fapp.example" in link, link


steps(
    health_at_the_root,
    sign_up_confirms_itself_and_the_token_verifies_with_the_shared_secret,
    the_service_role_key_of_the_platform_administrates,
    the_role_of_a_platform_token_decides_and_a_users_needs_no_session,
    clients_are_counted_by_the_gateways_header_alone,
    recovery_links_lead_to_the_gateway,
)

# SPDX-License-Identifier: Apache-2.0
"""A self-hosted platform's database taken over: by a server that is killed in the midst of it, by two at once, and then by clients
that go on with what they had.

usage: takeover_walk.py LATCHKEY DIRECTORY POSTGRES_SUPPORT
"""

import base64
import hashlib
import hmac
import json
import os
import re
import struct
import subprocess
import sys
import threading
import time
import uuid

import httpx
import jwt
from supabase_auth import SyncGoTrueClient
from supabase_auth.errors import AuthApiError

LATCHKEY, DIRECTORY, POSTGRES = sys.argv[1:4]
sys.path[:0] = [POSTGRES, os.path.join(POSTGRES, "Gotrue")]
sys.argv[1] = "http://not-yet"
from gotrue_database import GotrueDatabase, psql  # noqa: E402
from postgres_server import PostgresServer  # noqa: E402
from support import steps  # noqa: E402

SECRET = "a-shared-secret-of-more-than-32-bytes-for-tests"
PASSWORD, HASH = "correct horse battery staple 7", "$2a$04$abcdefghijklmnopqrstuu1YCe7b5821H6ZpMgajZ9ELryb4qHoYu"
TOTP = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
CROWD = 2_400
environment = {name: value for name, value in os.environ.items() if not name.startswith(("GOTRUE_", "LATCHKEY_"))}
environment |= {"LATCHKEY_PASSWORDS_MEMORY_KIB": "8", "LATCHKEY_PASSWORDS_ITERATIONS": "1",
                "LATCHKEY_HTTP_SHUTDOWN_DELAY": "0", "GOTRUE_JWT_SECRET": SECRET, "GOTRUE_API_HOST": "127.0.0.1",
                "API_EXTERNAL_URL": "http://gateway.example:8000", "GOTRUE_SITE_URL": "http://app.example",
                "GOTRUE_MFA_PHONE_ENROLL_ENABLED": "true"}
database = PostgresServer()
database.start()
state = {}


class Server:
    def __init__(self, theirs, **variables):
        self.process = subprocess.Popen(
            [LATCHKEY, "serve", "--gotrue-env", "--port", "0"], cwd=DIRECTORY,
            env=environment | {"GOTRUE_DB_DATABASE_URL": theirs.url} | variables, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True)
        self.log, self.begins, self.listens = [], threading.Event(), threading.Event()
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        for line in self.process.stdout:
            self.log.append(line)
            if "health alone is answered" in line:
                self.health = "http://127.0.0.1:" + re.search(r'port"?[=:] ?"?(\d+)', line)[1]
                self.begins.set()
            if "listening on" in line:
                self.url = "http://127.0.0.1:" + re.search(r"127\.0\.0\.1:(\d+)", line)[1]
                self.listens.set()
        self.begins.set()
        self.listens.set()

    def wait(self):
        self.listens.wait(120)
        assert hasattr(self, "url"), "".join(self.log)
        return self

    def refused(self):
        """What it says when it does not start."""
        assert self.process.wait(timeout=120) != 0, "it started"
        self.reader.join()
        return "".join(self.log)

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.reader.join()

    def client(self):
        key = jwt.encode({"role": "anon", "iss": "supabase", "iat": 1700000000, "exp": 2000000000}, SECRET, "HS256")
        return SyncGoTrueClient(url=self.url, headers={"apikey": key, "Authorization": f"Bearer {key}"},
                                auto_refresh_token=False, http_client=httpx.Client(timeout=60))


def a_session(theirs, user, tokens, aal="aal1", session=None, **columns):
    """`tokens` are the texts of its refresh tokens, of which the last is live."""
    session = session or str(uuid.uuid4())
    row = {"id": f"'{session}'", "user_id": f"'{user}'", "created_at": "now() - interval '1 day'", "updated_at": "now()",
           "aal": f"'{aal}'", "user_agent": "'App/1'", "ip": "'203.0.113.77'", **columns}
    theirs.run(f"""
        INSERT INTO auth.sessions ({", ".join(row)}) VALUES ({", ".join(row.values())});
        INSERT INTO auth.mfa_amr_claims (id, session_id, created_at, updated_at, authentication_method)
        VALUES (gen_random_uuid(), '{session}', now(), now(), 'password')""")
    for place, token in enumerate(tokens):
        theirs.run(f"""
            INSERT INTO auth.refresh_tokens (instance_id, user_id, token, parent, revoked, session_id, created_at, updated_at)
            VALUES ('00000000-0000-0000-0000-000000000000', '{user}', '{token}',
                {"NULL" if place == 0 else f"'{tokens[place - 1]}'"}, {place < len(tokens) - 1}, '{session}',
                now() - interval '{len(tokens) - place} hours', now() - interval '{len(tokens) - place} hours')""")
    return session


def a_counted_token(session, count, key):
    """As the platform makes them (internal/crypto/refresh_tokens.go); counts below 128 are one octet."""
    body = b"\0" + uuid.UUID(session).bytes + bytes([count])
    body += hmac.new(key, body, hashlib.sha256).digest()[:16]
    return base64.urlsafe_b64encode(body + hashlib.sha256(body).digest()[:4]).rstrip(b"=").decode()


def a_code(secret):
    """RFC 6238."""
    digest = hmac.new(base64.b32decode(secret), struct.pack(">Q", int(time.time()) // 30), hashlib.sha1).digest()
    at = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[at:at + 4])[0] & 0x7FFFFFFF) % 1_000_000:06}"


def refused(call, code):
    try:
        call()
    except AuthApiError as error:
        assert error.code == code, (error.code, error.message)
    else:
        raise AssertionError(f"accepted; expected {code}")


def a_crowd(theirs, number, key="crowd"):
    theirs.run(f"""
        INSERT INTO auth.users (instance_id, id, aud, role, email, encrypted_password, email_confirmed_at,
            raw_app_meta_data, raw_user_meta_data, created_at, updated_at)
        SELECT '00000000-0000-0000-0000-000000000000', gen_random_uuid(), 'authenticated', 'authenticated',
            '{key}' || n || '@example.com', '{HASH}', now(), '{{"provider": "email", "providers": ["email"]}}', '{{}}', now(), now()
        FROM generate_series(1, {number}) n;
        INSERT INTO auth.identities (provider_id, user_id, identity_data, provider, created_at, updated_at)
        SELECT id::text, id, jsonb_build_object('sub', id, 'email', email), 'email', now(), now()
        FROM auth.users WHERE email LIKE '{key}%';
        INSERT INTO auth.sessions (id, user_id, created_at, updated_at, aal)
        SELECT gen_random_uuid(), id, now(), now(), 'aal1' FROM auth.users WHERE email LIKE '{key}%';
        INSERT INTO auth.refresh_tokens (instance_id, user_id, token, revoked, session_id, created_at, updated_at)
        SELECT '00000000-0000-0000-0000-000000000000', u.id, left(md5(u.email), 12), false, s.id, now(), now()
        FROM auth.users u JOIN auth.sessions s ON s.user_id = u.id WHERE u.email LIKE '{key}%'""")


def taken(theirs, schema="latchkey"):
    """How many users have come; None before the first."""
    try:
        found = theirs.run(f"SELECT taken::json ->> 'users' FROM {schema}.take_overs")
    except RuntimeError:
        return None
    return int(found) if found else None


def people_use_the_platform():
    theirs = state["theirs"] = GotrueDatabase(database.url)
    a_crowd(theirs, CROWD)
    ada = state["ada"] = theirs.add_user("ada@example.com", encrypted_password=f"'{HASH}'", raw_user_meta_data="'{\"name\": \"Ada\"}'")
    # Signed in by both factors: who shows the second one ends the sessions that have not.
    state["session"] = a_session(theirs, ada, ["adasgrandold", "adasparent00", "adaslivetok0"], aal="aal2")
    state["stolen"] = a_session(theirs, ada, ["stolenoldest", "stolenolder0", "stolenlive00"], aal="aal2")
    theirs.run(f"""
        INSERT INTO auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret, created_at, updated_at)
        VALUES (gen_random_uuid(), '{ada}', 'app', 'totp', 'verified', '{TOTP}', now(), now()),
            (gen_random_uuid(), '{ada}', 'half', 'totp', 'unverified', '{TOTP}', now(), now())""")
    theirs.run(f"""
        INSERT INTO auth.webauthn_credentials (user_id, credential_id, public_key, friendly_name)
        VALUES ('{ada}', '\\x0102', '\\x0405', 'app')""")
    bob = theirs.add_user("bob@example.com")
    key = bytes(range(32))
    counted = str(uuid.uuid4())
    a_session(theirs, bob, [], session=counted, refresh_token_counter="5",
              refresh_token_hmac_key="'" + base64.urlsafe_b64encode(key).rstrip(b"=").decode() + "'")
    state["counted"] = {count: a_counted_token(counted, count, key) for count in range(8)}
    a_session(theirs, theirs.add_user("carla@example.com"), ["carlasrevok0", "carlasrevok1"])
    theirs.run("UPDATE auth.refresh_tokens SET revoked = true WHERE token LIKE 'carlas%'")
    theirs.add_user("eve@example.com", encrypted_password=f"'{HASH}'", banned_until="'infinity'")
    theirs.add_user("gone@example.com", encrypted_password=f"'{HASH}'", deleted_at="now()")
    theirs.run("UPDATE auth.users SET email = '" + "x" * 43 + "' WHERE email = 'gone@example.com'")


def a_server_that_is_killed_in_the_midst_goes_on_where_it_was():
    theirs, before = state["theirs"], 0
    for most in (1, 500, 1_200):
        server = Server(theirs)
        while (taken(theirs) or 0) < most:
            assert server.process.poll() is None, "".join(server.log)
            time.sleep(0.01)
        server.kill()
        found = taken(theirs)
        assert before <= found < CROWD, "the crowd is too small for a server so fast"
        assert theirs.run("SELECT count(*) FROM latchkey.users") == str(found)
        assert theirs.run("SELECT finished_at IS NULL FROM latchkey.take_overs") == "t"
        before = found


def two_servers_at_once_finish_it_and_serve():
    servers = [Server(state["theirs"]) for _ in range(2)]
    state["server"], other = (server.wait() for server in servers)
    assert "the accounts were taken over" in "".join(state["server"].log + other.log)
    assert other.client().sign_in_with_password({"email": "crowd7@example.com", "password": PASSWORD}).session
    other.kill()


def everybody_is_there():
    theirs = state["theirs"]
    for table, left in (("users", 1), ("identities", 1), ("sessions", 0)):
        there, here = theirs.run(f"SELECT (SELECT count(*) FROM auth.{table}), (SELECT count(*) FROM latchkey.{table})").split("|")
        # One of sign-ins since then, where there are sessions.
        assert int(there) - left <= int(here) <= int(there) - left + (table == "sessions"), (table, there, here)
    assert theirs.run("SELECT count(*) FROM latchkey.factors") == "2"


def a_password_and_an_authenticator_app_of_before():
    client = state["server"].client()
    session = client.sign_in_with_password({"email": "ada@example.com", "password": PASSWORD}).session
    assert session.user.id == state["ada"] and session.user.user_metadata["name"] == "Ada"
    factors = client.mfa.list_factors().totp
    assert [factor.friendly_name for factor in factors] == ["app"], factors
    client.mfa.challenge_and_verify({"factor_id": factors[0].id, "code": a_code(TOTP)})
    assert client.mfa.get_authenticator_assurance_level().current_level == "aal2"
    refused(lambda: state["server"].client().sign_in_with_password({"email": "eve@example.com", "password": PASSWORD}), "user_banned")


def a_session_of_before_goes_on_by_its_own_token():
    client = state["server"].client()
    # Whose last answer was lost has the parent still.
    lost = client.refresh_session("adasparent00").session
    claims = jwt.decode(lost.access_token, SECRET, ["HS256"], audience="authenticated")
    assert claims["session_id"] == state["session"] and claims["sub"] == state["ada"], claims
    live = client.refresh_session("adaslivetok0").session
    assert client.refresh_session("adaslivetok0").session.refresh_token == live.refresh_token
    assert client.refresh_session(lost.refresh_token).session.refresh_token == live.refresh_token
    following = client.refresh_session(live.refresh_token).session
    assert following.refresh_token not in ("adaslivetok0", live.refresh_token)


def an_access_token_of_before_holds():
    token = jwt.encode({"sub": state["ada"], "role": "authenticated", "aud": "authenticated", "exp": int(time.time()) + 600,
                        "session_id": state["session"]}, SECRET, "HS256")
    assert state["server"].client().get_user(token).user.email == "ada@example.com"


def a_stolen_token_of_before_ends_its_session():
    client = state["server"].client()
    refused(lambda: client.refresh_session("stolenoldest"), "refresh_token_already_used")
    refused(lambda: client.refresh_session("stolenlive00"), "refresh_token_already_used")
    refused(lambda: client.refresh_session("carlasrevok1"), "refresh_token_already_used")
    refused(lambda: client.refresh_session("nobodystoken"), "refresh_token_not_found")


def tokens_of_the_second_kind_go_on_too():
    client, tokens = state["server"].client(), state["counted"]
    refused(lambda: client.refresh_session(tokens[6]), "refresh_token_not_found")
    following = client.refresh_session(tokens[5]).session
    assert client.refresh_session(tokens[5]).session.refresh_token == following.refresh_token
    refused(lambda: client.refresh_session(tokens[2]), "refresh_token_already_used")
    refused(lambda: client.refresh_session(following.refresh_token), "refresh_token_already_used")


def a_start_afterwards_takes_nothing_over():
    state["server"].kill()
    server = Server(state["theirs"]).wait()
    assert "taken over" not in "".join(server.log)
    assert server.client().sign_in_with_password({"email": "ada@example.com", "password": PASSWORD}).user.id == state["ada"]
    server.kill()


def an_apps_own_rows_follow_their_user():
    state["server"] = Server(state["theirs"]).wait()
    client = state["server"].client()
    client.sign_in_with_password({"email": "crowd9@example.com", "password": PASSWORD})
    client.update_user({"data": {"name": "Grace"}})
    theirs = state["theirs"]
    assert theirs.run("SELECT name FROM public.profiles WHERE email = 'crowd9@example.com'") == "Grace"
    # Nobody else writes there any more.
    try:
        theirs.run("UPDATE auth.users SET role = 'other' WHERE email = 'crowd9@example.com'")
    except RuntimeError:
        pass
    else:
        raise AssertionError("somebody else has written")
    state["server"].kill()


def users_who_were_handed_back_are_not_served():
    state["theirs"].run("DROP FUNCTION latchkey.mirror_guard() CASCADE")
    said = Server(state["theirs"]).refused()
    assert "were handed back" in said, said


def who_writes_meanwhile_is_noticed_and_it_begins_anew():
    theirs = GotrueDatabase(database.url, name="busy")
    a_crowd(theirs, 600)
    server = Server(theirs)
    while (taken(theirs) or 0) < 100:
        assert server.process.poll() is None, "".join(server.log)
        time.sleep(0.01)
    server.kill()
    theirs.run("""UPDATE auth.users SET raw_user_meta_data = '{"changed": true}', updated_at = now()
        WHERE id = (SELECT id FROM auth.users ORDER BY id LIMIT 1)""")
    said = Server(theirs).refused()
    assert "somebody has written to users since" in said, said
    theirs.run("DROP SCHEMA latchkey CASCADE")
    Server(theirs).wait().kill()
    assert taken(theirs) == 600


def who_watches_over_it_hears_that_it_lives_and_does_not_serve_yet():
    theirs = GotrueDatabase(database.url, name="watched")
    a_crowd(theirs, 50)
    # Who writes there is waited for.
    writer = subprocess.Popen(["psql", theirs.root, "-XqAt"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    writer.stdin.write("BEGIN; LOCK TABLE auth.users IN ROW EXCLUSIVE MODE; SELECT 'held';\n")
    writer.stdin.flush()
    assert writer.stdout.readline() == "held\n"
    server = Server(theirs)
    server.begins.wait(120)
    for method, path, status in (("GET", "/health", 200), ("HEAD", "/health", 200), ("GET", "/health/live", 200),
                                 ("GET", "/health/ready", 503), ("GET", "/settings", 503),
                                 ("POST", "/token?grant_type=password", 503)):
        answer = httpx.request(method, server.health + path, timeout=60)
        assert answer.status_code == status, (method, path, answer)
        assert ("retry-after" in answer.headers) == (status == 503), (method, path, answer.headers)
    assert taken(theirs) is None and server.process.poll() is None
    writer.communicate("COMMIT;\n")
    server.wait()
    assert httpx.get(server.url + "/health/ready", timeout=60).status_code == 200
    assert httpx.get(server.url + "/health", timeout=60).json()["name"] == "GoTrue"
    server.kill()


def users_who_would_share_an_address_are_named_before_anybody_comes():
    theirs = GotrueDatabase(database.url, name="twins")
    a_crowd(theirs, 250)
    first, second = sorted(theirs.add_user(email, encrypted_password=f"'{HASH}'") for email in ("Eva@example.com", "eva@example.com"))
    broken = theirs.add_user("no address")
    said = Server(theirs).refused()
    assert f"{second} (email: the same as that of {first})" in said, said
    assert broken in said and "no address" not in said, said
    assert taken(theirs) is None and theirs.run("SELECT count(*) FROM latchkey.users") == "0"
    # Mended as the documentation says.
    theirs.run(f"UPDATE auth.users SET email = NULL, email_confirmed_at = NULL WHERE id IN ('{second}', '{broken}')")
    server = Server(theirs).wait()
    assert taken(theirs) == 253
    assert server.client().sign_in_with_password({"email": "eva@example.com", "password": PASSWORD}).user.id == first
    server.kill()


def a_role_without_rights_is_told_what_it_lacks():
    theirs = GotrueDatabase(database.url, name="poor")
    theirs.run('REVOKE CREATE ON DATABASE "poor" FROM supabase_auth_admin')
    said = Server(theirs).refused()
    assert "CREATE SCHEMA latchkey AUTHORIZATION" in said, said
    theirs.run("CREATE SCHEMA latchkey AUTHORIZATION supabase_auth_admin")
    ada = theirs.add_user("ada@example.com", encrypted_password="'no hash'")
    said = Server(theirs).refused()
    assert ada in said and "encrypted_password" in said and "no hash of" in said and "'no hash'" not in said, said
    assert taken(theirs) is None
    theirs.run("""CREATE ROLE stranger LOGIN; GRANT ALL ON SCHEMA latchkey TO stranger;
        GRANT ALL ON ALL TABLES IN SCHEMA latchkey TO stranger; GRANT USAGE ON SCHEMA auth TO stranger""")
    stranger = theirs.url.replace("supabase_auth_admin", "stranger")
    said = Server(theirs, GOTRUE_DB_DATABASE_URL=stranger).refused()
    assert "GRANT SELECT ON auth.users" in said, said
    theirs.run("GRANT ALL ON ALL TABLES IN SCHEMA auth TO stranger; ALTER TABLE auth.users ENABLE ROW LEVEL SECURITY")
    said = Server(theirs, GOTRUE_DB_DATABASE_URL=stranger).refused()
    assert "row-level security hides rows of auth.users" in said, said
    # Mended, it begins.
    theirs.run(f"UPDATE auth.users SET encrypted_password = '{HASH}'")
    Server(theirs).wait().kill()
    assert taken(theirs) == 1


def another_database_is_left_alone():
    server = Server(state["theirs"], LATCHKEY_DATABASE="sqlite:own.sqlite").wait()
    assert "GOTRUE_DB_DATABASE_URL" in "".join(server.log)
    refused(lambda: server.client().sign_in_with_password({"email": "ada@example.com", "password": PASSWORD}), "invalid_credentials")
    server.kill()


try:
    steps(people_use_the_platform, a_server_that_is_killed_in_the_midst_goes_on_where_it_was,
          two_servers_at_once_finish_it_and_serve, everybody_is_there, a_password_and_an_authenticator_app_of_before,
          a_session_of_before_goes_on_by_its_own_token, an_access_token_of_before_holds,
          a_stolen_token_of_before_ends_its_session, tokens_of_the_second_kind_go_on_too,
          a_start_afterwards_takes_nothing_over, an_apps_own_rows_follow_their_user,
          users_who_were_handed_back_are_not_served, who_writes_meanwhile_is_noticed_and_it_begins_anew,
          who_watches_over_it_hears_that_it_lives_and_does_not_serve_yet,
          users_who_would_share_an_address_are_named_before_anybody_comes,
          a_role_without_rights_is_told_what_it_lacks, another_database_is_left_alone)
finally:
    database.remove()

# SPDX-License-Identifier: Apache-2.0
"""A server in the place of the platform's own, over its database: an app's keys, triggers, policies and view hang on tables that
this server writes, while users come, change and go by a client nobody here wrote.

usage: mirror_walk.py LATCHKEY DIRECTORY POSTGRES_SUPPORT
"""

import base64
import json
import os
import subprocess
import sys
import threading

from database_support import DIRECTORY, POSTGRES, Server, environment, http, run, sign_up, support, supabase_client
from postgres_server import PostgresServer
from support import PASSWORD

sys.path.insert(0, os.path.join(POSTGRES, "Gotrue"))
from gotrue_database import GotrueDatabase, psql  # noqa: E402

postgres = PostgresServer()
postgres.start()
database = GotrueDatabase(postgres.url)
URL = database.url
state = {}
environment.update(LATCHKEY_DIRECTORY_ANONYMOUS="true", LATCHKEY_DATABASE=URL)

# Each user is here, there and among the app's own rows, with one address, or nowhere.
UNEQUAL = """
    SELECT coalesce(ours.id, theirs.id::text, profiles.id::text) id FROM
        (SELECT * FROM latchkey.users WHERE deleted_at IS NULL) ours
        FULL JOIN auth.users theirs ON theirs.id::text = ours.id FULL JOIN public.profiles ON profiles.id = theirs.id
    WHERE ours.id IS NULL OR theirs.id IS NULL OR profiles.id IS NULL OR ours.email IS DISTINCT FROM theirs.email
        OR theirs.email IS DISTINCT FROM profiles.email
    UNION ALL
    SELECT coalesce(ours.id, theirs.id::text) FROM (SELECT * FROM latchkey.sessions WHERE revoked_at IS NULL) ours
        FULL JOIN auth.sessions theirs ON theirs.id::text = ours.id
    WHERE ours.id IS NULL OR theirs.id IS NULL"""


class Reader:
    """Looks again and again, as any other connection would, for one without the other."""

    def __init__(self):
        self.found, self.looks, self.is_over = [], 0, False
        self.thread = threading.Thread(target=self.look)
        self.thread.start()

    def look(self):
        process = subprocess.Popen(["psql", database.root, "-XqAt", "-v", "ON_ERROR_STOP=1"], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, text=True)
        while not self.is_over:
            process.stdin.write(f"SELECT json_agg(found) FROM ({UNEQUAL}) found;\n\\echo -\n")
            process.stdin.flush()
            while (line := process.stdout.readline().strip()) != "-":
                assert process.poll() is None
                if line:
                    self.found.append(line)
            self.looks += 1
        process.stdin.close()
        process.wait()

    def end(self):
        self.is_over = True
        self.thread.join()
        assert self.looks > 20 and not self.found, (self.looks, self.found[:3])


def service(method, path, body=None):
    key = support.settings()["supabase"]["serviceRoleKey"]
    return http(method, "/auth/v1" + path, body, {"apikey": key, "Authorization": "Bearer " + key})


def row(sql):
    found = database.query(sql)
    assert len(found) == 1, (sql, found)
    return found[0]


def instant(text):
    return None if text is None else row(f"SELECT '{text}'::timestamptz AS at")["at"]


def stands_as_the_api_says(user):
    """What the API answers of a user is what stands in the platform's tables, member for member."""
    status, _, said = service("GET", f"/admin/users/{user}")
    assert status == 200, said
    there = row(f"SELECT * FROM auth.users WHERE id = '{user}'")
    for member, column in (("aud", "aud"), ("role", "role"), ("is_anonymous", "is_anonymous"),
                           ("app_metadata", "raw_app_meta_data"), ("user_metadata", "raw_user_meta_data")):
        assert said[member] == there[column], (member, said[member], there[column])
    for member, column in (("email", "email"), ("phone", "phone"), ("new_email", "email_change"), ("new_phone", "phone_change")):
        assert said.get(member, "") == (there[column] or ""), (member, said.get(member), there[column])
    for member in ("email_confirmed_at", "phone_confirmed_at", "confirmed_at", "invited_at", "confirmation_sent_at",
                   "recovery_sent_at", "email_change_sent_at", "phone_change_sent_at", "last_sign_in_at", "created_at",
                   "updated_at", "banned_until", "deleted_at"):
        assert instant(said.get(member)) == there[member], (member, said.get(member), there[member])
    identities = {identity["identity_id"]: identity for identity in said["identities"]}
    for identity in database.query(f"SELECT * FROM auth.identities WHERE user_id = '{user}'"):
        shown = identities.pop(identity["id"])
        for member, column in (("id", "provider_id"), ("provider", "provider"), ("identity_data", "identity_data")):
            assert shown[member] == identity[column], (member, shown, identity)
    assert not identities, identities
    return there


def the_tables_are_mirrored():
    state["server"] = Server(URL)
    run("database", "mirror", "--install")
    state["reader"] = Reader()
    # Who was missing there is added, and goes as anybody does.
    demo = row("SELECT id FROM public.profiles WHERE email = 'demo@example.com'")["id"]
    stands_as_the_api_says(demo)
    assert service("DELETE", f"/admin/users/{demo}")[0] == 200
    assert database.query("SELECT id FROM public.profiles") == database.query("SELECT id FROM auth.users") == []


def who_signs_up_is_there_with_the_app_s_own_row():
    sign_up("ada@example.com")
    state["app"] = supabase_client(support.settings()["supabase"])
    signed = state["app"].sign_in_with_password({"email": "ada@example.com", "password": PASSWORD})
    state["ada"] = signed.user.id
    stands_as_the_api_says(state["ada"])
    assert row("SELECT email FROM public.profiles")["email"] == "ada@example.com"
    # One of the mailed link, one of the password.
    session = row("SELECT DISTINCT user_id, aal FROM auth.sessions")
    assert session == {"user_id": state["ada"], "aal": "aal1"}, session
    member = row("SELECT * FROM public.members")
    assert member["providers"] == ["email"] and (member["identities"], member["sessions"]) == (1, 2), member


def policies_let_the_holder_of_a_token_see_their_own_rows():
    part = state["app"].get_session().access_token.split(".")[1]
    claims = json.loads(base64.urlsafe_b64decode(part + "=="))
    assert database.as_user(claims, "SELECT id FROM public.profiles") == [state["ada"]]
    assert database.as_user({**claims, "sub": "00000000-0000-4000-8000-000000000000"}, "SELECT id FROM public.profiles") == []
    database.run(f"INSERT INTO public.invoices (user_id, cents) VALUES ('{state['ada']}', 5)")
    assert database.as_user(claims, "SELECT cents FROM public.invoices") == []
    assert database.as_user({**claims, "aal": "aal2"}, "SELECT cents FROM public.invoices") == ["5"]
    made = database.as_user(claims, "INSERT INTO public.notes (body) VALUES ('hello') RETURNING user_id")
    assert made == [state["ada"]], made


def what_changes_is_changed_there():
    state["app"].update_user({"data": {"name": "Ada", "plan": None}})
    assert row("SELECT name FROM public.profiles")["name"] == "Ada"
    stands_as_the_api_says(state["ada"])
    for change in ({"email": "ada@example.org", "email_confirm": True}, {"phone": "+491701234567", "phone_confirm": True},
                   {"app_metadata": {"roles": ["editor"], "deep": {"er": [1, 2.5, None]}}}, {"ban_duration": "1h"},
                   {"ban_duration": "none"}, {"password": PASSWORD + "-2"}):
        status, _, body = service("PUT", f"/admin/users/{state['ada']}", change)
        assert status == 200, (change, body)
        stands_as_the_api_says(state["ada"])
    there = row(f"SELECT * FROM auth.users WHERE id = '{state['ada']}'")
    assert there["email"] == "ada@example.org" and there["phone"] == "491701234567" and there["encrypted_password"] == ""
    assert row("SELECT email FROM public.profiles")["email"] == "ada@example.org"


def sessions_are_there_for_as_long_as_they_are():
    state["app"] = supabase_client(support.settings()["supabase"])
    state["app"].sign_in_with_password({"email": "ada@example.org", "password": PASSWORD + "-2"})
    before = len(database.query("SELECT id FROM auth.sessions"))
    state["app"].refresh_session()
    assert any(session["refreshed_at"] for session in database.query("SELECT refreshed_at FROM auth.sessions"))
    state["app"].sign_out({"scope": "local"})
    assert len(database.query("SELECT id FROM auth.sessions")) == before - 1
    state["app"].sign_in_with_password({"email": "ada@example.org", "password": PASSWORD + "-2"})
    state["app"].sign_out({"scope": "global"})
    assert database.query("SELECT id FROM auth.sessions") == []


def an_anonymous_user_becomes_somebody():
    app = supabase_client(support.settings()["supabase"])
    made = app.sign_in_anonymously()
    assert stands_as_the_api_says(made.user.id)["is_anonymous"] is True
    status, _, body = service("PUT", f"/admin/users/{made.user.id}", {"email": "ann@example.com", "email_confirm": True})
    assert status == 200, body
    stands_as_the_api_says(made.user.id)
    assert service("DELETE", f"/admin/users/{made.user.id}")[0] == 200


def what_the_app_refuses_is_refused_as_the_platform_says_it():
    before = database.query("SELECT id FROM latchkey.users WHERE deleted_at IS NULL")
    config = support.settings()["supabase"]
    for form in ({}, {"X-Supabase-Api-Version": "2024-01-01"}):
        status, _, body = http("POST", "/auth/v1/signup", {"email": "eve@refused.example", "password": PASSWORD},
                               {"apikey": config["anonKey"], **form})
        assert status == 500 and "Database error saving new user" in json.dumps(body), (status, body)
        assert (body["code"] if form else body["error_code"]) == "unexpected_failure", body
    status, _, body = service("POST", "/admin/users", {"email": "eve@refused.example", "password": PASSWORD})
    assert status == 500, (status, body)
    assert database.query("SELECT id FROM latchkey.users WHERE deleted_at IS NULL") == before
    # Who owes something stays.
    status, _, body = service("DELETE", f"/admin/users/{state['ada']}")
    assert status == 409 and body["msg"] == "Database error deleting user", (status, body)
    stands_as_the_api_says(state["ada"])
    # In another dialect it is no failure of the server's.
    firebase = support.settings()["firebase"]
    status, _, body = http("POST", f"/identitytoolkit.googleapis.com/v1/accounts:signUp?key={firebase['apiKey']}",
                           {"email": "eve@refused.example", "password": PASSWORD})
    assert 400 <= status < 500, (status, body)


def nobody_else_writes_there():
    for act in (f"DELETE FROM auth.users WHERE id = '{state['ada']}'", "UPDATE auth.users SET email = 'eve@example.com'",
                "INSERT INTO auth.identities (provider, provider_id, user_id, identity_data) "
                f"VALUES ('google', '1', '{state['ada']}', '{{}}')"):
        for url in (database.url, database.root):
            try:
                psql(url, act)
            except RuntimeError as error:
                assert "is written by Latchkey alone" in str(error), error
            else:
                raise AssertionError(act)


def many_at_once_are_never_seen_by_halves():
    def live(number):
        try:
            for turn in range(3):
                email = f"load-{number}-{turn}@example.com"
                status, _, made = service("POST", "/admin/users", {"email": email, "password": PASSWORD, "email_confirm": True})
                assert status == 200, made
                app = supabase_client(config)
                app.sign_in_with_password({"email": email, "password": PASSWORD})
                app.refresh_session()
                app.update_user({"data": {"name": email}})
                app.sign_out()
                if turn:
                    status, _, body = service("DELETE", f"/admin/users/{made['id']}")
                    assert status == 200, body
        except BaseException as error:  # noqa: BLE001  (a thread's failure is the walk's)
            faults.append(error)

    config, faults = support.settings()["supabase"], []
    threads = [threading.Thread(target=live, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults, faults
    assert len(database.query("SELECT id FROM public.profiles WHERE email LIKE 'load-%'")) == 4


def who_is_deleted_softly_stays_without_a_name():
    status, _, body = service("DELETE", f"/admin/users/{state['ada']}", {"should_soft_delete": True})
    assert status == 200, body
    there = row(f"SELECT * FROM auth.users WHERE id = '{state['ada']}'")
    assert there["deleted_at"] and not there["email"] and there["raw_user_meta_data"] == {}, there
    assert database.query(f"SELECT id FROM auth.identities WHERE user_id = '{state['ada']}'") == []
    assert "ada@example" not in json.dumps(database.query("SELECT * FROM auth.users"))


def both_say_the_same_in_the_end():
    report = json.loads(run("database", "mirror", "--json").stdout)
    assert report["agrees"] and not report["differences"], report


def the_way_back():
    state["server"].stop()
    done = json.loads(run("database", "hand-back", "--yes", "--json").stdout)
    assert done["users"] == done["passwords"] == 4 and done["withoutPassword"] == 0, done
    for user in database.query("SELECT * FROM auth.users WHERE deleted_at IS NULL"):
        assert user["encrypted_password"].startswith("$argon2id$v=19$m="), user
        assert user["confirmation_token"] == user["recovery_token"] == "", user
    assert database.query("SELECT id FROM auth.sessions UNION ALL SELECT session_id FROM auth.refresh_tokens") == []
    # The platform's server writes there again, and the app's triggers go on.
    back = database.add_user("bob@example.com")
    assert row(f"SELECT email FROM public.profiles WHERE id = '{back}'")["email"] == "bob@example.com"


try:
    support.steps(
        the_tables_are_mirrored, who_signs_up_is_there_with_the_app_s_own_row,
        policies_let_the_holder_of_a_token_see_their_own_rows, what_changes_is_changed_there,
        sessions_are_there_for_as_long_as_they_are, an_anonymous_user_becomes_somebody,
        what_the_app_refuses_is_refused_as_the_platform_says_it, nobody_else_writes_there,
        many_at_once_are_never_seen_by_halves)
    # Until here nobody was deleted softly: such a one has no row of ours that counts.
    state["reader"].end()
    support.steps(who_is_deleted_softly_stays_without_a_name, both_say_the_same_in_the_end, the_way_back)
finally:
    if "reader" in state:
        state["reader"].is_over = True
    if "server" in state and state["server"].process.poll() is None:
        state["server"].kill()
    postgres.remove()

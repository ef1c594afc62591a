# SPDX-License-Identifier: Apache-2.0
"""Everything moved from SQLite to PostgreSQL and back, with sessions alive, and the other commands over whole databases.

usage: database_walk.py LATCHKEY DIRECTORY POSTGRES_SUPPORT [SEED]
"""

import json
import random
import subprocess
import sys
import time

from database_support import DIRECTORY, LATCHKEY, Server, Sessions, environment, http, run, sign_up, support
from postgres_server import PostgresServer

SEED = int(sys.argv[4]) if len(sys.argv) > 4 else 20261123
SQLITE, BACK = "sqlite:.latchkey/development.sqlite", "sqlite:back.sqlite"
KEY = {"LATCHKEY_MASTER_KEY_FILE": ".latchkey/development.sqlite.master-key"}
database = PostgresServer()
database.start()
URL = database.url
state = {}


def of(location, schema="latchkey"):
    return {**KEY, "LATCHKEY_DATABASE": location, "LATCHKEY_POSTGRES_SCHEMA": schema}


def copy(source, target, status=0, schema="latchkey"):
    return run("database", "copy", "--to", target, "--json", status=status, variables=of(source, schema))


def contents(location, schema="latchkey"):
    checked = json.loads(run("database", "check", "--json", variables=of(location, schema)).stdout)
    assert checked["damaged"] == 0 and checked["opened"] > 0, checked
    return {table["name"]: (table["rows"], table["sha256"]) for table in checked["tables"]}


def of_four_migrators_each_finds_the_schema_made():
    migrators = [subprocess.Popen([LATCHKEY, "database", "migrate", "--json"], cwd=DIRECTORY, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True,
                                  env=dict(environment, LATCHKEY_DATABASE=URL, LATCHKEY_POSTGRES_SCHEMA="several"))
                 for _ in range(4)]
    for migrator in migrators:
        out, errors = migrator.communicate(timeout=60)
        assert migrator.returncode == 0 and json.loads(out)["schema"] == 1, (out, errors)
    # No server has made a master key yet.
    keyless = {"LATCHKEY_DATABASE": URL, "LATCHKEY_POSTGRES_SCHEMA": "several"}
    told = json.loads(run("database", "status", "--json", variables=keyless).stdout)
    assert told["schema"] == told["newest"] == 1 and all(table["rows"] == 0 for table in told["tables"]), told
    assert json.loads(run("database", "status", "--json", variables={**keyless, "LATCHKEY_POSTGRES_SCHEMA": "none"}).stdout)["schema"] is None


def people_sign_up_on_sqlite():
    server = Server(SQLITE)
    sign_up("ada@example.com")
    state["ada"] = Sessions("ada@example.com")
    state["id"] = state["ada"].me()
    # Several turns' worth of rows.
    lines = [json.dumps({"id": f"00000000-0000-4000-8000-{number:012x}", "email": f"u{number}@example.com"})
             for number in range(2_500)]
    run("user", "import", variables=of(SQLITE), input="\n".join(lines) + "\n")
    # While it runs, nothing is moved away from under it.
    assert "in use" in copy(SQLITE, URL, status=73).stderr
    server.stop()


def a_copy_has_the_same_rows_and_the_same_sessions():
    told = json.loads(copy(SQLITE, URL).stdout)
    assert told["masterKey"] and URL not in told["to"], told
    state["contents"] = contents(SQLITE)
    assert contents(URL) == state["contents"]
    assert {table["name"]: (table["rows"], table["sha256"]) for table in told["tables"]} == state["contents"]
    assert int(database.query("SELECT count(*) FROM latchkey.users")) == state["contents"]["users"][0] >= 2_501
    refused = copy(SQLITE, URL, status=73)
    assert "not empty" in refused.stderr, refused.stderr
    # Without the key that came along it opens for nobody, and says so.
    alone = run("serve", "--dev", "--port", "0", status=69, variables={"LATCHKEY_DATABASE": URL})
    assert "master key" in alone.stderr, alone.stderr
    environment.update(KEY)
    server = Server(URL)
    assert state["ada"].me() == state["id"]
    state["ada"].refresh()
    assert state["ada"].me() == state["id"]
    state["there"] = state["ada"].supabase_tokens.refresh_token
    sign_up("eve@example.com")
    server.stop()


def and_back():
    copy(URL, BACK)
    assert contents(BACK) == contents(URL) != state["contents"]
    server = Server(BACK)
    state["ada"].refresh()
    assert state["ada"].me() == state["id"] == Sessions("ada@example.com").me()
    assert Sessions("eve@example.com").me() != state["id"]
    server.stop()


def cut_short_it_opens_for_nobody_and_goes_on_where_it_was():
    chance = random.Random(SEED)
    print("seed", SEED, flush=True)
    whole, seen = 0.0, {"half": 0, "whole": 0}
    wanted = contents(BACK)
    number = 0
    while min(seen.values()) == 0 or number < 4:
        number += 1
        assert number <= 60, seen
        schema = f"cut{number}"
        started = time.monotonic()
        process = subprocess.Popen([LATCHKEY, "database", "copy", "--to", URL], cwd=DIRECTORY, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, env=dict(environment, **of(BACK, schema)))
        if number > 1:
            time.sleep(whole * chance.uniform(0.3, 1.2))
            process.kill()
        process.wait()
        whole = whole or time.monotonic() - started
        # What the killed one had sent last may yet be written.
        while database.query("SELECT 1 FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"):
            time.sleep(0.01)
        half = database.query(f"SELECT count(*) FROM {schema}.marks WHERE name = 'copying'")
        if half is None:
            # The machine has grown slower since it was timed.
            whole *= 1.2
            continue
        if half == "1":
            seen["half"] += 1
            refused = run("serve", "--dev", "--port", "0", status=69, variables=of(URL, schema))
            assert "half a copy" in refused.stderr, refused.stderr
            copy(BACK, URL, schema=schema)
        elif database.query(f"SELECT count(*) FROM {schema}.users") == "0":
            whole *= 1.2
            continue
        else:
            seen["whole"] += 1
            if number > 1:
                whole *= 0.8
        assert contents(URL, schema) == wanted
    print(seen, flush=True)


def a_target_that_became_another_is_found_out():
    run("database", "migrate", variables=of(URL, "other"))
    database.query("INSERT INTO other.marks VALUES ('copying', 1), ('production', 1)")
    refused = copy(BACK, URL, status=73, schema="other")
    assert "marks: " in refused.stderr, refused.stderr


def damage_is_found_and_named():
    database.query("UPDATE latchkey.users SET password_hash = set_byte(password_hash, 40, get_byte(password_hash, 40) # 1) "
                   "WHERE email = 'eve@example.com'")
    checked = run("database", "check", status=65, variables=of(URL))
    assert "1 damaged" in checked.stdout, checked.stdout


def after_a_restore_nothing_that_was_issued_lives():
    server = Server(URL)
    # What a running server issues meanwhile would live on.
    refused = run("database", "restored", status=73, variables=of(URL))
    assert "a server runs over these tables" in refused.stderr, refused.stderr
    server.stop()
    # As one leaves it that was killed between two turns.
    database.query("INSERT INTO latchkey.marks VALUES ('taking_back', 1)")
    for command in (["serve", "--dev", "--port", "0"], ["user", "list"]):
        refused = run(*command, status=69, variables=of(URL))
        assert "half restored" in refused.stderr, refused.stderr
    told = json.loads(run("database", "restored", "--json", variables=of(URL)).stdout)
    assert told["sessionsEnded"] >= 3, told
    server = Server(URL)
    status, _, body = http("POST", "/auth/v1/token?grant_type=refresh_token",
                           {"refresh_token": state["there"]},
                           {"apikey": support.settings()["supabase"]["anonKey"]})
    assert 400 <= status < 500, (status, body)
    server.stop()


try:
    support.steps(
        of_four_migrators_each_finds_the_schema_made,
        people_sign_up_on_sqlite,
        a_copy_has_the_same_rows_and_the_same_sessions,
        and_back,
        cut_short_it_opens_for_nobody_and_goes_on_where_it_was,
        a_target_that_became_another_is_found_out,
        damage_is_found_and_named,
        after_a_restore_nothing_that_was_issued_lives,
    )
finally:
    database.remove()

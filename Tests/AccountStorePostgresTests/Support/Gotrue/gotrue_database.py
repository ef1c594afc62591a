#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A self-hosted vendor's database as it stands beside its own server: the tables of its users as the vendor's migrations
make them (`schema.sql`), its roles, and an app's own tables, triggers, policies and a view on them (`app.sql`).

usage: gotrue_database.py SUPERUSER_URL [DATABASE [NAMESPACE]]

Makes the database on that server, prints the URL that `GOTRUE_DB_DATABASE_URL` would have, and one of a superuser."""

import json
import os
import subprocess
import sys
import uuid

HERE = os.path.dirname(os.path.abspath(__file__))
# Of the whole server: those that are there stay. Two that make a database at one time take turns: neither sees the other's
# roles before they are committed.
ROLES = """
SELECT pg_advisory_xact_lock(1);
DO $$
DECLARE
    made record;
BEGIN
    FOR made IN SELECT * FROM (VALUES
        ('anon', 'NOLOGIN NOINHERIT'), ('authenticated', 'NOLOGIN NOINHERIT'), ('service_role', 'NOLOGIN NOINHERIT BYPASSRLS'),
        ('authenticator', 'LOGIN NOINHERIT'), ('supabase_auth_admin', 'NOINHERIT CREATEROLE LOGIN NOREPLICATION'),
        ('postgres', 'LOGIN')) roles (name, options)
    LOOP
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = made.name) THEN
            EXECUTE format('CREATE ROLE %I %s', made.name, made.options);
        END IF;
    END LOOP;
    GRANT anon, authenticated, service_role TO authenticator;
END $$
"""


class GotrueDatabase:
    """`url` is the one that the vendor's server is given, `root` a superuser's."""

    def __init__(self, server_url, name="gotrue", namespace="auth", app=True):
        self.name, self.namespace = name, namespace
        self.schema = quoted = '"%s"' % namespace.replace('"', '""')
        self.root = server_url.replace("/postgres?", f"/{name}?")
        assert self.root != server_url, server_url
        self.url = self.root.replace("user=latchkey", "user=supabase_auth_admin")
        psql(server_url, ROLES)
        # Nobody can be connected to template0; a vacuum of template1 would be in the way.
        psql(server_url, f'CREATE DATABASE "{name}" TEMPLATE template0', "-c")
        self.run(f"""
            CREATE SCHEMA {quoted} AUTHORIZATION supabase_auth_admin;
            GRANT CREATE ON DATABASE "{name}" TO supabase_auth_admin;
            ALTER ROLE supabase_auth_admin IN DATABASE "{name}" SET search_path = {quoted};
            GRANT USAGE ON SCHEMA public, {quoted} TO anon, authenticated, service_role, postgres;
            SET ROLE supabase_auth_admin;
            {self.text("schema.sql")}
            RESET ROLE;
            {self.text("app.sql") if app else ""}
            """)

    def text(self, file):
        with open(os.path.join(HERE, file)) as stream:
            return stream.read().replace("@namespace@", self.schema)

    def run(self, sql):
        """Runs statements in one transaction, as a superuser. Returns what they print."""
        return psql(self.root, sql)

    def query(self, sql):
        """The rows of one statement, each a dictionary."""
        return json.loads(self.run(f"SELECT coalesce(json_agg(found), '[]') FROM ({sql}) found"))

    def as_user(self, claims, sql):
        """What an app's user gets who asks by the vendor's API of the database: with the claims of their access token."""
        role = claims.get("role", "authenticated")
        text = json.dumps(claims).replace("'", "''")
        said = psql(self.root, f"SET LOCAL ROLE {role}; SET LOCAL request.jwt.claims = '{text}'; {sql}")
        return [line for line in said.splitlines() if line]

    def add_user(self, email, **columns):
        """A user with an identity, as the vendor's sign-up leaves them. `columns` replaces or adds, in SQL's literals."""
        user = columns.pop("id", None) or str(uuid.uuid4())
        row = {
            "instance_id": "'00000000-0000-0000-0000-000000000000'", "id": f"'{user}'", "aud": "'authenticated'",
            "role": "'authenticated'", "email": f"'{email}'", "email_confirmed_at": "now()", "confirmation_token": "''",
            "recovery_token": "''", "email_change_token_new": "''", "email_change": "''",
            "raw_app_meta_data": """'{"provider": "email", "providers": ["email"]}'""",
            "raw_user_meta_data": """'{"email_verified": true}'""", "created_at": "now()", "updated_at": "now()", **columns}
        data = json.dumps({"sub": user, "email": email, "email_verified": True, "phone_verified": False})
        self.run(f"""
            INSERT INTO {self.schema}.users ({", ".join(row)}) VALUES ({", ".join(row.values())});
            INSERT INTO {self.schema}.identities
                (provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
            VALUES ('{user}', '{user}', '{data}', 'email', now(), now(), now())""")
        return user


def psql(url, sql, how="-1f-"):
    """In one transaction, unless `how` is `-c`, which takes what runs in none."""
    options = [how, sql] if how == "-c" else [how]
    done = subprocess.run(["psql", url, "-XqAt", "-v", "ON_ERROR_STOP=1", *options], input=sql, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr.strip())
    return done.stdout.strip()


def main():
    database = GotrueDatabase(*sys.argv[1:])
    print(database.url)
    print(database.root)


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""Looks for secrets in the files of a running server's database, after whatever was done with it.

Opens what is sealed with the master key, by an implementation of its own (docs/adr/0017-secrets-at-rest.md), and searches
the files for each secret as it is, in hexadecimal and in Base64. usage: secrets_walk.py URL DATABASE KEYFILE
"""

import base64
import hmac
import json
import sqlite3
import sys

import boto3
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from support import BASE, PASSWORD, fresh_address, http, mail, settings, steps

DATABASE, KEYFILE = sys.argv[2], sys.argv[3]
COLUMNS = {
    ("directories", "token_key"): "id", ("signing_keys", "private_jwk"): "directory_id",
    ("client_secrets", "text"): "directory_id", ("users", "password_hash"): "directory_id",
    ("users", "srp_verifier"): "directory_id", ("outbox", "content"): "directory_id",
    ("sign_up_attempts", "password_hash"): "directory_id", ("sign_up_attempts", "srp_verifier"): "directory_id",
}
known, sealed, state = {}, {}, {}


def secrets_are_made_in_every_way_that_shows_them():
    config = settings()
    cognito = boto3.client("cognito-idp", endpoint_url=BASE, region_name=config["cognito"]["region"],
                           aws_access_key_id="dev", aws_secret_access_key="dev")
    client = cognito.create_user_pool_client(
        UserPoolId=config["cognito"]["userPoolId"], ClientName="with a secret", GenerateSecret=True)
    known["client secret"] = client["UserPoolClient"]["ClientSecret"]
    email = state["email"] = fresh_address("secret")
    key = config["supabase"]["anonKey"]
    assert http("POST", "/auth/v1/signup", {"email": email, "password": PASSWORD}, {"apikey": key})[0] == 200
    confirmation = mail(email, "confirmation")
    known["link"], known["token"] = confirmation["link"], confirmation["tokenHash"]
    # Kept among a Directory's settings, which are in the clear: sealed under its key.
    known["provider secret"] = "a-provider-secret-" + fresh_address("x")
    status, _, made = http(
        "POST", "/identitytoolkit.googleapis.com/v2/projects/default/oauthIdpConfigs?oauthIdpConfigId=oidc.walk",
        {"clientId": "walk", "issuer": "https://issuer.example", "clientSecret": known["provider secret"],
         "responseType": {"code": True}}, {"Authorization": "Bearer owner"})
    assert status == 200 and made["clientSecret"] == known["provider secret"], (status, made)
    known["demo password"] = config["demo"]["password"]


def opened(database):
    master = base64.b64decode(open(KEYFILE, encoding="ascii").read().split()[0])
    name = hmac.digest(master, b"latchkey master key id", "sha256")[:8].hex()
    keys = {}
    for number, by, wrapped in database.execute("SELECT id, master_key_id, wrapped FROM data_keys"):
        assert by == name, (by, name)
        keys[number] = AESGCM(master).decrypt(wrapped[:12], wrapped[12:], f"latchkey data key 1\0{number}".encode())
    for (table, column), directory in COLUMNS.items():
        rows = database.execute(f"SELECT {directory}, id, {column} FROM {table} WHERE {column} IS NOT NULL").fetchall()
        assert rows, (table, column)
        for place, row, value in rows:
            assert value[0] == 1, ("in the clear", table, column)
            context = "\0".join(["latchkey cell 1", table, column, place, row]).encode()
            key = hmac.digest(keys[int.from_bytes(value[1:5], "big")], context, "sha256")
            yield f"{table}.{column} {row}", AESGCM(key).decrypt(value[5:17], value[17:], context)


def what_is_sealed_opens_with_the_master_key_alone():
    with sqlite3.connect(f"file:{DATABASE}?mode=ro", uri=True, timeout=30) as database:
        for name, value in opened(database):
            if "private_jwk" in name:
                jwk = json.loads(value)
                for member in ("d", "p", "q", "dp", "dq", "qi", "k"):
                    if member in jwk:
                        sealed[name + " " + member] = base64.urlsafe_b64decode(jwk[member] + "==")
            elif "outbox" in name:
                message = json.loads(value)
                for member in ("link", "tokenHash", "html", "text"):
                    if message.get(member):
                        sealed[name + " " + member] = message[member].encode()
            else:
                sealed[name] = value
    values = {bytes(value) for value in sealed.values()}
    for name in ("client secret", "link", "token"):
        assert known[name].encode() in values, name
    print(len(sealed), "secrets", flush=True)


def forms(value):
    yield value
    yield value.hex().encode()
    yield value.hex().upper().encode()
    yield base64.b64encode(value).rstrip(b"=")
    yield base64.urlsafe_b64encode(value).rstrip(b"=")


def none_of_them_is_in_the_files():
    content = b""
    for end in ("", "-wal"):
        with open(DATABASE + end, "rb") as file:
            content += file.read()
    assert state["email"].encode() in content, "the search finds what is there"
    values = {name: value.encode() for name, value in known.items()} | sealed
    for name, value in values.items():
        if len(value) >= 12:
            for form in forms(value):
                assert form not in content, name


steps(
    secrets_are_made_in_every_way_that_shows_them,
    what_is_sealed_opens_with_the_master_key_alone,
    none_of_them_is_in_the_files,
)

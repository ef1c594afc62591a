# SPDX-License-Identifier: Apache-2.0
"""Somebody gets everything that is held about them: asked for over HTTP, mailed, fetched by the page's button, and read by Python's
zipfile and by jsonschema."""

import io
import json
import urllib.parse
import zipfile

import requests
from jsonschema import Draft202012Validator

from support import BASE, PASSWORD, Form, fresh_address, mail, settings, steps

config = settings()["supabase"]
EMAIL = fresh_address("ada")
state = {}


def gotrue(path, body, status=200):
    url = config["url"].removesuffix("/auth/v1") + "/auth/v1" + path
    reply = requests.post(url, headers={"apikey": config["anonKey"]}, json=body, timeout=60)
    assert reply.status_code == status, (path, reply.status_code, reply.text)
    return reply.json()


def export(token, status):
    reply = requests.post(BASE + "/v1/account/export", headers={"Authorization": f"Bearer {token}"}, timeout=60)
    assert reply.status_code == status, (reply.status_code, reply.text)
    return reply.json()


def somebody_has_a_confirmed_account():
    gotrue("/signup", {"email": EMAIL, "password": PASSWORD, "data": {"name": "Ada"}})
    code = mail(EMAIL, "confirmation")["code"]
    gotrue("/verify", {"email": EMAIL, "token": code, "type": "signup"})
    state["session"] = gotrue("/token?grant_type=password", {"email": EMAIL, "password": PASSWORD})


def a_link_is_mailed():
    assert export("nothing", 401)["error"]
    assert export(state["session"]["access_token"], 202)["expiresAt"]
    state["link"] = mail(EMAIL, "account_export")["link"]
    assert urllib.parse.urlsplit(state["link"]).path == "/account/export", state["link"]
    # It is good for nothing else.
    for page in ["/link?", "/reset?", "/unlock?"]:
        assert requests.get(state["link"].replace("/export?", page), timeout=60).status_code == 410, page


def its_page_gives_the_file_once():
    browser = requests.Session()
    for _ in range(2):
        page = browser.get(state["link"], timeout=60)
        assert page.status_code == 200 and EMAIL in page.text, page.text
    form = Form()
    form.feed(page.text)
    target = urllib.parse.urljoin(state["link"], form.action)
    got = browser.post(target, data=form.fields, timeout=60)
    assert got.status_code == 200 and got.headers["content-type"] == "application/zip", (got.status_code, got.text)
    assert got.headers["content-disposition"].startswith("attachment"), got.headers
    assert got.headers["cache-control"] == "no-store", got.headers
    state["archive"] = got.content
    again = browser.post(target, data=form.fields, timeout=60)
    assert again.status_code == 410, again.status_code
    assert browser.get(state["link"], timeout=60).status_code == 410


def others_read_it():
    archive = zipfile.ZipFile(io.BytesIO(state["archive"]))
    assert archive.testzip() is None
    schema = json.loads(archive.read("schema.json"))
    Draft202012Validator.check_schema(schema)
    names = set(archive.namelist()) - {"schema.json"}
    assert names == {name + ".json" for name in schema["$defs"]}, names
    for name in names:
        content = json.loads(archive.read(name))
        reference = {"$ref": f"#/$defs/{name.removesuffix('.json')}", **schema}
        Draft202012Validator(reference, format_checker=Draft202012Validator.FORMAT_CHECKER).validate(content)
        state[name] = content
    assert state["account.json"]["email"] == EMAIL
    assert state["account.json"]["user_metadata"]["name"] == "Ada"
    assert any(event["action"] == "export_requested" for event in state["audit.json"])
    assert len(state["sessions.json"]) >= 1
    for secret in [state["session"]["refresh_token"], PASSWORD]:
        assert secret.encode() not in state["archive"]


def three_a_day_are_enough():
    outcomes = [
        requests.post(BASE + "/v1/account/export", timeout=60,
                      headers={"Authorization": f"Bearer {state['session']['access_token']}"}).status_code
        for _ in range(5)]
    assert outcomes[-1] == 429, outcomes


steps(
    somebody_has_a_confirmed_account,
    a_link_is_mailed,
    its_page_gives_the_file_once,
    others_read_it,
    three_a_day_are_enough,
)

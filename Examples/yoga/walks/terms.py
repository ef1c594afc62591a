# SPDX-License-Identifier: Apache-2.0
"""G-11: terms that a sign-in demands. An operator publishes them; the app is told, shows what there is, says what its user has agreed
to, or has them agree on the service's page. Everybody is asked meanwhile: at a server that others walk at, it stands in their way."""

import secrets

from .browser import Browser
from .support import PASSWORD, Device, as_operator, expect, fresh_address

NAME = "terms-of-service"


def walk(server):
    operator = {"Authorization": "Bearer " + as_operator(server)}
    phone = Device(server, "supabase")
    ada, ben, eve = (fresh_address(name) for name in ("ada", "ben", "eve"))
    for address in (ada, ben, eve):
        joined(server, phone, address)
    version = secrets.token_hex(4)
    server.ask("/v1/admin/terms", {"name": NAME, "version": version, "demanded": True, "texts": {
        "en": {"title": "Terms of the studio", "url": "https://yoga.example/terms"}}}, **operator)
    try:
        demanded(server, phone, (ada, ben, eve), f"{NAME}={version}")
    finally:
        server.ask(f"/v1/admin/terms/{NAME}/{version}", {"demanded": False}, method="PATCH", **operator)
    # Not demanded any more: nobody is asked.
    phone.does("sign-in", "--email", ben, typed=[PASSWORD])


def joined(server, device, address, *flags):
    device.says("sign-up", "--email", address, *flags, typed=[PASSWORD])
    device.does("confirm", "--email", address, "--code", server.mail(address)["code"])
    device.does("sign-in", "--email", address, typed=[PASSWORD])
    device.does("sign-out")


def demanded(server, phone, people, terms):
    ada, ben, eve = people
    shown = phone.says("terms")
    shown = shown if isinstance(shown, list) else [shown]
    expect([document["id"] for document in shown if document["demanded"]] == [terms], f"not {terms}, but {shown}")
    told(phone, ada)
    phone.refuses("sign-in", "--email", ada, "--agree", NAME + "=0", typed=[PASSWORD])
    phone.does("sign-in", "--email", ada, "--agree", terms, typed=[PASSWORD])
    phone.says("me")
    phone.does("sign-out")
    phone.does("sign-in", "--email", ada, typed=[PASSWORD])
    phone.does("sign-out")
    # What one has agreed to, the next at the same device has not.
    page = told(phone, ben)
    Browser().agree(page)
    phone.does("sign-in", "--email", ben, typed=[PASSWORD])
    phone.does("sign-out")
    # In whichever dialect, and once for all of them.
    pool, firebase = Device(server, "cognito-password"), Device(server, "firebase")
    for device in (pool, firebase):
        told(device, eve)
    pool.does("sign-in", "--email", eve, "--agree", terms, typed=[PASSWORD])
    firebase.does("sign-in", "--email", eve, typed=[PASSWORD])
    # Who says so with the sign-up is not asked.
    joined(server, phone, fresh_address("fay"), "--agree", terms)


def told(device, address):
    """The page that the user is sent to."""
    said = device.refuses("sign-in", "--email", address, typed=[PASSWORD], error="terms_not_agreed")
    expect("/account/terms?" in said.get("page", ""), f"no page to agree on, but {said}")
    device.is_signed_out()
    return said["page"]

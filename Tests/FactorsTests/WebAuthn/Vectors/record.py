#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes recorded.json: what soft-webauthn answers to options that py_webauthn has read, and that py_webauthn takes the answers.

    pip install soft-webauthn==0.1.3 fido2==0.9.3 webauthn==3.0.1 && ./record.py

The options are those that RecordedResponseTests expects of CreationOptions and RequestOptions. Keys are made anew each time."""
import base64
import json
import pathlib

import webauthn
from soft_webauthn import SoftWebauthnDevice
from webauthn.helpers import parse_authentication_options_json, parse_registration_options_json

ORIGIN = "https://login.example.org"


def text(octets):
    return base64.urlsafe_b64encode(octets).decode().rstrip("=")


def answer(raw):
    """As PublicKeyCredential.toJSON() writes it."""
    response = {name: text(octets) for name, octets in raw["response"].items() if octets is not None}
    return {"id": text(raw["rawId"]), "rawId": text(raw["rawId"]), "type": "public-key", "response": response,
            "clientExtensionResults": {}}


creation = {
    "rp": {"id": "example.org", "name": "Example"},
    "user": {"id": text(b"user-0001"), "name": "ada@example.org", "displayName": "Ada"},
    "challenge": text(bytes(range(32))),
    "pubKeyCredParams": [{"type": "public-key", "alg": number} for number in (-7, -8, -257)],
    "excludeCredentials": [{"type": "public-key", "id": text(b"another"), "transports": ["internal", "hybrid"]}],
    "authenticatorSelection": {"residentKey": "preferred", "requireResidentKey": False, "userVerification": "preferred"},
    "attestation": "none",
    "extensions": {"credProps": True},
    "timeout": 300000,
}
wanted = parse_registration_options_json(creation)
device = SoftWebauthnDevice()
made = answer(device.create({"publicKey": {
    "rp": {"id": wanted.rp.id, "name": wanted.rp.name},
    "user": {"id": wanted.user.id, "name": wanted.user.name, "displayName": wanted.user.display_name},
    "challenge": wanted.challenge,
    "pubKeyCredParams": [{"type": "public-key", "alg": int(one.alg)} for one in wanted.pub_key_cred_params],
    "attestation": wanted.attestation.value,
}}, ORIGIN))
verified = webauthn.verify_registration_response(
    credential=made, expected_challenge=wanted.challenge, expected_rp_id="example.org", expected_origin=ORIGIN,
    require_user_verification=False)

request = {
    "challenge": text(bytes(range(32, 64))),
    "rpId": "example.org",
    "allowCredentials": [{"type": "public-key", "id": made["id"]}],
    "userVerification": "preferred",
    "timeout": 300000,
}
asked = parse_authentication_options_json(request)
used = answer(device.get({"publicKey": {"rpId": asked.rp_id, "challenge": asked.challenge}}, ORIGIN))
outcome = webauthn.verify_authentication_response(
    credential=used, expected_challenge=asked.challenge, expected_rp_id="example.org", expected_origin=ORIGIN,
    credential_public_key=verified.credential_public_key, credential_current_sign_count=verified.sign_count,
    require_user_verification=False)

record = {
    "origin": ORIGIN, "creationOptions": creation, "registration": made,
    "publicKey": verified.credential_public_key.hex(), "requestOptions": request, "authentication": used,
    "signCount": outcome.new_sign_count,
}
pathlib.Path(__file__).with_name("recorded.json").write_text(json.dumps(record, indent=1) + "\n")

# SPDX-License-Identifier: Apache-2.0
"""Who signs in by a passkey or steps up by an app's code."""

import base64
import ctypes
import ctypes.util
import hashlib
import hmac
import json
import os
import time


class Authenticator:
    """A passkey of an authenticator that verifies its user or only sees somebody (Web Authentication Level 3), by the libcrypto that
    the server uses too: signing is not what is measured."""

    def __init__(self, site):
        self.library = ctypes.CDLL(ctypes.util.find_library("crypto"))
        for name in ("EVP_PKEY_Q_keygen", "EVP_MD_CTX_new", "EVP_sha256"):
            getattr(self.library, name).restype = ctypes.c_void_p
        self.key = ctypes.c_void_p(self.library.EVP_PKEY_Q_keygen(None, None, b"EC", ctypes.c_char_p(b"P-256")))
        point, length = ctypes.create_string_buffer(65), ctypes.c_size_t()
        self.library.EVP_PKEY_get_octet_string_param(self.key, b"pub", point, ctypes.c_size_t(65), ctypes.byref(length))
        self.point, self.site, self.id = point.raw, site, os.urandom(16)

    def sign(self, message):
        context, length = ctypes.c_void_p(self.library.EVP_MD_CTX_new()), ctypes.c_size_t(80)
        signature = ctypes.create_string_buffer(80)
        done = self.library.EVP_DigestSignInit(context, None, ctypes.c_void_p(self.library.EVP_sha256()), None, self.key) == 1 \
            and self.library.EVP_DigestSign(context, signature, ctypes.byref(length), message, ctypes.c_size_t(len(message))) == 1
        self.library.EVP_MD_CTX_free(context)
        assert done, "no signature"
        return signature.raw[:length.value]

    def client_data(self, kind, challenge):
        return json.dumps({"type": kind, "challenge": challenge, "origin": "https://" + self.site}).encode()

    def seen(self, flags):
        return hashlib.sha256(self.site.encode()).digest() + bytes([flags]) + bytes(4)

    def answer(self, response):
        name = base64url(self.id)
        return {"id": name, "rawId": name, "type": "public-key", "clientExtensionResults": {},
                "response": {key: base64url(value) for key, value in response.items()}}

    def create(self, options):
        self.user = options["user"]["id"]
        cose = b"\xa5\x01\x02\x03\x26\x20\x01\x21\x58\x20" + self.point[1:33] + b"\x22\x58\x20" + self.point[33:]
        data = self.seen(0x45) + bytes(16) + len(self.id).to_bytes(2, "big") + self.id + cose
        attested = b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58" + bytes([len(data)]) + data
        return self.answer({"clientDataJSON": self.client_data("webauthn.create", options["challenge"]),
                            "attestationObject": attested})

    def get(self, options, verified=True):
        client, data = self.client_data("webauthn.get", options["challenge"]), self.seen(0x05 if verified else 0x01)
        answer = self.answer({"clientDataJSON": client, "authenticatorData": data,
                              "signature": self.sign(data + hashlib.sha256(client).digest())})
        answer["response"]["userHandle"] = self.user
        return answer


def base64url(octets):
    return base64.urlsafe_b64encode(octets).decode().rstrip("=")


class FactorOwner:
    """Somebody with a passkey and an authenticator app (RFC 6238), who was given no password: nothing is hashed."""

    site = "app.example"

    def __init__(self, call, number):
        email = f"owner{number}@example.com"
        call("/admin/users", {"email": email, "email_confirm": True}, admin=True)
        link = call("/admin/generate_link", {"type": "magiclink", "email": email}, admin=True)
        session = call("/verify", {"type": "magiclink", "token_hash": link["hashed_token"]})["access_token"]
        self.authenticator = Authenticator(self.site)
        asked = call("/passkeys/registration/options", {}, session)
        call("/passkeys/registration/verify", {"challenge_id": asked["challenge_id"],
                                               "credential": self.authenticator.create(asked["options"])}, session)
        factor = call("/factors", {"factor_type": "totp"}, session)
        self.factor, self.secret = factor["id"], base64.b32decode(factor["totp"]["secret"])
        self.spent = 0
        call(*self.step_up(call, session)())

    def code(self):
        """One that is good for three seconds at least, and was not shown before."""
        self.spent = max(self.spent + 1, int(time.time() + 3) // 30 - 1)
        digest = hmac.digest(self.secret, self.spent.to_bytes(8, "big"), "sha1")
        at = digest[19] & 15
        return f"{(int.from_bytes(digest[at:at + 4], 'big') & 0x7FFFFFFF) % 1_000_000:06}"

    def step_up(self, call, session):
        """Asks for a challenge; what is returned makes the request that answers it."""
        challenge = call(f"/factors/{self.factor}/challenge", {}, session)["id"]
        return lambda: (f"/factors/{self.factor}/verify", {"challenge_id": challenge, "code": self.code()}, session)

    def sign_in(self, call, verified=True):
        asked = call("/passkeys/authentication/options", {})
        return "/passkeys/authentication/verify", {
            "challenge_id": asked["challenge_id"], "credential": self.authenticator.get(asked["options"], verified)}, ""

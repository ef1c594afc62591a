# SPDX-License-Identifier: Apache-2.0
"""An authenticator and the browser before it, made of Yubico's fido2: what it reads of a server and what it writes is theirs."""

import os

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from fido2.cose import ES256
from fido2.utils import sha256
from fido2.webauthn import (
    AttestationObject,
    AttestedCredentialData,
    AuthenticationResponse,
    AuthenticatorAssertionResponse,
    AuthenticatorAttestationResponse,
    AuthenticatorData,
    CollectedClientData,
    PublicKeyCredentialCreationOptions,
    PublicKeyCredentialRequestOptions,
    RegistrationResponse,
)

FLAG = AuthenticatorData.FLAG


class Authenticator:
    def __init__(self, origin, verifies=True):
        self.origin, self.verifies = origin, verifies
        self.count, self.keys = 0, {}

    def _data(self, party, flags=FLAG(0), attested=b""):
        self.count += 1
        flags |= FLAG.UP | (FLAG.UV if self.verifies else FLAG(0))
        return AuthenticatorData.create(sha256(party.encode()), flags, self.count, attested)

    def create(self, options):
        options = PublicKeyCredentialCreationOptions.from_dict(options)
        assert any(known.alg == ES256.ALGORITHM for known in options.pub_key_cred_params), options
        assert not {known.id for known in options.exclude_credentials or ()} & set(self.keys), "made twice"
        key, name = ec.generate_private_key(ec.SECP256R1()), os.urandom(32)
        self.keys[name] = (key, options.rp.id, options.user.id)
        attested = AttestedCredentialData.create(bytes(16), name, ES256.from_cryptography_key(key.public_key()))
        data = self._data(options.rp.id, FLAG.AT, attested)
        client_data = CollectedClientData.create("webauthn.create", options.challenge, self.origin)
        return dict(RegistrationResponse(
            raw_id=name,
            response=AuthenticatorAttestationResponse(
                client_data=client_data, attestation_object=AttestationObject.create("none", data, {}))))

    def get(self, options, origin=None):
        options = PublicKeyCredentialRequestOptions.from_dict(options)
        allowed = {known.id for known in options.allow_credentials or ()}
        name = next(n for n, (_, party, _) in self.keys.items()
                    if party == options.rp_id and (not allowed or n in allowed))
        key, party, user = self.keys[name]
        data = self._data(party)
        client_data = CollectedClientData.create("webauthn.get", options.challenge, origin or self.origin)
        signature = key.sign(data + client_data.hash, ec.ECDSA(hashes.SHA256()))
        return dict(AuthenticationResponse(
            raw_id=name,
            response=AuthenticatorAssertionResponse(
                client_data=client_data, authenticator_data=data, signature=signature, user_handle=user)))

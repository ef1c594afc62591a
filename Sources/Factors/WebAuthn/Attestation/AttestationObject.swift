// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What an authenticator gives at a registration (Web Authentication Level 3, section 6.5.4).
struct AttestationObject: Sendable {
    let format: String
    let statement: [CBORValue.Key: CBORValue]
    let authenticatorData: AuthenticatorData

    init(_ octets: [UInt8]) throws(WebAuthnError) {
        guard let members = try CBORReader.value(of: octets).mapValue,
            let format = members[.text("fmt")]?.textValue, let statement = members[.text("attStmt")],
            let data = members[.text("authData")]?.bytesValue
        else { throw WebAuthnError(.malformed, "attestation object") }
        self.format = format
        // Of a format that is not known nothing is, its statement's kind included.
        self.statement = statement.mapValue ?? [:]
        authenticatorData = try AuthenticatorData(data)
        guard statement.mapValue != nil || !["none", "packed"].contains(format) else {
            throw WebAuthnError(.malformed, "attestation statement")
        }
    }

    /// Section 7.1, steps 21 to 24.
    func verify(
        _ credential: AuthenticatorData.AttestedCredential, key: COSEKey, clientDataHash: [UInt8],
        _ policy: AttestationPolicy, at now: Instant
    ) throws(WebAuthnError) -> Attestation {
        switch format {
        case "none":
            guard statement.isEmpty else { throw WebAuthnError(.attestationInvalid, "none, with a statement") }
            return try policy.check(.none, of: credential.aaguid)
        case "packed":
            let packed = try PackedAttestation(statement)
            let message = authenticatorData.octets + clientDataHash
            return try policy.check(
                packed.verify(message, credential, key: key, policy, at: now), of: credential.aaguid)
        default: throw WebAuthnError(.attestationUnsupported)
        }
    }
}

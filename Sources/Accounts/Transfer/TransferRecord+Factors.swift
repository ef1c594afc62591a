// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Factors

/// A user's second factors in their line, secrets included: who moves to another server goes on showing the same codes.
/// One that is being set up stays behind, and so do backup codes, whose hashes are under the Directory's key: they are
/// made anew.
extension TransferRecord {
    private static let secretLengths = 10...128

    static func encode(_ factor: Factor) -> JSONObject {
        var json: JSONObject = ["kind": .string(factor.kind.rawValue)]
        json["name"] = factor.name.map(JSONValue.string)
        switch factor.credential {
        case .totp(let secret): json["secret"] = .string(Base32.encode(secret.reveal()))
        case .phone(let number): json["phone"] = .string(number.e164)
        case .email(let address): json["email"] = .string(address.rawValue)
        case .webAuthn(let credential): json["credential"] = .object(encode(credential))
        case .newWebAuthn, .unreadable: break
        }
        if !factor.isEnabled { json["is_enabled"] = false }
        if factor.isPreferred { json["is_preferred"] = true }
        json["verified_at"] = factor.verifiedAt.map { .string($0.rfc3339) }
        json["created_at"] = .string(factor.createdAt.rfc3339)
        json["last_used_at"] = factor.lastUsedAt.map { .string($0.rfc3339) }
        return json
    }

    private static func encode(_ credential: WebAuthnCredential) -> JSONObject {
        [
            "use": .string(credential.use.rawValue), "id": .string(Base64URL.encode(credential.id)),
            "public_key": .string(Base64URL.encode(credential.publicKey)),
            "signature_count": .integer(Int64(credential.signatureCount)),
            "transports": .array(credential.transports.map(JSONValue.string)),
            "aaguid": .string(Base64URL.encode(credential.aaguid)),
            "relying_party": .string(credential.relyingParty), "discoverable": .bool(credential.isDiscoverable),
            "user_verified": .bool(credential.isUserVerified), "backup_eligible": .bool(credential.isBackupEligible),
            "backed_up": .bool(credential.isBackedUp),
            "user_handle": .string(Base64URL.encode(credential.userHandle)),
        ]
    }

    /// - Throws: ``AuthErrorCode/invalidRequest`` with the field `factors`; quotes no value.
    static func factors(
        _ elements: [JSONValue], of user: User, _ random: any RandomSource
    ) throws(AuthError) -> [Factor] {
        guard elements.count <= Factor.mostOfUser else { throw fault("at most \(Factor.mostOfUser)") }
        var factors: [Factor] = []
        for element in elements {
            guard let json = element.objectValue, let kind = json["kind"]?.stringValue.flatMap(Factor.Kind.init) else {
                throw fault("a kind is needed")
            }
            let createdAt = time("created_at", json) ?? user.createdAt
            guard let verifiedAt = time("verified_at", json) else { throw fault("a time of proof is needed") }
            let name = json["name"]?.stringValue
            try FactorNames.require(name)
            factors.append(
                Factor(
                    id: random.identifier(), directoryID: user.directoryID, userID: user.id,
                    credential: try credential(kind, json), name: name, verifiedAt: verifiedAt,
                    isEnabled: json["is_enabled"]?.boolValue ?? true,
                    isPreferred: json["is_preferred"]?.boolValue ?? false, createdAt: createdAt,
                    lastUsedAt: time("last_used_at", json)))
        }
        return factors
    }

    private static func credential(_ kind: Factor.Kind, _ json: JSONObject) throws(AuthError) -> Factor.Credential {
        switch kind {
        case .totp:
            guard let secret = json["secret"]?.stringValue.flatMap(Base32.decode), secretLengths.contains(secret.count)
            else { throw fault("a secret in Base32 is needed") }
            return .totp(Secret(secret))
        case .phone:
            guard let text = json["phone"]?.stringValue else { throw fault("a number is needed") }
            return .phone(try PhoneNumber(text))
        case .email:
            guard let text = json["email"]?.stringValue else { throw fault("an address is needed") }
            return .email(try EmailAddress(text))
        case .webAuthn:
            guard let credential = json["credential"]?.objectValue.flatMap(webAuthn) else {
                throw fault("a credential is needed")
            }
            return .webAuthn(credential)
        }
    }

    private static func webAuthn(_ json: JSONObject) -> WebAuthnCredential? {
        func octets(_ name: String) -> [UInt8]? { json[name]?.stringValue.flatMap { Base64URL.decode($0) } }
        guard let id = octets("id"), (1...1023).contains(id.count), let key = octets("public_key"), !key.isEmpty,
            key.count <= 4096, let count = json["signature_count"]?.integerValue.flatMap({ UInt32(exactly: $0) }),
            let relyingParty = json["relying_party"]?.stringValue, relyingParty.utf8.count <= 253,
            let use = WebAuthnCredential.Use(rawValue: json["use"]?.stringValue ?? "second_factor"),
            let userHandle = octets("user_handle"), 1...64 ~= userHandle.count
        else { return nil }
        return WebAuthnCredential(
            use: use, id: id, publicKey: key, signatureCount: count,
            transports: Array((json["transports"]?.arrayValue ?? []).compactMap(\.stringValue).prefix(16)),
            aaguid: Array((octets("aaguid") ?? []).prefix(16)), relyingParty: relyingParty,
            isDiscoverable: json["discoverable"]?.boolValue ?? false,
            isUserVerified: json["user_verified"]?.boolValue ?? false,
            isBackupEligible: json["backup_eligible"]?.boolValue ?? false,
            isBackedUp: json["backed_up"]?.boolValue ?? false, userHandle: userHandle)
    }

    private static func time(_ name: String, _ json: JSONObject) -> Instant? {
        json[name]?.stringValue.flatMap { Instant(rfc3339: $0) }
    }

    private static func fault(_ reason: String) -> AuthError {
        AuthError(.invalidRequest, reason: reason, field: "factors")
    }
}

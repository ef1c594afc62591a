// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// How what a factor is proved by is kept: in columns of their own what is secret and what it is found by, in one what
/// is neither.
enum FactorEncoding {
    static func json(_ factor: Factor) -> JSONObject {
        guard case .webAuthn(let credential) = factor.credential else { return [:] }
        return [
            "use": .string(credential.use.rawValue),
            "public_key": .string(Base64URL.encode(credential.publicKey)),
            "signature_count": .integer(Int64(credential.signatureCount)),
            "transports": .array(credential.transports.map(JSONValue.string)),
            "aaguid": .string(Base64URL.encode(credential.aaguid)),
            "relying_party": .string(credential.relyingParty),
            "discoverable": .bool(credential.isDiscoverable), "user_verified": .bool(credential.isUserVerified),
            "backup_eligible": .bool(credential.isBackupEligible), "backed_up": .bool(credential.isBackedUp),
            "user_handle": .string(Base64URL.encode(credential.userHandle)),
        ]
    }

    /// Of the text of what ``json(_:)`` writes: whether it is a way in, and no second factor. The rest is read only
    /// where the text does not begin as it is written.
    static func isPasskey(_ text: String) -> Bool {
        for use in WebAuthnCredential.Use.allCases
        where text.utf8.starts(with: "{\"use\":\"\(use.rawValue)\",".utf8) {
            return use == .signIn
        }
        let json = try? JSONObject(parsing: text.utf8, limits: StoredJSON.limits)
        return json.flatMap { webAuthn($0, id: []) }?.use == .signIn
    }

    /// `nil` for what ``json(_:)`` did not write.
    static func webAuthn(_ json: JSONObject, id: [UInt8]) -> WebAuthnCredential? {
        func octets(_ name: String) -> [UInt8]? { json[name]?.stringValue.flatMap { Base64URL.decode($0) } }
        func flag(_ name: String) -> Bool? { json[name]?.boolValue }
        guard let use = json["use"]?.stringValue.flatMap(WebAuthnCredential.Use.init),
            let userHandle = octets("user_handle"), let publicKey = octets("public_key"), let aaguid = octets("aaguid"),
            let count = json["signature_count"]?.integerValue.flatMap({ UInt32(exactly: $0) }),
            let transports = json["transports"]?.arrayValue?.compactMap(\.stringValue),
            let relyingParty = json["relying_party"]?.stringValue,
            let isDiscoverable = flag("discoverable"), let isUserVerified = flag("user_verified"),
            let isBackupEligible = flag("backup_eligible"), let isBackedUp = flag("backed_up")
        else { return nil }
        return WebAuthnCredential(
            use: use, id: id, publicKey: publicKey, signatureCount: count, transports: transports, aaguid: aaguid,
            relyingParty: relyingParty, isDiscoverable: isDiscoverable, isUserVerified: isUserVerified,
            isBackupEligible: isBackupEligible, isBackedUp: isBackedUp, userHandle: userHandle)
    }
}

// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import JOSE

extension KeyRing {
    /// Makes `secret` the HS256 key of tokens and of API keys, as an operator brings it from another server.
    ///
    /// Its tokens name no key, so those that the other server signed go on working. The secret takes the place of every
    /// key the Directory had for both purposes; importing the same one again changes nothing.
    ///
    /// - Throws: `AuthErrorCode.invalidRequest` with a reason that can be shown to the operator, when the secret has
    ///   fewer than 32 bytes (RFC 7518, section 3.2) or is public knowledge.
    public func importSharedSecret(
        _ secret: Secret<String>, into directory: Directory, at now: Instant,
        by actor: AuditEvent.Actor = .commandLine
    ) async throws {
        let key = try Self.sharedSecret(secret)
        for purpose in [SigningKeyRecord.Purpose.tokens, .apiKeys] {
            try await adopt([Adopted(jwk: key, algorithm: .hs256, signs: true)], purpose, directory, now, actor)
        }
    }

    /// Makes the keys of a JWK list the token keys of the Directory, and removes those it had: the list is the truth.
    ///
    /// Exactly one key has `sign` among its `key_ops`, and signs; the others only verify what they signed earlier.
    /// Importing the same list again changes nothing.
    ///
    /// - Parameter list: a JSON array of JWKs, or a set (`{"keys": […]}`).
    /// - Throws: `AuthErrorCode.invalidRequest` with a reason that names the key by its place in the list.
    public func importKeys(
        _ list: Secret<String>, into directory: Directory, at now: Instant, by actor: AuditEvent.Actor = .commandLine
    ) async throws {
        try await adopt(try Self.parse(list), .tokens, directory, now, actor)
    }

    /// A key of the import, and whether it signs.
    struct Adopted: Sendable {
        var jwk: JWK
        var algorithm: JWSAlgorithm
        var signs: Bool
    }

    static func sharedSecret(_ secret: Secret<String>) throws -> JWK {
        let bytes = Array(secret.reveal().utf8)
        guard bytes.count >= JWSAlgorithm.hs256.smallestSecret else {
            throw refusal("the shared secret has \(bytes.count) bytes; HS256 needs at least 32")
        }
        try refuseKnown(bytes)
        do {
            return try JWK(secret: Secret(bytes), algorithm: .hs256, keyID: nil)
        } catch {
            throw refusal("the shared secret: \(error)")
        }
    }

    static func parse(_ list: Secret<String>) throws -> [Adopted] {
        let value: JSONValue
        do {
            value = try JSONValue(
                parsing: list.reveal().utf8, limits: JSONLimits(depth: 8, members: 256, bytes: 512 << 10))
        } catch {
            throw refusal("the key list is not JSON: \(error)")
        }
        guard let elements = value.arrayValue ?? value.objectValue?["keys"]?.arrayValue, !elements.isEmpty else {
            throw refusal("the key list is not an array of keys")
        }
        let keys = try elements.enumerated().map { index, element in
            try adopted(element, place: "key \(index + 1) of the list")
        }
        guard keys.filter(\.signs).count == 1 else {
            throw refusal("exactly one key of the list must have \"sign\" in key_ops")
        }
        let names = keys.map { $0.jwk.keyID ?? "" }
        guard Set(names).count == names.count else { throw refusal("two keys of the list have the same kid") }
        return keys
    }

    private static func adopted(_ element: JSONValue, place: String) throws -> Adopted {
        guard let members = element.objectValue else { throw refusal("\(place) is not an object") }
        if let text = members["k"]?.stringValue, let bytes = Base64URL.decode(text) { try refuseKnown(bytes) }
        let jwk: JWK
        do {
            jwk = try JWK(members)
        } catch {
            throw refusal("\(place): \(error)")
        }
        let operations = members["key_ops"]?.arrayValue?.compactMap(\.stringValue) ?? []
        let signs = operations.contains("sign")
        guard let algorithm = jwk.algorithm ?? jwk.algorithms.first else { throw refusal("\(place) has no algorithm") }
        guard jwk.isSecret || !signs else { throw refusal("\(place) is to sign but has no private part") }
        return Adopted(jwk: jwk, algorithm: algorithm, signs: signs)
    }

    private static func refuseKnown(_ bytes: [UInt8]) throws {
        guard !KnownSecrets.contains(Secret(bytes)) else {
            throw refusal("the shared secret is public knowledge: make a new one, e.g. with `openssl rand -base64 48`")
        }
    }

    private static func refusal(_ reason: String) -> AuthError {
        AuthError(.invalidRequest, reason: reason, field: "keys")
    }

    private func adopt(
        _ keys: [Adopted], _ purpose: SigningKeyRecord.Purpose, _ directory: Directory, _ now: Instant,
        _ actor: AuditEvent.Actor
    ) async throws {
        let identifiers: [SigningKeyID] = keys.map { _ in random.identifier(at: now) }
        let auditID: AuditEventID = random.identifier(at: now)
        try await store.write { tx in
            let present = try tx.signingKeys(in: directory.id).filter { $0.purpose == purpose }
            let wanted = zip(keys, identifiers).map { $0.record($1, purpose, directory.id, now) }
            guard !Self.isSame(present, wanted) else { return }
            for record in present { _ = try tx.deleteSigningKey(record.id, in: directory.id) }
            for record in wanted { try tx.insert(record) }
            try tx.append(
                AuditEvent(
                    id: auditID, directoryID: directory.id, action: .keyChanged, actor: actor,
                    details: ["purpose": .string(purpose.rawValue), "imported": .integer(Int64(wanted.count))],
                    at: now))
        }
        invalidate()
    }

    private static func isSame(_ present: [SigningKeyRecord], _ wanted: [SigningKeyRecord]) -> Bool {
        func marks(_ records: [SigningKeyRecord]) -> Set<String> {
            Set(records.map { "\($0.state.rawValue) \($0.algorithm) \($0.privateJWK.reveal())" })
        }
        return present.count == wanted.count && marks(present) == marks(wanted)
    }
}

extension KeyRing.Adopted {
    /// The row's identifier is ours; the `kid` that tokens name is the key's own, and may be missing.
    fileprivate func record(
        _ id: SigningKeyID, _ purpose: SigningKeyRecord.Purpose, _ directory: DirectoryID, _ now: Instant
    ) -> SigningKeyRecord {
        // A key that only verifies is kept without its private part, where it has another.
        let kept = signs ? jwk : jwk.publicKey ?? jwk
        return SigningKeyRecord(
            id: id, directoryID: directory, purpose: purpose, algorithm: algorithm.rawValue,
            privateJWK: Secret(kept.secretObject.reveal().text), state: signs ? .active : .retiring, createdAt: now,
            activatedAt: signs ? now : nil)
    }
}

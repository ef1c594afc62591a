// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import JOSE

/// Keys that an operator brings from another server, read and judged before anything is kept: whoever checks a
/// configuration and whoever starts with it refuse the same.
public struct ImportedKeys: Sendable {
    /// One of them, and whether it signs.
    struct Key: Sendable {
        var jwk: JWK
        var algorithm: JWSAlgorithm
        var signs: Bool
    }

    /// The keys of tokens that a JWK list has.
    public struct List: Sendable {
        let keys: [Key]

        /// Exactly one key has `sign` among its `key_ops`, and signs; the others only verify what they signed earlier.
        ///
        /// - Parameters:
        ///   - text: a JSON array of JWKs, or a set (`{"keys": […]}`).
        ///   - allowed: secrets that are taken although they are public knowledge.
        /// - Throws: `AuthErrorCode.invalidRequest` with a reason that names the key by its place in the list, and can
        ///   be shown to the operator.
        public init(_ text: Secret<String>, allowing allowed: [Secret<String>] = []) throws(AuthError) {
            keys = try ImportedKeys.parse(text, allowing: allowed)
        }

        /// The names of the algorithms that its keys are for (RFC 7518, section 3.1).
        public var algorithms: [String] { keys.map(\.algorithm.rawValue) }
    }

    /// What takes the place of the Directory's keys of tokens, and of those of API keys; `nil` leaves them alone.
    let tokens: [Key]?
    let apiKeys: [Key]?

    /// Without a list the secret is the HS256 key of tokens and API keys. Beside one it goes on verifying tokens, and
    /// is the key of API keys. Tokens made with it name no key.
    ///
    /// - Parameters:
    ///   - secret: at least 32 bytes (RFC 7518, section 3.2).
    ///   - secretVerifies: off, nothing that was made with the secret is believed where there is a list.
    ///   - allowed: secrets that are taken although they are public knowledge.
    /// - Throws: `AuthErrorCode.invalidRequest` with a reason that can be shown to the operator, when the secret is too
    ///   short or public knowledge.
    public init?(
        secret: Secret<String>?, list: List? = nil, secretVerifies: Bool = true, allowing allowed: [Secret<String>] = []
    ) throws(AuthError) {
        let shared = try secret.map { secret throws(AuthError) in
            Key(jwk: try Self.sharedSecret(secret, allowing: allowed), algorithm: .hs256, signs: true)
        }
        switch (shared, list) {
        case (nil, nil): return nil
        case (let shared?, nil): (tokens, apiKeys) = ([shared], [shared])
        case (nil, let list?): (tokens, apiKeys) = (list.keys, nil)
        case (_?, let list?) where !secretVerifies: (tokens, apiKeys) = (list.keys, list.keys.filter(\.signs))
        case (let shared?, let list?):
            // Of two keys without a name no token could say which it means: the list's own goes first.
            let former = Key(jwk: shared.jwk, algorithm: shared.algorithm, signs: false)
            let hasUnnamed = list.keys.contains { $0.jwk.keyID == nil }
            (tokens, apiKeys) = (list.keys + (hasUnnamed ? [] : [former]), [shared])
        }
    }

    private static func sharedSecret(
        _ secret: Secret<String>, allowing allowed: [Secret<String>]
    ) throws(AuthError) -> JWK {
        let bytes = Array(secret.reveal().utf8)
        guard bytes.count >= JWSAlgorithm.hs256.smallestSecret else {
            throw refusal("the shared secret has \(bytes.count) bytes; HS256 needs at least 32")
        }
        try refuseKnown(bytes, allowing: allowed)
        do {
            return try JWK(secret: Secret(bytes), algorithm: .hs256, keyID: nil)
        } catch {
            throw refusal("the shared secret: \(error)")
        }
    }

    private static func parse(_ list: Secret<String>, allowing allowed: [Secret<String>]) throws(AuthError) -> [Key] {
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
        var keys: [Key] = []
        for (index, element) in elements.enumerated() {
            keys.append(try key(element, place: "key \(index + 1) of the list", allowing: allowed))
        }
        guard keys.filter(\.signs).count == 1 else {
            throw refusal("exactly one key of the list must have \"sign\" in key_ops")
        }
        let names = keys.map { $0.jwk.keyID ?? "" }
        guard Set(names).count == names.count else { throw refusal("two keys of the list have the same kid") }
        return keys
    }

    private static func key(
        _ element: JSONValue, place: String, allowing allowed: [Secret<String>]
    ) throws(AuthError) -> Key {
        guard let members = element.objectValue else { throw refusal("\(place) is not an object") }
        if let text = members["k"]?.stringValue, let bytes = Base64URL.decode(text) {
            try refuseKnown(bytes, allowing: allowed)
        }
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
        do {
            // What could not be used later must not be found out later.
            if signs { _ = try SigningKey(jwk, algorithm: algorithm) }
            _ = try VerificationKey(signs ? jwk : jwk.publicKey ?? jwk)
        } catch {
            throw refusal("\(place): \(error)")
        }
        return Key(jwk: jwk, algorithm: algorithm, signs: signs)
    }

    private static func refuseKnown(_ bytes: [UInt8], allowing allowed: [Secret<String>]) throws(AuthError) {
        guard !KnownSecrets.contains(Secret(bytes)) || allowed.contains(where: { Array($0.reveal().utf8) == bytes })
        else {
            throw refusal("the shared secret is public knowledge: make a new one, e.g. with `openssl rand -base64 48`")
        }
    }

    private static func refusal(_ reason: String) -> AuthError {
        AuthError(.invalidRequest, reason: reason, field: "keys")
    }
}

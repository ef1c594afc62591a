// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import JOSE

/// What is fed with bytes that nobody chose. Each stops the process when a property does not hold.
enum FuzzTarget: String, CaseIterable {
    case jws, jwks, claims
    /// Of passkeys and security keys: see ``AnswerProperties``, which the tests hold a corpus to.
    case cbor, attestation, clientdata, authenticator

    func run(_ bytes: [UInt8]) {
        switch self {
        case .jws: Self.readToken(bytes)
        case .jwks: Self.readKeys(bytes)
        case .claims: Self.readClaims(bytes)
        case .cbor: Self.judge(bytes, .cbor)
        case .attestation: Self.judge(bytes, .attestation)
        case .clientdata: Self.judge(bytes, .clientdata)
        case .authenticator: Self.judge(bytes, .authenticator)
        }
    }

    /// A token is refused, or is the one spelling of its three parts, and verifies with no key of ours.
    private static func readToken(_ bytes: [UInt8]) {
        guard let parsed = try? ParsedJWS(parsing: bytes) else { return }
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        precondition(parts.count == 3)
        precondition(Base64URL.encodedBytes(parsed.payload) == Array(parts[1]))
        precondition(Base64URL.encodedBytes(parsed.signature) == Array(parts[2]))
        let text = Base64URL.decode(parts[0]) ?? []
        let header = unfailing { try JSONObject(parsing: text, limits: JSONLimits(depth: 8, members: 64)) }
        precondition(header == parsed.header.members)
        precondition(header["alg"] == .string(parsed.header.algorithm.rawValue))
        precondition(header["kid"]?.stringValue == parsed.header.keyID && header["crit"] == nil)
        for key in keys { precondition((try? parsed.verify(with: key)) == nil) }
        _ = try? JWTClaims(parsing: parsed.payload)
    }

    /// A set of keys is refused, or says the same when it is written and read again.
    private static func readKeys(_ bytes: [UInt8]) {
        if let set = try? JWKSet(parsing: bytes) {
            precondition((try? VerificationKeySet(set)) != nil || set.keys.filter { $0.keyID == nil }.count > 1)
            for key in set.keys {
                precondition(!key.algorithms.isEmpty)
                let again = unfailing { try JWK(key.secretObject.reveal()) }
                precondition(again.thumbprint == key.thumbprint && again.isSecret == key.isSecret)
                _ = try? SigningKey(key, algorithm: key.algorithms.first)
            }
        }
        _ = try? CertificateMap(parsing: bytes)
    }

    /// Claims are refused, or say the same when they are written and read again.
    private static func readClaims(_ bytes: [UInt8]) {
        guard let claims = try? JWTClaims(parsing: bytes) else { return }
        // What is left as text until it is asked for is what the whole text would have given.
        let members = unfailing { try JSONObject(parsing: bytes) }
        precondition(claims.members == members)
        for member in members.members { precondition(claims[member.name] == member.value) }
        precondition(unfailing { try JWTClaims(parsing: claims.members.serialized()) } == claims)
        for date in [claims.expiresAt, claims.issuedAt, claims.notBefore].compactMap(\.self) {
            precondition(date >= Instant(microseconds: 0))
        }
    }

    private static func judge(_ bytes: [UInt8], _ properties: AnswerProperties) {
        var isRead = false
        if let fault = properties.fault(of: bytes, isRead: &isRead) { preconditionFailure(fault) }
    }

    /// One of each kind, made anew: no input can hold their signatures.
    private static let keys: [VerificationKey] = [JWSAlgorithm.es256, .edDSA, .rs256, .hs256].map {
        algorithm in unfailing { try SigningKey.generate(algorithm, keyID: "k").verificationKey() }
    }
}

/// What must succeed for a property to hold.
private func unfailing<Value>(_ body: () throws -> Value) -> Value {
    do {
        return try body()
    } catch {
        preconditionFailure("\(error)")
    }
}

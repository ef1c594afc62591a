// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Crypto
import JOSE

/// Judges what a client signed to show who it is (RFC 7523, section 3; OpenID Connect Core, section 9). Knows no clock
/// and no store: that an assertion is good once is for whoever spends its ``nonce``.
struct ClientAssertion: Sendable {
    /// What is wrong with an assertion. The client is told none of it.
    enum Refusal: Error, Hashable, CaseIterable {
        case malformed, algorithm, type, key, signature, issuer, subject, audience, expired, tooLong, notYet, identifier
    }

    /// Those that whoever can verify can't sign by.
    static let algorithms: Set<JWSAlgorithm> = JWSAlgorithm.everyOne.filter { !$0.isSymmetric }
    /// How far a client's clock may be from ours.
    static let leeway = TimeSpan.seconds(30)
    /// For how long a client may sign ahead. An hour is what common libraries say if they are told nothing; a copy is
    /// of no use meanwhile, since it was spent.
    static let lifetime = TimeSpan.hours(1)
    private static let maximumLength = 8 << 10
    private static let maximumIdentifier = 256
    /// RFC 7519, section 5.1, and the type of its own that RFC 7523's successor gives it. A token of any other type is
    /// for something else.
    private static let types: Set<String> = ["jwt", "client-authentication+jwt"]

    /// What the ledger knows the assertion by.
    let nonce: [UInt8]
    /// After which it is refused anyway.
    let expiry: Instant

    /// - Parameters:
    ///   - keys: those that the client registered.
    ///   - algorithms: those that the client may sign by.
    ///   - issuer: ours. An assertion names it alone, and as a string: one that is made out to anything else, to a list
    ///     or to the endpoint, may have been asked for by another server that the client trusts (CVE-2025-27370).
    init(
        _ text: String, of client: ClientID, keys: VerificationKeySet,
        allowing algorithms: Set<JWSAlgorithm> = Self.algorithms,
        issuer: String, at now: Instant
    ) throws(Refusal) {
        let token: ParsedJWS
        do {
            token = try ParsedJWS(parsing: text.utf8, limit: Self.maximumLength)
        } catch {
            throw error.code == .algorithmNotAllowed ? .algorithm : .malformed
        }
        guard algorithms.contains(token.header.algorithm) else { throw .algorithm }
        guard token.header.type.map(Self.isAssertion) ?? true else { throw .type }
        guard let key = try? keys.key(for: token.header) else { throw .key }
        guard key.algorithms.contains(token.header.algorithm) else { throw .algorithm }
        guard (try? token.verify(with: key, allowing: algorithms)) != nil else { throw .signature }
        guard let claims = try? JWTClaims(parsing: token.payload) else { throw .malformed }
        guard claims.issuer == client.rawValue else { throw .issuer }
        guard claims.subject == client.rawValue else { throw .subject }
        guard claims["aud"] == .string(issuer) else { throw .audience }
        guard let expiresAt = claims.expiresAt, now < expiresAt + Self.leeway else { throw .expired }
        guard expiresAt <= now + Self.lifetime + Self.leeway else { throw .tooLong }
        for start in [claims.notBefore, claims.issuedAt].compactMap(\.self) {
            guard start <= now + Self.leeway else { throw .notYet }
        }
        guard let id = claims.tokenID, (1...Self.maximumIdentifier).contains(id.utf8.count) else { throw .identifier }
        nonce = Array(SHA256.hash(data: Array("client assertion\u{0}\(client.rawValue)\u{0}\(id)".utf8)))
        expiry = expiresAt + Self.leeway
    }

    private static func isAssertion(_ type: String) -> Bool {
        let type = type.lowercased()
        return types.contains(type.hasPrefix("application/") ? String(type.dropFirst(12)) : type)
    }
}

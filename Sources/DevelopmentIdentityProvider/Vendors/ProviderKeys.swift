// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto
import JOSE

/// The keys that the vendors sign with, each with one of its own: a token of one of them is never another's. A key is
/// made when it is first needed, since most development servers never need any, and RSA takes its time. They end with
/// the process.
public actor ProviderKeys {
    private let make: @Sendable (JWSAlgorithm) throws -> SigningKey
    private var keys: [Vendor: SigningKey] = [:]
    private let team: P256.Signing.PrivateKey
    /// The team's private key as PKCS #8 in PEM, as Apple hands it out. Whoever asks for a Directory's providers reads
    /// it, and writing it takes longer than all else that they do.
    public nonisolated let teamKey: Secret<String>

    /// - Parameters:
    ///   - team: the key of Apple's team, by which the app proves itself.
    ///   - make: makes a fresh key.
    public init(
        team: P256.Signing.PrivateKey = P256.Signing.PrivateKey(),
        make: @escaping @Sendable (JWSAlgorithm) throws -> SigningKey = { try SigningKey.generate($0) }
    ) {
        self.team = team
        teamKey = Secret(team.pemRepresentation)
        self.make = make
    }

    /// - Throws: ``AuthErrorCode/notFound`` for a vendor that signs nothing.
    func key(of vendor: Vendor) throws -> SigningKey {
        if let key = keys[vendor] { return key }
        guard let algorithm = vendor.algorithm else { throw AuthError(.notFound) }
        let key = try make(algorithm)
        keys[vendor] = key
        return key
    }

    /// What a client secret of the team's is checked with.
    nonisolated func isOfTeam(_ token: ParsedJWS) -> Bool {
        let point = Array(team.publicKey.rawRepresentation)
        let members: JSONObject = [
            "kty": "EC", "crv": "P-256", "kid": .string(Registration.appleKeyID), "alg": "ES256",
            "x": .string(Base64URL.encode(point.prefix(32))), "y": .string(Base64URL.encode(point.suffix(32))),
        ]
        guard token.header.keyID == Registration.appleKeyID, let key = try? VerificationKey(JWK(members)) else {
            return false
        }
        return (try? token.verify(with: key, allowing: [.es256])) != nil
    }
}

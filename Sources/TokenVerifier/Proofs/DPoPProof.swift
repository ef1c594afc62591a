// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto
import JOSE

/// Judges a proof that whoever sends a request has a key (RFC 9449, section 4.3). Knows no clock, no network and no
/// store: that a proof is good once is for whoever spends its ``identifier``, and whether its ``nonce`` is one that was
/// given out is for whoever gave it out (``DPoPNonces``).
public struct DPoPProof: Sendable {
    /// What is wrong with a proof.
    public enum Refusal: String, Error, Sendable, Hashable, CaseIterable {
        /// Not one signed JWT in compact form of up to 8 KiB with claims of the right types.
        case malformed
        /// `typ` is not `dpop+jwt`.
        case type
        /// `alg` is not one of those allowed, or not one that the key is for.
        case algorithm
        /// `jwk` is missing, holds a private or a symmetric key, or is no key.
        case key
        /// Not signed by the key in its header.
        case signature
        /// `jti` is missing, or longer than 256 octets.
        case identifier
        /// `htm` is another method than the request's.
        case method
        /// `htu` is another URL than the request's.
        case target
        /// `iat` is missing, or further ahead than ``DPoPProof/window``.
        case notYet
        /// `iat` is longer ago than ``DPoPProof/window``.
        case expired
        /// `ath` is missing, or of another access token than the request's.
        case token
    }

    /// The request that a proof must have been made for.
    public struct Request: Sendable, Hashable {
        /// In capitals, as requests have it.
        public var method: String
        /// As clients reach it. Its query and fragment count for nothing.
        public var url: String
        /// What the proof's `ath` must be the hash of; `nil` where the request brings no access token.
        public var accessToken: String?

        /// - Parameters:
        ///   - method: in capitals.
        ///   - url: as clients reach it.
        ///   - accessToken: the one that the request brings.
        public init(method: String, url: String, accessToken: String? = nil) {
            self.method = method
            self.url = url
            self.accessToken = accessToken
        }
    }

    /// What a proof may be signed by: no secret, and no RSASSA-PKCS1-v1_5 (RFC 8725, section 3.2).
    public static let algorithms: [JWSAlgorithm] = [.es256, .es384, .es512, .ps256, .ps384, .ps512, .edDSA]
    /// How far `iat` may be from now, either way: clocks differ, and what is accepted for longer can be replayed for
    /// longer (RFC 9449, section 11.1).
    public static let window = TimeSpan.seconds(60)
    /// The value of `typ`.
    public static let type = "dpop+jwt"

    private static let maximumLength = 8 << 10
    private static let maximumIdentifier = 256
    /// Members that a public key does not have (RFC 7518, section 6).
    private static let privateMembers = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"]

    /// The RFC 7638 thumbprint of the key: what `cnf.jkt` and `dpop_jkt` say.
    public let thumbprint: String
    /// What the proof was signed by.
    public let algorithm: JWSAlgorithm
    /// Not judged.
    public let nonce: String?
    /// What a ledger knows the proof by: SHA-256 of its key and its `jti`, so that no other key's can be spent by it.
    public let identifier: [UInt8]
    /// After which it is refused anyway.
    public let expiresAt: Instant

    /// - Parameters:
    ///   - text: the value of the one `DPoP` header field.
    ///   - request: what the proof came with, and is to be of.
    ///   - algorithms: those that the caller takes, of ``algorithms``.
    ///   - now: the caller's time, which the proof's `iat` is held to.
    public init(
        _ text: String, for request: Request, allowing algorithms: [JWSAlgorithm] = Self.algorithms, at now: Instant
    ) throws(Refusal) {
        let token: ParsedJWS
        do {
            token = try ParsedJWS(parsing: text.utf8, limit: Self.maximumLength)
        } catch {
            throw error.code == .algorithmNotAllowed ? .algorithm : .malformed
        }
        guard token.header.type == Self.type else { throw .type }
        guard algorithms.contains(token.header.algorithm), !token.header.algorithm.isSymmetric else { throw .algorithm }
        let key = try Self.key(of: token.header)
        guard key.algorithms.contains(token.header.algorithm) else { throw .algorithm }
        guard let verifier = try? VerificationKey(key),
            (try? token.verify(with: verifier, allowing: Set(algorithms))) != nil
        else { throw .signature }
        guard let claims = try? JWTClaims(parsing: token.payload) else { throw .malformed }
        try Self.check(claims, for: request)
        guard let id = claims.tokenID, (1...Self.maximumIdentifier).contains(id.utf8.count) else { throw .identifier }
        guard let issuedAt = claims.issuedAt, issuedAt <= now + Self.window else { throw .notYet }
        guard now <= issuedAt + Self.window else { throw .expired }
        thumbprint = key.thumbprint
        algorithm = token.header.algorithm
        nonce = claims["nonce"]?.stringValue
        identifier = Array(SHA256.hash(data: Array("dpop proof\u{0}\(key.thumbprint)\u{0}\(id)".utf8)))
        expiresAt = issuedAt + Self.window + .seconds(1)
    }

    private static func key(of header: JOSEHeader) throws(Refusal) -> JWK {
        guard let members = header.members["jwk"]?.objectValue,
            !privateMembers.contains(where: { members[$0] != nil }), let key = try? JWK(members), !key.isSecret
        else { throw .key }
        return key
    }

    private static func check(_ claims: JWTClaims, for request: Request) throws(Refusal) {
        guard claims["htm"]?.stringValue == request.method else { throw .method }
        guard let named = claims["htu"]?.stringValue.flatMap(ProofTarget.init), named == ProofTarget(request.url) else {
            throw .target
        }
        guard let token = request.accessToken else { return }
        guard claims["ath"]?.stringValue == hash(of: token) else { throw .token }
    }

    /// What `ath` says of an access token (RFC 9449, section 4.2).
    public static func hash(of token: String) -> String {
        Base64URL.encode(Array(SHA256.hash(data: Array(token.utf8))))
    }
}

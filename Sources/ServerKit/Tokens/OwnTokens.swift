// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import JOSE
import TokenVerifier

/// Judges the tokens that this server itself has made, in whichever dialect. One for the whole server.
///
/// There is one verifier for each issuer and audience, made anew only when the keys have changed, and one memory of
/// tokens that were judged good: the next call with the same token costs a hash instead of a signature. A remembered
/// verdict ends with the token's `exp`, and as soon as the ring knows that a key has gone. Refusals are not remembered.
/// Whether the session lives and its user may use it is not asked here, but of the store, each time.
public final class OwnTokens: Sendable {
    private struct Place: Hashable {
        var directory: DirectoryID
        var issuer: String
        var audience: String
        var purpose: SigningKeyRecord.Purpose
    }

    struct Judge {
        var verifier: TokenVerifier
        var edition: KeyEdition
    }

    /// Beyond it all are made anew: what clients are made and deleted must not add up.
    private static let capacity = 4096

    private let keys: KeyRing
    private let remembered: VerifiedTokenCache
    private let judges = Mutex<[Place: Judge]>([:])

    /// - Parameter capacity: how many tokens are remembered at most.
    public init(_ keys: KeyRing, capacity: Int = 10_000) {
        self.keys = keys
        remembered = VerifiedTokenCache(capacity: capacity)
    }

    /// Judges a token that must be of one issuer.
    ///
    /// - Throws: `TokenError`; ``AuthErrorCode/unavailable`` when the store can't be reached and no keys are known.
    public func verify(_ token: some StringProtocol, of issuer: OwnIssuer, at now: Instant) async throws
        -> VerifiedToken
    {
        let bytes = try Self.bytes(of: token)
        let digest = TokenDigest(of: bytes)
        return try await verify(bytes, digest, remembered.entry(for: digest, at: now), of: issuer, at: now)
    }

    /// Judges a token whose issuer is found by what it says of itself.
    ///
    /// - Parameter issuer: the issuer that a token with these claims is of; `nil` for none of ours. Asked each time,
    ///   the first time before anything in them is proven: it only chooses what the token is judged by.
    /// - Throws: `TokenError`, with `unknownIssuer` where `issuer` found none; what `issuer` throws;
    ///   ``AuthErrorCode/unavailable`` when the store can't be reached and no keys are known.
    public func verify(
        _ token: some StringProtocol, at now: Instant, issuer: (JWTClaims) async throws -> OwnIssuer?
    ) async throws -> (token: VerifiedToken, issuer: OwnIssuer) {
        try await verify(try presented(token, at: now), at: now, issuer: issuer)
    }

    /// A token as somebody presents it, not judged: for whoever asks the store about what it names before it is.
    ///
    /// - Throws: `TokenError` for a text that is too long for a token.
    public func presented(_ token: some StringProtocol, at now: Instant) throws(TokenError) -> PresentedToken {
        let bytes = try Self.bytes(of: token)
        let digest = TokenDigest(of: bytes)
        return PresentedToken(bytes: bytes, digest: digest, entry: remembered.entry(for: digest, at: now))
    }

    /// As ``verify(_:at:issuer:)`` of the text.
    public func verify(
        _ token: PresentedToken, at now: Instant, issuer: (JWTClaims) async throws -> OwnIssuer?
    ) async throws -> (token: VerifiedToken, issuer: OwnIssuer) {
        // What is remembered was proven, and is to be judged all the same.
        let claims = try token.remembered?.claims ?? Self.unprovenClaims(of: token.bytes)
        guard let issuer = try await issuer(claims) else { throw TokenError(.unknownIssuer) }
        return (try await verify(token.bytes, token.digest, token.entry, of: issuer, at: now), issuer)
    }

    private func verify(
        _ token: [UInt8], _ digest: TokenDigest, _ entry: VerifiedTokenCache.Entry?, of issuer: OwnIssuer,
        at now: Instant
    ) async throws -> VerifiedToken {
        if let judge = issuer.made.judge.withLock({ $0 }),
            try await keys.isCurrent(judge.edition, of: issuer.directory, at: now)
        {
            return try judge.verifier.verify(token, digest: digest, remembered: entry, at: now)
        }
        let place = Place(
            directory: issuer.directory.id, issuer: issuer.name, audience: issuer.audience, purpose: issuer.purpose)
        if let judge = judges.withLock({ $0[place] }),
            try await keys.isCurrent(judge.edition, of: issuer.directory, at: now)
        {
            issuer.made.judge.withLock { $0 = judge }
            return try judge.verifier.verify(token, digest: digest, remembered: entry, at: now)
        }
        let edition = try await keys.edition(of: issuer.directory, purpose: issuer.purpose, at: now)
        let profile = issuer.made.profile(try VerificationKeySet(edition.verificationKeys))
        let judge = Judge(verifier: TokenVerifier([profile], cache: remembered, clock: { now }), edition: edition)
        let verified = try judge.verifier.verify(token, digest: digest, remembered: entry, at: now)
        // Only now: the audience may be what a stranger's token says it is.
        judges.withLock { judges in
            if judges.count >= Self.capacity { judges.removeAll() }
            judges[place] = judge
        }
        issuer.made.judge.withLock { $0 = judge }
        return verified
    }

    private static func bytes(of token: some StringProtocol) throws(TokenError) -> [UInt8] {
        guard token.utf8.count <= ParsedJWS.defaultLimit else { throw TokenError(.malformed, "too long") }
        // A part of a string is copied byte by byte unless it is asked for its storage.
        return token.utf8.withContiguousStorageIfAvailable { Array($0) } ?? Array(token.utf8)
    }

    private static func unprovenClaims(of token: [UInt8]) throws(TokenError) -> JWTClaims {
        guard let parsed = try? ParsedJWS(parsing: token), let claims = try? JWTClaims(parsing: parsed.payload) else {
            throw TokenError(.malformed)
        }
        return claims
    }
}

// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import JOSE

/// A profile, and the source that its keys come from.
final class TrustedProfile: Sendable {
    let profile: TokenProfile
    /// Those of the rules: a few, looked through sooner than hashed.
    let algorithms: [JWSAlgorithm]
    let source: any KeySource
    /// The same for profiles that share a source.
    let sourceNumber: Int

    init(_ profile: TokenProfile, source: any KeySource, sourceNumber: Int) {
        self.profile = profile
        algorithms = Array(profile.rules.algorithms)
        self.source = source
        self.sourceNumber = sourceNumber
    }
}

/// How far a token came with a profile. Where several profiles are about one issuer and all refuse, the refusal of the
/// one that it came furthest with is reported: an expired ID token is expired, and not merely no access token.
struct Refusal: Error {
    enum Stage: Int, Comparable {
        case algorithm, unknownKey, signature, keysUnavailable, kind, audience, times, claims, revocation, nonce

        static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
    }

    var stage: Stage
    var error: TokenError

    init(_ stage: Stage, _ error: TokenError) {
        self.stage = stage
        self.error = error
    }
}

/// Judges one token. Holds what was found out about its signature, so that profiles that share their keys cost one
/// operation.
struct TokenJudgement {
    let parsed: ParsedJWS
    private let contents: VerifiedToken.Contents
    let issuer: String
    let now: Instant
    private var signature: (sourceNumber: Int, refusal: Refusal?, generation: UInt64)?

    /// Takes the token apart; nothing in it is believed yet, but for the issuer's name, by which its keys are found.
    ///
    /// - Throws: ``TokenError/Code/malformed``, ``TokenError/Code/wrongAlgorithm`` for an `alg` that nobody knows,
    ///   `none` among them, and ``TokenError/Code/unknownIssuer`` for a token without `iss`.
    init(_ token: some Collection<UInt8>, now: Instant) throws(TokenError) {
        do throws(JOSEError) {
            parsed = try ParsedJWS(parsing: token)
            // RFC 7519, section 5.2: `cty` says JWT of a token within a token.
            guard parsed.header.contentType?.lowercased().hasSuffix("jwt") != true else {
                throw JOSEError(.malformed, "a nested token")
            }
            contents = VerifiedToken.Contents(parsed.header, try JWTClaims(parsing: parsed.payload))
        } catch {
            throw TokenError(error.code == .algorithmNotAllowed ? .wrongAlgorithm : .malformed, error.reason)
        }
        guard let issuer = contents.claims.issuer else { throw TokenError(.unknownIssuer, "no iss") }
        self.issuer = issuer
        self.now = now
    }

    private var claims: JWTClaims { contents.claims }

    /// Judges everything but revocation and nonce.
    ///
    /// - Returns: the token, and the generation of the keys it was judged by.
    mutating func judge(by trusted: TrustedProfile) throws(Refusal) -> (VerifiedToken, generation: UInt64) {
        let rules = trusted.profile.rules
        guard trusted.algorithms.contains(parsed.header.algorithm) else {
            throw Refusal(.algorithm, TokenError(.wrongAlgorithm, "not one of the profile's algorithms"))
        }
        let generation = try checkSignature(by: trusted)
        let expiresAt: Instant
        var stage = Refusal.Stage.kind
        do throws(TokenError) {
            try StatedKind.check(claims, parsed.header, rules)
            stage = .audience
            try checkAudience(rules.audience)
            stage = .times
            expiresAt = try checkTimes(leeway: rules.leeway)
            stage = .claims
            try trusted.profile.check(claims, parsed.header, now)
        } catch {
            throw Refusal(stage, error)
        }
        let token = VerifiedToken(trusted, contents, expiresAt: expiresAt)
        return (token, generation)
    }

    private mutating func checkSignature(by trusted: TrustedProfile) throws(Refusal) -> UInt64 {
        let known: (sourceNumber: Int, refusal: Refusal?, generation: UInt64)
        if let signature, signature.sourceNumber == trusted.sourceNumber {
            known = signature
        } else {
            // Read before the keys: should they change in between, a remembered token is judged again once too often.
            let generation = trusted.source.generation
            known = (trusted.sourceNumber, signatureRefusal(trusted), generation)
            signature = known
        }
        if let refusal = known.refusal { throw refusal }
        return known.generation
    }

    private func signatureRefusal(_ trusted: TrustedProfile) -> Refusal? {
        guard let keys = trusted.source.keys else {
            let wait = trusted.source.retryAfter
            return Refusal(.keysUnavailable, TokenError(.keysUnavailable, trusted.profile.name, retryAfter: wait))
        }
        do throws(JOSEError) {
            let key = try keys.key(for: parsed.header)
            // The profile's algorithms have been checked; here the key's own narrow them.
            try parsed.verify(with: key)
            return nil
        } catch {
            switch error.code {
            case .keyNotFound: return Refusal(.unknownKey, TokenError(.unknownKey, "of \(trusted.profile.name)"))
            case .algorithmNotAllowed:
                return Refusal(.algorithm, TokenError(.wrongAlgorithm, "not one of the key's algorithms"))
            default: return Refusal(.signature, TokenError(.badSignature))
            }
        }
    }

    private func checkAudience(_ rule: AudienceRule) throws(TokenError) {
        switch rule {
        case .audiences(let audiences):
            guard claims.audience.contains(where: audiences.contains) else {
                throw TokenError(.wrongAudience, "aud names none of the audiences")
            }
        case .clients(let clients, let audiences):
            guard let client = claims["client_id"]?.stringValue, clients.contains(client) else {
                throw TokenError(.wrongAudience, "client_id is none of the clients")
            }
            guard claims["aud"] == nil || claims.audience.contains(where: audiences.contains) else {
                throw TokenError(.wrongAudience, "aud names none of the audiences")
            }
        }
    }

    /// - Returns: `exp`.
    private func checkTimes(leeway: Span) throws(TokenError) -> Instant {
        guard let expiresAt = claims.expiresAt else { throw TokenError(.malformed, "no exp") }
        guard let issuedAt = claims.issuedAt else { throw TokenError(.malformed, "no iat") }
        // RFC 7519, section 4.1.4: on or after `exp` it must not be accepted.
        guard now < expiresAt + leeway else { throw TokenError(.expired) }
        guard issuedAt <= now + leeway else { throw TokenError(.notYetValid, "iat lies ahead") }
        guard claims.notBefore.map({ $0 <= now + leeway }) ?? true else {
            throw TokenError(.notYetValid, "nbf lies ahead")
        }
        return expiresAt
    }
}

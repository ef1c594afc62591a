// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import JOSE

/// Judges one token. Holds what was found out about its signature, so that profiles that share their keys cost one
/// operation.
struct TokenJudgement: ~Copyable {
    private let segments: JWSSegments
    let claims: JWTClaims
    let now: Instant
    private var header: JOSEHeader?
    /// Where the header was found, and under which generation of that source's keys.
    private var known: (header: KnownHeader, sourceNumber: Int, generation: UInt64)?
    /// What one source was found to hold, where the header was not.
    private var looked: (sourceNumber: Int, keys: VerificationKeySet?, generation: UInt64)?
    private var signature: (sourceNumber: Int, refusal: Rejection?, generation: UInt64)?

    /// Takes the token apart; nothing in it is believed yet, but for the issuer's name, by which its keys are found.
    /// Its header is left to ``readHeader()``, but of several faults that of the header is named.
    ///
    /// - Throws: ``TokenError/Code/malformed``, or what ``readHeader()`` throws.
    init(_ token: [UInt8], now: Instant) throws(TokenError) {
        let segments: JWSSegments
        do throws(JOSEError) {
            guard token.count <= ParsedJWS.defaultLimit else { throw JOSEError(.tooLarge, "the token is too long") }
            segments = try JWSSegments(token)
        } catch {
            throw Self.tokenError(error)
        }
        let claims: JWTClaims
        do throws(JOSEError) {
            claims = try JWTClaims(parsing: segments.payload)
        } catch {
            _ = try Self.header(of: segments)
            throw Self.tokenError(error)
        }
        self.segments = segments
        self.claims = claims
        self.now = now
    }

    /// The header; read but once.
    ///
    /// - Throws: ``TokenError/Code/malformed``, and ``TokenError/Code/wrongAlgorithm`` for an `alg` that nobody knows,
    ///   `none` among them.
    mutating func readHeader() throws(TokenError) -> JOSEHeader {
        if let header { return header }
        let read = try Self.header(of: segments)
        header = read
        return read
    }

    /// As ``readHeader()``, but looks among those that the profile's keys know first.
    mutating func findHeader(with trusted: TrustedProfile?) throws(TokenError) -> JOSEHeader {
        if let trusted, trusted.mayKnowHeaders {
            // Read before the keys: should they change in between, a remembered token is judged again once too often.
            let generation = trusted.source.generation
            let keys = trusted.source.keys
            if let found = keys?.knownHeader(of: segments) {
                known = (found, trusted.sourceNumber, generation)
                header = found.header
                return found.header
            }
            looked = (trusted.sourceNumber, keys, generation)
        }
        return try readHeader()
    }

    private static func header(of segments: JWSSegments) throws(TokenError) -> JOSEHeader {
        do throws(JOSEError) {
            let header = try segments.readHeader()
            // RFC 7519, section 5.2: `cty` says JWT of a token within a token.
            guard header.contentType?.lowercased().hasSuffix("jwt") != true else {
                throw JOSEError(.malformed, "a nested token")
            }
            return header
        } catch {
            throw tokenError(error)
        }
    }

    private static func tokenError(_ error: JOSEError) -> TokenError {
        TokenError(error.code == .algorithmNotAllowed ? .wrongAlgorithm : .malformed, error.reason)
    }

    /// Judges everything but revocation and nonce.
    ///
    /// - Parameter header: what ``readHeader()`` returns.
    /// - Returns: the token, and the generation of the keys it was judged by.
    mutating func judge(
        by trusted: TrustedProfile, _ header: JOSEHeader
    ) throws(Rejection) -> (VerifiedToken, generation: UInt64) {
        guard trusted.algorithms.contains(header.algorithm) else {
            throw Rejection(.algorithm, TokenError(.wrongAlgorithm, "not one of the profile's algorithms"))
        }
        let generation = try checkSignature(by: trusted, header)
        let expiresAt: Instant
        let now = trusted.profile.isIssuedHere ? max(now, claims.issuedAt ?? now) : now
        var stage = Rejection.Stage.kind
        do throws(TokenError) {
            try StatedKind.check(claims, header, trusted.rules)
            stage = .audience
            try checkAudience(trusted)
            stage = .times
            expiresAt = try checkTimes(at: now, leeway: trusted.rules.leeway)
            stage = .claims
            try trusted.profile.check(claims, header, now)
            if trusted.rules.kind != .logout { try claims.requireSubject() }
        } catch {
            throw Rejection(stage, error)
        }
        let token = VerifiedToken(
            header, claims, expiresAt: expiresAt, profile: trusted.profile.name, kind: trusted.rules.kind,
            groups: trusted.profile.groupsClaim)
        return (token, generation)
    }

    private mutating func checkSignature(by trusted: TrustedProfile, _ header: JOSEHeader) throws(Rejection) -> UInt64 {
        if let signature, signature.sourceNumber == trusted.sourceNumber {
            if let refusal = signature.refusal { throw refusal }
            return signature.generation
        }
        let generation: UInt64
        let refusal: Rejection?
        if let known, known.sourceNumber == trusted.sourceNumber {
            generation = known.generation
            refusal = known.header.isSigned(segments) ? nil : Rejection(.signature, TokenError(.badSignature))
        } else if let looked, looked.sourceNumber == trusted.sourceNumber {
            generation = looked.generation
            refusal = signatureRefusal(trusted, looked.keys, header)
        } else {
            generation = trusted.source.generation
            refusal = signatureRefusal(trusted, trusted.source.keys, header)
        }
        signature = (trusted.sourceNumber, refusal, generation)
        if let refusal { throw refusal }
        return generation
    }

    private func signatureRefusal(
        _ trusted: TrustedProfile, _ keys: VerificationKeySet?, _ header: JOSEHeader
    ) -> Rejection? {
        guard let keys else {
            let wait = trusted.source.retryAfter
            return Rejection(.keysUnavailable, TokenError(.keysUnavailable, trusted.profile.name, retryAfter: wait))
        }
        do throws(JOSEError) {
            // The profile's algorithms have been checked; here the key's own narrow them.
            try keys.verify(segments, header)
            trusted.noteGoodSignature()
            return nil
        } catch {
            switch error.code {
            case .keyNotFound: return Rejection(.unknownKey, TokenError(.unknownKey, "of \(trusted.profile.name)"))
            case .algorithmNotAllowed:
                return Rejection(.algorithm, TokenError(.wrongAlgorithm, "not one of the key's algorithms"))
            default: return Rejection(.signature, TokenError(.badSignature))
            }
        }
    }

    private func checkAudience(_ trusted: TrustedProfile) throws(TokenError) {
        for audience in trusted.audiences where claims.isAudience(audience) { return }
        switch trusted.rules.audience {
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
    private func checkTimes(at now: Instant, leeway: TimeSpan) throws(TokenError) -> Instant {
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

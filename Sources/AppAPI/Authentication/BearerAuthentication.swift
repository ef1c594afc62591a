// SPDX-License-Identifier: Apache-2.0

import Accounts
import AuthTypes
import Crypto
import JOSE
import TokenVerifier

/// The user behind an access token (RFC 6750).
struct SignedInUser: Sendable {
    var view: ProfileView
    var directory: Directory
    var session: SessionID
    var token: VerifiedToken
}

/// Judges the bearer token of a request, and that its session still lives.
struct BearerAuthentication: Sendable {
    let ports: AccountPorts
    let keys: KeyRing
    let issuers: any TrustedIssuers
    let verified = VerifiedTokens()

    /// - Throws: ``AuthErrorCode/tokenMissing``, ``AuthErrorCode/tokenInvalid`` or ``AuthErrorCode/tokenExpired``.
    ///   A session that has ended, or a user who is banned or gone, makes the token invalid.
    func authenticate(_ authorization: String?, at now: Instant) async throws -> SignedInUser {
        let token = try Self.token(authorization)
        let claims = try await claims(of: token, at: now)
        let directory = claims.directory
        let holder = try await ports.store.read { try $0.holder(of: claims.session, in: directory.id) }
        guard let holder, holder.account.id == claims.user, holder.mayUse(at: now) else {
            throw AuthError(.tokenInvalid, reason: "the session has ended, or its user may not sign in")
        }
        return SignedInUser(
            view: ProfileView(holder.account, holder.profile), directory: directory, session: claims.session,
            token: claims.token)
    }

    private static func token(_ authorization: String?) throws(AuthError) -> String {
        guard let authorization, authorization.utf8.count > 7, authorization.prefix(7).lowercased() == "bearer " else {
            throw AuthError(.tokenMissing)
        }
        return String(authorization.dropFirst(7))
    }

    private func claims(of token: String, at now: Instant) async throws -> VerifiedTokens.Entry {
        let digest: VerifiedTokens.Key = SHA256.hash(data: Array(token.utf8))
        if let known = verified.entry(for: digest, at: now) { return known }
        let entry = try await verify(token, at: now)
        verified.insert(entry, for: digest)
        return entry
    }

    private func verify(_ token: String, at now: Instant) async throws -> VerifiedTokens.Entry {
        // The issuer is read before the signature is judged, only to find the keys that must have signed.
        guard let parsed = try? ParsedJWS(parsing: token.utf8), let unproven = try? JWTClaims(parsing: parsed.payload),
            let name = unproven.issuer, let trusted = try await issuers.issuer(named: name, at: now)
        else { throw AuthError(.tokenInvalid, reason: "not a token of a trusted issuer") }
        let set = try VerificationKeySet(
            try await keys.verificationKeys(of: trusted.directory, purpose: .tokens, at: now))
        // Made for this one look at it: the keys are the Directory's at this moment, and the answer is remembered.
        let verifier = TokenVerifier(
            [
                .latchkey(
                    url: trusted.issuer, audiences: trusted.audiences, keys: set,
                    algorithms: [.es256, .rs256, .edDSA, .hs256], leeway: .zero)
            ], keys: NoOtherKeys(), clock: { now })
        let good: VerifiedToken
        do throws(TokenError) {
            good = try verifier.verify(token.utf8)
        } catch {
            throw AuthError(error.code == .expired ? .tokenExpired : .tokenInvalid, reason: error.description)
        }
        guard let subject = good.subject, let session = good.sessionID else {
            throw AuthError(.tokenInvalid, reason: "without sub or session_id")
        }
        return VerifiedTokens.Entry(
            token: good, user: UserID(subject), session: SessionID(session), directory: trusted.directory,
            expiresAt: good.expiresAt, checkedAt: now)
    }
}

/// The keys are given with the profile; none are fetched.
private struct NoOtherKeys: KeyProviding {
    func source(for _: KeyLocation) -> any KeySource { FixedKeys.empty }
}

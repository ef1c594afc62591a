// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import JOSE

extension RelyingParty {
    /// Where to send a browser. Fails before anybody is sent anywhere when the provider can't be asked.
    public func authorization(
        _ request: UpstreamRequest, at provider: IdentityProvider
    ) async throws(AuthError) -> String {
        try AuthorizationURL.make(request, at: try await upstream(provider))
    }

    public func requireAnswer(by issuer: String, at provider: IdentityProvider) async throws(AuthError) {
        try Self.requireAnswer(by: issuer, at: try await upstream(provider))
    }

    private static func requireAnswer(by issuer: String?, at upstream: Upstream) throws(AuthError) {
        guard upstream.mayAnswer(as: issuer) else {
            throw AuthError(.identityTokenInvalid, reason: "the answer names another issuer, or none")
        }
    }

    /// What the provider vouches for by the code that a browser came back with. The answer's issuer is judged before
    /// the code is shown to anybody (RFC 9207, section 2.4).
    public func redeem(
        _ answer: UpstreamAnswer, at provider: IdentityProvider, now: Instant
    ) async throws(AuthError) -> FederatedProof {
        let upstream = try await upstream(provider)
        try Self.requireAnswer(by: answer.issuer, at: upstream)
        let call = try TokenRequest.exchange(answer, at: upstream, now: now)
        let tokens = try TokenAnswer(try await ask(call, upstream, "token endpoint"))
        var proof: FederatedProof
        if upstream.signsUsersIn {
            proof = try await self.proof(of: tokens, nonce: answer.nonce, upstream, now)
        } else {
            guard let access = tokens.access else {
                throw AuthError(.identityProviderUnavailable, reason: "token endpoint: no access token")
            }
            proof = try await profile(of: access, upstream)
        }
        if provider.kind == .apple, let user = answer.user { ProofMaking.add(appleUser: user, to: &proof) }
        proof.tokens = tokens.tokens(at: now)
        return proof
    }

    private func proof(
        of tokens: TokenAnswer, nonce: String, _ upstream: Upstream, _ now: Instant
    ) async throws(AuthError) -> FederatedProof {
        guard let token = tokens.id else {
            throw AuthError(.identityProviderUnavailable, reason: "token endpoint: no ID token")
        }
        let expectations = IDTokenExpectations(nonce: .sent(nonce), accessToken: tokens.access)
        let verdict = try await judge.judge(token, by: upstream, expectations, now: now)
        var claims = verdict.claims.members
        if claims["email"] == nil || claims["name"] == nil, let access = tokens.access,
            let more = try await userInfo(access, of: verdict.subject, upstream, now)
        {
            claims = ProofMaking.merge(claims, more)
        }
        return ProofMaking.proof(
            of: upstream.provider, issuer: verdict.issuer, subject: verdict.subject, audience: verdict.audience,
            claims: claims)
    }

    /// What UserInfo says (OpenID Connect Core 1.0, section 5.3); `nil` where there is none, or the token does not open
    /// it.
    ///
    /// - Throws: `AuthErrorCode.identityTokenInvalid` where it speaks of somebody else (section 5.3.4), or is signed
    ///   and has expired, or is not good yet (RFC 7519, sections 4.1.4 and 4.1.5).
    private func userInfo(
        _ token: Secret<String>, of subject: String, _ upstream: Upstream, _ now: Instant
    ) async throws(AuthError) -> JSONObject? {
        guard let url = upstream.userInfo else { return nil }
        let answer = try await ask(OutwardCall(get: url, bearer: token), upstream, "UserInfo")
        if answer.status == 401 || answer.status == 403 { return nil }
        let claims: JSONObject
        if answer.status == 200, answer.type == "application/jwt" {
            let statement = try await SignedStatement.judge(
                answer.body, by: upstream, types: ["jwt"], keys: judge.catalog)
            guard SignedStatement.isInTime(statement.claims, at: now) else {
                throw AuthError(.identityTokenInvalid, reason: "UserInfo of another time")
            }
            claims = statement.claims.members
        } else {
            do throws(OutwardFailure) {
                claims = try answer.granted()
            } catch {
                throw unavailable(error, upstream, "UserInfo")
            }
        }
        guard claims["sub"]?.stringValue == subject else {
            throw AuthError(.identityTokenInvalid, reason: "UserInfo is about somebody else")
        }
        return claims
    }
}

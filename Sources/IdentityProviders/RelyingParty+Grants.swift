// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What a provider's user has granted us: whether it stands, and its end.
extension RelyingParty {
    /// Renews a grant. A provider that gives no refresh token with it means that the old one stays good. Of GitHub's it
    /// is asked whether it stands.
    public func refresh(
        _ token: Secret<String>, at provider: IdentityProvider, now: Instant
    ) async throws(AuthError) -> UpstreamTokens {
        let upstream = try await upstream(provider)
        if provider.kind == .github {
            do throws(AuthError) {
                _ = try await gitHubOwner(of: token, upstream)
            } catch  where error.code == .identityTokenInvalid {
                throw AuthError(.identityProviderRefused, reason: "no such grant any more")
            }
            return UpstreamTokens(access: token, refresh: token)
        }
        let call = try TokenRequest.renewal(of: token, at: upstream, now: now)
        var tokens = try TokenAnswer(try await ask(call, upstream, "token endpoint")).tokens(at: now)
        tokens.refresh = tokens.refresh ?? token
        return tokens
    }

    /// Takes a user's tokens back at the provider (RFC 7009): the refresh token, or where there is none the access
    /// token; at GitHub and Facebook all that the user has let our client do. Of a provider that can't, nothing is
    /// asked.
    ///
    /// - Throws: `AuthErrorCode.identityProviderUnavailable` where it has not said that it has done so.
    public func revoke(
        _ tokens: UpstreamTokens, of subject: String, at provider: IdentityProvider, now: Instant
    ) async throws(AuthError) {
        let upstream = try await upstream(provider)
        let call: OutwardCall?
        switch provider.kind {
        case .github: call = gitHubRevocation(of: tokens, upstream)
        case .facebook: call = facebookRevocation(of: subject, upstream)
        case .google, .apple, .microsoft, .openID: call = try standardRevocation(of: tokens, upstream, now)
        }
        guard let call else { return }
        let answer = try await ask(call, upstream, "revocation")
        guard Self.isGone(answer, provider.kind) else {
            throw unavailable(.status(answer.status), upstream, "revocation")
        }
    }

    private func standardRevocation(
        of tokens: UpstreamTokens, _ upstream: Upstream, _ now: Instant
    ) throws(AuthError) -> OutwardCall? {
        guard let endpoint = upstream.revocation, let token = tokens.refresh ?? tokens.access else { return nil }
        return try TokenRequest.revocation(
            of: token, hint: tokens.refresh != nil ? "refresh_token" : "access_token", at: endpoint, upstream, now: now)
    }

    /// "Delete an app authorization" of GitHub's REST API.
    private func gitHubRevocation(of tokens: UpstreamTokens, _ upstream: Upstream) -> OutwardCall? {
        guard let token = tokens.access ?? tokens.refresh, let secret = upstream.provider.secret,
            let profile = upstream.userInfo
        else { return nil }
        let id = PercentEncoding.encode(upstream.clientID.utf8)
        var call = OutwardCall(
            .delete, ["access_token": .string(token.reveal())],
            to: Upstream.beside(profile, "applications/\(id)/grant"))
        call.authenticate(upstream.clientID, secret)
        return call
    }

    /// "Revoking permissions" of the Graph API, by the app's own token.
    private func facebookRevocation(of subject: String, _ upstream: Upstream) -> OutwardCall? {
        guard let secret = upstream.provider.secret, let profile = upstream.userInfo else { return nil }
        let user = PercentEncoding.encode(subject.utf8)
        var call = OutwardCall(
            get: Upstream.beside(profile, "\(user)/permissions"),
            bearer: Secret("\(upstream.clientID)|\(secret.reveal())"))
        call.method = .delete
        return call
    }

    /// What is no good any more is revoked: Google says 400 to it, GitHub 404 or 422, Facebook 400 or 404.
    private static func isGone(_ answer: OutwardAnswer, _ kind: IdentityProvider.Kind) -> Bool {
        switch kind {
        case .github: [204, 404, 422].contains(answer.status)
        case .facebook: [200, 400, 404].contains(answer.status)
        case .google, .apple, .microsoft, .openID:
            answer.status == 200
                || answer.status == 400
                    && ["invalid_token", "invalid_grant"].contains(try? answer.object()["error"]?.stringValue)
        }
    }
}

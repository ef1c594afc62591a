// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Providers that sign nobody in by a token, but give an access token by which their profile is read.
extension RelyingParty {
    /// What a provider vouches for by an access token that an app has shown us. It is one that this very client was
    /// given: at the profile's endpoint, that of any other app is as good.
    public func judge(
        accessToken token: Secret<String>, at provider: IdentityProvider
    ) async throws(AuthError) -> FederatedProof {
        let upstream = try await upstream(provider)
        guard !token.reveal().isEmpty, token.reveal().utf8.count <= 4096 else {
            throw AuthError(.identityTokenInvalid, reason: "not an access token")
        }
        let owner: String
        switch provider.kind {
        case .github: owner = try await gitHubOwner(of: token, upstream)
        case .facebook: owner = try await facebookOwner(of: token, upstream)
        case .google, .apple, .microsoft, .openID:
            throw AuthError(.unsupported, reason: "the provider signs users in by ID tokens")
        }
        let proof = try await profile(of: token, upstream)
        guard proof.subject == owner else {
            throw AuthError(.identityTokenInvalid, reason: "the profile is somebody else's")
        }
        return proof
    }

    /// The profile that an access token opens which is known to be ours.
    func profile(of token: Secret<String>, _ upstream: Upstream) async throws(AuthError) -> FederatedProof {
        guard let url = upstream.userInfo else {
            throw AuthError(.identityProviderDisabled, reason: "not configured: no endpoint for the profile")
        }
        let found: (subject: String, claims: JSONObject)?
        if upstream.provider.kind == .facebook {
            let user = try await facebookUser(token, at: url, upstream)
            found = FacebookProfile.claims(user)
        } else {
            let user = try await granted(OutwardCall(get: url, bearer: token), upstream, "profile")
            let addresses = try await ask(OutwardCall(get: url + "/emails", bearer: token), upstream, "addresses")
            let list =
                addresses.status == 200 ? try? JSONValue(parsing: addresses.body, limits: OutwardAnswer.limits) : nil
            found = GitHubProfile.claims(user, addresses: list?.arrayValue)
        }
        guard let found, case .one(let issuer, _) = upstream.issuer else {
            throw AuthError(.identityProviderUnavailable, reason: "profile: no identifier in the answer")
        }
        return ProofMaking.proof(
            of: upstream.provider, issuer: issuer, subject: found.subject, audience: upstream.clientID,
            claims: found.claims)
    }

    private func facebookUser(
        _ token: Secret<String>, at url: String, _ upstream: Upstream
    ) async throws(AuthError) -> JSONObject {
        var members = [(name: "fields", value: FacebookProfile.fields)]
        if let secret = upstream.provider.secret {
            members.append(("appsecret_proof", FacebookProfile.proof(of: token, secret: secret)))
        }
        return try await granted(
            OutwardCall(get: FormText.add(members, to: url), bearer: token), upstream, "profile")
    }

    private func facebookOwner(of token: Secret<String>, _ upstream: Upstream) async throws(AuthError) -> String {
        guard let secret = upstream.provider.secret, let profile = upstream.userInfo else {
            throw AuthError(.identityProviderDisabled, reason: "not configured: no secret to inspect tokens with")
        }
        let url = FormText.add([("input_token", token.reveal())], to: Upstream.beside(profile, "debug_token"))
        let own = Secret("\(upstream.clientID)|\(secret.reveal())")
        let answer = try await granted(OutwardCall(get: url, bearer: own), upstream, "inspection")
        guard let owner = FacebookProfile.subject(ofInspected: answer, app: upstream.clientID) else {
            throw AuthError(.identityTokenInvalid, reason: "not a token of this app")
        }
        return owner
    }

    /// "Check a token" of GitHub's REST API: 404 for one of another app.
    func gitHubOwner(of token: Secret<String>, _ upstream: Upstream) async throws(AuthError) -> String {
        guard let secret = upstream.provider.secret, let profile = upstream.userInfo else {
            throw AuthError(.identityProviderDisabled, reason: "not configured: no secret to inspect tokens with")
        }
        let id = PercentEncoding.encode(upstream.clientID.utf8)
        var call = OutwardCall(
            .post, ["access_token": .string(token.reveal())],
            to: Upstream.beside(profile, "applications/\(id)/token"))
        call.authenticate(upstream.clientID, secret)
        let answer = try await granted(call, upstream, "inspection")
        guard answer["app"]?.objectValue?["client_id"]?.stringValue == upstream.clientID,
            let owner = answer["user"]?.objectValue?["id"]?.integerValue
        else { throw AuthError(.identityTokenInvalid, reason: "not a token of this app") }
        return String(owner)
    }

    /// An answer that is one. What the provider refuses, it refuses for the token's sake.
    private func granted(
        _ call: OutwardCall, _ upstream: Upstream, _ what: String
    ) async throws(AuthError) -> JSONObject {
        let answer = try await ask(call, upstream, what)
        if [400, 401, 403, 404, 422].contains(answer.status) {
            throw AuthError(.identityTokenInvalid, reason: "\(what): the provider does not take the token")
        }
        do throws(OutwardFailure) {
            return try answer.granted()
        } catch {
            throw unavailable(error, upstream, what)
        }
    }
}

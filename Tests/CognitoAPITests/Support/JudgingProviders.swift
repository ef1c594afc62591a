// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import JOSE

/// Identity providers that judge a token by what it says, as the real way to them does, and by a mark in place of a
/// signature.
final class JudgingProviders: IdentityProviding {
    private let isDown = Mutex(false)

    /// A token as a provider's SDK hands it out.
    static func token(
        _ subject: String, _ claims: JSONObject = [:], issuer: String = "https://accounts.google.com",
        audience: String = "g-1", at now: Instant = CognitoBench.now, isSigned: Bool = true
    ) -> String {
        let all: JSONObject = [
            "iss": .string(issuer), "sub": .string(subject), "aud": .string(audience),
            "iat": .integer(now.seconds), "exp": .integer(now.seconds + 3600), "nonce": "n",
        ]
        let parts = [#"{"alg":"RS256"}"#, String(decoding: all.merging(claims).serialized(), as: UTF8.self)]
        return (parts + [isSigned ? "good" : "bad"]).map { Base64URL.encode(Array($0.utf8)) }.joined(separator: ".")
    }

    func goDown(_ isDown: Bool = true) { self.isDown.withLock { $0 = isDown } }

    func judge(
        _ token: UpstreamIDToken, at provider: IdentityProvider, now: Instant
    ) async throws(AuthError) -> FederatedProof {
        if isDown.withLock({ $0 }) { throw AuthError(.identityProviderUnavailable) }
        let text = token.text.reveal()
        let issuer =
            switch provider.kind {
            case .apple: "https://appleid.apple.com"
            case .openID: provider.issuer ?? ""
            case .facebook: Self.facebook
            default: "https://accounts.google.com"
            }
        guard text.hasSuffix("." + Base64URL.encode(Array("good".utf8))),
            let claims = try? JWTClaims(parsing: ParsedJWS(parsing: Array(text.utf8)).payload),
            claims.issuer == issuer, let end = claims.expiresAt, now < end, let subject = claims.subject,
            let audience = claims.audience.first(where: provider.clientIDs.contains),
            provider.skipsNonceCheck || claims["nonce"]?.stringValue == token.nonce
        else { throw AuthError(.identityTokenInvalid) }
        return FederatedProof(
            provider: provider.name, issuer: issuer, subject: subject, audience: audience, claims: claims.members)
    }

    static let facebook = "https://www.facebook.com"

    /// An access token as Facebook's SDK hands it out.
    static func accessToken(_ subject: String, app: String = "f-1", number: Int = 1) -> String {
        "EAA|\(app)|\(subject)|\(number)"
    }

    func judge(
        accessToken: Secret<String>, at provider: IdentityProvider
    ) async throws(AuthError) -> FederatedProof {
        if isDown.withLock({ $0 }) { throw AuthError(.identityProviderUnavailable) }
        let parts = accessToken.reveal().split(separator: "|").map(String.init)
        guard provider.kind == .facebook, provider.secret != nil, parts.count == 4, parts[0] == "EAA",
            provider.clientIDs.contains(parts[1])
        else { throw AuthError(.identityTokenInvalid) }
        return FederatedProof(
            provider: provider.name, issuer: Self.facebook, subject: parts[2], audience: parts[1],
            claims: ["sub": .string(parts[2])])
    }

    // MARK: What no pool asks

    func authorization(
        _: UpstreamRequest, at _: IdentityProvider
    ) async throws(AuthError) -> String { throw AuthError(.unsupported) }

    func requireAnswer(by _: String, at _: IdentityProvider) async throws(AuthError) { throw AuthError(.unsupported) }

    func redeem(
        _: UpstreamAnswer, at _: IdentityProvider, now _: Instant
    ) async throws(AuthError) -> FederatedProof { throw AuthError(.unsupported) }

    func inspect(_: UpstreamIDToken, at _: IdentityProvider, now _: Instant) throws(AuthError) {}

    func events(
        _: [UInt8], at _: IdentityProvider, now _: Instant
    ) async throws(AuthError) -> [UpstreamEvent] { [] }

    func refresh(
        _: Secret<String>, at _: IdentityProvider, now _: Instant
    ) async throws(AuthError) -> UpstreamTokens { throw AuthError(.unsupported) }

    func revoke(_: UpstreamTokens, of _: String, at _: IdentityProvider, now _: Instant) async throws(AuthError) {}
}

/// Whoever gives credentials, as a test says.
final class ScriptedCredentials: TemporaryCredentialIssuing {
    private let state = Mutex<(requests: [TemporaryCredentialRequest], failure: TemporaryCredentialFailure?)>(([], nil))

    var requests: [TemporaryCredentialRequest] { state.withLock { $0.requests } }

    func fail(with failure: TemporaryCredentialFailure?) { state.withLock { $0.failure = failure } }

    func credentials(
        for request: TemporaryCredentialRequest, now: Instant
    ) async throws(TemporaryCredentialFailure) -> TemporaryCredentials {
        let failure = state.withLock { state in
            state.requests.append(request)
            return state.failure
        }
        if let failure { throw failure }
        return TemporaryCredentials(
            keyID: "ASIA1", secret: Secret("s"), sessionToken: Secret("t"), expiresAt: now + request.lifetime)
    }
}

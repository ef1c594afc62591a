// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

@testable import SupabaseAPI

/// Identity providers that say what a test has them say: a code, and an ID token's payload, is the JSON of the claims.
/// What a real one is judged by is tested where it is judged.
struct ScriptedProviders: IdentityProviding {
    /// A code, or the middle of an ID token, that vouches for `claims`.
    static func text(_ claims: JSONObject) -> String { Base64URL.encode(claims.serialized()) }

    static func idToken(_ claims: JSONObject, isGood: Bool = true) -> String {
        let header: JSONObject = ["alg": "RS256", "kid": "1"]
        return [Base64URL.encode(header.serialized()), text(claims), isGood ? "Z29vZA" : "YmFk"].joined(separator: ".")
    }

    /// Codes that stand for what a provider does beside vouching for somebody.
    static let refused = "refused"
    static let down = "down"

    func authorization(
        _ request: UpstreamRequest, at provider: IdentityProvider
    ) async throws(AuthError) -> String {
        var query = [
            ("client_id", provider.clientIDs.first ?? ""), ("redirect_uri", request.redirectURI),
            ("state", request.state), ("nonce", request.nonce), ("scope", request.scopes.joined(separator: " ")),
            ("code_challenge", request.challenge.rawValue),
        ]
        query += request.prompt.map { [("prompt", $0)] } ?? []
        query += request.loginHint.map { [("login_hint", $0)] } ?? []
        query += request.extra.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        return "https://\(provider.name).example/authorize?" + RedirectTarget.encode(query)
    }

    func requireAnswer(by _: String, at _: IdentityProvider) async throws(AuthError) {}

    func redeem(
        _ answer: UpstreamAnswer, at provider: IdentityProvider, now _: Instant
    ) async throws(AuthError) -> FederatedProof {
        let code = answer.code.reveal()
        switch code {
        case Self.refused: throw AuthError(.identityProviderRefused)
        case Self.down: throw AuthError(.identityProviderUnavailable)
        default: break
        }
        guard let octets = Base64URL.decode(code), let claims = try? JSONObject(parsing: octets) else {
            throw AuthError(.identityTokenInvalid)
        }
        var proof = Self.proof(claims, of: provider)
        proof.tokens = UpstreamTokens(access: Secret("upstream-access"), refresh: Secret("upstream-refresh"))
        let name = answer.user.flatMap { try? JSONObject(parsing: Array($0.utf8)) }?["name"]?.objectValue
        proof.givenName = name?["firstName"]?.stringValue
        proof.familyName = name?["lastName"]?.stringValue
        return proof
    }

    func judge(
        _ token: UpstreamIDToken, at provider: IdentityProvider, now _: Instant
    ) async throws(AuthError) -> FederatedProof {
        let parts = token.text.reveal().split(separator: ".")
        guard parts.count == 3, parts[2] == "Z29vZA", let octets = Base64URL.decode(String(parts[1])),
            let claims = try? JSONObject(parsing: octets), let audience = claims["aud"]?.stringValue,
            provider.clientIDs.contains(audience), claims["sub"] != nil
        else { throw AuthError(.identityTokenInvalid) }
        let hashed = token.nonce.map { Hex.encode(Base64URL.decode(PKCE.challenge(for: $0)) ?? []) }
        guard claims["nonce"]?.stringValue == hashed || provider.skipsNonceCheck else {
            throw AuthError(.identityTokenInvalid)
        }
        return Self.proof(claims, of: provider)
    }

    func inspect(_: UpstreamIDToken, at _: IdentityProvider, now _: Instant) throws(AuthError) {}

    func judge(
        accessToken _: Secret<String>, at _: IdentityProvider
    ) async throws(AuthError) -> FederatedProof { throw AuthError(.identityTokenInvalid) }

    func events(
        _: [UInt8], at _: IdentityProvider, now _: Instant
    ) async throws(AuthError) -> [UpstreamEvent] { [] }

    func refresh(
        _: Secret<String>, at _: IdentityProvider, now _: Instant
    ) async throws(AuthError) -> UpstreamTokens { throw AuthError(.identityProviderRefused) }

    func revoke(_: UpstreamTokens, of _: String, at _: IdentityProvider, now _: Instant) async throws(AuthError) {}

    private static func proof(_ claims: JSONObject, of provider: IdentityProvider) -> FederatedProof {
        let email = claims["email"]?.stringValue.flatMap { try? EmailAddress($0) }
        return FederatedProof(
            provider: provider.name, issuer: "https://\(provider.name).example",
            subject: claims["sub"]?.stringValue ?? "", audience: provider.clientIDs.first ?? "", email: email,
            isEmailVouched: email != nil && claims["email_verified"] == true, claims: claims)
    }
}

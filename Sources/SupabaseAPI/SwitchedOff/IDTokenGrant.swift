// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import JOSE

/// `POST /token?grant_type=id_token`, answered as by a platform on which no provider is switched on.
enum IDTokenGrant {
    /// The providers whose issuer is always the same.
    private static let issuers: [(provider: String, issuer: String)] = [
        ("google", "https://accounts.google.com"), ("facebook", "https://www.facebook.com"),
        ("kakao", "https://kauth.kakao.com"), ("vercel_marketplace", "https://marketplace.vercel.com"),
        ("snapchat", "https://accounts.snapchat.com/accounts/oauth2/token"),
    ]

    private static let appleIssuers = ["https://appleid.apple.com", "https://account.apple.com"]
    private static let azureIssuers = ["https://login.microsoftonline.com/", "https://sts.windows.net/"]

    /// What is wrong with the request, and where nothing is, that its provider is not enabled.
    ///
    /// - Throws: `bad_json` for a member of another type.
    static func refusal(of call: DialectCall) throws(WireError) -> any Error {
        let body = call.body
        let (provider, issuer) = (try body.text("provider") ?? "", try body.text("issuer") ?? "")
        let client = try body.text("client_id")
        guard let token = try body.text("id_token") else {
            return GrantError(name: "invalid request", message: "id_token required")
        }
        guard !provider.isEmpty || client != nil && !issuer.isEmpty else {
            return GrantError(name: "invalid request", message: "provider or client_id and issuer required")
        }
        if try body.flag("link_identity") == true, call.headers[.authorization] == nil {
            return GrantError(
                name: "invalid request", message: "Linking requires a valid user access token in Authorization")
        }
        if provider == "apple" || appleIssuers.contains(issuer) {
            return stated(token, issuer, "Apple") { appleIssuers.contains($0) }
        }
        if let known = issuers.first(where: { $0.provider == provider || $0.issuer == issuer }) {
            return disabled(known.issuer)
        }
        if provider == "azure" || azureIssuers.contains(where: { issuer.hasPrefix($0) }) {
            return stated(token, issuer, "Azure") { stated in azureIssuers.contains { stated.hasPrefix($0) } }
        }
        if provider == "keycloak" { return disabled("") }
        if provider.hasPrefix("custom:") { return WireError.validation("Custom OAuth providers are disabled") }
        return WireError.validation("Custom OIDC provider \"\(provider)\" not allowed")
    }

    /// Of a provider with several issuers, which one the token says that it is from.
    private static func stated(
        _ token: String, _ wanted: String, _ name: String, _ isIssuer: (String) -> Bool
    ) -> WireError {
        guard let parsed = try? ParsedJWS(parsing: token.utf8), let claims = try? JWTClaims(parsing: parsed.payload),
            let issuer = claims.issuer
        else { return .validation("Unable to detect issuer in ID token for \(name) provider") }
        guard isIssuer(issuer) else {
            return .validation(
                "Detected ID token issuer is not an \(name) ID token issuer")
        }
        guard wanted.isEmpty || wanted == issuer else {
            return .validation("Provided issuer does not match ID token issuer")
        }
        return disabled(issuer)
    }

    private static func disabled(_ issuer: String) -> WireError {
        WireError(.badRequest, "provider_disabled", "Provider (issuer \"\(issuer)\") is not enabled")
    }
}

// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import JOSE

/// What an app says of an ID token that it brings along, and whose it takes it for.
struct IDTokenRequest: Sendable {
    let token: Secret<String>
    let accessToken: Secret<String>?
    let nonce: String?
    let linksIdentity: Bool
    private let provider: String
    private let issuer: String

    /// The provider that is asked, and the issuer that it is known by there.
    struct Place: Sendable, Hashable {
        var name: ProviderName
        var issuer: String
    }

    /// The providers whose issuer is always the same.
    private static let issuers: [(provider: String, issuer: String)] = [
        ("google", "https://accounts.google.com"), ("facebook", "https://www.facebook.com"),
        ("kakao", "https://kauth.kakao.com"), ("vercel_marketplace", "https://marketplace.vercel.com"),
        ("snapchat", "https://accounts.snapchat.com/accounts/oauth2/token"),
    ]

    private static let appleIssuers = ["https://appleid.apple.com", "https://account.apple.com"]
    private static let azureIssuers = ["https://login.microsoftonline.com/", "https://sts.windows.net/"]

    /// - Throws: ``GrantError`` for what is not there; `bad_json` for a member of another type.
    init(_ body: Input) throws {
        (provider, issuer) = (try body.text("provider") ?? "", try body.text("issuer") ?? "")
        let client = try body.text("client_id")
        guard let token = try body.secret("id_token") else {
            throw GrantError(name: "invalid request", message: "id_token required")
        }
        guard !provider.isEmpty || client != nil && !issuer.isEmpty else {
            throw GrantError(name: "invalid request", message: "provider or client_id and issuer required")
        }
        self.token = token
        accessToken = try body.secret("access_token")
        nonce = try body.text("nonce")
        linksIdentity = try body.flag("link_identity") == true
    }

    /// By the provider that the app names, or else by the issuer. A token is never asked where its keys are: of a
    /// provider with several issuers it says which of them it is from.
    ///
    /// - Throws: `validation_failed`.
    func place(customProviders: Bool) throws(WireError) -> Place {
        if provider == "apple" || Self.appleIssuers.contains(issuer) {
            return Place(
                name: ProviderName("apple"), issuer: try stated("Apple") { Self.appleIssuers.contains($0) })
        }
        if let known = Self.issuers.first(where: { $0.provider == provider || $0.issuer == issuer }) {
            return Place(name: ProviderName(known.provider), issuer: known.issuer)
        }
        if provider == "azure" || Self.azureIssuers.contains(where: { issuer.hasPrefix($0) }) {
            return Place(
                name: ProviderName("azure"),
                issuer: try stated("Azure") { stated in Self.azureIssuers.contains { stated.hasPrefix($0) } })
        }
        if provider == "keycloak" { return Place(name: ProviderName(provider), issuer: "") }
        if provider.hasPrefix(ProviderName.customPrefix) {
            guard customProviders else { throw .validation("Custom OAuth providers are disabled") }
            return Place(name: ProviderName(provider), issuer: "")
        }
        // One that an operator has configured here under a name that the platform does not have.
        guard !provider.isEmpty, !ProviderName(provider).isKnown else {
            throw .validation("Custom OIDC provider \"\(provider)\" not allowed")
        }
        return Place(name: ProviderName(provider), issuer: issuer)
    }

    /// What is wrong with a token that was refused, as far as it can be told: in the platform's words, and in its
    /// order.
    func refusal(by provider: IdentityProvider) -> GrantError {
        func invalid(_ message: String) -> GrantError {
            GrantError(name: "invalid request", message: message, told: .identityTokenInvalid)
        }
        guard let claims else { return invalid("Bad ID token") }
        guard claims.subject?.isEmpty == false else { return invalid("Missing sub claim in id_token") }
        guard claims.audience.contains(where: provider.clientIDs.contains) else {
            return invalid("Unacceptable audience in id_token: [\(claims.audience.joined(separator: " "))]")
        }
        guard !provider.skipsNonceCheck else { return invalid("Bad ID token") }
        let stated = claims["nonce"]?.stringValue ?? ""
        guard stated.isEmpty == nonce.isEmptyOrNil else {
            return invalid("Passed nonce and nonce in id_token should either both exist or not.")
        }
        if let nonce, Self.hashed(nonce) != stated {
            return GrantError(name: "invalid nonce", message: "Nonces mismatch", told: .identityTokenInvalid)
        }
        return invalid("Bad ID token")
    }

    /// The lower-case hexadecimal SHA-256, as it stands in tokens.
    private static func hashed(_ nonce: String) -> String {
        Base64URL.decode(PKCE.challenge(for: nonce)).map { Hex.encode($0) } ?? ""
    }

    private func stated(_ name: String, _ isIssuer: (String) -> Bool) throws(WireError) -> String {
        guard let stated = claims?.issuer else {
            throw .validation("Unable to detect issuer in ID token for \(name) provider")
        }
        guard isIssuer(stated) else {
            throw .validation("Detected ID token issuer is not an \(name) ID token issuer")
        }
        guard issuer.isEmpty || issuer == stated else {
            throw .validation("Provided issuer does not match ID token issuer")
        }
        return stated
    }

    /// What the token says, which nobody has judged.
    private var claims: JWTClaims? {
        guard let parsed = try? ParsedJWS(parsing: token.reveal().utf8) else { return nil }
        return try? JWTClaims(parsing: parsed.payload)
    }
}

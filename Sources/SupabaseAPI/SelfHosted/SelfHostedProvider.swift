// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// One identity provider as the variables of the platform's container configure it (`GOTRUE_EXTERNAL_{NAME}_…`).
public struct SelfHostedProvider: Sendable {
    /// Those that can be taken over, by the part of the variables that names them. The platform has more, whose users
    /// are told apart by what only they know.
    static let kinds: [String: IdentityProvider.Kind] = [
        "APPLE": .apple, "AZURE": .microsoft, "FACEBOOK": .facebook, "GITHUB": .github, "GITLAB": .openID,
        "GOOGLE": .google, "KEYCLOAK": .openID,
    ]

    /// ``IdentityProvider/name``.
    public var name: String
    public var kind: IdentityProvider.Kind
    public var issuer: String?
    public var endpoints = IdentityProvider.Endpoints()
    public var clientIDs: [String] = []
    public var secret: Secret<String>?
    public var emailOptional = false
    public var skipsNonceCheck = false
    /// Where the provider sends browsers, where that is another name of this server's `/callback`.
    public var redirectURI: String?

    /// What the variables said, before it is judged.
    struct Fields: Sendable {
        var isEnabled = false
        var clientIDs: [String] = []
        var secret: Secret<String>?
        var redirectURI: String?
        var url: String?
        var emailOptional = false
        var skipsNonceCheck = false
    }

    /// - Parameter variable: the part of the variables that names the provider.
    /// - Returns: `nil` where it is not switched on.
    /// - Throws: ``AuthErrorCode/invalidRequest`` whose field is the variable.
    init?(_ fields: Fields, variable: String, kind: IdentityProvider.Kind) throws(AuthError) {
        guard fields.isEnabled, !fields.clientIDs.isEmpty else { return nil }
        name = ProviderName(variable).ours
        self.kind = kind
        clientIDs = fields.clientIDs
        secret = fields.secret
        emailOptional = fields.emailOptional
        skipsNonceCheck = fields.skipsNonceCheck
        redirectURI = fields.redirectURI
        let url = fields.url.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
        if let url, !url.hasPrefix("https://") {
            throw AuthError(
                .invalidRequest, reason: "expected an https URL: what a provider says is believed",
                field: Self.variable(variable, "URL"))
        }
        switch variable {
        case "AZURE": issuer = url.map { $0 + "/v2.0" }
        case "GITHUB":
            if let url {
                endpoints = IdentityProvider.Endpoints(
                    authorization: url + "/login/oauth/authorize", token: url + "/login/oauth/access_token",
                    userInfo: url + "/api/v3/user")
            }
        case "GITLAB": issuer = url ?? "https://gitlab.com"
        case "KEYCLOAK":
            guard let url else {
                throw AuthError(
                    .invalidRequest, reason: "needed where this provider is switched on",
                    field: Self.variable(variable, "URL"))
            }
            issuer = url
        default: break
        }
    }

    /// The provider of a Directory that it is taken over into.
    public func provider(in directory: DirectoryID, at now: Instant) -> IdentityProvider {
        var provider = IdentityProvider(
            id: IdentityProviderID("container-" + name), directoryID: directory, name: name, kind: kind, issuer: issuer,
            clientIDs: clientIDs, secret: secret, endpoints: endpoints, emailOptional: emailOptional,
            skipsNonceCheck: skipsNonceCheck, createdAt: now, updatedAt: now)
        ProviderKeeping(redirectURI: redirectURI).write(to: &provider)
        return provider
    }

    static func variable(_ name: String, _ detail: String) -> String { "GOTRUE_EXTERNAL_\(name)_\(detail)" }
}

// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import JOSE

/// All that is known of a provider when it is asked something: what its kind is known for, what it says of itself, and
/// over both what the operator has configured.
struct Upstream: Sendable {
    let provider: IdentityProvider
    let issuer: IssuerRule
    let authorization: String
    let token: String
    let userInfo: String?
    /// Where its keys are; `nil` for a provider that signs nothing.
    let keys: String?
    let revocation: String?
    let authentication: ClientAuthentication
    let scopes: [String]
    let sendsChallenge: Bool
    /// Whether an answer without its issuer is none of its (RFC 9207, section 2.4).
    let answersWithIssuer: Bool
    /// Our client at it, which redirects name.
    let clientID: String

    /// The issuer whose metadata are needed; `nil` where all is known without.
    static func discoveredIssuer(of provider: IdentityProvider) -> String? {
        guard provider.kind == .openID else { return nil }
        let named = provider.endpoints
        let isKnown = named.authorization != nil && named.token != nil && named.jwks != nil
        return isKnown ? nil : provider.issuer
    }

    /// - Parameter metadata: those of ``discoveredIssuer(of:)``.
    /// - Throws: `AuthErrorCode.identityProviderDisabled` for what can't be asked anything as it is configured.
    init(_ provider: IdentityProvider, metadata: ProviderMetadata? = nil) throws(AuthError) {
        guard let clientID = provider.clientIDs.first else { throw Self.misconfigured("no client") }
        let defaults = try Self.defaults(of: provider, metadata)
        let named = provider.endpoints
        self.provider = provider
        self.clientID = clientID
        issuer = defaults.issuer
        authorization = named.authorization ?? defaults.authorization
        token = named.token ?? defaults.token
        // What the operator moves is moved as a whole: a token of one place is not shown at another.
        userInfo = named.userInfo ?? (named.token == nil ? defaults.userInfo : nil)
        keys = named.jwks ?? defaults.keys
        authentication = provider.secret == nil ? .nothing : defaults.authentication
        scopes = provider.scopes.isEmpty ? defaults.scopes : provider.scopes
        sendsChallenge = defaults.sendsChallenge
        answersWithIssuer = metadata?.answersWithIssuer ?? false
        switch provider.kind {
        case .google, .apple: revocation = named.revocation ?? Self.beside(token, "revoke")
        case .openID: revocation = named.revocation ?? (named.token == nil ? metadata?.revocation : nil)
        case .microsoft, .github, .facebook: revocation = named.revocation
        }
    }

    private static func defaults(
        of provider: IdentityProvider, _ metadata: ProviderMetadata?
    ) throws(AuthError) -> KindDefaults {
        switch provider.kind {
        case .google: return .google
        case .apple: return .apple
        case .github: return .github
        case .facebook: return .facebook
        case .microsoft:
            guard let defaults = KindDefaults.microsoft(issuer: provider.issuer, tenants: provider.organizations) else {
                throw misconfigured("the issuer is not one of a tenant, or a tenant is not a UUID")
            }
            return defaults
        case .openID:
            if let metadata {
                guard let defaults = KindDefaults(metadata, hasSecret: provider.secret != nil) else {
                    throw misconfigured("it takes no way of authentication that is built")
                }
                return defaults
            }
            let named = provider.endpoints
            guard let issuer = provider.issuer, let authorization = named.authorization, let token = named.token else {
                throw misconfigured("no issuer")
            }
            return KindDefaults(
                issuer: .one(issuer), authorization: authorization, token: token, userInfo: named.userInfo,
                keys: named.jwks, authentication: .basic, scopes: ["openid", "email", "profile"])
        }
    }

    private static func misconfigured(_ reason: String) -> AuthError {
        AuthError(.identityProviderDisabled, reason: "not configured: \(reason)")
    }

    /// Whether an answer by a browser may be this provider's by the issuer that it names, `nil` for one that names none
    /// (RFC 9207, section 2.4).
    func mayAnswer(as issuer: String?) -> Bool {
        guard let issuer else { return !answersWithIssuer }
        // GitHub signs no tokens, and has no other issuer than what its answers say: that of its metadata (RFC 8414),
        // which is `https://github.com/login/oauth`, and an Enterprise Server's own beside its endpoint.
        guard provider.kind != .github else { return (issuer + "/authorize").utf8.elementsEqual(authorization.utf8) }
        return self.issuer.fits(issuer)
    }

    /// Whether it vouches for users by ID tokens in answer to a redirect.
    var signsUsersIn: Bool {
        switch provider.kind {
        case .google, .apple, .microsoft, .openID: true
        case .github, .facebook: false
        }
    }

    /// What its ID tokens may be signed with: never what a token or its metadata say.
    var algorithms: Set<JWSAlgorithm> {
        provider.kind == .openID
            ? [.rs256, .rs384, .rs512, .ps256, .ps384, .ps512, .es256, .es384, .es512, .edDSA] : [.rs256]
    }

    /// Whose calls are counted together.
    var place: String { "\(provider.directoryID.rawValue)/\(provider.name)" }

    /// Another endpoint beside one: the last part of its path replaced.
    static func beside(_ url: String, _ name: String) -> String {
        let path = url.prefix { $0 != "?" }
        guard let slash = path.lastIndex(of: "/") else { return url }
        return path[...slash] + name
    }
}

// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// The members of a client that are about signing in on the pool's own pages, and acting for itself.
enum OAuthMembers {
    /// The scopes that every pool has. Others are those of its resource servers.
    static let scopes: Set<String> = ["phone", "email", "openid", "profile", "aws.cognito.signin.user.admin"]
    static let scopeRule = ScopeRule.ofResourceServers(besides: scopes)
    private static let place = WireShape.text(1...1024, .visible)

    /// - Throws: `InvalidParameterException`, `InvalidOAuthFlowException`.
    static func read(_ input: Input) throws(WireError) -> ClientAuthorization {
        var authorization = ClientAuthorization()
        authorization.isEnabled = try input.flag("AllowedOAuthFlowsUserPoolClient") ?? false
        let flows = try input.choices("AllowedOAuthFlows", from: OAuthFlows.names) ?? []
        authorization.grants = once(flows).compactMap(OAuthFlows.grant)
        authorization.scopes = once(try texts(.list(.text(1...256, .scope), 0...50), "AllowedOAuthScopes", input))
        authorization.redirectURIs = once(try texts(.list(place, 0...100), "CallbackURLs", input))
        authorization.defaultRedirectURI = try input.text(Member("DefaultRedirectURI", 1...1024, .visible))
        authorization.signOutURIs = once(try texts(.list(place, 0...100), "LogoutURLs", input))
        // By the names that the Directory has for them; those that it can't have are refused by ``check``.
        authorization.identityProviders = try providerNames(input).compactMap {
            $0 == ProviderName.pool ? $0 : ProviderName.own($0)
        }
        authorization.providersOnly = !authorization.identityProviders.contains(ProviderName.pool)
        for uri in authorization.redirectURIs + authorization.signOutURIs { try check(uri) }
        return authorization
    }

    /// What holds between members.
    ///
    /// - Parameters:
    ///   - hasSecret: whether the client has one.
    ///   - named: the providers, as the call names them.
    ///   - providers: those of the pool, by the names that the Directory has for them.
    ///   - poolID: for the service's words.
    /// - Throws: `InvalidParameterException`, `InvalidOAuthFlowException`.
    static func check(
        _ authorization: ClientAuthorization, hasSecret: Bool, named: [String], providers: Set<String>, poolID: String
    ) throws(WireError) {
        let grants = authorization.grants.filter { OAuthFlows.name($0) != nil }
        guard !authorization.isEnabled || !grants.isEmpty && !authorization.scopes.isEmpty else {
            throw .parameter(
                "AllowedOAuthFlows and AllowedOAuthScopes are required if user pool client is allowed to use OAuth "
                    + "flows.")
        }
        let sendsUsers = grants.contains(.code) || grants.contains(.implicit)
        if grants.contains(.clientCredentials) {
            guard !sendsUsers else {
                throw flow(
                    "client_credentials flow can not be selected along with code flow or implicit flow.")
            }
            guard hasSecret else {
                throw flow("client_credentials flow can not be selected if client does not have a client secret.")
            }
            if let scope = authorization.scopes.first(where: scopes.contains) {
                throw flow("\(scope) is not supported with client_credentials flow")
            }
        }
        guard !authorization.isEnabled || !sendsUsers || !authorization.redirectURIs.isEmpty else {
            throw flow("CallbackUrls can not be empty when code flow or implicit flow is selected")
        }
        if let uri = authorization.defaultRedirectURI, !authorization.redirectURIs.contains(uri) {
            throw .parameter("The default redirect URI \(Input.excerpt(uri)) is not in the callback URIs list.")
        }
        let unknown = named.first { name in
            name != ProviderName.pool && !(ProviderName.own(name).map(providers.contains) ?? false)
        }
        if let unknown { throw .parameter("The provider \(unknown) does not exist for User Pool \(poolID).") }
    }

    /// `SupportedIdentityProviders`, each once.
    static func providerNames(_ input: Input) throws(WireError) -> [String] {
        once(try texts(.list(.text(1...32, .providerName)), "SupportedIdentityProviders", input))
    }

    /// Says a scope that no resource server has in the service's words.
    static func unknown(_ error: UnknownScope) -> WireError {
        WireError("ScopeDoesNotExistException", "Invalid scope requested: \(Input.excerpt(error.scope))")
    }

    /// What the service has words of its own for; the rest is refused where every client's places are.
    private static func check(_ uri: String) throws(WireError) {
        if uri.contains("#") { throw .parameter("\(Input.excerpt(uri)) cannot use fragment") }
        guard uri.lowercased().hasPrefix("http://") else { return }
        let host = uri.dropFirst("http://".count).prefix { !":/?".contains($0) }
        guard host == "localhost" || host == "127.0.0.1" || uri.lowercased().hasPrefix("http://[::1]") else {
            throw .parameter("\(Input.excerpt(uri)) cannot use the HTTP protocol.")
        }
    }

    private static func flow(_ message: String) -> WireError { WireError("InvalidOAuthFlowException", message) }

    private static func texts(
        _ shape: WireShape, _ name: String, _ input: Input
    ) throws(WireError) -> [String] {
        try shape.read(name, of: input)?.arrayValue?.compactMap(\.stringValue) ?? []
    }

    /// Each once, in their order.
    private static func once(_ texts: [String]) -> [String] {
        var seen: Set<String> = []
        return texts.filter { seen.insert($0).inserted }
    }
}

extension Member.Pattern {
    static let providerName = Self(text: "[\\p{L}\\p{M}\\p{S}\\p{N}\\p{P}\\p{Z}]+") {
        visible.accepts($0) || $0.properties.isWhitespace && $0.value >= 32
    }
}

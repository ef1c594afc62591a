// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What an operator says of a client of the provider (RFC 7591, section 2, in this house's words). What is `nil` stays
/// as it is, and for a new client as ``newClient()`` has it.
public struct ClientRegistration: Sendable {
    public var name: String?
    public var redirectURIs: [String]?
    public var postLogoutURIs: [String]?
    public var backchannelLogoutURI = FieldChange<String>.keep
    public var homeURI = FieldChange<String>.keep
    /// A new client of which nothing is said has a secret, which it may show either way.
    public var authentication: ClientAuthenticationMethod?
    public var keys = FieldChange<JSONObject>.keep
    public var grants: [ClientAuthorization.Grant]?
    public var scopes: [String]?
    public var resources: [String]?
    public var consent: ClientAuthorization.Consent?
    public var idTokenAlgorithm: ClientAuthorization.IDTokenAlgorithm?
    public var requiresPushedRequests: Bool?
    /// RFC 9101, section 10.5.
    public var requiresSignedRequests: Bool?
    /// OpenID Connect Dynamic Client Registration 1.0, section 2, `request_object_signing_alg`.
    public var requestAlgorithm = FieldChange<ClientAuthorization.RequestAlgorithm>.keep
    public var requiresPKCE: Bool?
    /// RFC 9449, section 5.2.
    public var isDPoPBound: Bool?
    /// What the others must come up to; a profile that is set brings along whatever they do not say.
    public var profile = FieldChange<ClientAuthorization.Profile>.keep
    /// Of the client's own pages and apps that may use passkeys: see ``ClientSettings/passkeyOrigins``.
    public var passkeyOrigins: [String]?
    public var rotatesRefreshTokens: Bool?
    /// In seconds.
    public var accessTokenLifetime = FieldChange<Int64>.keep
    public var idTokenLifetime = FieldChange<Int64>.keep
    public var refreshTokenLifetime = FieldChange<Int64>.keep
    /// What the dialect that registers it keeps of it: see ``ClientSettings/attributes``.
    public var attributes: JSONObject?

    /// What a client that users sign in to may ask for where nobody says: the scopes of OpenID Connect Core
    /// (sections 5.4 and 11). Users are asked for each.
    public static let usualScopes = ["openid", "profile", "email", "phone", "address", "offline_access"]

    public init() {}

    /// Whether a new client of this kind is given a secret.
    var usesSecret: Bool {
        if case .set = profile { return authentication?.usesSecret ?? false }
        return authentication?.usesSecret ?? true
    }

    /// The settings of a new client.
    ///
    /// - Throws: As ``apply(to:)``.
    func newClient() throws(AuthError) -> ClientSettings {
        var settings = ClientSettings()
        // None of the ways in which other dialects' clients sign users in.
        settings.flows = []
        settings.rotatesRefreshTokens = authentication == .publicClient
        settings.authorization.isEnabled = true
        settings.authorization.grants = [.code, .refreshToken]
        settings.authorization.consent = .remembered
        if !Set(grants ?? [.code]).isDisjoint(with: [.code, .deviceCode]) {
            settings.authorization.scopes = Self.usualScopes
        }
        try apply(to: &settings)
        return settings
    }

    /// - Throws: ``AuthErrorCode/invalidRequest`` naming the field.
    func apply(to settings: inout ClientSettings) throws(AuthError) {
        if case .set(let profile) = profile { profile.bring(to: &settings) }
        var authorization = settings.authorization
        profile.applied(to: &authorization.profile)
        authorization.redirectURIs = redirectURIs ?? authorization.redirectURIs
        authorization.signOutURIs = postLogoutURIs ?? authorization.signOutURIs
        backchannelLogoutURI.applied(to: &authorization.backchannelLogoutURI)
        homeURI.applied(to: &authorization.homeURI)
        authorization.authentication = authentication ?? authorization.authentication
        keys.applied(to: &authorization.keys)
        authorization.grants = grants ?? authorization.grants
        authorization.scopes = scopes ?? authorization.scopes
        authorization.resources = resources ?? authorization.resources
        authorization.consent = consent ?? authorization.consent
        authorization.idTokenAlgorithm = idTokenAlgorithm ?? authorization.idTokenAlgorithm
        authorization.requiresPushedRequests = requiresPushedRequests ?? authorization.requiresPushedRequests
        authorization.requiresSignedRequests = requiresSignedRequests ?? authorization.requiresSignedRequests
        requestAlgorithm.applied(to: &authorization.requestAlgorithm)
        authorization.requiresPKCE = requiresPKCE ?? authorization.requiresPKCE
        authorization.isDPoPBound = isDPoPBound ?? authorization.isDPoPBound
        settings.authorization = authorization
        settings.rotatesRefreshTokens = rotatesRefreshTokens ?? settings.rotatesRefreshTokens
        settings.passkeyOrigins = passkeyOrigins ?? settings.passkeyOrigins
        settings.attributes = attributes ?? settings.attributes
        accessTokenLifetime.applied(to: &settings.accessTokenLifetime)
        idTokenLifetime.applied(to: &settings.idTokenLifetime)
        refreshTokenLifetime.applied(to: &settings.refreshTokenLifetime)
        if authorization.grants.contains(.refreshToken) { settings.flows.insert(.refresh) }
        try Self.check(settings)
    }

    /// Those that an endpoint takes.
    static let grants: Set<ClientAuthorization.Grant> = [
        .code, .refreshToken, .clientCredentials, .deviceCode, .tokenExchange,
    ]

    private static func check(_ settings: ClientSettings) throws(AuthError) {
        let authorization = settings.authorization
        // What no endpoint takes is not registered either.
        guard !authorization.grants.isEmpty, Set(authorization.grants).isSubset(of: Self.grants) else {
            throw AuthError(
                .invalidRequest,
                reason: "one or more of authorization_code, refresh_token, client_credentials, device_code, "
                    + "token_exchange",
                field: "grants")
        }
        guard !authorization.grants.contains(.code) || !authorization.redirectURIs.isEmpty else {
            throw AuthError(.invalidRequest, reason: "nowhere to send users back to", field: "redirect_uris")
        }
        try authorization.profile?.require(of: settings)
        // RFC 9700, section 4.14.2.
        guard
            authorization.authentication != .publicClient || settings.rotatesRefreshTokens || authorization.isDPoPBound
        else {
            throw AuthError(
                .invalidRequest, reason: "a public client's refresh tokens rotate, or are bound to a key of its own",
                field: "rotates_refresh_tokens")
        }
    }
}

extension ClientAdministration {
    /// Registers a client of the provider. Its secret, where it has one, is in the answer and nowhere else.
    ///
    /// - Parameters:
    ///   - dialect: whose operations make it, where those are not this server's own (``AccountModel/Client/dialect``).
    ///   - id: where that dialect's clients are called otherwise than ours.
    /// - Throws: As ``create(name:withSecret:keepsSecret:settings:dialect:id:call:)``.
    public func register(
        _ registration: ClientRegistration, dialect: DialectName? = nil, id: ClientID? = nil, call: CallContext
    ) async throws -> Client {
        guard let name = registration.name else {
            throw AuthError(.invalidRequest, reason: "a client has a name", field: "name")
        }
        return try await create(
            name: name, withSecret: registration.usesSecret, keepsSecret: false, settings: registration.newClient(),
            dialect: dialect, id: id, call: call)
    }

    /// Changes what a registration says.
    ///
    /// - Throws: As ``update(_:name:scopes:writing:call:_:)``.
    public func update(_ id: ClientID, _ registration: ClientRegistration, call: CallContext) async throws -> Client {
        try await update(id, name: registration.name, writing: registration.lists, call: call) {
            try registration.apply(to: &$0)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What an operator says of an identity provider, by command, file or API. What is `nil` stays as it is.
public struct IdentityProviderChange: Sendable {
    public var displayName: FieldChange<String> = .keep
    public var issuer: FieldChange<String> = .keep
    public var clientIDs: [String]?
    /// Never shown again. An empty one takes it away.
    public var secret: Secret<String>?
    public var appleTeamID: FieldChange<String> = .keep
    public var appleKeyID: FieldChange<String> = .keep
    public var scopes: [String]?
    public var authorizationEndpoint: FieldChange<String> = .keep
    public var tokenEndpoint: FieldChange<String> = .keep
    public var userInfoEndpoint: FieldChange<String> = .keep
    public var jwksURI: FieldChange<String> = .keep
    public var revocationEndpoint: FieldChange<String> = .keep
    public var organizations: [String]?
    public var isEnabled: Bool?
    public var signUpAllowed: Bool?
    public var emailOptional: Bool?
    public var skipsNonceCheck: Bool?
    public var grantCheckHours: Int?
    public var attributeMapping: [String: String]?

    public init() {}

    public func apply(to provider: inout IdentityProvider) {
        displayName.applied(to: &provider.displayName)
        issuer.applied(to: &provider.issuer)
        provider.clientIDs = clientIDs ?? provider.clientIDs
        if let secret { provider.secret = secret.reveal().isEmpty ? nil : secret }
        appleTeamID.applied(to: &provider.appleTeamID)
        appleKeyID.applied(to: &provider.appleKeyID)
        provider.scopes = scopes ?? provider.scopes
        authorizationEndpoint.applied(to: &provider.endpoints.authorization)
        tokenEndpoint.applied(to: &provider.endpoints.token)
        userInfoEndpoint.applied(to: &provider.endpoints.userInfo)
        jwksURI.applied(to: &provider.endpoints.jwks)
        revocationEndpoint.applied(to: &provider.endpoints.revocation)
        provider.organizations = organizations ?? provider.organizations
        provider.isEnabled = isEnabled ?? provider.isEnabled
        provider.signUpAllowed = signUpAllowed ?? provider.signUpAllowed
        provider.emailOptional = emailOptional ?? provider.emailOptional
        provider.skipsNonceCheck = skipsNonceCheck ?? provider.skipsNonceCheck
        provider.grantCheckHours = grantCheckHours ?? provider.grantCheckHours
        provider.attributeMapping = attributeMapping ?? provider.attributeMapping
    }
}

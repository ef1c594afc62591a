// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// The members that `CreateUserPoolClient` and `UpdateUserPoolClient` share, as a client's settings. What is not given
/// has its default, in an update too: so the service has it.
enum ClientRequest {
    /// Members that change nothing but what is shown.
    private static let shown: [(String, WireShape)] = [
        (
            "AnalyticsConfiguration",
            .structure([
                "ApplicationId": .text(1...2048), "ApplicationArn": PoolMembers.arn, "RoleArn": PoolMembers.arn,
                "ExternalId": .text(0...131_072), "UserDataShared": .flag,
            ])
        ), ("EnablePropagateAdditionalUserContextData", .flag),
        (
            "RefreshTokenRotation",
            .structure(
                ["Feature": .choice(["ENABLED", "DISABLED"]), "RetryGracePeriodSeconds": .integer(0...60)],
                required: ["Feature"])
        ),
    ]

    /// What either operation takes.
    private static let members: Set<String> = [
        "AccessTokenValidity", "AllowedOAuthFlows", "AllowedOAuthFlowsUserPoolClient", "AllowedOAuthScopes",
        "AnalyticsConfiguration", "AuthSessionValidity", "CallbackURLs", "ClientId", "ClientName", "ClientSecret",
        "DefaultRedirectURI", "EnablePropagateAdditionalUserContextData", "EnableTokenRevocation", "ExplicitAuthFlows",
        "GenerateSecret", "IdTokenValidity", "LogoutURLs", "PreventUserExistenceErrors", "ReadAttributes",
        "RefreshTokenRotation", "RefreshTokenValidity", "SupportedIdentityProviders", "TokenValidityUnits",
        "UserPoolId", "WriteAttributes",
    ]

    /// - Throws: `InvalidParameterException`.
    static func settings(_ input: Input, of pool: PoolSettings) throws(WireError) -> ClientSettings {
        try input.require(nothingBut: members)
        var settings = ClientSettings()
        var attributes = JSONObject()
        let (names, flows) = try AuthFlows.read(input)
        settings.flows = flows
        attributes["ExplicitAuthFlows"] = .array(names.map { .string($0) })
        for member in try TokenValidity.read(input, into: &settings).members { attributes[member.name] = member.value }
        // The service's default for calls that do not say; its console says ENABLED, and so should everybody.
        settings.concealsUsers =
            try input.choice("PreventUserExistenceErrors", from: ["LEGACY", "ENABLED"]) == "ENABLED"
        settings.revokesTokens = try input.flag("EnableTokenRevocation") ?? true
        let rotation = Input(try input.members("RefreshTokenRotation") ?? [:])
        settings.rotatesRefreshTokens = try rotation.choice("Feature", from: ["ENABLED", "DISABLED"]) == "ENABLED"
        settings.rotationGrace = try rotation.integer("RetryGracePeriodSeconds", in: 0...60) ?? 0
        settings.stepLifetime = 60 * (try input.integer("AuthSessionValidity", in: 3...15) ?? 3)
        settings.authorization = try OAuthMembers.read(input)
        for name in ["ReadAttributes", "WriteAttributes"] {
            guard let list = try input.texts(name) else { continue }
            for attribute in list where pool.attribute(attribute) == nil {
                throw .parameter(
                    "Invalid \(name.prefix { $0 != "A" }.lowercased()) attributes specified while "
                        + "creating a client: \(Input.excerpt(attribute))")
            }
            attributes[name] = .array(list.map { .string($0) })
        }
        for (name, shape) in shown { attributes[name] = try shape.read(name, of: input) }
        settings.attributes = attributes
        return settings
    }
}

extension ClientSettings {
    /// These settings with what the service has no member for, and so nobody meant to change.
    func with(whatIsNotOurs former: ClientSettings) -> ClientSettings {
        var settings = self
        var authorization = former.authorization
        authorization.isEnabled = self.authorization.isEnabled
        authorization.grants =
            self.authorization.grants + former.authorization.grants.filter { OAuthFlows.name($0) == nil }
        authorization.scopes = self.authorization.scopes
        authorization.redirectURIs = self.authorization.redirectURIs
        authorization.defaultRedirectURI = self.authorization.defaultRedirectURI
        authorization.signOutURIs = self.authorization.signOutURIs
        authorization.identityProviders = self.authorization.identityProviders
        authorization.providersOnly = self.authorization.providersOnly
        settings.authorization = authorization
        return settings
    }
}

// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// An app client as the operations show it.
enum ClientWire {
    /// `UserPoolClientType`. The secret is part of it: these are the operator's own operations.
    static func encode(_ client: Client, poolID: String) -> JSONObject {
        let settings = client.settings
        var json = summary(client, poolID: poolID)
        json["ClientSecret"] = client.secrets.first?.text.map { .string($0.reveal()) }
        json["LastModifiedDate"] = client.updatedAt.wireDate
        json["CreationDate"] = client.createdAt.wireDate
        // A client that this dialect registered has what it was given; another one is described.
        if settings.attributes["ExplicitAuthFlows"] == nil {
            json["ExplicitAuthFlows"] = .array(AuthFlows.names(of: settings.flows).map { .string($0) })
            for member in TokenValidity.shown(settings).members { json[member.name] = member.value }
        }
        show(settings.authorization, in: &json)
        json["AuthSessionValidity"] = settings.stepLifetime.map { .integer($0 / 60) }
        json["EnablePropagateAdditionalUserContextData"] = false
        for member in settings.attributes.members { json[member.name] = member.value }
        json["EnableTokenRevocation"] = .bool(settings.revokesTokens)
        json["PreventUserExistenceErrors"] = .string(settings.concealsUsers ? "ENABLED" : "LEGACY")
        if settings.rotatesRefreshTokens {
            json["RefreshTokenRotation"] = [
                "Feature": "ENABLED", "RetryGracePeriodSeconds": .integer(settings.rotationGrace),
            ]
        }
        return json
    }

    private static func show(_ authorization: ClientAuthorization, in json: inout JSONObject) {
        json["AllowedOAuthFlowsUserPoolClient"] = .bool(authorization.isEnabled)
        json["DefaultRedirectURI"] = authorization.defaultRedirectURI.map { .string($0) }
        let lists = [
            ("AllowedOAuthFlows", authorization.grants.compactMap(OAuthFlows.name)),
            ("AllowedOAuthScopes", authorization.scopes),
            ("CallbackURLs", authorization.redirectURIs), ("LogoutURLs", authorization.signOutURIs),
            ("SupportedIdentityProviders", authorization.identityProviders.map(ProviderName.shown)),
        ]
        for (name, values) in lists where !values.isEmpty { json[name] = .array(values.map { .string($0) }) }
    }

    /// `UserPoolClientDescription`.
    static func summary(_ client: Client, poolID: String) -> JSONObject {
        [
            "ClientId": .string(client.id.rawValue), "UserPoolId": .string(poolID), "ClientName": .string(client.name),
        ]
    }
}

extension ClientSettings {
    /// The attributes that a user may read or write through the client; `nil` for all of them.
    func attributeNames(_ member: String) -> [String]? {
        attributes[member]?.arrayValue?.compactMap(\.stringValue)
    }
}

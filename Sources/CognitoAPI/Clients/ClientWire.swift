// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// An app client as the operations show it.
enum ClientWire {
    /// `UserPoolClientType`. The secret is part of it: these are the operator's own operations.
    static func encode(_ client: Client, poolID: String) -> JSONObject {
        let settings = client.settings
        var json = summary(client, poolID: poolID)
        json["ClientSecret"] = client.secret.map { .string($0.reveal()) }
        json["LastModifiedDate"] = client.updatedAt.wireDate
        json["CreationDate"] = client.createdAt.wireDate
        // A client that this dialect registered has what it was given; another one is described.
        if settings.attributes["ExplicitAuthFlows"] == nil {
            json["ExplicitAuthFlows"] = .array(AuthFlows.names(of: settings.flows).map { .string($0) })
            for member in TokenValidity.shown(settings).members { json[member.name] = member.value }
        }
        json["AllowedOAuthFlowsUserPoolClient"] = false
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

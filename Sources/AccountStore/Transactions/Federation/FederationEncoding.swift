// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// How an identity provider's settings are kept in one column: those that nothing is found by.
enum FederationEncoding {
    static func json(_ provider: IdentityProvider) -> JSONObject {
        var json: JSONObject = [
            "client_ids": .array(provider.clientIDs.map(JSONValue.string)),
            "scopes": .array(provider.scopes.map(JSONValue.string)),
            "organizations": .array(provider.organizations.map(JSONValue.string)),
            "enabled": .bool(provider.isEnabled), "sign_up": .bool(provider.signUpAllowed),
            "email_optional": .bool(provider.emailOptional), "skips_nonce": .bool(provider.skipsNonceCheck),
            "grant_check_hours": .integer(Int64(provider.grantCheckHours)),
            "dialect_data": .object(provider.dialectData),
        ]
        var mapping: JSONObject = [:]
        for (attribute, claim) in provider.attributeMapping { mapping[attribute] = .string(claim) }
        json["attribute_mapping"] = .object(mapping)
        for (name, text) in texts { json[name] = provider[keyPath: text].map(JSONValue.string) }
        return json
    }

    static func read(_ json: JSONObject, into provider: inout IdentityProvider, column: Int) throws {
        func damaged() -> StoredRowError { StoredRowError(column: column) }
        func list(_ name: String) throws -> [String] {
            guard let values = json[name]?.arrayValue else { throw damaged() }
            return try values.map { value in
                guard let text = value.stringValue else { throw damaged() }
                return text
            }
        }
        func flag(_ name: String) throws -> Bool {
            guard let value = json[name]?.boolValue else { throw damaged() }
            return value
        }
        provider.clientIDs = try list("client_ids")
        provider.scopes = try list("scopes")
        provider.organizations = try list("organizations")
        provider.isEnabled = try flag("enabled")
        provider.signUpAllowed = try flag("sign_up")
        provider.emailOptional = try flag("email_optional")
        provider.skipsNonceCheck = try flag("skips_nonce")
        guard let hours = json["grant_check_hours"]?.integerValue else { throw damaged() }
        provider.grantCheckHours = Int(clamping: hours)
        guard let data = json["dialect_data"]?.objectValue, let mapping = json["attribute_mapping"]?.objectValue else {
            throw damaged()
        }
        provider.dialectData = data
        for attribute in mapping.names {
            guard let claim = mapping[attribute]?.stringValue else { throw damaged() }
            provider.attributeMapping[attribute] = claim
        }
        for (name, text) in texts { provider[keyPath: text] = json[name]?.stringValue }
    }

    private static let texts: KeyValuePairs<String, any WritableKeyPath<IdentityProvider, String?> & Sendable> = [
        "display_name": \.displayName, "issuer": \.issuer, "apple_team_id": \.appleTeamID,
        "apple_key_id": \.appleKeyID, "authorization_endpoint": \.endpoints.authorization,
        "token_endpoint": \.endpoints.token, "user_info_endpoint": \.endpoints.userInfo,
        "jwks_uri": \.endpoints.jwks, "revocation_endpoint": \.endpoints.revocation,
    ]
}

// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// A provider that an operator made up, as this platform's administrators see it: an OpenID provider under a name that
/// begins with `custom:`. The secret is never shown.
struct CustomProvider: Sendable {
    let provider: IdentityProvider

    /// `nil` for one of another name or kind, which this platform's operations are not about.
    init?(_ provider: IdentityProvider) {
        guard ProviderName(of: provider.name).isCustom, provider.kind == .openID else { return nil }
        self.provider = provider
    }

    var json: JSONObject {
        func list(_ values: some Sequence<String>) -> JSONValue { .array(values.map { .string($0) }) }
        var json: JSONObject = [
            "id": .string(provider.id.rawValue), "provider_type": "oidc", "identifier": .string(provider.name),
            "name": .string(provider.displayName ?? provider.name),
            "client_id": .string(provider.clientIDs.first ?? ""),
            "acceptable_client_ids": list(provider.clientIDs.dropFirst()), "scopes": list(provider.scopes),
            "pkce_enabled": true, "attribute_mapping": [:], "custom_claims_allowlist": [],
            "authorization_params": .object(ProviderKeeping(provider).parameters), "enabled": .bool(provider.isEnabled),
            "email_optional": .bool(provider.emailOptional), "skip_nonce_check": .bool(provider.skipsNonceCheck),
        ]
        json["issuer"] = provider.issuer.map { .string($0) }
        json["created_at"] = .string(provider.createdAt.rfc3339)
        json["updated_at"] = .string(provider.updatedAt.rfc3339)
        return json
    }
}

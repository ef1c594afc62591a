// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import Hummingbird
import JOSE

/// What the vendor says of itself (OpenID Connect Discovery 1.0, section 3).
enum DiscoveryEndpoint {
    static func get(_ call: Call) async throws -> Response {
        let vendor = try call.vendor
        let base = call.url + DevelopmentIdentityProvider.path + "/" + vendor.rawValue
        // Literally so, where no one directory is asked.
        let isTemplate = ["common", "organizations"].contains(call.tenant)
        let tenant =
            isTemplate ? "{tenantid}" : call.tenant == "consumers" ? Person.consumers : call.tenant
        guard isTemplate || UUIDText.accepts(tenant) else { throw AuthError(.notFound) }
        let query = call.tenant == "common" ? "" : "?tenant=\(call.tenant)"
        var document: JSONObject = [
            "issuer": .string(vendor.issuer(url: call.url, tenant: tenant)),
            "authorization_endpoint": .string(base + "/authorize" + query),
            "token_endpoint": .string(base + "/token"), "jwks_uri": .string(base + "/keys"),
            "response_types_supported": ["code"], "subject_types_supported": subjects(vendor),
            "id_token_signing_alg_values_supported": .array(
                [vendor.algorithm].compactMap(\.self).map { .string($0.rawValue) }),
            "scopes_supported": ["openid", "email", vendor == .apple ? "name" : "profile"],
            "response_modes_supported": vendor == .google ? ["query"] : ["query", "form_post"],
            "token_endpoint_auth_methods_supported": vendor == .apple
                ? ["client_secret_post"] : ["client_secret_basic", "client_secret_post"],
            "request_uri_parameter_supported": false, "claims_parameter_supported": false,
        ]
        // Apple says nothing of PKCE.
        if vendor != .apple { document["code_challenge_methods_supported"] = ["S256"] }
        if vendor != .apple { document["userinfo_endpoint"] = .string(base + "/userinfo") }
        if vendor != .microsoft { document["revocation_endpoint"] = .string(base + "/revoke") }
        if vendor.namesItself { document["authorization_response_iss_parameter_supported"] = true }
        document["grant_types_supported"] = ["authorization_code", "refresh_token"]
        return Answer.json(.object(document))
    }

    private static func subjects(_ vendor: Vendor) -> JSONValue {
        vendor == .microsoft || vendor == .apple ? ["pairwise"] : ["public"]
    }
}

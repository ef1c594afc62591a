// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import Hummingbird

extension Route {
    /// The platform's operations that belong to features which this server has not got. Each is answered as the
    /// platform answers it with the feature switched off, after the checks that come first there: an app that asks
    /// whether it may use the feature is told no in the words that it knows. They do nothing, so callers are not
    /// counted.
    static let switchedOff: [Route] = singleSignOn + provisioning

    private static func off(
        _ method: HTTPRequest.Method, _ path: String, _ access: Access, _ refusal: WireError
    ) -> Route {
        Route(method, path, access, body: .unread) { _ in throw refusal }
    }

    private static let saml = WireError(.notFound, "saml_provider_disabled", "SAML 2.0 is disabled")
    private static let noIdentityProvider = WireError(
        .notFound, "sso_provider_not_found", "SSO Identity Provider not found")

    private static let singleSignOn: [Route] = [
        off(.post, "/sso", .project, saml),
        off(.get, "/sso/saml/metadata", .open, saml),
        off(.post, "/sso/saml/acs", .open, saml),
        Route(.get, "/admin/sso/providers", .administrator) { _ in Answer.object(["items": []]) },
        // The platform takes one in whether or not it may be used; here none is kept.
        off(.post, "/admin/sso/providers", .administrator, saml),
        off(.get, "/admin/sso/providers/{part_id}", .administrator, noIdentityProvider),
        off(.put, "/admin/sso/providers/{part_id}", .administrator, noIdentityProvider),
        off(.delete, "/admin/sso/providers/{part_id}", .administrator, noIdentityProvider),
    ]

    private static let provisioning: [Route] = ["ServiceProviderConfig", "ResourceTypes", "Schemas"].map {
        off(.get, "/scim/v2/" + $0, .open, WireError(.notFound, "feature_disabled", "SCIM server is disabled"))
    }
}

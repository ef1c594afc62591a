// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird

extension Route {
    private static let signing: Set<Vendor> = [.google, .apple, .microsoft, .openID, .facebook]
    private static let discovered: Set<Vendor> = [.google, .apple, .microsoft, .openID]

    /// Every operation there is.
    static let all: [Route] = [
        // For whoever tries the server out.
        Route(.get, "", for: .person, OverviewPage.get),
        Route(.post, "/revoke", .form, for: .person, OverviewPage.revoke),
        // For scripts.
        Route(.post, "/id-token", .json, IDTokenEndpoint.post),
        Route(.post, "/notification", .json, NotificationEndpoint.post),
        // For the app's server and for its users' browsers.
        Route(.get, "/{provider}/.well-known/openid-configuration", of: discovered, DiscoveryEndpoint.get),
        Route(.get, "/{provider}/keys", of: signing, KeysEndpoint.get),
        Route(.get, "/{provider}/authorize", for: .person, AuthorizeEndpoint.get),
        Route(.post, "/{provider}/authorize", .form, for: .person, AuthorizeEndpoint.post),
        Route(.post, "/{provider}/token", .form, TokenEndpoint.post),
        Route(.get, "/{provider}/token", of: [.facebook], TokenEndpoint.post),
        Route(.get, "/{provider}/userinfo", of: [.google, .microsoft, .openID], ProfileEndpoint.userInfo),
        Route(.post, "/{provider}/revoke", .form, of: [.google, .apple, .openID], RevocationEndpoint.post),
        Route(.get, "/{provider}/user", of: [.gitHub], ProfileEndpoint.gitHubUser),
        Route(.get, "/{provider}/user/emails", of: [.gitHub], ProfileEndpoint.gitHubEmails),
        Route(.get, "/{provider}/me", of: [.facebook], ProfileEndpoint.facebookUser),
        Route(.get, "/{provider}/debug_token", of: [.facebook], ProfileEndpoint.facebookToken),
        Route(.delete, "/{provider}/me/permissions", of: [.facebook], RevocationEndpoint.facebook),
        Route(.delete, "/{provider}/applications/{client}/grant", .json, of: [.gitHub], RevocationEndpoint.gitHub),
        Route(.post, "/{provider}/applications/{client}/token", .json, of: [.gitHub], ProfileEndpoint.gitHubToken),
        // Microsoft's directories each have a place of their own.
        Route(
            .get, "/{provider}/{tenant}/v2.0/.well-known/openid-configuration", of: [.microsoft], DiscoveryEndpoint.get),
    ]
}

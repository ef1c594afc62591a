// SPDX-License-Identifier: Apache-2.0

import AuthTypes

extension DirectorySettings {
    /// The authorization server of a dialect that has one of its own, whose users are asked by a page of the app's
    /// site. Our own provider and its pages need none of it.
    public struct OAuthServer: Sendable, Equatable {
        public var enabled = false
        /// Whether anybody may register a client (RFC 7591, section 1.2).
        public var dynamicRegistration = false
        /// Where the page is that asks, below ``DirectorySettings/siteURL``; empty for none.
        public var authorizationPath = ""
        /// How long that page may take.
        public var authorizationLifetime: Int64 = 600
        /// What a request asks for that names no scope.
        public var defaultScope = "email"
    }

    static let oauthServers: Table = [
        .flag(
            "oauthServer.enabled", \.oauthServer.enabled, key: "directory.oauthServer.enabled",
            "whether apps of others may have users sign in by a page of the site's own, in the dialect that has such a server",
            risk: "their tokens read what the user reads by the data API: it judges by role and user, not by scope"),
        .flag(
            "oauthServer.dynamicRegistration", \.oauthServer.dynamicRegistration,
            key: "directory.oauthServer.dynamicRegistration", "whether anybody may register an app there",
            risk: "anybody can put an app of any name before your users, who are asked by that name"),
        .text(
            "oauthServer.authorizationPath", \.oauthServer.authorizationPath,
            key: "directory.oauthServer.authorizationPath", default: "none: no app is answered",
            "the path below directory.siteUrl of the page that asks the user"),
        .whole(
            "oauthServer.authorizationLifetime", \.oauthServer.authorizationLifetime, in: 1...86_400,
            key: "directory.oauthServer.authorizationLifetime", "seconds that this page may take"),
        .text(
            "oauthServer.defaultScope", \.oauthServer.defaultScope, key: "directory.oauthServer.defaultScope",
            "the scopes of a request that names none"),
    ]
}

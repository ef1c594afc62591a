// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What somebody has agreed to, once: a code and all tokens that come of it stand for it.
struct Grant: Sendable {
    var vendor: Vendor
    var clientID: String
    var person: Person
    var scopes: [String]
    var nonce: String?
    var redirectURI: String
    /// Of PKCE, always `S256`.
    var challenge: String?
    /// Whether a refresh token was asked for.
    var isOffline = false
    var behaviour = Behaviour.normal
    var signedInAt: Instant
}

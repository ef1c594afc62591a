// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What a client may ask for when it sends users here to sign in (RFC 6749). What it names in a request
/// (``AuthorizationRequest``) is held against this, letter by letter.
public struct ClientAuthorization: Sendable, Equatable {
    /// RFC 6749, section 1.3, by the names that its requests have for them.
    public enum Grant: String, Sendable, CaseIterable {
        case code
        case implicit
        case clientCredentials = "client_credentials"
    }

    /// Whether users are asked before the client is given what it asks for.
    public enum Consent: String, Sendable, CaseIterable {
        /// The operator's own app.
        case notAsked = "not_asked"
        /// Once for each scope: what a user has agreed to is remembered.
        case remembered
        case always
    }

    /// Whether the client may send users here at all.
    public var isEnabled = false
    public var grants: [Grant] = []
    /// RFC 6749, section 3.3: tokens without spaces.
    public var scopes: [String] = []
    /// Where users may be sent back to, and where a request that does not say sends them.
    public var redirectURIs: [String] = []
    public var defaultRedirectURI: String?
    /// Where users may be sent to once they have signed out.
    public var signOutURIs: [String] = []
    /// By the names that the Directory has for them.
    public var identityProviders: [String] = []
    public var consent = Consent.notAsked

    public init() {}
}

// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What a client may ask for when it sends users here to sign in (RFC 6749). What it names in a request
/// (``AuthorizationRequest``) is held against this, letter by letter.
public struct ClientAuthorization: Sendable, Equatable {
    /// What a client may be given tokens for (RFC 6749, section 1.3; RFC 8628; RFC 8693), by the names of RFC 7591's
    /// `grant_types`, the last two but for their prefix `urn:ietf:params:oauth:grant-type:` and in one way of writing.
    public enum Grant: String, Sendable, CaseIterable {
        case code = "authorization_code"
        /// Kept for dialects whose clients name it. No endpoint of ours gives tokens for it.
        case implicit
        case refreshToken = "refresh_token"
        case clientCredentials = "client_credentials"
        case deviceCode = "device_code"
        /// RFC 8693: a server acts for users whose tokens it is handed.
        case tokenExchange = "token_exchange"
    }

    /// What signs the ID tokens of a client (OpenID Connect Registration, `id_token_signed_response_alg`).
    public enum IDTokenAlgorithm: String, Sendable, CaseIterable {
        /// What every relying party takes (OpenID Connect Core, section 15.1).
        case rs256 = "RS256"
        case es256 = "ES256"
    }

    /// What a client signs its requests by (RFC 7518, section 3.1; RFC 8037): whoever can verify can't sign by it.
    public enum RequestAlgorithm: String, Sendable, CaseIterable {
        case rs256 = "RS256"
        case rs384 = "RS384"
        case rs512 = "RS512"
        case ps256 = "PS256"
        case ps384 = "PS384"
        case ps512 = "PS512"
        case es256 = "ES256"
        case es384 = "ES384"
        case es512 = "ES512"
        case edDSA = "EdDSA"
    }

    /// A set of rules that somebody else has written down, which a client is held to as a whole.
    public enum Profile: String, Sendable, CaseIterable {
        /// FAPI 2.0 Security Profile.
        case fapi2
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
    /// Where the app itself is, for whoever can't be sent back to it with an answer (RFC 7591, `client_uri`).
    public var homeURI: String?
    /// Whom the client's access tokens may be for, beside this server (RFC 8707): absolute URIs.
    public var resources: [String] = []
    /// By the names that the Directory has for them.
    public var identityProviders: [String] = []
    /// Whether users sign in to the client by ``identityProviders`` alone: what they have in the Directory itself, a
    /// password or a code, is then no way to it.
    public var providersOnly = false
    public var consent = Consent.notAsked
    /// How the client shows that it is the one it says; `nil` where nobody registered a way, and its secrets say it:
    /// see ``Client/authenticates(by:)``.
    public var authentication: ClientAuthenticationMethod?
    /// The public keys of a client that signs its assertions: a JWK Set (RFC 7517, section 5). Nothing is ever fetched.
    public var keys: JSONObject?
    /// Where the client is told that a session has ended (OpenID Connect Back-Channel Logout 1.0, section 2.2).
    public var backchannelLogoutURI: String?
    public var idTokenAlgorithm = IDTokenAlgorithm.rs256
    /// Whether a request must have been pushed by the client itself first (RFC 9126, section 6).
    public var requiresPushedRequests = false
    /// Whether a request must be one that the client has signed (RFC 9101, section 10.5).
    public var requiresSignedRequests = false
    /// What requests are signed by, and by nothing else (OpenID Connect Registration, `request_object_signing_alg`);
    /// `nil` for whatever is taken here.
    public var requestAlgorithm: RequestAlgorithm?
    /// Whether a client that could do without must send a code challenge: see ``Client/requiresPKCE``.
    public var requiresPKCE = false
    /// Whether the client's tokens are bound to a key of its own (RFC 9449, section 5.2).
    public var isDPoPBound = false
    /// What the settings above may not fall short of.
    public var profile: Profile?

    public init() {}
}

// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What somebody asked for who is to be given an authorization code (RFC 6749, section 4.1.1; OpenID Connect Core,
/// section 3.1.2.1). Nobody else can use the code, and for nothing else.
public struct AuthorizationRequest: Sendable, Hashable {
    /// The registered client; `nil` in dialects that register none.
    public var clientID: ClientID?
    /// Where the request wanted the code to be sent; `nil` where it named no place, and the exchange need not either.
    public var redirectURI: String?
    public var scopes: [String]
    /// To be repeated in the ID token.
    public var nonce: String?
    public var challenge: CodeChallenge

    public init(
        clientID: ClientID? = nil, redirectURI: String? = nil, scopes: [String] = [], nonce: String? = nil,
        challenge: CodeChallenge
    ) {
        self.clientID = clientID
        self.redirectURI = redirectURI
        self.scopes = scopes
        self.nonce = nonce
        self.challenge = challenge
    }

    /// Whether an exchange is that of whoever asked (RFC 6749, section 4.1.3), the verifier aside.
    public func isOf(client: ClientID?, redirectURI given: String?) -> Bool {
        clientID == client && (redirectURI == nil || redirectURI == given)
    }
}

/// The `S256` challenge of a request: BASE64URL(SHA256(verifier)) (RFC 7636, section 4.2).
public struct CodeChallenge: Sendable, Hashable {
    public let rawValue: String

    /// `nil` for a text that no verifier leads to.
    public init?(_ text: String) {
        guard PKCE.isChallenge(text) else { return nil }
        rawValue = text
    }

    /// What whoever knows `verifier` sends ahead.
    public init(for verifier: String) { rawValue = PKCE.challenge(for: verifier) }

    public func isMet(by verifier: String) -> Bool { PKCE.verify(verifier, against: rawValue) }
}

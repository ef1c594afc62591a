// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What somebody asked for who is to be given an authorization code (RFC 6749, section 4.1.1; OpenID Connect Core,
/// section 3.1.2.1). Nobody else can use the code, and for nothing else.
public struct AuthorizationRequest: Sendable, Hashable {
    /// The registered client; `nil` in dialects that register none.
    public var clientID: ClientID?
    /// Where the request wanted the code to be sent; `nil` where it named no place, and the exchange need not either.
    public var redirectURI: String?
    /// What is asked for; in a code what was granted of it.
    public var scopes: [String]
    /// To be repeated in the ID token.
    public var nonce: String?
    /// `nil` only for a client that proves itself at the token endpoint: a verifier is then refused (RFC 9700,
    /// section 4.8.2).
    public var challenge: CodeChallenge?
    /// Whom the access token is for (RFC 8707): absolute URIs.
    public var resources: [String]
    /// The `claims` parameter (OpenID Connect Core, section 5.5), as it was sent.
    public var claims: JSONObject
    /// The thumbprint of the key that the code is bound to (`dpop_jkt`; RFC 9449, section 10).
    public var dpopKey: String?

    public init(
        clientID: ClientID? = nil, redirectURI: String? = nil, scopes: [String] = [], nonce: String? = nil,
        challenge: CodeChallenge?, resources: [String] = [], claims: JSONObject = [:], dpopKey: String? = nil
    ) {
        self.clientID = clientID
        self.redirectURI = redirectURI
        self.scopes = scopes
        self.nonce = nonce
        self.challenge = challenge
        self.resources = resources
        self.claims = claims
        self.dpopKey = dpopKey
    }

    /// Whether an exchange is that of whoever asked (RFC 6749, section 4.1.3), the verifier aside.
    public func isOf(client: ClientID?, redirectURI given: String?) -> Bool {
        clientID == client && (redirectURI == nil || redirectURI == given)
    }

    /// Whether an exchange brings what the challenge asks for: the verifier behind it, and none where there was no
    /// challenge (RFC 7636, section 4.6; RFC 9700, section 4.8.2).
    public func isMet(by verifier: String?) -> Bool {
        guard let challenge else { return verifier == nil }
        return challenge.isMet(by: verifier ?? "")
    }
}

// SPDX-License-Identifier: Apache-2.0

/// What a token is for. One kind is never taken for another (RFC 8725, section 3.11).
public enum TokenKind: String, Sendable, Hashable, CaseIterable {
    /// Opens an API (RFC 6749, section 1.4; RFC 9068).
    case access
    /// Says who signed in, to the client that asked (OpenID Connect Core 1.0, section 2). It opens no API.
    case id
    /// Buys a new access token from its issuer, and is of no use anywhere else.
    case refresh
    /// Tells a client that a session has ended (OpenID Connect Back-Channel Logout 1.0, section 2.4).
    case logout
    /// A session cookie that an issuer has minted from an ID token.
    case session
}

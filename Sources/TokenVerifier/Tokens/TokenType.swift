// SPDX-License-Identifier: Apache-2.0

/// What a token's header may say of its type (`typ`; RFC 7515, section 4.1.9). A profile names each that it accepts, so
/// that a token of any other use is refused (RFC 8725, section 3.11).
public struct TokenType: Sendable, Hashable {
    /// In lower case, without `application/`; empty where the header has none.
    let name: String

    /// - Parameter name: a media type, with `application/` or without, in any case (RFC 2045, section 5.1).
    public init(_ name: String) {
        let name = name.lowercased()
        self.name = name.hasPrefix("application/") ? String(name.dropFirst(12)) : name
    }

    /// The header has no `typ`.
    public static let none = TokenType("")
    /// A JWT of no use in particular (RFC 7519, section 5.1).
    public static let jwt = TokenType("jwt")
    /// RFC 9068, section 2.1.
    public static let accessToken = TokenType("at+jwt")
    /// OpenID Connect Back-Channel Logout 1.0, section 2.4.
    public static let logoutToken = TokenType("logout+jwt")
}

// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes

/// An error as OAuth says it (RFC 6749, sections 4.1.2.1 and 5.2; RFC 6750, section 3.1), in whichever dialect's words it is
/// then sent.
public struct OAuthError: Error, Sendable, Equatable {
    public var status: HTTPResponse.Status
    public var code: String
    /// For the client's developer.
    public var description: String
    /// What a `401` or a `403` asks for; `nil` for none.
    public var challenge: String?
    public var retryAfter: Span?
    /// What the next proof of a key is to have (RFC 9449, section 8).
    public var nonce: String?

    public init(
        _ status: HTTPResponse.Status, _ code: String, _ description: String, challenge: String? = nil,
        retryAfter: Span? = nil
    ) {
        self.status = status
        self.code = code
        self.description = Self.printable(description)
        self.challenge = challenge
        self.retryAfter = retryAfter
    }

    /// RFC 6749, section 5.2: `%x20-21 / %x23-5B / %x5D-7E`. What comes of what a client sent must not end the text.
    private static func printable(_ text: String) -> String {
        let kept = text.utf8.prefix(300).filter { (32...126).contains($0) && $0 != 0x22 && $0 != 0x5C }
        return String(decoding: kept, as: UTF8.self)
    }

    /// A parameter's name in a description: names are the client's own words.
    public static func name(_ name: String) -> String { printable(String(name.prefix(40))) }
}

// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto

/// Names one browser, whether or not somebody is signed in there: 128 random bits that a cookie holds. What is begun in
/// a browser is bound to it, so that what one browser was sent is worth nothing in another. Whoever knows it could
/// finish what was begun there, so that the store is given its hash alone.
public struct BrowserID: Sendable, Hashable {
    private static let length = 16

    private let bytes: [UInt8]

    /// A new one.
    public init(random: any RandomSource) {
        bytes = random.bytes(Self.length)
    }

    /// Reads what a cookie holds: Base64URL, 22 characters. `nil` for any other text.
    public init?(_ text: String) {
        guard text.utf8.count == (Self.length * 4 + 2) / 3, let bytes = Base64URL.decode(text),
            bytes.count == Self.length
        else { return nil }
        self.bytes = bytes
    }

    /// For the cookie.
    public var text: String { Base64URL.encode(bytes) }

    /// SHA-256, by which the store knows the browser: random enough to need no key.
    public var hash: [UInt8] { Array(SHA256.hash(data: bytes)) }
}

extension BrowserID: CustomStringConvertible, CustomReflectable {
    public var description: String { "[redacted]" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension DialectName {
    /// That of the sessions that a browser has with this server itself, by which apps sign in one after the other.
    public static let browser = DialectName("browser")
}

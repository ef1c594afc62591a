// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What the server keeps to judge a sign-in by the Secure Remote Password protocol (RFC 5054, section 2.4), in the
/// group and with the hash of room `SRP`. Whoever has it can try out passwords against it, as with a hash.
public struct SRPVerifier: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
    public static let saltLength = 16

    /// 16 random bytes.
    public let salt: [UInt8]
    /// `g^x mod N`, big-endian.
    public let verifier: Secret<[UInt8]>

    public init(salt: [UInt8], verifier: Secret<[UInt8]>) {
        self.salt = salt
        self.verifier = verifier
    }

    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.salt == rhs.salt && constantTimeEqual(lhs.verifier.reveal(), rhs.verifier.reveal())
    }

    public var description: String { "[redacted]" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Marks a password that an administrator set, and that opens nothing but the choice of another one.
public struct TemporaryPassword: Sendable, Equatable {
    /// When it ceases to do even that; `nil` for never.
    public var expiresAt: Instant?

    public init(expiresAt: Instant?) {
        self.expiresAt = expiresAt
    }

    public func hasExpired(at now: Instant) -> Bool { expiresAt.map { $0 <= now } ?? false }
}

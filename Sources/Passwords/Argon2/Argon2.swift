// SPDX-License-Identifier: Apache-2.0

/// What an Argon2 tag is computed from, but for the password (RFC 9106, section 3.1).
struct Argon2: Sendable, Hashable {
    /// Section 3.2's `y`, by its number.
    enum Kind: Int32, Sendable {
        case argon2d = 0
        case argon2i = 1
        case argon2id = 2
    }

    static let saltLength = 16
    static let tagLength = 32
    /// The version of RFC 9106. The one before, 0x10, is in imported hashes alone.
    static let currentVersion: UInt32 = 0x13

    var kind = Kind.argon2id
    var version = currentVersion
    var parameters: Argon2Parameters
    var salt: [UInt8]
    var associatedData: [UInt8] = []
    /// Octets of the tag.
    var length = tagLength
}

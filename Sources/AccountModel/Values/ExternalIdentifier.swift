// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What a user is called where they came from, kept beside our own identifier (what RFC 7643, section 3.1, calls an
/// `externalId`): 1 to 128 characters, none of them a control character.
///
/// Kept and compared octet by octet: apps and their databases hold the very same text.
public struct ExternalIdentifier: Sendable, Hashable, CustomStringConvertible {
    /// What 128 code points can take in UTF-8.
    public static let maximumOctets = 512
    private static let maximumLength = 128

    public let rawValue: String

    /// Throws ``AuthErrorCode/invalidRequest`` with the field `external_identifiers` when `text` is no such identifier.
    public init(_ text: String) throws(AuthError) {
        guard (1...Self.maximumOctets).contains(text.utf8.count), text.unicodeScalars.count <= Self.maximumLength,
            !text.unicodeScalars.contains(where: Self.isControl), StreamSafeText.accepts(text)
        else {
            throw AuthError(
                .invalidRequest, reason: "1 to 128 characters without control characters are needed",
                field: "external_identifiers")
        }
        rawValue = text
    }

    public var description: String { rawValue }

    public static func == (lhs: Self, rhs: Self) -> Bool { rhs.matches(lhs.rawValue) }

    public func hash(into hasher: inout Hasher) {
        // Texts of the same octets have one hash, whichever others have it too.
        hasher.combine(rawValue)
    }

    /// Whether `text` is this identifier, by its octets.
    public func matches(_ text: String) -> Bool { rawValue.utf8.elementsEqual(text.utf8) }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        // Most are of ASCII, whose kind needs no table.
        if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return true
        default: return false
        }
    }
}

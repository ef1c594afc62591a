// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// A name by which a user signs in, beside or instead of an address. Unique in a Directory without regard to how a
/// keyboard composes its letters, nor to case unless the Directory says otherwise.
///
/// A name may have the form of a UUID, and a user without one is called by their identifier: that nobody takes
/// another's identifier for a name is for whoever looks names up to see to.
public struct Username: Sendable, Hashable, CustomStringConvertible {
    /// As it was given: 1 to 128 characters, none of them white space, a control character or unassigned.
    public let rawValue: String
    /// What two spellings of one name share: Normalization Form C, in lower case unless names are told apart by it.
    public let key: String

    /// Throws ``AuthErrorCode/invalidRequest`` with the field `username` when `text` is not such a name.
    ///
    /// - Parameter isCaseSensitive: whether another case is another name, as the Directory has it.
    public init(_ text: String, isCaseSensitive: Bool = false) throws(AuthError) {
        let scalars = text.unicodeScalars
        guard (1...128).contains(scalars.count), scalars.allSatisfy(Self.isAllowed) else {
            throw AuthError(.invalidRequest, reason: "not a user name", field: "username")
        }
        rawValue = text
        key = Self.key(text, isCaseSensitive: isCaseSensitive)
    }

    /// A name that was stored with its key, by which it is told whether its case counts. A key that can't be this
    /// name's is made anew.
    ///
    /// - Throws: ``AuthErrorCode/invalidRequest``.
    package init(_ text: String, key: String?) throws(AuthError) {
        let name = try Self(text, isCaseSensitive: true)
        let isExact = key.map { $0.utf8.elementsEqual(name.key.utf8) } ?? false
        self = isExact ? name : try Self(text)
    }

    /// ``key`` of a name, or of the beginning of one.
    ///
    /// - Parameter text: at most as long as a name may be.
    package static func key(_ text: String, isCaseSensitive: Bool) -> String {
        isCaseSensitive ? text.composed : text.composed.lowercased().composed
    }

    public var description: String { rawValue }

    // Two names are one where the store says so: by the code points of their keys.
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.key.utf8.elementsEqual(rhs.key.utf8) }

    public func hash(into hasher: inout Hasher) {
        for byte in key.utf8 { hasher.combine(byte) }
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator,
            .spaceSeparator:
            false
        default: true
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

/// A rule that a password breaks, with the key of its localized text.
public struct PasswordViolation: RawRepresentable, Sendable, Hashable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    private init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    public static let minimumLength = Self("auth.error_password_min_length")
    public static let maximumLength = Self("auth.error_password_max_length")
    public static let uppercase = Self("auth.error_password_uppercase")
    public static let lowercase = Self("auth.error_password_lowercase")
    public static let number = Self("auth.error_password_number")
    public static let symbol = Self("auth.error_password_symbol")
    /// One character of some other required set is missing.
    public static let characters = Self("auth.error_password_characters")
    public static let common = Self("auth.error_password_common")
    public static let context = Self("auth.error_password_context")
}

// SPDX-License-Identifier: Apache-2.0

/// A rule that a password breaks. Its raw value is the ``MessageKey`` of its localized text.
public enum PasswordViolation: String, Sendable, Hashable, CaseIterable {
    /// It is shorter than the rule says.
    case minimumLength = "auth.error_password_min_length"
    /// It is longer than what is taken.
    case maximumLength = "auth.error_password_max_length"
    /// It has no upper-case letter.
    case uppercase = "auth.error_password_uppercase"
    /// It has no lower-case letter.
    case lowercase = "auth.error_password_lowercase"
    /// It has no digit.
    case number = "auth.error_password_number"
    /// It has no special character.
    case symbol = "auth.error_password_symbol"
    /// One character of some other required set is missing.
    case characters = "auth.error_password_characters"
    /// It is among those that are known to many.
    case common = "auth.error_password_common"
    /// It has the name or the address of its user in it, or the name of the service.
    case context = "auth.error_password_context"
}

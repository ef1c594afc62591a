// SPDX-License-Identifier: Apache-2.0

/// A rule that a password breaks. Its raw value is the ``MessageKey`` of its localized text.
public enum PasswordViolation: String, Sendable, Hashable, CaseIterable {
    case minimumLength = "auth.error_password_min_length"
    case maximumLength = "auth.error_password_max_length"
    case uppercase = "auth.error_password_uppercase"
    case lowercase = "auth.error_password_lowercase"
    case number = "auth.error_password_number"
    case symbol = "auth.error_password_symbol"
    /// One character of some other required set is missing.
    case characters = "auth.error_password_characters"
    case common = "auth.error_password_common"
    case context = "auth.error_password_context"
}

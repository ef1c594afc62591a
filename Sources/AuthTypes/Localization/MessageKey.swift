// SPDX-License-Identifier: Apache-2.0

/// The key of a text that a user may see, as an app's own translation files name it. Each has a text in every
/// ``MessageLanguage``.
public struct MessageKey: RawRepresentable, Sendable, Hashable {
    /// As translation files write it: `auth.` and words in snake case.
    public let rawValue: String

    /// Any key, also an app's own.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    private init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    // Errors that several codes share.
    /// Of a link or a code that is wrong, used or too old.
    public static let invalidToken = Self("auth.error_invalid_token")
    /// Of a fault of the service.
    public static let server = Self("auth.error_server")
    /// Of too many calls.
    public static let rateLimit = Self("auth.error_rate_limit")
    /// Where an answer does not say which of an account's addresses and numbers is meant.
    public static let accountNotConfirmed = Self("auth.error_account_not_confirmed")

    // Errors that no code of the server stands for.
    /// Where the service can't be reached.
    public static let network = Self("auth.error_network")
    /// Of a sign-in without a network.
    public static let offlineLogin = Self("auth.error_offline_login")
    /// Of a link that leads where links may not lead.
    public static let invalidRedirect = Self("auth.error_invalid_redirect")
    /// Needs the value `minutes`.
    public static let accountLocked = Self("auth.error_account_locked")

    // The rules of a password.
    /// Of ``PasswordViolation/minimumLength``.
    public static let passwordMinimumLength = Self("auth.error_password_min_length")
    /// Of ``PasswordViolation/maximumLength``.
    public static let passwordMaximumLength = Self("auth.error_password_max_length")
    /// Of ``PasswordViolation/uppercase``.
    public static let passwordUppercase = Self("auth.error_password_uppercase")
    /// Of ``PasswordViolation/lowercase``.
    public static let passwordLowercase = Self("auth.error_password_lowercase")
    /// Of ``PasswordViolation/number``.
    public static let passwordNumber = Self("auth.error_password_number")
    /// Of ``PasswordViolation/symbol``.
    public static let passwordSymbol = Self("auth.error_password_symbol")
    /// Of ``PasswordViolation/characters``.
    public static let passwordCharacters = Self("auth.error_password_characters")
    /// Of ``PasswordViolation/common``.
    public static let passwordCommon = Self("auth.error_password_common")
    /// Of ``PasswordViolation/context``.
    public static let passwordContext = Self("auth.error_password_context")

    // Good news.
    /// The address is confirmed.
    public static let emailVerified = Self("auth.email_verified")

    // The page that a mailed link opens.
    package static let linkConfirm = Self("auth.link_confirm")
    package static let linkInvitation = Self("auth.link_invitation")
    package static let linkSignIn = Self("auth.link_sign_in")
    package static let linkRecovery = Self("auth.link_recovery")
    package static let linkUnlock = Self("auth.link_unlock")
    package static let linkExport = Self("auth.link_export")
    package static let linkStopRecovery = Self("auth.link_stop_recovery")
    package static let linkEmailChange = Self("auth.link_email_change")
    /// Needs the values `site` and `address`.
    package static let linkSent = Self("auth.link_sent")
    /// Needs the value `address`.
    package static let linkNewAddress = Self("auth.link_new_address")
    /// Needs the value `time`.
    package static let linkSignedUp = Self("auth.link_signed_up")
    /// Needs the values `time` and `place`.
    package static let linkSignedUpFrom = Self("auth.link_signed_up_from")
    package static let linkButton = Self("auth.link_button")
    package static let linkExportButton = Self("auth.link_export_button")
    package static let linkExportNote = Self("auth.link_export_note")
    package static let linkStopRecoveryButton = Self("auth.link_stop_recovery_button")
    package static let linkNote = Self("auth.link_note")
}

extension AuthError {
    /// Whole minutes to wait, a begun one among them; `nil` where nobody knows.
    public var minutesToWait: Int64? {
        retryAfter.map { max(1, ($0.microseconds / 60_000_000) + ($0.microseconds % 60_000_000 > 0 ? 1 : 0)) }
    }
}

extension AuthErrorCode {
    /// The key of this error's text. Codes that a user can do nothing different about share one.
    public var messageKey: MessageKey {
        switch self {
        case .oneTimeTokenInvalid, .flowStateNotFound, .flowStateExpired: .invalidToken
        case .internalFailure, .unavailable, .overloaded: .server
        // With the minutes left there is a text that names them: `accountLocked`.
        case .rateLimited, .accountLocked: .rateLimit
        default: MessageKey(rawValue: "auth.error_" + rawValue)
        }
    }
}

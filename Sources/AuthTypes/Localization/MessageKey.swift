// SPDX-License-Identifier: Apache-2.0

/// The key of a text that a user may see, as an app's own translation files name it. ``MessageCatalog`` has the texts.
public struct MessageKey: RawRepresentable, Sendable, Hashable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    private init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    // Errors that several codes share.
    public static let invalidToken = Self("auth.error_invalid_token")
    public static let server = Self("auth.error_server")
    public static let rateLimit = Self("auth.error_rate_limit")
    /// Where an answer does not say which of an account's addresses and numbers is meant.
    public static let accountNotConfirmed = Self("auth.error_account_not_confirmed")

    // Errors that no code of the server stands for.
    public static let network = Self("auth.error_network")
    public static let offlineLogin = Self("auth.error_offline_login")
    public static let invalidRedirect = Self("auth.error_invalid_redirect")
    /// Needs the value `minutes`.
    public static let accountLocked = Self("auth.error_account_locked")

    // The rules of a password.
    public static let passwordMinimumLength = Self("auth.error_password_min_length")
    public static let passwordMaximumLength = Self("auth.error_password_max_length")
    public static let passwordUppercase = Self("auth.error_password_uppercase")
    public static let passwordLowercase = Self("auth.error_password_lowercase")
    public static let passwordNumber = Self("auth.error_password_number")
    public static let passwordSymbol = Self("auth.error_password_symbol")
    public static let passwordCharacters = Self("auth.error_password_characters")
    public static let passwordCommon = Self("auth.error_password_common")
    public static let passwordContext = Self("auth.error_password_context")

    // Good news.
    public static let emailVerified = Self("auth.email_verified")

    // The page that a mailed link opens.
    public static let linkConfirm = Self("auth.link_confirm")
    public static let linkInvitation = Self("auth.link_invitation")
    public static let linkSignIn = Self("auth.link_sign_in")
    public static let linkRecovery = Self("auth.link_recovery")
    public static let linkUnlock = Self("auth.link_unlock")
    public static let linkExport = Self("auth.link_export")
    public static let linkStopRecovery = Self("auth.link_stop_recovery")
    public static let linkEmailChange = Self("auth.link_email_change")
    /// Needs the values `site` and `address`.
    public static let linkSent = Self("auth.link_sent")
    /// Needs the value `address`.
    public static let linkNewAddress = Self("auth.link_new_address")
    /// Needs the value `time`.
    public static let linkSignedUp = Self("auth.link_signed_up")
    /// Needs the values `time` and `place`.
    public static let linkSignedUpFrom = Self("auth.link_signed_up_from")
    public static let linkButton = Self("auth.link_button")
    public static let linkExportButton = Self("auth.link_export_button")
    public static let linkExportNote = Self("auth.link_export_note")
    public static let linkStopRecoveryButton = Self("auth.link_stop_recovery_button")
    public static let linkNote = Self("auth.link_note")
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

// SPDX-License-Identifier: Apache-2.0

import AccountModel

/// What the code of a mail is for, as links and requests of this dialect name it.
enum ActionMode: String, Sendable {
    case resetPassword
    case verifyEmail
    case verifyAndChangeEmail
    case signIn

    /// How a link for this purpose names it. `nil` for what goes out without a link.
    init?(_ purpose: OneTimeToken.Purpose) {
        switch purpose {
        case .recovery: self = .resetPassword
        case .signUpConfirmation, .invitation: self = .verifyEmail
        case .emailChangeCurrent, .emailChangeNew: self = .verifyAndChangeEmail
        case .magicLink: self = .signIn
        case .unlock, .export, .phoneSignIn, .phoneChange, .reauthentication, .factorRecoveryStop: return nil
        }
    }

    /// The `requestType` of the platform.
    var requestType: String {
        switch self {
        case .resetPassword: "PASSWORD_RESET"
        case .verifyEmail: "VERIFY_EMAIL"
        case .verifyAndChangeEmail: "VERIFY_AND_CHANGE_EMAIL"
        case .signIn: "EMAIL_SIGNIN"
        }
    }

    /// The purposes whose proof only confirms an address.
    static let confirming: [OneTimeToken.Purpose] = [
        .signUpConfirmation, .invitation, .emailChangeCurrent, .emailChangeNew,
    ]
    /// The modes whose link does nothing else.
    static let confirmations: [ActionMode] = [.verifyEmail, .verifyAndChangeEmail]
    /// The purposes whose code may be looked at without being spent.
    static let inspectable: [OneTimeToken.Purpose] = confirming + [.recovery, .magicLink]

    /// The platform's enumeration, each case at its number.
    static let requestTypes = [
        "OOB_REQ_TYPE_UNSPECIFIED", "PASSWORD_RESET", "OLD_EMAIL_AGREE", "NEW_EMAIL_ACCEPT", "VERIFY_EMAIL",
        "RECOVER_EMAIL", "EMAIL_SIGNIN", "VERIFY_AND_CHANGE_EMAIL", "REVERT_SECOND_FACTOR_ADDITION",
    ]
}

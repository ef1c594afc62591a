// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts

/// The `type` of a verification as this dialect names it, and the purposes whose proof it accepts.
enum VerificationType: String, Sendable {
    case signup
    case invite
    case magiclink
    case recovery
    case email
    case emailChange = "email_change"
    case sms
    case phoneChange = "phone_change"

    var purposes: [OneTimeToken.Purpose] {
        switch self {
        case .signup, .invite: [.signUpConfirmation, .invitation]
        // The platform keeps one token for the two, so apps name either. Somebody who asks for a link with a new
        // address is sent a confirmation, which is then the sign-in.
        case .magiclink: [.magicLink, .recovery, .signUpConfirmation]
        case .recovery: [.recovery, .magicLink]
        case .email: [.magicLink, .signUpConfirmation, .recovery, .invitation]
        case .emailChange: [.emailChangeNew, .emailChangeCurrent]
        case .sms: [.phoneSignIn, .signUpConfirmation]
        case .phoneChange: [.phoneChange]
        }
    }

    /// How a link of this purpose names its type.
    init(_ purpose: OneTimeToken.Purpose) {
        switch purpose {
        case .signUpConfirmation: self = .signup
        case .invitation: self = .invite
        case .magicLink, .reauthentication: self = .magiclink
        case .recovery, .unlock, .export, .factorRecoveryStop: self = .recovery
        case .emailChangeCurrent, .emailChangeNew: self = .emailChange
        case .phoneSignIn: self = .sms
        case .phoneChange: self = .phoneChange
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

extension FactorKind {
    /// What a button or a line of a list calls it.
    public var message: UserMessage {
        switch self {
        case .authenticator: UserMessage(.factorAuthenticator)
        case .phone: UserMessage(.factorPhone)
        case .email: UserMessage(.factorEmail)
        case .securityKey: UserMessage(.factorSecurityKey)
        case .passkey: UserMessage(.factorPasskey)
        case .backupCode: UserMessage(.factorBackupCode)
        case .password: UserMessage(.factorPassword)
        }
    }
}

extension AwaitedStep {
    /// What the screen says above its field. `nil` for what is no factor: a confirmation, a new password, a link to an
    /// account.
    public var factorMessage: UserMessage? {
        switch kind {
        case .oneTimePassword: UserMessage(enrolment == nil ? .factorOfApp : .factorSetUpApp)
        case .code: destination.map { UserMessage(.factorSent, ["destination": $0]) } ?? UserMessage(.factorSentPlain)
        case .passkey: UserMessage(.factorOfKey)
        case .choice: UserMessage(.factorChoice)
        case .enrolment: UserMessage(.factorDemanded)
        case .confirmation, .newPassword, .linking: nil
        }
    }
}

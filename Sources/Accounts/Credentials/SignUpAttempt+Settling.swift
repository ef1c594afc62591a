// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension SignUpAttempt {
    /// Makes the account what this sign-up asked for, now that a message of it has been answered, and ends all that
    /// anybody else left there: sessions, links, other sign-ups. The caller writes the user.
    ///
    /// - Parameter part: what is thereby proved, the address or the number.
    func settle(on user: inout User, proving part: AccountPart, _ step: FlowStep) throws {
        // Where a password signs in before its address is confirmed, this one may have.
        guard user.passwordHash == nil || user.passwordHash != passwordHash else { return }
        let sharesEmail = user.sharesEmail
        try AccountTakeover(step, by: .proof(.signUpConfirmation), proving: part).apply(.signUp(self), to: &user)
        user.pendingPhone = phone
        // What was named beside a number by another sign-up is not this one's.
        if sharesEmail, user.emailVerifiedAt == nil { (user.email, user.sharesEmail) = (email, true) }
        // What an operator has changed since stands.
        if user.origin == .signUp { user.forgetDescription() }
        user.userMetadata = userMetadata.merging(user.userMetadata)
        user.dialectData.lay(under: dialectData)
        // What a program has said of another's sign-up with this address is not said of this one.
        user.dialectData.take(operatorsOf: dialectData)
        if isDisabled { user.bannedUntil = User.forever }
        try AgreementLog.note(agreed, by: user, on: .signUp, step)
    }
}

// SPDX-License-Identifier: Apache-2.0

import AccountModel

extension User {
    /// Takes the address or the number from a user, and whatever waits to take its place. An account that was confirmed
    /// stays so, and what was sent to what is gone proves nothing any more. What the user is called by stays. The caller
    /// writes the user and tells the owner.
    mutating func drop(email wantsEmail: Bool, phone wantsPhone: Bool, _ step: FlowStep) throws {
        let dropsEmail = wantsEmail && !isCalledByEmail && (email != nil || pendingEmail != nil)
        let dropsPhone = wantsPhone && !isCalledByPhone && (phone != nil || pendingPhone != nil)
        guard dropsEmail || dropsPhone else { return }
        if isConfirmed { confirmedAt = confirmedAt ?? step.now }
        if dropsEmail {
            (email, emailVerifiedAt) = (nil, nil)
            (pendingEmail, pendingEmailHalfConfirmed) = (nil, false)
        }
        if dropsPhone { (phone, phoneVerifiedAt, pendingPhone) = (nil, nil, nil) }
        try AccountEnding(step).endProofs(of: self)
        try LocalIdentities(step).align(&self)
    }
}

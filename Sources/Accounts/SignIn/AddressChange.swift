// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// A new address or number that a signed-in user wishes for: pending until it is confirmed, but where the Directory
/// confirms by itself. The caller writes the user.
struct AddressChange {
    private let changes: UserChanges
    private let step: FlowStep

    init(_ changes: UserChanges, _ step: FlowStep) {
        self.changes = changes
        self.step = step
    }

    /// Takes what is to go at once from a user who goes on by their name, before anything is sent.
    func dropFormer(of user: inout User, by removal: PartRemoval) throws {
        var parts: Set<AccountPart> = []
        if changes.dropsFormerEmail, changes.email != user.email { parts.insert(.email) }
        if changes.dropsFormerPhone, changes.phone != user.phone { parts.insert(.phone) }
        try removal.apply(parts, to: &user, keepsName: true)
    }

    /// Notes the wanted address, and sends what confirms it. An anonymous user's may count at once.
    ///
    /// - Throws: ``AuthErrorCode/emailExists`` where it would.
    func email(of user: inout User) throws {
        guard let email = changes.email, email != user.email else { return }
        let owner = try AddressClaims(step).owner(of: email, against: user)
        if user.isAnonymous, step.settings.signUp.emailAutoConfirm {
            guard owner == nil else { throw AuthError(.emailExists, field: "email") }
            user.email = email
            user.emailVerifiedAt = step.now
            try becomeKnown(&user)
            return
        }
        try step.record(.emailChangeRequested, user)
        guard changes.sendsToEmail else {
            (user.pendingEmail, user.pendingEmailHalfConfirmed) = (email, false)
            return
        }
        if let wait = wait(since: user.sent.emailChange) {
            // The same request has just been answered: a double tap, or a proxy that tried again.
            guard user.pendingEmail != email else { return }
            throw AuthError(.mailRateLimited, retryAfter: wait)
        }
        let limits = step.ports.limits
        if let current = user.email, step.settings.oneTime.secureEmailChange,
            try !limits.mayReceive(.email(current), call: step.call, in: step.tx)
        {
            throw AuthError(.mailRateLimited)
        }
        // Nothing more for whoever has had enough, which says nothing of whether it is anybody's.
        guard try limits.mayReceive(.email(email), call: step.call, in: step.tx) else {
            return try conceal(email, of: &user, owner: nil)
        }
        // An account that nobody has proved does not stand in the way of whoever will have.
        guard let owner, try owner.isOwned(.email, step.tx) else {
            try OneTimeIssuer(step).sendEmailChange(
                to: email, of: &user, redirectTo: changes.redirectTo, codeChallenge: changes.codeChallenge)
            return
        }
        try conceal(email, of: &user, owner: owner)
    }

    /// How long until another change may be begun, whichever the wanted address; `nil` where it may.
    private func wait(since sent: Instant?) -> TimeSpan? {
        guard let sent else { return nil }
        let left = step.call.resendInterval.microseconds - step.now.age(of: sent).microseconds
        return left > 0 ? TimeSpan(microseconds: left) : nil
    }

    /// The caller is told, and finds in their own mailbox, what they would for a free address; its owner learns of the
    /// attempt. Without a proof for the wanted address the change can't be completed.
    private func conceal(_ email: EmailAddress, of user: inout User, owner: User?) throws {
        let issuer = OneTimeIssuer(step)
        user.pendingEmail = email
        user.pendingEmailHalfConfirmed = false
        user.sent.emailChange = step.now
        try step.tx.deleteOneTimeTokens(
            of: user.id, in: user.directoryID, purposes: [.emailChangeCurrent, .emailChangeNew])
        if let current = user.email, step.settings.oneTime.secureEmailChange {
            try issuer.send(
                .emailChangeCurrent, to: &user, recipient: .email(current), redirectTo: changes.redirectTo,
                codeChallenge: changes.codeChallenge)
        }
        try issuer.rehearse(.emailChangeNew, recipient: .email(email), redirectTo: changes.redirectTo)
        if let owner { try OwnerNotice(step).tellOfAttempt(at: email, of: owner) }
    }

    /// Notes the wanted number, and sends what confirms it.
    ///
    /// - Throws: ``AuthErrorCode/phoneExists`` where it would count at once.
    func phone(of user: inout User) throws {
        guard let phone = changes.phone, phone != user.phone else { return }
        let owner = try AddressClaims(step).owner(of: phone, against: user)
        if step.settings.signUp.phoneAutoConfirm {
            guard owner == nil else { throw AuthError(.phoneExists, field: "phone") }
            user.phone = phone
            user.phoneVerifiedAt = step.now
            try becomeKnown(&user)
            return
        }
        guard changes.sendsToPhone else {
            user.pendingPhone = phone
            return
        }
        if let wait = wait(since: user.sent.phoneChange) {
            guard user.pendingPhone != phone else { return }
            throw AuthError(.messageRateLimited, retryAfter: wait)
        }
        user.pendingPhone = phone
        let mayReceive = try step.ports.limits.mayReceive(.phone(phone), call: step.call, in: step.tx)
        guard try mayReceive && owner?.isOwned(.phone, step.tx) != true else {
            // As with an email address: the same answer, and no code that could be typed.
            user.sent.phoneChange = step.now
            try step.tx.deleteOneTimeTokens(of: user.id, in: user.directoryID, purposes: [.phoneChange])
            try OneTimeIssuer(step).rehearse(.phoneChange, recipient: .phone(phone), redirectTo: nil)
            return
        }
        try OneTimeIssuer(step).send(
            .phoneChange, to: &user, recipient: .phone(phone), redirectTo: nil, codeChallenge: nil)
    }

    private func becomeKnown(_ user: inout User) throws {
        user.isAnonymous = false
        try LocalIdentities(step).align(&user)
        try AgreementLog.noteSignUp(of: user, step)
    }
}

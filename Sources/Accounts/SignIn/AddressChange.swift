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

    /// Refuses what ``email(of:)`` and ``phone(of:)`` would refuse because of what was sent of late. A password that
    /// comes with it is then compared with nothing: the refusal tells nothing of it, and counts as no wrong one.
    ///
    /// - Throws: ``AuthErrorCode/mailRateLimited``, ``AuthErrorCode/messageRateLimited``.
    static func requireRoom(
        for changes: UserChanges, of user: User, limits: AccountLimits, call: CallContext, in tx: any AttemptReading
    ) throws {
        // What is taken from the account first may be what these ask about.
        guard changes.removes.isEmpty, !changes.dropsFormerEmail, !changes.dropsFormerPhone else { return }
        try requireEmailRoom(for: changes, of: user, limits, call, tx)
        try requirePhoneRoom(for: changes, of: user, call)
    }

    private static func requireEmailRoom(
        for changes: UserChanges, of user: User, _ limits: AccountLimits, _ call: CallContext,
        _ tx: any AttemptReading
    ) throws {
        guard let email = changes.email, email != user.email, changes.sendsToEmail,
            !(user.isAnonymous && call.settings.signUp.emailAutoConfirm)
        else { return }
        if let wait = wait(since: user.sent.emailChange, call) {
            guard user.pendingEmail != email else { return }
            throw AuthError(.mailRateLimited, retryAfter: wait)
        }
        let messages = OneTimeIssuer.emailChangeMessages(to: email, of: user, call: call)
        // The user's own mailbox, of which they may hear.
        for message in messages where message.kind == .proof(.emailChangeCurrent) {
            guard try limits.mayReceive(message, call: call, in: tx) else { throw AuthError(.mailRateLimited) }
        }
    }

    private static func requirePhoneRoom(for changes: UserChanges, of user: User, _ call: CallContext) throws {
        guard let phone = changes.phone, phone != user.phone, changes.sendsToPhone,
            !call.settings.signUp.phoneAutoConfirm, user.pendingPhone != phone,
            let wait = wait(since: user.sent.phoneChange, call)
        else { return }
        throw AuthError(.messageRateLimited, retryAfter: wait)
    }

    /// Notes the wanted address, and sends what confirms it. An anonymous user's may count at once.
    ///
    /// - Returns: the messages, as limits count them: also where nothing is sent and nobody is to see that.
    /// - Throws: ``AuthErrorCode/emailExists`` where it would; as ``requireRoom(for:of:limits:call:in:)``.
    func email(of user: inout User) throws -> [SentMessage] {
        guard let email = changes.email, email != user.email else { return [] }
        let owner = try AddressClaims(step).owner(of: email, against: user)
        if user.isAnonymous, step.settings.signUp.emailAutoConfirm {
            guard owner == nil else { throw AuthError(.emailExists, field: "email") }
            user.email = email
            user.emailVerifiedAt = step.now
            try becomeKnown(&user)
            return []
        }
        try step.record(.emailChangeRequested, user)
        guard changes.sendsToEmail else {
            (user.pendingEmail, user.pendingEmailHalfConfirmed) = (email, false)
            return []
        }
        // The same request has just been answered: a double tap, or a proxy that tried again.
        if user.pendingEmail == email, Self.wait(since: user.sent.emailChange, step.call) != nil { return [] }
        let limits = step.ports.limits
        try Self.requireEmailRoom(for: changes, of: user, limits, step.call, step.tx)
        let messages = OneTimeIssuer.emailChangeMessages(to: email, of: user, call: step.call)
        let wanted = SentMessage(
            kind: .proof(.emailChangeNew), recipient: .email(email), isProven: false, account: user.id)
        // Nothing more for whoever has had enough, which says nothing of whether it is anybody's.
        guard try limits.mayReceive(wanted, call: step.call, in: step.tx) else {
            try conceal(wanted, email, of: &user, owner: nil)
            return messages
        }
        // An account that nobody has proved does not stand in the way of whoever will have.
        if let owner, try owner.isOwned(.email, step.tx) {
            try conceal(wanted, email, of: &user, owner: owner)
        } else {
            try OneTimeIssuer(step).sendEmailChange(
                to: email, of: &user, redirectTo: changes.redirectTo, codeChallenge: changes.codeChallenge)
        }
        return messages
    }

    /// How long until another change may be begun, whichever the wanted address; `nil` where it may.
    private static func wait(since sent: Instant?, _ call: CallContext) -> TimeSpan? {
        guard let sent else { return nil }
        let left = call.resendInterval.microseconds - call.now.age(of: sent).microseconds
        return left > 0 ? TimeSpan(microseconds: left) : nil
    }

    /// The caller is told, and finds in their own mailbox, what they would for a free address; its owner learns of the
    /// attempt. Without a proof for the wanted address the change can't be completed.
    private func conceal(
        _ wanted: SentMessage, _ email: EmailAddress, of user: inout User, owner: User?
    ) throws {
        let issuer = OneTimeIssuer(step)
        // Whoever has had as many for this address as they may holds the last of them, and it still works.
        let holdsOne = owner == nil && user.pendingEmail == email
        user.pendingEmail = email
        user.pendingEmailHalfConfirmed = false
        user.sent.emailChange = step.now
        try step.tx.deleteOneTimeTokens(
            of: user.id, in: user.directoryID,
            purposes: holdsOne ? [.emailChangeCurrent] : [.emailChangeCurrent, .emailChangeNew])
        if let current = user.email, step.settings.oneTime.secureEmailChange {
            try issuer.send(
                .emailChangeCurrent, to: &user, recipient: .email(current), redirectTo: changes.redirectTo,
                codeChallenge: changes.codeChallenge)
        }
        try issuer.rehearse(.emailChangeNew, recipient: .email(email), redirectTo: changes.redirectTo)
        if let owner { try OwnerNotice(step).tellOfAttempt(at: email, of: owner, in: wanted) }
    }

    /// Notes the wanted number, and sends what confirms it.
    ///
    /// - Returns: As ``email(of:)``.
    /// - Throws: ``AuthErrorCode/phoneExists`` where it would count at once; as
    ///   ``requireRoom(for:of:limits:call:in:)``.
    func phone(of user: inout User) throws -> [SentMessage] {
        guard let phone = changes.phone, phone != user.phone else { return [] }
        let owner = try AddressClaims(step).owner(of: phone, against: user)
        if step.settings.signUp.phoneAutoConfirm {
            guard owner == nil else { throw AuthError(.phoneExists, field: "phone") }
            user.phone = phone
            user.phoneVerifiedAt = step.now
            try becomeKnown(&user)
            return []
        }
        guard changes.sendsToPhone else {
            user.pendingPhone = phone
            return []
        }
        if user.pendingPhone == phone, Self.wait(since: user.sent.phoneChange, step.call) != nil { return [] }
        try Self.requirePhoneRoom(for: changes, of: user, step.call)
        let isRepeated = user.pendingPhone == phone
        user.pendingPhone = phone
        let message = SentMessage(
            kind: .proof(.phoneChange), recipient: .phone(phone), isProven: false, account: user.id)
        let isOwned = try owner?.isOwned(.phone, step.tx) == true
        guard try !isOwned && step.ports.limits.mayReceive(message, call: step.call, in: step.tx) else {
            // As with an email address: the same answer, and no code that could be typed but one for this number.
            user.sent.phoneChange = step.now
            if isOwned || !isRepeated {
                try step.tx.deleteOneTimeTokens(of: user.id, in: user.directoryID, purposes: [.phoneChange])
            }
            try OneTimeIssuer(step).rehearse(.phoneChange, recipient: .phone(phone), redirectTo: nil)
            return [message]
        }
        try OneTimeIssuer(step).send(
            .phoneChange, to: &user, recipient: .phone(phone), redirectTo: nil, codeChallenge: nil)
        return [message]
    }

    private func becomeKnown(_ user: inout User) throws {
        user.isAnonymous = false
        try LocalIdentities(step).align(&user)
        try AgreementLog.noteSignUp(of: user, step)
    }
}

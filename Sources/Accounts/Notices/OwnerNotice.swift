// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Mail

/// The address and the number that lead into an account: whoever reads what is sent there can get in.
struct WaysIn: Sendable, Equatable {
    /// `nil` for one that was never proved, unless it may sign in or has.
    let email: EmailAddress?
    let phone: PhoneNumber?
    /// Whether the number was proved.
    let isPhoneProven: Bool

    init(_ user: User, _ settings: DirectorySettings) {
        let takesUnproven =
            switch settings.signUp.unverifiedSignIn {
            case .allow: true
            case .dialect: user.confirmedAt != nil || user.lastSignInAt != nil
            case .refuse: user.confirmedAt != nil
            }
        email = takesUnproven || user.emailVerifiedAt != nil ? user.email : nil
        phone = takesUnproven || user.phoneVerifiedAt != nil ? user.phone : nil
        isPhoneProven = user.phoneVerifiedAt != nil
    }
}

/// Tells the owner of an account that a way into it has changed, by every way in there was before (OWASP ASVS 5.0,
/// 6.3.7; NIST SP 800-63B-4, section 4.6). The one place that does: each flow that changes an account hands over the
/// user as they were and as they are, and can't forget whom to tell.
struct OwnerNotice {
    private let step: FlowStep

    init(_ step: FlowStep) {
        self.step = step
    }

    /// Puts a message of each changed address and number into the outbox, for each way in that `before` had.
    func tell(_ before: User, became after: User) throws {
        let (old, new) = (WaysIn(before, step.settings), WaysIn(after, step.settings))
        // An address that replaces one is a change even while it is unproved; one that was no way in is none.
        if old.email != new.email, new.email != nil || after.email != before.email {
            let isGone = after.email == nil && after.pendingEmail == nil
            try tell(isGone ? .emailRemoved : .emailChanged, by: old, of: after)
        }
        if old.phone != new.phone, new.phone != nil || after.phone != before.phone {
            let isGone = after.phone == nil && after.pendingPhone == nil
            try tell(isGone ? .phoneRemoved : .phoneChanged, by: old, of: after)
        }
    }

    /// Tells that the password was set, replaced or removed: for ``PasswordReplacement`` alone. (That a hash differs
    /// does not say so: it may be the same password in today's form.)
    func tellPasswordReplaced(_ before: User, became after: User) throws {
        try tell(.passwordChanged, by: WaysIn(before, step.settings), of: after)
    }

    /// Tells that whoever an identity provider says is the user gets in from now on.
    ///
    /// - Parameter provider: what people call it.
    func tellLinked(_ provider: String, to user: User) throws {
        try tell(.identityLinked, by: WaysIn(user, step.settings), of: user, provider: provider)
    }

    /// Tells that they do no more.
    func tellUnlinked(_ provider: String, from user: User) throws {
        try tell(.identityUnlinked, by: WaysIn(user, step.settings), of: user, provider: provider)
    }

    /// Tells of a change of the user's second factors.
    func tell(_ kind: MailKind, of user: User) throws { try tell(kind, by: WaysIn(user, step.settings), of: user) }

    /// Tells of a second factor or a passkey that counts from now on. Where its owner has done it themselves, as far as
    /// anybody knows, the mail to their mailbox has a link by which who has not takes it away again: see
    /// ``UndoFactor``.
    func tellAdded(_ factor: Factor, to user: User) throws {
        try tell(
            factor.isPasskey ? .passkeyAdded : .factorAdded, by: WaysIn(user, step.settings), of: user,
            link: try undo(factor, of: user))
    }

    private func undo(_ factor: Factor, of user: User) throws -> MessageComposer.NoticeLink? {
        let home = step.call.links.home(of: step.call.directory)
        switch step.call.actor {
        // They answer for what they do, and are not undone.
        case .administrator, .commandLine: return nil
        case .user, .unknown: break
        }
        guard !home.isEmpty, user.emailVerifiedAt != nil, let email = user.email,
            let ticket = FactorUndoTicket(factor, to: email, step)
        else { return nil }
        return MessageComposer.NoticeLink(
            url: "\(home)/undo?token=\(try ticket.sealed(step))", lifetime: FactorUndoTicket.lifetime)
    }

    /// Tells of the end of an account.
    func tellDeleted(_ user: User) throws {
        try tell(.accountDeleted, by: WaysIn(user, step.settings), of: user)
    }

    /// Tells that an account will be deleted, and until when its user can think better of it.
    func tellDeletionDue(_ user: User, at due: Instant) throws {
        try tell(.deletionScheduled, by: WaysIn(user, step.settings), of: user, at: due)
    }

    /// Tells that somebody has signed in, and that the account will not be deleted.
    func tellDeletionCancelled(_ user: User) throws { try tell(.deletionCancelled, of: user) }

    /// Tells of a sign-in from a device that the account was never used on. By mail alone: whoever travels would pay
    /// for text messages with their attention, and the operator with money.
    func tellNewDevice(of user: User) throws {
        guard let email = WaysIn(user, step.settings).email else { return }
        try step.tx.enqueue(
            step.ports.messages.notice(.newDevice, to: email, user: user, at: step.now, call: step.addressing(user)))
    }

    /// Tells whoever has an address that somebody tried to have it too. Strangers may try all day long: where there is
    /// no room for what a free address would be sent, the same is written for nobody.
    ///
    /// - Parameter message: what the address would be sent if it were free, and by which the attempt is counted.
    func tellOfAttempt(at email: EmailAddress, of owner: User, in message: SentMessage) throws {
        let notice = try step.ports.messages.notice(
            .accountExists, to: email, user: owner, call: step.addressing(owner))
        let isTold = try step.ports.limits.mayTellOfAttempt(in: message, call: step.call, in: step.tx)
        try step.tx.enqueue(isTold ? notice : Nobody.message(notice, step.call))
    }

    private func tell(
        _ kind: MailKind, by ways: WaysIn, of user: User, provider: String? = nil, at time: Instant? = nil,
        link: MessageComposer.NoticeLink? = nil
    ) throws {
        let (messages, call) = (step.ports.messages, try step.addressing(user))
        if let email = ways.email {
            try step.tx.enqueue(
                messages.notice(kind, to: email, user: user, provider: provider, at: time, link: link, call: call))
        }
        // A text costs somebody money: where there is no room for one, the mail alone goes.
        if let phone = ways.phone,
            try step.ports.limits.mayTell(.phone(phone), isProven: ways.isPhoneProven, call: call, in: step.tx)
        {
            try step.tx.enqueue(
                messages.textNotice(kind, to: phone, user: user, provider: provider, at: time, call: call))
        }
    }
}

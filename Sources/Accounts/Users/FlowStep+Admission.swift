// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension FlowStep {
    /// Asks whether a user whom the call is about to insert may sign up, and writes into them what the answer changes.
    ///
    /// - Parameters:
    ///   - provider: by which they sign up.
    ///   - isInvited: by an administrator.
    ///   - waits: nobody has proved yet that the account's address is theirs: that they are to be disabled is then not
    ///     written. Others may sign up with the address, whom nobody has said it of.
    /// - Returns: whether whoever signs up is to be disabled.
    /// - Throws: ``AuthErrorCode/hookRefused``, ``AuthErrorCode/hookFailed``; ``PendingQuestion`` until there is an
    ///   answer.
    @discardableResult
    func admit(
        _ user: inout User, by provider: String, isInvited: Bool = false, waits: Bool = false
    ) throws -> Bool {
        let answers = try requireAdmission(of: user, by: provider, isInvited: isInvited)
        for (dialect, changes) in answers { try user.take(changes, of: dialect, self) }
        let isDisabled = answers.contains { $0.changes.isDisabled == true }
        if isDisabled, !waits { user.bannedUntil = User.forever }
        return isDisabled
    }

    /// Asks of an account that waits for somebody to prove that its address is theirs, and that a message of no sign-up
    /// of its own would open: whoever asks for one a second time must not get round what was said of the first.
    ///
    /// - Returns: whether whoever answers the message is to be disabled; so is who would be refused, who is told
    ///   nothing of it here, where nobody is told who has an account.
    func disablesWaiting(_ user: User) throws -> Bool {
        guard run != nil, user.waitsForProof else { return false }
        let provider = user.email == nil ? LocalIdentities.phone : LocalIdentities.email
        let subject = HookQuestion.Subject(user, LocalIdentities.made(for: user, at: user.createdAt))
        let decision = try decision(.signUp(subject, provider: provider, isInvited: false))
        return decision.refusal != nil || decision.changes.contains { $0.changes.isDisabled == true }
    }

    /// Asks the same, and leaves the user as they are: what an account is to be like is an administrator's to say who
    /// makes it.
    ///
    /// - Returns: what the answers would change.
    /// - Throws: as ``admit(_:by:isInvited:)``.
    @discardableResult
    func requireAdmission(
        of user: User, by provider: String, isInvited: Bool
    ) throws -> [(dialect: DialectName, changes: HookChanges)] {
        guard run != nil else { return [] }
        let subject = HookQuestion.Subject(user, LocalIdentities.made(for: user, at: now))
        return try ask(.signUp(subject, provider: provider, isInvited: isInvited))
    }
}

extension User {
    /// Writes what an answer changes: what a form lets its hook say of somebody, and nothing else. What stands in a
    /// dialect's place is the form's own dialect's, whichever the call came in. That they are to be disabled is the
    /// caller's to write, who knows whose the account is.
    ///
    /// - Throws: ``AuthErrorCode/emailExists``, ``AuthErrorCode/phoneExists`` for an address or a number that would be
    ///   proved to be this user's, and is another's; ``AuthErrorCode/metadataTooLarge``.
    mutating func take(_ changes: HookChanges, of dialect: DialectName, _ step: FlowStep) throws {
        if changes.confirmsAccount, step.call.knowsConfirmedAccounts, !isConfirmed { confirmedAt = step.now }
        if changes.provesEmail, email != nil, emailVerifiedAt == nil { emailVerifiedAt = step.now }
        if changes.provesPhone, phone != nil, phoneVerifiedAt == nil { phoneVerifiedAt = step.now }
        if changes.provesEmail || changes.provesPhone { try AddressClaims(step).requireUnique(self) }
        if !changes.profile.isEmpty { try write(metadata: changes.profile, attributes: nil, call: step.call) }
        if let attributes = changes.attributes { try write([:], attributes, in: dialect, step.settings) }
    }
}

extension FlowStep {
    /// Leaves a user's moment to be told once the transaction is durable. They are told of as they then are stored.
    ///
    /// - Parameter ifRefused: takes back what the caller is not given where somebody says no.
    func follow(
        _ moment: HookMoment, of user: UserID,
        ifRefused: (@Sendable (FlowStep) throws -> Void)? = nil,
        _ matter: @escaping @Sendable (HookQuestion.Subject) -> HookQuestion.Matter
    ) {
        guard let aftermath else { return }
        guard !ports.hooks.blocking(moment, call).isEmpty else {
            if ifRefused != nil { aftermath.add(FollowUp(moment: moment, question: nil, ifRefused: ifRefused)) }
            return
        }
        // There nobody waits to go on, and no vendor's form is at hand: it tells by events.
        if case .commandLine = call.actor { return }
        let directory = directory
        aftermath.add(
            FollowUp(
                moment: moment,
                question: { tx in
                    guard let user = try tx.user(user, in: directory), user.deletedAt == nil else { return nil }
                    return matter(HookQuestion.Subject(user, try LocalIdentities.all(of: user, tx)))
                }, ifRefused: ifRefused))
    }

    /// Leaves to be told that the call has made an account.
    func followCreation(of user: User) { follow(.created, of: user.id) { .created($0) } }

    /// Leaves to be told that an account is confirmed, where it was not before: of who signed up, not of whom an
    /// operator made or invited.
    ///
    /// - Parameters:
    ///   - user: as now stored.
    ///   - former: as before this call; `nil` for who was not there.
    func followConfirmation(of user: User, from former: User? = nil) {
        guard (former ?? user).origin == .signUp, user.isConfirmed, !user.isAnonymous,
            former.map({ !$0.isConfirmed || $0.isAnonymous }) ?? true
        else { return }
        follow(.confirmed, of: user.id) { .confirmed($0, by: .signUp) }
    }
}

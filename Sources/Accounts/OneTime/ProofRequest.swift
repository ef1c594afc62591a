// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Somebody's wish for a link or a code. It is answered alike for known and unknown addresses: one transaction of the
/// same statements (see ``Nobody``), one rendered message, and no word of whether it was sent.
struct ProofRequest: Sendable {
    var purpose: OneTimeToken.Purpose
    var recipient: Recipient
    var redirectTo: String?
    var codeChallenge: String?
    /// The sign-up that the message is for.
    var signUp: SignUpAttempt?
    /// Whether a program of the operator's wants whoever answers disabled; `nil` where none was asked yet in this call.
    var isDisabled: Bool?
    /// Whether it takes the place of a message that was sent before, for whoever misses it.
    var repeats = false
    /// Whether the account's holder wishes it, and not only whoever names the address: see ``OneTimeToken/isHolders``.
    var isHolders = false
    /// Whether the account is named by neither address nor number, whoever it is: see ``SentMessage/isByName``.
    var isByName = false
    /// Whether whoever asks is told where the Directory's brake has no room: of nobody but themselves it says anything.
    var tellsBrake = false
    var action: AuditEvent.Action
    /// Whom it is about where nobody is sent anything.
    var subject: UserID?

    /// Sends the message when there is a user to send it to, their last one is not too fresh, and the limits have room,
    /// as this very transaction sees them.
    ///
    /// - Returns: Whether it was sent, which nobody is told who may not know who has an account.
    /// - Throws: ``MessageExhaustion`` where ``tellsBrake``.
    @discardableResult
    func fulfil(for user: User?, _ step: FlowStep) throws -> Bool {
        let limits = step.ports.limits
        let nobody = try Nobody.user(step)
        let earlier = try earlier(of: user ?? nobody, step)
        let isTooSoon = isTooSoon(after: earlier, step)
        let message = SentMessage(
            kind: .proof(purpose), recipient: recipient, isProven: user.map { recipient.isProven(for: $0) } ?? false,
            account: (user ?? nobody).id, isByName: isByName)
        // Asked for nobody too.
        let mayReceive = try limits.mayReceive(message, call: step.call, in: step.tx)
        let isWanted = user != nil && !isTooSoon && mayReceive && step.ports.reaches(recipient, call: step.call)
        let isSent = try limits.take(message, isReal: isWanted, call: step.call, in: step.tx)
        if tellsBrake, isWanted, !isSent {
            throw try limits.full(recipient.channel, call: step.call, in: step.tx)
        }
        var target = isSent ? user ?? nobody : nobody
        var opening = OneTimeIssuer.Opening()
        if let user, isSent, signUp == nil {
            // What they have said with the first message they have said, as far as it can be told that they are who
            // asked for it.
            if repeats, step.call.agreedTerms.isEmpty, earlier?.askedBy == OneTimeToken.asker(step.call) {
                opening.agreed = earlier?.agreed
            }
            if purpose.signsIn { opening.isDisabled = try isDisabled ?? step.disablesWaiting(user) }
        }
        try OneTimeIssuer(step).send(
            purpose, to: &target, recipient: recipient, redirectTo: redirectTo, codeChallenge: codeChallenge,
            signUp: isSent ? signUp : nil, opening: opening, isHolders: isHolders, isReal: isSent)
        try step.tx.update(target)
        try record(user?.id ?? subject, step)
        return isSent
    }

    func record(_ user: UserID?, _ step: FlowStep) throws {
        var email: EmailAddress?
        if case .email(let address) = recipient { email = address }
        try step.record(action, user: user, email: email, details: ["purpose": .string(purpose.rawValue)])
    }

    /// Whether a message with a proof that is still good went out so recently that another would only be a nuisance.
    func isTooSoon(for user: User, _ step: FlowStep) throws -> Bool {
        isTooSoon(after: try earlier(of: user, step), step)
    }

    private func earlier(of user: User, _ step: FlowStep) throws -> OneTimeToken? {
        try step.tx.oneTimeTokens(of: user.id, purpose: purpose, in: step.directory)
            .first { $0.signUp == signUp?.id }
    }

    private func isTooSoon(after last: OneTimeToken?, _ step: FlowStep) -> Bool {
        guard let last else { return false }
        // One whose code its own asker has typed wrongly too often is not good any more.
        return last.recipient == recipient.address && last.ownAttempts < step.settings.oneTime.maximumAttempts
            && step.now.age(of: last.createdAt) < step.call.resendInterval
    }
}

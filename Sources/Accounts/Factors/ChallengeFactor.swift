// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Mail

/// Asks for a factor: sends its user a code where it is one of those whose codes are sent, and remembers what was
/// asked. An authenticator app need not be asked, but may be.
public struct ChallengeFactor: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// - Throws: ``AuthErrorCode/factorNotFound``, also for another user's; ``AuthErrorCode/factorDisabled``;
    ///   ``AuthErrorCode/factorLocked`` while no code is heard, so that none is sent for nothing;
    ///   ``AuthErrorCode/messageRateLimited``, ``AuthErrorCode/mailRateLimited`` with the time to wait,
    ///   ``AuthErrorCode/textMessagesUnavailable``; what ``EnrolFactor`` throws of a session.
    public func callAsFunction(
        _ factor: FactorID, of authenticated: AuthenticatedUser, call: CallContext
    ) async throws -> FactorChallenge {
        try await ask(factor, of: authenticated, call).challenge
    }

    /// The same of a security key, with what its authenticator is asked.
    ///
    /// - Throws: As above, and ``AuthErrorCode/factorNotFound`` for a factor of another kind.
    public func webAuthn(
        _ factor: FactorID, of authenticated: AuthenticatedUser, call: CallContext
    ) async throws -> WebAuthnQuestion {
        guard let question = try await ask(factor, of: authenticated, call).question else {
            throw AuthError(.factorNotFound)
        }
        return question
    }

    private func ask(_ factor: FactorID, of authenticated: AuthenticatedUser, _ call: CallContext) async throws -> Asked
    {
        guard let session = authenticated.session else { throw AuthError(.sessionNotFound) }
        return try await challenge(factor, call) { step in
            (try authenticated.usable(call, step.tx), .session(session.id))
        }
    }

    /// The same in a sign-in that asks for a factor.
    ///
    /// - Parameter ticket: of ``SignInTicket/Step/secondFactor`` or ``SignInTicket/Step/enrolment``. It stays good.
    public func callAsFunction(
        _ factor: FactorID, for ticket: SignInTicket, call: CallContext
    ) async throws -> FactorChallenge {
        try await ask(factor, for: ticket, call).challenge
    }

    /// The same of a security key, with what its authenticator is asked.
    ///
    /// - Throws: As above, and ``AuthErrorCode/factorNotFound`` for a factor of another kind.
    public func webAuthn(
        _ factor: FactorID, for ticket: SignInTicket, call: CallContext
    ) async throws -> WebAuthnQuestion {
        guard let question = try await ask(factor, for: ticket, call).question else { throw AuthError(.factorNotFound) }
        return question
    }

    private func ask(_ factor: FactorID, for ticket: SignInTicket, _ call: CallContext) async throws -> Asked {
        guard SignInTicket.Step.factors.contains(ticket.step) else { throw AuthError(.flowStateNotFound) }
        return try await challenge(factor, call) { step in (try ticket.holder(call, step.tx), .ticket(ticket)) }
    }

    private struct Asked: Sendable {
        var challenge: FactorChallenge
        /// `nil` but for a security key.
        var question: WebAuthnQuestion?
    }

    private func challenge(
        _ id: FactorID, _ call: CallContext, _ holder: @Sendable @escaping (FlowStep) throws -> (User, FactorHolder)
    ) async throws -> Asked {
        let channel = try await ports.store.read { try $0.factor(id, in: call.directory.id)?.codeRecipient }
        if let channel {
            try ports.requireReach(channel, call: call)
            try await ports.limits.requireRoom(
                forProvenBy: channel.channel, call: call, store: ports.store)
        }
        return try await ports.writeBriefly(call) { step in
            let (user, holder) = try holder(step)
            guard var factor = try step.tx.factor(id, in: step.directory), factor.userID == user.id, factor.isEnabled,
                !factor.isPasskey,
                factor.expiresAt.map({ step.now < $0 }) ?? true,
                // A sign-in asks for what counts, and who sets one up for what does not yet.
                holder.accepts(factor)
            else { throw AuthError(.factorNotFound) }
            guard step.settings.factors.use(of: factor.kind) != .off,
                // To the mailbox that they came by no code is sent: it would say nothing new.
                try factor.adds(to: holder.methods(step), in: step.call.directory)
            else {
                throw AuthError(.factorDisabled, field: factor.kind.rawValue)
            }
            var guesses = FactorGuesses(step, of: user.id)
            if let refusal = try guesses.refusal() { throw refusal }
            let asked = try Self.ask(&factor, of: user, in: holder, step)
            try step.tx.noteChallenge(of: factor)
            return asked
        }
    }

    private static func ask(
        _ factor: inout Factor, of user: User, in holder: FactorHolder, _ step: FlowStep
    ) throws -> Asked {
        if let question = try webAuthn(factor, of: user, in: holder, step) {
            factor.lastChallengedAt = step.now
            try step.record(.factorChallenged, user, details: FactorCheck.details(factor))
            return Asked(challenge: question.challenge, question: question)
        }
        var challenge = FactorChallenge(
            id: step.random.identifier(), directoryID: step.directory, userID: user.id, factorID: factor.id,
            holder: holder.name, createdAt: step.now,
            expiresAt: step.now + .seconds(step.settings.factors.challengeLifetime))
        if let message = factor.codeMessage(for: user) {
            let recipient = message.recipient
            try requireInterval(of: factor, recipient, step)
            if let wait = try step.ports.limits.wait(for: message, call: step.call, in: step.tx) {
                throw AuthError(Self.refusal(recipient), retryAfter: wait)
            }
            try step.ports.limits.require(message, call: step.call, in: step.tx)
            let code = code(for: recipient, step)
            challenge.codeHash = FactorChallenge.hash(code, for: challenge.id, under: step.call.directory.tokenKey)
            if !isTest(recipient, step) {
                try step.tx.enqueue(
                    step.ports.messages.factorCode(
                        code, to: recipient, minutes: max(step.settings.factors.challengeLifetime / 60, 1), user: user,
                        call: step.addressing(user)))
            }
        }
        factor.lastChallengedAt = step.now
        try step.tx.insert(challenge)
        try step.record(.factorChallenged, user, details: FactorCheck.details(factor))
        return Asked(challenge: challenge)
    }

    private static func webAuthn(
        _ factor: Factor, of user: User, in holder: FactorHolder, _ step: FlowStep
    ) throws -> WebAuthnQuestion? {
        switch factor.credential {
        case .newWebAuthn:
            try WebAuthnAsking(step).registration(.secondFactor, of: user, factor: factor.id, in: holder)
        case .webAuthn(let credential):
            try WebAuthnAsking(step).authentication(credential, of: user, factor: factor.id, in: holder)
        case .totp, .phone, .email, .unreadable: nil
        }
    }

    /// Nobody is sent a code more often than the Directory says.
    private static func requireInterval(of factor: Factor, _ recipient: Recipient, _ step: FlowStep) throws {
        let last = try step.tx.latestChallenge(of: factor.id, in: step.directory)
        // Where it was enrolled anew, what was asked of its predecessor counts.
        guard last?.usedAt == nil, let asked = last?.createdAt ?? factor.lastChallengedAt else { return }
        let left = step.call.resendInterval.microseconds - step.now.age(of: asked).microseconds
        guard left <= 0 else {
            throw AuthError(Self.refusal(recipient), retryAfter: TimeSpan(microseconds: left))
        }
    }

    private static func refusal(_ recipient: Recipient) -> AuthErrorCode {
        recipient.channel == .mail ? .mailRateLimited : .messageRateLimited
    }

    private static func testCode(_ recipient: Recipient, _ step: FlowStep) -> String? {
        guard case .phone(let number) = recipient else { return nil }
        return step.settings.oneTime.testCode(for: number, at: step.now)
    }

    private static func isTest(_ recipient: Recipient, _ step: FlowStep) -> Bool { testCode(recipient, step) != nil }

    private static func code(for recipient: Recipient, _ step: FlowStep) -> String {
        testCode(recipient, step) ?? step.random.digits(min(max(step.settings.oneTime.codeLength, 6), 10))
    }
}

extension Factor {
    /// Where its codes are sent; `nil` where none are.
    var codeRecipient: Recipient? {
        switch credential {
        case .phone(let number): .phone(number)
        case .email(let address): .email(address)
        case .totp, .webAuthn, .newWebAuthn, .unreadable: nil
        }
    }

    /// What its codes come in, as limits count it; `nil` where none are sent.
    func codeMessage(for user: User) -> SentMessage? {
        codeRecipient.map {
            SentMessage(
                kind: isVerified ? .factorCode : .factorSetup, recipient: $0,
                isProven: isVerified || $0.isProven(for: user), account: user.id)
        }
    }
}

extension FactorHolder {
    /// Whether the factor may be asked for here.
    func accepts(_ factor: Factor) -> Bool {
        switch self {
        case .session: true
        case .ticket(let ticket): factor.isVerified == (ticket.step == .secondFactor)
        }
    }
}

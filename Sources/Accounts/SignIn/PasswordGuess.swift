// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Passwords

/// An attempt at somebody's password, or at what stands for it: the one place that says what it comes to, for every
/// flow of every dialect.
///
/// It is judged in the transaction that answers it. So of a hundred at once, in whichever processes, as many are judged
/// as one by one, and what came of the comparison of every other is heard by nobody (ADR 0055).
struct PasswordGuess: Sendable {
    enum Judgement: Sendable {
        /// What the owner's being there is to be noted by: ``Lockouts/succeed(_:)``.
        case right(LockoutStanding)
        /// What the caller is told, and what the audit log says. To be committed.
        case refused(AuthError, reason: AuthErrorCode)
    }

    fileprivate let ledger: Guess
    fileprivate let subject: UserID
    fileprivate let session: SessionID?
    fileprivate let typed: SignInIdentifier?

    /// - Parameter code: what a wrong one is called here, and while there is a lock each of them.
    /// - Throws: ``Exhaustion``, which undoes the transaction.
    func judge(
        _ isRight: Bool, else code: AuthErrorCode = .invalidCredentials, _ step: FlowStep
    ) throws -> Judgement {
        let lockouts = Lockouts(step)
        let standing = try lockouts.standing(of: subject, in: session)
        if let wait = standing.wait {
            // Whatever it was: that one was right must show in nothing, in what is counted neither.
            try ledger.countWrong(in: step.tx)
            return .refused(Self.refusal(wait, code, step.call), reason: .accountLocked)
        }
        if isRight {
            try ledger.requireRoom(in: step.tx)
            return .right(standing)
        }
        try ledger.countWrong(in: step.tx)
        // Looked up for nobody too.
        let user = try step.tx.user(subject, in: step.directory)
        guard let wait = try lockouts.fail(standing, user: user?.id) else {
            return .refused(AuthError(code), reason: code)
        }
        try tell(user, step)
        return .refused(Self.refusal(wait, code, step.call), reason: code)
    }

    /// Counts what is no password's, towards the limits alone.
    func countWrong(in tx: any AttemptWriting) throws { try ledger.countWrong(in: tx) }
    func requireRoom(in tx: any AttemptReading) throws { try ledger.requireRoom(in: tx) }

    /// Refuses, before anything is compared, what would be refused after it: where a right one goes on to do more, the
    /// time would tell it. Costs a comparison, as every attempt does.
    ///
    /// - Throws: As ``judge(_:else:_:)`` says.
    func requireOpen(
        _ password: Secret<String>, else code: AuthErrorCode, ports: AccountPorts, call: CallContext
    ) async throws {
        let isOpen = try await ports.store.read { [subject, session] tx in
            try Lockouts.standing(of: subject, in: session, call, tx).wait == nil
        }
        guard !isOpen else { return }
        _ = try await ports.passwords.verify(password, against: nil)
        try await refuse(else: code, ports: ports, call: call)
    }

    /// Counts a wrong one, and throws what is said of it.
    func refuse(else code: AuthErrorCode, ports: AccountPorts, call: CallContext) async throws {
        let judgement = try await ports.writeBriefly(call) { try judge(false, else: code, $0) }
        if case .refused(let error, _) = judgement { throw error }
        throw AuthError(code)
    }

    private static func refusal(_ wait: TimeSpan, _ code: AuthErrorCode, _ call: CallContext) -> AuthError {
        switch call.settings.lockout.disclosure {
        case .generic: AuthError(code)
        case .minutes: AuthError(.accountLocked, retryAfter: wait)
        }
    }

    /// Owes the owner a message with a link that unlocks, in the transaction that locks; for nobody, and for whoever
    /// has no mailbox that they have proved, the same work is done for nobody (see ``Nobody``).
    private func tell(_ user: User?, _ step: FlowStep) throws {
        let limits = step.ports.limits
        let mayTell = try limits.mayTellOfLock(of: subject, call: step.call, in: step.tx)
        let owner = user.flatMap { $0.deletedAt == nil && $0.emailVerifiedAt != nil && mayTell ? $0 : nil }
        let placeholder = try typed?.placeholder() ?? .email(Nobody.email)
        let request = ProofRequest(
            purpose: .unlock, recipient: owner?.email.map { .email($0) } ?? placeholder, action: .accountLocked,
            subject: user?.id)
        try request.fulfil(for: owner?.email == nil ? nil : owner, step)
    }
}

extension AccountPorts {
    /// As ``AccountStoring/read(_:)``, for what looks for somebody and asks by ``Nobody`` where there is none.
    ///
    /// - Parameters:
    ///   - purpose: see ``ForeseenValues``.
    ///   - keys: what else it will ask by.
    func look<Value: Sendable>(
        for purpose: String, by keys: [[UInt8]] = [], call: CallContext,
        _ body: @Sendable @escaping (any StoreReading) throws -> Value
    ) async throws -> Value {
        let foreseen = ForeseenValues(texts: [Nobody.newcomer(call).id.rawValue], keys: keys, for: purpose)
        return try await ForeseenValues.$current.withValue(foreseen) { try await store.read(body) }
    }

    /// Runs `body` as an attempt at a password: see ``AccountLimits/guessing(at:call:store:_:)``, whose refusals come
    /// first.
    ///
    /// - Parameters:
    ///   - subject: whose password it is.
    ///   - session: the account's own, in which it is asked for once more; `nil` where somebody signs in.
    ///   - typed: what they typed beside it.
    ///   - purpose: what it is for: see ``ForeseenValues``.
    ///   - isHopeful: whether `body` may begin without a look, and then run twice.
    func guessing<Value>(
        at subject: UserID, in session: SessionID? = nil, as typed: SignInIdentifier? = nil, for purpose: String = "",
        isHopeful: Bool = false, call: CallContext, _ body: (PasswordGuess) async throws -> Value
    ) async throws -> Value {
        try await limits.guessing(at: subject, call: call, store: store, isHopeful: isHopeful) { ledger in
            let foreseen = ForeseenValues(
                texts: [subject.rawValue], keys: [Lockouts.key(of: subject, call)] + ledger.keys, for: purpose)
            return try await ForeseenValues.$current.withValue(foreseen) {
                try await body(PasswordGuess(ledger: ledger, subject: subject, session: session, typed: typed))
            }
        }
    }
}

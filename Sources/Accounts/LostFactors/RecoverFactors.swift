// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Begins to recover an account whose second factors are lost, for whoever has proved the first (ADR 0075). Nothing is
/// removed by it: the owner is told everywhere, and a time passes in which they, or whoever has a factor after all,
/// stop it. Then a sign-in removes the factors (``FactorRecoveryEnd``).
///
/// Whoever has the password alone begins it no more than the owner does, and can make it neither shorter nor quieter:
/// asking again changes nothing, and what would end the mails needs a second factor.
public struct RecoverFactors: Sendable {
    /// Of one user: each is a mail to everywhere.
    private static let rate = DirectorySettings.Rate(count: 3, seconds: 86_400)

    /// How a user stands who has no second factor at hand.
    public struct Standing: Sendable {
        /// Whether one may be begun: the Directory lets them, they have a factor to lose, and there is a proved address
        /// or number to tell at.
        public var isOffered: Bool
        /// Seconds that one takes which is begun now.
        public var waitSeconds: Int64
        /// What is under way, or ripe.
        public var recovery: FactorRecovery?
    }

    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// - Throws: what a session that has ended throws.
    public func standing(of authenticated: AuthenticatedUser, call: CallContext) async throws -> Standing {
        try await ports.store.read { tx in try Self.standing(of: try authenticated.usable(call, tx), call, tx) }
    }

    /// The same in a sign-in that asks for a factor. The ticket stays good.
    public func standing(for ticket: SignInTicket, call: CallContext) async throws -> Standing {
        guard ticket.step == .secondFactor else { throw AuthError(.flowStateNotFound) }
        return try await ports.store.read { tx in try Self.standing(of: try ticket.holder(call, tx), call, tx) }
    }

    /// - Returns: the one that is begun; the one there is where it was begun before, and nobody is told anew.
    /// - Throws: ``AuthErrorCode/factorDisabled`` with the field `recovery` where operators alone remove factors,
    ///   ``AuthErrorCode/factorNotFound`` where there is nothing to recover, ``AuthErrorCode/emailNotVerified`` for a
    ///   user who can be told nowhere; ``AuthErrorCode/reauthenticationNeeded`` in a session in which the user showed
    ///   nothing, ``AuthErrorCode/rateLimited`` with the time to wait; what a session that has ended throws.
    public func begin(for authenticated: AuthenticatedUser, call: CallContext) async throws -> FactorRecovery {
        try await ports.write(call) { step in
            let user = try authenticated.usable(call, step.tx)
            guard let methods = authenticated.session?.methods,
                methods.contains(where: { ![.assertion, .custom, .anonymous].contains($0.name) })
            else { throw AuthError(.reauthenticationNeeded) }
            return try Self.begin(for: user, step)
        }
    }

    /// The same in a sign-in that asks for a factor. The ticket stays good: a factor that turns up still answers it.
    public func begin(for ticket: SignInTicket, call: CallContext) async throws -> FactorRecovery {
        guard ticket.step == .secondFactor else { throw AuthError(.flowStateNotFound) }
        guard !ticket.proof.isVouchedFor else { throw AuthError(.reauthenticationNeeded) }
        return try await ports.write(call) { step in
            try Self.begin(for: try ticket.holder(call, step.tx), step)
        }
    }

    private static func standing(of user: User, _ call: CallContext, _ tx: any StoreReading) throws -> Standing {
        let recovery = try tx.factorRecovery(of: user.id, in: call.directory.id)
        return Standing(
            isOffered: try refusal(of: user, call, tx) == nil, waitSeconds: call.settings.factors.recoveryWait,
            recovery: recovery.flatMap { $0.isOpen(at: call.now) ? $0 : nil })
    }

    private static func refusal(of user: User, _ call: CallContext, _ tx: any StoreReading) throws -> AuthError? {
        guard try FactorRecoveryEnd.isLet(user, call.settings, tx) else {
            return AuthError(.factorDisabled, reason: "operators alone remove factors", field: "recovery")
        }
        guard try FactorStanding(of: user, call.settings, tx).isSet else { return AuthError(.factorNotFound) }
        return user.isProved ? nil : AuthError(.emailNotVerified)
    }

    private static func begin(for user: User, _ step: FlowStep) throws -> FactorRecovery {
        if let refusal = try refusal(of: user, step.call, step.tx) { throw refusal }
        if let known = try step.tx.factorRecovery(of: user.id, in: step.directory), known.isOpen(at: step.now) {
            return known
        }
        let limit = LedgerLimit("factor recovery", rate, user.id.rawValue, step.call)
        if let exhaustion = try limit.refusal(in: step.tx) {
            throw AuthError(.rateLimited, retryAfter: exhaustion.wait)
        }
        let due = step.now + .seconds(step.settings.factors.recoveryWait)
        let recovery = FactorRecovery(
            directoryID: step.directory, userID: user.id, requestedAt: step.now, dueAt: due,
            endsAt: due + .seconds(step.settings.factors.recoveryWindow))
        try step.tx.put(recovery)
        guard
            let recipient = [user.email.map(Recipient.email), user.phone.map(Recipient.phone)].compactMap(\.self)
                .first(where: { $0.isProven(for: user) })
        else { throw AuthError(.emailNotVerified) }
        var told = user
        let proof = try OneTimeIssuer(step).make(
            .factorRecoveryStop, for: &told, recipient: recipient, redirectTo: nil, codeChallenge: nil)
        let factors = try step.tx.factors(of: user.id, in: step.directory).secondFactors
        guard try RecoveryNotice(step).tellBegun(user, factors, dueAt: due, proof) else {
            throw AuthError(.messageRateLimited, retryAfter: step.call.resendInterval)
        }
        try step.record(.factorRecoveryRequested, user, details: ["due": .string(due.rfc3339)])
        return recovery
    }
}

// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Takes the step of a sign-in that asks for a second factor, or for one to be set up: what follows is decided anew, as
/// after any proof (ADR 0019).
public struct AnswerFactor: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// - Parameter ticket: of ``SignInTicket/Step/secondFactor`` or ``SignInTicket/Step/enrolment``. A wrong code
    ///   leaves it as it was, and is counted; a right one spends it.
    /// - Throws: what ``FactorCheck`` finds; ``AuthErrorCode/invalidCredentials`` for a ticket that was used or whose
    ///   proof is void, ``AuthErrorCode/userBanned``.
    public func callAsFunction(
        _ ticket: SignInTicket, _ proof: FactorProof, call: CallContext
    ) async throws -> SignInStep {
        let judged = try await proof.judged(in: .ticket(ticket), call, ports.store)
        let outcome: Result<SignInStep, AuthError> = try await ports.writeBriefly(call) { step in
            switch try Self.prove(proof, judged, by: ticket, step) {
            case .failure(let refusal): .failure(refusal)
            case .success(let (user, proof, _)): try SessionIssuer(step).conclude(proof, of: user, .stored)
            }
        }
        return try outcome.get()
    }

    /// As calling this, for a protocol that proves a factor in one call and goes on with the sign-in in another.
    ///
    /// - Returns: the factor, and a ticket of ``SignInTicket/Step/conclusion`` for ``ConcludeSignIn``.
    public func proving(
        _ ticket: SignInTicket, _ proof: FactorProof, call: CallContext
    ) async throws -> (proved: ProvedFactor, ticket: Secret<String>) {
        let judged = try await proof.judged(in: .ticket(ticket), call, ports.store)
        let outcome: Result<(ProvedFactor, Secret<String>), AuthError> = try await ports.writeBriefly(call) { step in
            switch try Self.prove(proof, judged, by: ticket, step) {
            case .failure(let refusal): return .failure(refusal)
            case .success(let (user, proof, factor)):
                return .success((factor, try SessionIssuer(step).pending(.conclusion, proof, of: user).ticket))
            }
        }
        let (proved, ticket) = try outcome.get()
        return (proved, ticket)
    }

    private static func prove(
        _ proof: FactorProof, _ judged: RegistrationJudgement?, by ticket: SignInTicket, _ step: FlowStep
    ) throws -> Result<(User, SignInProof, ProvedFactor), AuthError> {
        guard SignInTicket.Step.factors.contains(ticket.step) else { throw AuthError(.flowStateNotFound) }
        let holder = try ticket.found(step.call, step.tx)
        let user = holder.user
        let isEnrolment = ticket.step == .enrolment
        if isEnrolment, case .backupCode = proof { return .failure(AuthError(.factorNotFound)) }
        switch try FactorCheck(step, judged).judge(
            proof, of: user, in: .ticket(ticket), scope: isEnrolment ? .pending : .verified)
        {
        case .failure(let refusal): return .failure(refusal)
        case .success(let factor):
            // What asked for it asks no more.
            try ticket.spend(step)
            if factor.isNew { try FactorSessions(step).endOthers(of: user, except: nil) }
            let current = factor.isNew ? try step.tx.liveUser(user.id, in: step.directory) : user
            return .success((current, holder.proof.adding(factor.method), factor))
        }
    }
}

/// Goes on with a sign-in whose steps were taken in calls before.
public struct ConcludeSignIn: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// - Parameter ticket: of ``SignInTicket/Step/conclusion``.
    /// - Throws: ``AuthErrorCode/invalidCredentials`` for a ticket that was used or whose proof is void,
    ///   ``AuthErrorCode/userBanned``.
    public func callAsFunction(_ ticket: SignInTicket, call: CallContext) async throws -> SignInStep {
        guard ticket.step == .conclusion else { throw AuthError(.flowStateNotFound) }
        return try await ports.writeBriefly(call) { step in
            let holder = try ticket.redeem(step)
            return try SessionIssuer(step).conclude(holder.proof, of: holder.user, .stored).get()
        }
    }
}

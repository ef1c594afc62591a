// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Raises a session to `aal2` by a second factor; one that was being set up counts from then on.
public struct StepUp: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// The session goes on under its identifier, with a new refresh token; the one before is dead.
    ///
    /// - Throws: what ``FactorCheck`` finds: ``AuthErrorCode/factorCodeInvalid``, ``AuthErrorCode/factorCodeUsed``,
    ///   ``AuthErrorCode/factorLocked``, ``AuthErrorCode/factorNotFound``, ``AuthErrorCode/factorDisabled``,
    ///   ``AuthErrorCode/factorChallengeNotFound``, ``AuthErrorCode/factorChallengeExpired``;
    ///   ``AuthErrorCode/insufficientAssurance`` for one that is being set up, where the user has another and the
    ///   session does not show it; ``AuthErrorCode/userNotFound``, ``AuthErrorCode/userBanned``,
    ///   ``AuthErrorCode/sessionNotFound``, ``AuthErrorCode/sessionExpired``.
    public func callAsFunction(
        _ proof: FactorProof, of authenticated: AuthenticatedUser, call: CallContext
    ) async throws -> IssuedSession {
        let judged = try await judged(proof, authenticated, call)
        let outcome = try await ports.writeBriefly(call) { step in
            try Self.issue(by: proof, judged, Self.standing(authenticated, step), step)
        }
        return try outcome.get()
    }

    /// As calling this, for whom a token names: they are looked up in the transaction that takes the proof, and once.
    ///
    /// - Parameter admit: throws where who they are says that they may not, before what they show is looked at.
    /// - Throws: as above, and what `admit` throws.
    public func callAsFunction(
        _ proof: FactorProof, of subject: TokenSubject, call: CallContext,
        admit: @Sendable @escaping (User, Session) throws -> Void
    ) async throws -> IssuedSession {
        let judged = try await proof.judged(in: .session(subject.session), call, ports.store)
        let outcome = try await ports.writeBriefly(call) { step in
            let (user, session) = try subject.found(step.call, step.tx)
            try admit(user, session)
            var call = step.call
            call.actor = .user(user.id)
            let authenticated = AuthenticatedUser(
                user: user, identities: [], session: session, tokenIssuedAt: subject.issuedAt)
            return try Self.issue(
                by: proof, judged, Standing(authenticated: authenticated, session: session), step.with(call))
        }
        return try outcome.get()
    }

    /// The same for a caller who keeps the refresh token that they have.
    ///
    /// - Returns: the session as now stored, and what was proved.
    public func inPlace(
        _ proof: FactorProof, of authenticated: AuthenticatedUser, call: CallContext
    ) async throws -> (session: Session, proved: ProvedFactor) {
        let judged = try await judged(proof, authenticated, call)
        let outcome: Result<(Session, ProvedFactor), AuthError> = try await ports.writeBriefly(call) { step in
            try Self.raise(by: proof, judged, Self.standing(authenticated, step), reissues: false, step)
                .map { ($0.session, $0.proved) }
        }
        let (session, proved) = try outcome.get()
        return (session, proved)
    }

    private func judged(
        _ proof: FactorProof, _ authenticated: AuthenticatedUser, _ call: CallContext
    ) async throws -> RegistrationJudgement? {
        guard let session = authenticated.session else { return nil }
        return try await proof.judged(in: .session(session.id), call, ports.store)
    }

    /// Who proves it, as this transaction has them.
    private struct Standing {
        /// The user, and what is known of the token that they showed.
        var authenticated: AuthenticatedUser
        var session: Session
    }

    private static func standing(_ authenticated: AuthenticatedUser, _ step: FlowStep) throws -> Standing {
        var current = authenticated
        current.user = try step.tx.liveUser(authenticated.user.id, in: step.directory)
        try step.call.requireUsable(current.user)
        guard let id = authenticated.session?.id, let session = try step.tx.session(id, in: step.directory),
            session.userID == current.user.id, session.revokedAt == nil
        else { throw AuthError(.sessionNotFound) }
        guard !session.hasEnded(step.call) else { throw AuthError(.sessionExpired) }
        return Standing(authenticated: current, session: session)
    }

    private static func issue(
        by proof: FactorProof, _ judged: RegistrationJudgement?, _ standing: Standing, _ step: FlowStep
    ) throws -> Result<IssuedSession, AuthError> {
        switch try raise(by: proof, judged, standing, reissues: true, step) {
        case .failure(let refusal): return .failure(refusal)
        case .success(let raised):
            guard let live = raised.live else { throw AuthError(.internalFailure) }
            let identities = try LocalIdentities.shown(of: raised.user, step.call, step.tx)
            return .success(
                try IssuedSession(
                    raised.user, identities, raised.session, live, .signedIn, factors: raised.proved.factors,
                    step.call, step.tx))
        }
    }

    private struct Raised {
        var user: User
        var session: Session
        var live: RefreshToken?
        var proved: ProvedFactor
    }

    private static func raise(
        by proof: FactorProof, _ judged: RegistrationJudgement?, _ standing: Standing, reissues: Bool,
        _ step: FlowStep
    ) throws -> Result<Raised, AuthError> {
        let (authenticated, user, session) = (standing.authenticated, standing.authenticated.user, standing.session)
        var scope = FactorCheck.Scope.any
        if case .app = proof {
            // In a session it is a new one, which takes the place of those there are.
            try AssuranceRule(step).require(authenticated)
            scope = .pending
        }
        let check = FactorCheck(step, judged)
        let verdict = try check.judge(proof, of: user, in: .session(session.id), scope: scope) { factor in
            if !factor.isVerified { try AssuranceRule(step).require(authenticated) }
        }
        switch verdict {
        case .failure(let refusal): return .failure(refusal)
        case .success(let proved):
            let raised = try FactorSessions(step).raise(session, by: proved.method, reissues: reissues)
            if proved.isNew || step.call.factorPolicy == .stepUp {
                try FactorSessions(step).endOthers(of: user, except: raised.session)
            }
            try step.record(
                .steppedUp, user,
                details: ["method": .string(proved.method.name.rawValue), "session": .string(session.id.rawValue)])
            // Who has just set up a first factor has lost what they had wished for before.
            let current = proved.isNew ? try step.tx.liveUser(user.id, in: step.directory) : user
            return .success(Raised(user: current, session: raised.session, live: raised.live, proved: proved))
        }
    }
}

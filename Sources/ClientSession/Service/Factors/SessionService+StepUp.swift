// SPDX-License-Identifier: Apache-2.0

import AuthTypes

// Raising the session that is there. The machine hears of it as of every operation that brings new tokens: the session
// is the same, its tokens are others, and what a refresh still brings with those from before is dropped.
extension SessionService {
    @discardableResult
    public func reauthenticate(with proof: SignInProof) async throws(AuthError) -> AwaitedStep? {
        let backend = try feature((any AccountBackend).self)
        return try await inTurn { [self] session throws(AuthError) in
            try await replace(session, by: try await backend.reauthenticate(session.tokens, with: proof))
        }
    }

    public func beginStepUp() async throws(AuthError) -> AwaitedStep {
        let backend = try feature((any StepUpBackend).self)
        return try await ask { session throws(AuthError) in
            let step = try await backend.beginStepUp(session.tokens)
            guard self.isThere(session) else { throw AuthError(.superseded) }
            return SessionTicket(of: session, .stepUp).marking(step)
        }
    }

    @discardableResult
    public func raise(_ step: AwaitedStep, with answer: StepAnswer) async throws(AuthError) -> AwaitedStep? {
        let ticket = SessionTicket(in: step.ticket)
        switch ticket.way {
        case .stepUp:
            let backend = try feature((any StepUpBackend).self)
            // Nobody else waits for as long as a user takes with the system's sheet.
            let isBrief = if case .passkey = answer { false } else { true }
            return try await inTurn(isBrief: isBrief) { [self] session throws(AuthError) in
                try ticket.check(session)
                switch try await backend.stepUp(step, with: answer, session.tokens) {
                case .session(let grant):
                    try await take(grant, of: session)
                    return nil
                case .awaiting(let next): return SessionTicket(of: session, .stepUp).marking(next)
                }
            }
        case .reauthentication:
            let backend = backend
            return try await inTurn { [self] session throws(AuthError) in
                try ticket.check(session)
                return try await replace(session, by: try await backend.answer(step, with: answer))
            }
        case nil: throw AuthError(.invalidRequest, reason: "not a step of a session that is there")
        }
    }

    /// By a new sign-in of the same user, once it is one.
    private func replace(
        _ session: CalledSession, by step: SignInStep
    ) async throws(AuthError) -> AwaitedStep? {
        switch step {
        case .awaiting(let step): return SessionTicket(of: session, .reauthentication).marking(step)
        case .session(var grant):
            guard grant.user != nil else {
                revoke(grant.tokens, .local)
                throw AuthError(.reauthenticationInvalid, reason: "the service does not say who signed in")
            }
            // The former one is ended once this one is stored: whoever is killed before goes on with that.
            if grant.replacesSession != false {
                grant.replacesSession = !grant.tokens.areSame(as: session.tokens)
            }
            try await take(grant, of: session)
            return nil
        }
    }
}

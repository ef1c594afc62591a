// SPDX-License-Identifier: Apache-2.0

import AuthTypes

// Signing in, in whatever state. The sign-in that began last is the one that counts.
extension SessionMachine {
    mutating func respondToSignIn(_ event: SessionEvent, at moment: Moment) -> [SessionAction] {
        switch event {
        case .signInBegan(let id):
            attempt = id
            return []
        case .signInSucceeded(let id, let grant, let family):
            guard id == attempt else {
                return [.finish(id, AuthError(.superseded)), .revoke(grant.tokens, .local)]
            }
            attempt = nil
            return signIn(id, grant, family: family, at: moment)
        case .stepAwaited(let id, let step):
            guard id == attempt else { return [.finish(id, AuthError(.superseded))] }
            return pause(for: step, of: id)
        case .signInFailed(let id, let error):
            guard id == attempt else { return [.finish(id, AuthError(.superseded))] }
            if case .awaiting = phase {} else { attempt = nil }
            return [.finish(id, error)]
        case .stepAbandoned:
            attempt = nil
            if case .awaiting(let awaiting) = phase { phase = .signedOut(awaiting.before) }
            return []
        default: return []
        }
    }

    private mutating func pause(for step: AwaitedStep, of id: AttemptID) -> [SessionAction] {
        let before: SignOutReason? =
            switch phase {
            case .signedOut(let reason): reason
            case .awaiting(let awaiting): awaiting.before
            // Who is signed in stays so until somebody else is. The caller knows of the step.
            default: nil
            }
        if let before {
            phase = .awaiting(SessionPhase.Awaiting(step: step, number: nextStep(), before: before))
        }
        return [.finish(id, nil)]
    }

    private mutating func signIn(
        _ id: AttemptID, _ grant: SessionGrant, family: String, at moment: Moment
    ) -> [SessionAction] {
        guard let user = grant.user else {
            return [.finish(id, AuthError(.internalFailure, reason: "a sign-in without a user"))]
        }
        let former = phase.session
        let isSame = former == nil || former?.user.subject == user.subject
        var actions: [SessionAction] = [.cancelRefresh]
        var waiters = phase.waiters
        if !isSame {
            // They asked for another user's token.
            actions += resume(waiters, with: .failure(AuthError(.superseded)))
            waiters = []
        }
        if case .storing(let storing) = phase, let other = storing.attempt {
            actions.append(.finish(other, AuthError(.superseded)))
        }
        beginGeneration()
        unerased = nil
        let kept = KeptSession(
            backend: backend, family: family, revision: 1, tokens: grant.tokens, user: user,
            serverDate: grant.serverDate, at: moment)
        let session = LiveSession(new: kept, serverDate: grant.serverDate, at: moment)
        actions += store(session, waiters: waiters, attempt: id, at: moment) + [.guardStore]
        if let former, !isSame {
            actions += [.clearLocalData(SignOutOptions()), .revoke(former.tokens, .local)]
        }
        return actions
    }

    /// New tokens by an operation on the account, such as a changed password: those at hand are worth nothing any more, and
    /// neither is what a refresh with them says.
    mutating func replace(_ begun: Int, by grant: SessionGrant, at moment: Moment) -> [SessionAction] {
        guard begun == generation, let session = phase.session else { return dropLate(grant) }
        if let user = grant.user, user.subject != session.user.subject { return [] }
        guard grant.tokens.accessToken.reveal() != session.tokens.accessToken.reveal() else {
            return confirmedByOperation(grant, session, at: moment)
        }
        let waiters = phase.waiters
        var attempt: AttemptID?
        if case .storing(let storing) = phase { attempt = storing.attempt }
        beginGeneration()
        return [.cancelRefresh]
            + store(session.renewed(by: grant, at: moment), waiters: waiters, attempt: attempt, at: moment)
    }

    private mutating func confirmedByOperation(
        _ grant: SessionGrant, _ session: LiveSession, at moment: Moment
    ) -> [SessionAction] {
        guard let user = grant.user, case .signedIn = phase else { return [] }
        return confirm(session, user, at: moment)
    }
}

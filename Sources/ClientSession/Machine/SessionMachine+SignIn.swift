// SPDX-License-Identifier: Apache-2.0

import AuthTypes

// Signing in, in whatever state. One sign-in is under way at a time, the one that began last: who goes back from a
// provider's page and types a password means that. The caller of the one before is told at once.
extension SessionMachine {
    mutating func respondToSignIn(_ event: SessionEvent, at moment: Moment) -> [SessionAction] {
        switch event {
        case .signInBegan(let id):
            defer { (attempt, asking) = (id, id) }
            return supersedeAsking()
        case .signInSucceeded(let id, let grant, let family):
            guard id == asking else { return [.revoke(grant.tokens, .local)] }
            (attempt, asking) = (nil, nil)
            return signIn(id, grant, family: family, at: moment)
        case .stepAwaited(let id, let step):
            guard id == asking else { return [] }
            asking = nil
            return pause(for: step, of: id)
        case .signInFailed(let id, let error):
            guard id == asking else { return [] }
            asking = nil
            if case .awaiting = phase {} else { attempt = nil }
            return [.finish(id, error)]
        case .stepAbandoned:
            let ending = supersedeAsking()
            (attempt, asking) = (nil, nil)
            guard case .awaiting(let awaiting) = phase else { return ending }
            phase = .signedOut(awaiting.before)
            return ending + [.forgetStep]
        default: return []
        }
    }

    /// What its service still answers is given back.
    mutating func supersedeAsking() -> [SessionAction] {
        supersessions += 1
        return asking.map { [.finish($0, AuthError(.superseded))] } ?? []
    }

    private mutating func pause(for step: AwaitedStep, of id: AttemptID) -> [SessionAction] {
        let before: SignOutReason? =
            switch phase {
            case .signedOut(let reason): reason
            case .awaiting(let awaiting): awaiting.before
            // Who is signed in stays so until somebody else is. The caller knows of the step.
            default: nil
            }
        guard let before else { return [.finish(id, nil)] }
        phase = .awaiting(SessionPhase.Awaiting(step: step, number: nextStep(), before: before))
        // Who has been told of it finds it again after a crash.
        return [.keepStep(step), .finish(id, nil)]
    }

    private mutating func signIn(
        _ id: AttemptID, _ grant: SessionGrant, family: String, at moment: Moment
    ) -> [SessionAction] {
        guard let user = grant.user else {
            // Nobody here will ever use it: it does not live on at the service.
            return [
                .revoke(grant.tokens, .local),
                .finish(id, AuthError(.internalFailure, reason: "a sign-in without a user")),
            ]
        }
        let former = phase.session
        let isSame = former == nil || Subject.isSame(former?.user.subject, user.subject)
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
        related = grant.replacesSession == false ? family : nil
        if let former { replace(former.kept, by: kept) }
        let session = LiveSession(new: kept, serverDate: grant.serverDate, at: moment)
        // What is the former user's stays until the next one's session has come: whoever is killed before has decided
        // nothing. Nobody hears of the next user before it has gone, in this process or the next, which find by the
        // store's note whose it is.
        return actions + store(session, waiters: waiters, attempt: id, at: moment) + [.guardStore]
    }

    /// New tokens by an operation on the account, such as a changed password: those at hand are worth nothing any more,
    /// and neither is what a refresh with them says.
    mutating func replace(_ family: String, by grant: SessionGrant, at moment: Moment) -> [SessionAction] {
        guard let session = phase.session, session.kept.family == family else { return dropLate(grant) }
        if let user = grant.user, !Subject.isSame(user.subject, session.user.subject) {
            return [.revoke(grant.tokens, .local)]
        }
        guard !grant.tokens.areSame(as: session.tokens) else {
            return confirmedByOperation(grant, session, at: moment)
        }
        let waiters = phase.waiters
        var attempt: AttemptID?
        var isRenewal = session.unwritten == nil
        if case .storing(let storing) = phase { (attempt, isRenewal) = (storing.attempt, storing.isRenewal) }
        let next = session.renewed(by: grant, at: moment)
        // A session of its own at the service, which nobody ends by ending this one.
        if grant.replacesSession == true { replace(session.kept, by: next.kept) }
        beginGeneration()
        return [.cancelRefresh]
            + store(next, waiters: waiters, attempt: attempt, isRenewal: isRenewal, at: moment)
    }

    /// The same tokens, and what the service says of their user. What belongs beside them may be other than before,
    /// such as the device that they are renewed for.
    private mutating func confirmedByOperation(
        _ grant: SessionGrant, _ session: LiveSession, at moment: Moment
    ) -> [SessionAction] {
        var actions: [SessionAction] = []
        // What is being stored is what a sign-in or a refresh has just brought, and later than this.
        let isStoring = if case .storing = phase { true } else { false }
        if !isStoring, grant.tokens.attachments.reveal() != session.tokens.attachments.reveal() {
            change { $0.kept.tokens.attachments = grant.tokens.attachments }
            actions = writeAgain()
        }
        guard let user = grant.user, case .signedIn(let signedIn) = phase else { return actions }
        return actions + confirm(signedIn.session, user, at: moment)
    }
}

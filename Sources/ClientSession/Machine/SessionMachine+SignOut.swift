// SPDX-License-Identifier: Apache-2.0

import AuthTypes

// The session ends: in memory at once, then in the store, then all around it, then at the service.
extension SessionMachine {
    /// The user signs out (G-13, H-5). It wins over whatever is under way.
    mutating func signOut(_ options: SignOutOptions) -> [SessionAction] {
        let session = phase.session
        let waiters = phase.waiters
        let leaving = Leaving(
            family: session?.kept.family, subject: session?.user.subject, keepsLocalData: options.keepsLocalData)
        var actions = leave(.userSignedOut, noting: leaving)
        actions += [
            .clearLocalData(options, subject: leaving.subject), .signOutOfProviders, .endLeaving, .notify,
        ]
        actions += resume(waiters, with: .failure(SignOutReason.userSignedOut.error)) + giveBackReplaced()
        if let session { actions.append(.revoke(session.tokens, options.scope)) }
        return actions
    }

    /// The session was ended by somebody else. What the app keeps for the user stays, since they will be back; unless
    /// it was the user, in another process.
    mutating func end(_ reason: SignOutReason, carrying waiters: [WaiterID]? = nil) -> [SessionAction] {
        let waiters = waiters ?? phase.waiters
        var following: [SessionAction] = []
        if reason == .userSignedOut, let session = phase.session {
            following = [.followLeaving(subject: session.user.subject)]
        }
        // Whoever hears of it finds nothing of the session on the device.
        return leave(reason) + following + [.notify] + resume(waiters, with: .failure(reason.error))
    }

    /// The user has deleted the account: nothing of theirs stays (G-10.5). A service that says by itself that there is
    /// no such user may be wrong, and clears nothing.
    mutating func endAccount() -> [SessionAction] {
        guard let session = phase.session else { return [] }
        let waiters = phase.waiters
        let leaving = Leaving(family: session.kept.family, subject: session.user.subject, keepsLocalData: false)
        let reason = SignOutReason.accountDeleted
        return leave(reason, noting: leaving) + [
            .clearLocalData(leaving.options, subject: leaving.subject), .signOutOfProviders, .endLeaving, .notify,
        ] + resume(waiters, with: .failure(reason.error))
            // The service knows; what the vendor's own kit keeps on the device goes by this.
            + [.revoke(session.tokens, .local)]
    }

    private mutating func leave(_ reason: SignOutReason, noting leaving: Leaving? = nil) -> [SessionAction] {
        let family = phase.session?.kept.family
        var actions: [SessionAction] = [.cancelRefresh]
        if case .storing(let storing) = phase, let other = storing.attempt {
            actions.append(.finish(other, AuthError(.superseded)))
        }
        beginGeneration()
        // What was begun to sign in with before that is over too; a session that ends by itself leaves it be.
        if reason == .userSignedOut {
            actions += supersedeAsking()
            (attempt, asking) = (nil, nil)
        }
        // Nor has anybody been told yet of who came in another's place.
        let others = takeOthers(than: phase.session?.user)
        phase = .signedOut(reason)
        if let leaving { actions.append(.beginLeaving(leaving)) }
        return actions + [.erase(family: family), .guardStore] + clearing(others)
            + others.map { .revoke($0.tokens, .local) }
    }

    /// New tokens that came too late. Where nobody is signed in any more they are given back, since the service may not
    /// know that they are of the session that was ended.
    func dropLate(_ grant: SessionGrant) -> [SessionAction] {
        phase.session == nil ? [.revoke(grant.tokens, .local)] : []
    }

    func resume(_ waiters: [WaiterID], with outcome: TokenOutcome) -> [SessionAction] {
        waiters.isEmpty ? [] : [.resume(waiters, outcome)]
    }
}

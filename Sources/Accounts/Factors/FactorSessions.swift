// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What becomes of a user's sessions when a second factor is proved or goes.
struct FactorSessions {
    private let step: FlowStep

    init(_ step: FlowStep) {
        self.step = step
    }

    /// Raises a session, in place.
    ///
    /// - Parameter reissues: whether its holder is given a new refresh token, by which the one before is dead.
    /// - Returns: the session as now stored, and the token; `nil` for the one there was.
    func raise(
        _ session: Session, by method: AuthenticationMethod, reissues: Bool
    ) throws -> (session: Session, live: RefreshToken?) {
        var raised = session
        raised.methods = session.methods.adding(method)
        raised.assurance = max(session.assurance, .aal2)
        raised.lastActiveAt = step.now.orLater(session.lastActiveAt)
        var live: RefreshToken?
        if reissues {
            live = raised.family.restart(
                for: session.id, secret: step.random.bytes(RefreshToken.secretLength), at: step.now)
        }
        guard try step.tx.advance(raised, from: session.family.generation) else { throw StoreConflict.stale("session") }
        return (raised, live)
    }

    /// Ends the sessions that no second factor was shown in: whoever had one, had the password alone. What was given to
    /// clients in the spared one stays, and so does the one that it was given in.
    func endOthers(of user: User, except spared: Session?) throws {
        try SessionEnding(step).endAll(of: user.id, below: .aal2, except: spared?.id, because: .replaced)
    }

    /// A factor counts from now on that needs no proof any more.
    func followGain(of factor: Factor, of user: User, except spared: Session?) throws {
        try endOthers(of: user, except: spared)
        try endWishes(of: user.id, before: factor.id)
    }

    /// A user's first factor counts from now on: what was wished for before, and is still to be confirmed, was wished
    /// for by whoever had the password alone, and would be theirs to confirm without it.
    func endWishes(of id: UserID, before first: FactorID) throws {
        guard var user = try step.tx.user(id, in: step.directory), user.pendingEmail != nil || user.pendingPhone != nil,
            try !step.tx.factors(of: id, in: step.directory).secondFactors.contains(where: {
                $0.counts && $0.id != first
            })
        else { return }
        user.dropPendingChanges()
        user.updatedAt = step.now
        try step.tx.update(user)
        try step.tx.deleteOneTimeTokens(
            of: id, in: step.directory, purposes: [.emailChangeCurrent, .emailChangeNew, .phoneChange])
    }

    /// A factor or a passkey has gone, or is not asked for any more: sessions that were raised by it alone are as sure
    /// of their user as they were before. What another one has shown, of the same kind or another, stays.
    ///
    /// - Parameter gone: one that is there, and no longer what it was.
    func lower(of user: User, by gone: FactorID? = nil) throws {
        let standing = try StandingMethods(of: user.id, without: gone, in: step.directory, step.tx)
        // What a device is worth it has of a factor that was shown on it.
        if !standing.hasFactors { try step.lowerDevices(of: user.id) }
        for session in try step.tx.sessions(of: user.id, in: step.directory) {
            var lowered = session
            (lowered.methods, lowered.assurance) = standing.left(of: session.methods, at: session.assurance)
            guard lowered.methods != session.methods || lowered.assurance != session.assurance else { continue }
            guard try step.tx.advance(lowered, from: session.family.generation) else {
                throw StoreConflict.stale("session")
            }
        }
    }
}

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
            live = raised.family.restart(for: session.id, secret: step.random.bytes(RefreshToken.secretLength))
        }
        guard try step.tx.advance(raised, from: session.family.generation) else { throw StoreConflict.stale("session") }
        return (raised, live)
    }

    /// Ends the sessions that no second factor was shown in: whoever had one, had the password alone. What was given to
    /// clients in the spared one stays, and so does the one that it was given in.
    func endOthers(of user: User, except spared: Session?) throws {
        for other in try step.tx.sessions(of: user.id, in: step.directory) where other.assurance < .aal2 {
            guard let spared else {
                try SessionEnding(step).end(other.id, because: .replaced)
                continue
            }
            if other.id == spared.id || other.parentID == spared.id || other.id == spared.parentID { continue }
            try SessionEnding(step).end(other.id, because: .replaced)
        }
    }

    /// A factor or a passkey has gone: sessions that were raised by one of its kind alone are as sure of their user as they
    /// were before.
    func lower(of user: User) throws {
        let all = try step.tx.factors(of: user.id, in: step.directory).filter(\.isVerified)
        var left = Set(all.secondFactors.map(\.method))
        if !left.isEmpty, try step.tx.backupCodes(of: user.id, in: step.directory) != nil { left.insert(.backupCode) }
        for session in try step.tx.sessions(of: user.id, in: step.directory) {
            let methods = session.methods.filter { !$0.name.isSecondFactor || left.contains($0.name) }
            let wasByPasskey = session.methods.contains { $0.name == .passkey }
            guard methods != session.methods || wasByPasskey && all.passkeys.isEmpty else { continue }
            let isStillSure = methods.contains(where: \.name.isSecondFactor) || wasByPasskey && !all.passkeys.isEmpty
            var lowered = session
            lowered.methods = methods
            if !isStillSure { lowered.assurance = .aal1 }
            guard try step.tx.advance(lowered, from: session.family.generation) else {
                throw StoreConflict.stale("session")
            }
        }
    }
}

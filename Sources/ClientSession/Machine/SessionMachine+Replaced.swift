// SPDX-License-Identifier: Apache-2.0

import AuthTypes

// Sessions in whose place another has come. The store forgets them as it takes the next one, and nobody else could ever
// end them at the service.
extension SessionMachine {
    /// What is beyond is left to end by itself: each is a session that the store could not take the next one of.
    private static let mostReplaced = 8

    /// The session that was there until now, in whose place this one comes.
    mutating func replace(_ former: KeptSession, by next: KeptSession) {
        guard !isRelated(former, to: next) else { return }
        replaced = replaced.suffix(Self.mostReplaced - 1) + [former]
    }

    /// Whether ending the one at the service would end the other, or might: of one user, where the service gives both
    /// the same refresh token, or its backend says so.
    func isRelated(_ former: KeptSession, to next: KeptSession) -> Bool {
        guard Subject.isSame(former.user.subject, next.user.subject) else { return false }
        if related == next.family { return true }
        let (one, other) = (former.tokens.refreshToken?.reveal(), next.tokens.refreshToken?.reveal())
        return one == other && (one != nil || former.tokens.areSame(as: next.tokens))
    }

    /// Other users' sessions, which end as soon as the next user is shown, whether the store has that one or not.
    ///
    /// - Parameter user: who is there now; `nil` for nobody.
    mutating func takeOthers(than user: SessionUser?) -> [KeptSession] {
        let others = replaced.filter { !Subject.isSame($0.user.subject, user?.subject) }
        replaced.removeAll { !Subject.isSame($0.user.subject, user?.subject) }
        return others
    }

    /// What was other users' on the device goes, unless they chose to keep it.
    func clearing(_ others: [KeptSession]) -> [SessionAction] {
        others.map(\.user.subject).reduce(into: []) { subjects, subject in
            if !subjects.contains(where: { Subject.isSame($0, subject) }) { subjects.append(subject) }
        }.map { .clearLocalData(nil, subject: $0) }
    }

    /// As soon as nothing that took their place is in memory alone.
    mutating func giveBackReplaced() -> [SessionAction] {
        if case .storing = phase { return [] }
        guard !replaced.isEmpty, phase.session?.unwritten == nil else { return [] }
        defer { replaced = [] }
        return replaced.map { .revoke($0.tokens, .local) }
    }

    /// The store goes on with earlier tokens of the same session: what they are of is ended by nobody.
    mutating func spareReplaced(of family: String?) { replaced.removeAll { $0.family == family } }
}

// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What wrong passwords lock: the one place where they are counted for it, where a lock is asked about, and where it is
/// lifted (ADR 0055).
///
/// A lock is of whoever is meant, by whatever name and in whatever dialect, and of a name that nobody has likewise. Two
/// places have a count of their own beside everybody's, since their owner has shown that they are theirs: a session of
/// the account, and a network in which one of its messages was answered. From there everybody's lock keeps nobody out.
struct Lockouts {
    private let step: FlowStep
    private let rule: LockoutRule?

    init(_ step: FlowStep) {
        self.step = step
        rule = LockoutRule(step.settings.lockout)
    }

    /// What everybody's count of somebody is found by.
    static func key(of subject: UserID, _ call: CallContext) -> [UInt8] { key("everybody", of: subject, call) }

    private static func key(_ place: String, of subject: UserID, _ call: CallContext) -> [UInt8] {
        LedgerLimit.key("lockout " + place, subject.rawValue, call)
    }

    /// One look-up, by an index, and a few more where everybody is locked out.
    ///
    /// - Parameters:
    ///   - subject: whose password it is: see ``SignInIdentifier/subject(_:in:)``.
    ///   - session: the one in which the password is asked for once more.
    func standing(of subject: UserID, in session: SessionID?) throws -> LockoutStanding {
        try Self.standing(of: subject, in: session, step.call, step.tx)
    }

    /// As ``standing(of:in:)``, before there is anything to write.
    static func standing(
        of subject: UserID, in session: SessionID?, _ call: CallContext, _ tx: any StoreReading
    ) throws -> LockoutStanding {
        func count(_ place: String, isOwn: Bool) throws -> Lockout {
            let key = Self.key(place, of: subject, call)
            let found = try tx.lockout(key, in: call.directory.id)
            return found ?? Lockout(key: key, directoryID: call.directory.id, userID: nil, isOwn: isOwn)
        }
        guard let rule = LockoutRule(call.settings.lockout) else {
            let none = Lockout(key: [], directoryID: call.directory.id, userID: nil)
            return LockoutStanding(everybody: none, own: nil, wait: nil)
        }
        let everybody = try count("everybody", isOwn: false)
        if let session {
            let own = try count("session " + session.rawValue, isOwn: true)
            return LockoutStanding(everybody: everybody, own: own, wait: own.wait(rule, at: call.now))
        }
        guard let wait = everybody.wait(rule, at: call.now) else {
            return LockoutStanding(everybody: everybody, own: nil, wait: nil)
        }
        guard let network = call.device.truncatedAddress, try KnownNetwork.isProved(call, of: subject, in: tx) else {
            return LockoutStanding(everybody: everybody, own: nil, wait: wait)
        }
        let own = try count("network " + network, isOwn: true)
        return LockoutStanding(everybody: everybody, own: own, wait: own.wait(rule, at: call.now))
    }

    /// Counts a wrong password, once as everybody's and once as the place's own.
    ///
    /// - Parameter user: the subject, where there is such a user.
    /// - Returns: for how long it has locked everybody out; `nil` where it has not.
    func fail(_ standing: LockoutStanding, user: UserID?) throws -> TimeSpan? {
        guard let rule else { return nil }
        let place = step.call.device.truncatedAddress
        func count(_ lockout: Lockout) throws -> Bool {
            var lockout = lockout
            lockout.userID = user
            let isLocked = lockout.fail(rule, at: step.now, from: place)
            try step.tx.put(lockout, until: lockout.end(rule))
            return isLocked
        }
        if let own = standing.own { _ = try count(own) }
        // What is locked stays so for as long as it was said to: no attempt makes it longer.
        guard standing.everybody.wait(rule, at: step.now) == nil else { return nil }
        return try count(standing.everybody) ? rule.duration : nil
    }

    /// The owner was there: what was counted until now is forgotten. A lock that others are under stays.
    func succeed(_ standing: LockoutStanding) throws {
        for lockout in [standing.everybody, standing.own].compactMap(\.self)
        where !lockout.failures.isEmpty || lockout.lockedAt != nil {
            if let rule, lockout.wait(rule, at: step.now) != nil { continue }
            _ = try step.tx.deleteLockout(lockout.key, in: step.directory)
        }
    }

    /// Lifts whatever is locked of a user's, and forgets what was counted.
    ///
    /// - Parameters:
    ///   - reason: as the audit log has it.
    ///   - isNoted: whether the log says so where nothing was locked any more, too.
    /// - Returns: whether something was locked.
    @discardableResult
    func lift(_ user: UserID, by reason: String, isNoted: Bool = false) throws -> Bool {
        let all = try step.tx.lockouts(of: user, in: step.directory)
        for lockout in all { _ = try step.tx.deleteLockout(lockout.key, in: step.directory) }
        let wasLocked = all.contains { lockout in rule.flatMap { lockout.wait($0, at: step.now) } != nil }
        if wasLocked || isNoted { try step.record(.accountUnlocked, user: user, details: ["by": .string(reason)]) }
        return wasLocked
    }
}

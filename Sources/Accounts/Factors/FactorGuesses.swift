// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Wrong codes of one user, over all of their factors, sessions and sign-ins, in whichever process (ADR 0022): so many,
/// and none is heard for a while. Kept in the transaction that judges a code, so that of any number at once no more
/// than the limit are answered.
///
/// A second limit is for a day: whoever comes back after each lock stays far below what finds a code of six digits
/// (NIST SP 800-63B-4, section 3.2.2).
struct FactorGuesses {
    private static let day = DirectorySettings.Rate(count: 30, seconds: 86_400)

    private let step: FlowStep
    private let user: UserID
    private let lock: LedgerLimit
    private let daily: LedgerLimit
    /// Set where the ledger was looked at, and has none of the user's wrong codes.
    private var isClear = false
    /// Whether a recovery of the user's factors may be under way. Only what looked at the ledger knows of none.
    private(set) var mayBeRecovering = true

    init(_ step: FlowStep, of user: UserID) {
        self.step = step
        self.user = user
        lock = LedgerLimit(
            "factor lock", DirectorySettings.Rate(count: 1, seconds: step.settings.factors.lockSeconds), user.rawValue,
            step.call)
        daily = LedgerLimit("factor day", Self.day, user.rawValue, step.call)
    }

    /// A count of wrong codes is forgotten over as many locks as there are attempts.
    private var wrongRate: DirectorySettings.Rate {
        let settings = step.settings.factors
        return DirectorySettings.Rate(
            count: settings.attempts, seconds: settings.lockSeconds * Int64(settings.attempts))
    }

    /// Made where one is counted or forgotten: most codes are right, and follow no wrong one.
    private var wrong: LedgerLimit { LedgerLimit("factor codes", wrongRate, user.rawValue, step.call) }

    /// Why no code is heard now, right or wrong; `nil` where one is.
    mutating func refusal() throws -> AuthError? {
        let directory = step.call.directory.id
        let found: [[UInt8]: Instant]
        (found, mayBeRecovering) = try step.tx.attemptsEnds(
            lock.key, daily.key, in: directory, andRecoveryOf: user)
        let ends = [lock, daily].map { ($0, found[$0.key]) }
        // What is counted as wrong is counted for the day too, and is forgotten no later where a code weighs no more.
        if let weight = LedgerLimit.rule("factor codes", wrongRate).portion?.cost, let ofDay = daily.rule.portion?.cost,
            weight <= ofDay
        {
            isClear = ends.allSatisfy { $1 == nil }
        }
        for (limit, end) in ends {
            if let exhaustion = limit.exhaustion(of: end) {
                return AuthError(.factorLocked, retryAfter: exhaustion.wait)
            }
        }
        return nil
    }

    /// Counts a wrong code. Whether it was the last one for a while.
    func countWrong() throws -> Bool {
        _ = try wrong.take(in: step.tx)
        _ = try daily.take(in: step.tx)
        guard try wrong.exhaustion(in: step.tx) != nil else { return try daily.exhaustion(in: step.tx) != nil }
        // The next ones begin anew, once they are heard.
        try wrong.forget(in: step.tx)
        _ = try lock.take(in: step.tx)
        return true
    }

    /// A right one: those before it were slips.
    func forgive() throws {
        guard !isClear else { return }
        try wrong.forget(in: step.tx)
        try daily.forget(in: step.tx)
        // Where one is heard all the same, its owner is there.
        try lock.forget(in: step.tx)
    }
}

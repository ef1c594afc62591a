// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// The accounts, and names that nobody has, at which this process has seen a wrong guess of late: before another one
/// there it looks whether there is room. A hint: what the ledger says in the transaction that answers is what counts.
final class GuessedAccounts: Sendable {
    /// One account, as an attempt at it knows it.
    struct Place: Sendable {
        private let accounts: GuessedAccounts
        private let key: [UInt8]
        private let now: Instant
        private let memory: TimeSpan

        /// - Parameters:
        ///   - key: as the ledger has it.
        ///   - memory: for how long a guess of now counts.
        init(in accounts: GuessedAccounts, _ key: [UInt8], at now: Instant, for memory: TimeSpan) {
            self.accounts = accounts
            self.key = key
            self.now = now
            self.memory = memory
        }

        /// Whether a wrong guess was made there of late.
        var isKnown: Bool { accounts.contains(key, at: now) }

        func note() { accounts.note(key, at: now, until: now + memory) }
    }

    private struct State {
        var ends: [[UInt8]: Instant] = [:]
        /// Until when every account is taken for one of them, since there were too many.
        var every: Instant?
    }

    /// Whom guesses are made at is the guessers' choice.
    private static let capacity = 16_384

    private let state = Mutex(State())

    private func contains(_ key: [UInt8], at now: Instant) -> Bool {
        state.withLock { state in
            if let every = state.every, every > now { return true }
            return state.ends[key].map { $0 > now } ?? false
        }
    }

    private func note(_ key: [UInt8], at now: Instant, until end: Instant) {
        state.withLock { state in
            if state.ends.count >= Self.capacity, state.ends[key] == nil {
                state.ends = state.ends.filter { $0.value > now }
            }
            if state.ends.count >= Self.capacity, state.ends[key] == nil {
                state.every = state.ends.values.max()
                state.ends = [:]
            }
            state.ends[key] = max(state.ends[key] ?? end, end)
        }
    }

    /// How many are known.
    var count: Int { state.withLock { $0.ends.count } }
}

// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// The order of limits on what can be guessed and sent (ADR 0015), in one place for every flow of every dialect: first
/// one client at one account, then all clients that the account does not know, and the whole Directory last, as a
/// brake that spares those who have proved to be reached. What one client may do in all stands before, with the route.
public struct AccountLimits: Sendable {
    /// What one client does, in this process. All else is in the store's ledger.
    let counts: any AttemptCounting
    /// Guesses, until it is known whether they are to be counted.
    let underWay = AttemptsUnderWay()
    let guessedAt = GuessedAccounts()
    let keys = LedgerKeys()
    /// Archives of accounts that are being fetched: each has a connection, and a page of a list in memory.
    let archives = WorkUnderWay(most: 100)

    /// - Parameter counts: shared by everything in the program that counts.
    public init(_ counts: any AttemptCounting = RateLimiter()) {
        self.counts = counts
    }
}

// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Has the servers over one store know how much a client calls at the others (ADR 0079).
///
/// No call waits for it: each server counts in memory, and now and then adds what it has counted to the store's ledger,
/// of those clients only that have used much of a limit, and takes over what stands there. So few calls cost nothing,
/// and a flood costs a row for each client and second.
public struct ClientCallExchange: Sendable {
    /// A limit over a longer time is counted by each server for itself.
    private static let longest = TimeSpan.days(366)

    private let limiter: RateLimiter
    private let store: any AccountStoring

    /// - Parameter limiter: one that is made to be shared.
    public init(_ limiter: RateLimiter, store: any AccountStoring) {
        self.limiter = limiter
        self.store = store
    }

    /// Adds what was counted since the last pass, and takes over what the others have.
    ///
    /// - Returns: how many counts were exchanged.
    /// - Throws: ``AuthErrorCode/unavailable``: what was counted is told with the next pass.
    @discardableResult
    public func pass(at now: Instant) async throws -> Int {
        let usages = limiter.takeUsages()
        guard !usages.isEmpty else { return 0 }
        let ends: [Instant?]
        do {
            ends = try await store.write { tx in
                let directories = try Self.directories(of: usages, in: tx)
                let additions = usages.map { Self.addition($0, directories, at: now) }
                let ends = try tx.addAttempts(additions.compactMap(\.self), at: now)
                return additions.map { addition in addition.flatMap { ends[$0.key] } }
            }
        } catch {
            limiter.putBack(usages)
            throw error
        }
        for (usage, end) in zip(usages, ends) {
            if let end { limiter.learn(usage.key, fullAt: end) }
        }
        return ends.count { $0 != nil }
    }

    private static func directories(
        of usages: [TokenBuckets<RateLimiter.Key>.Usage], in tx: any StoreReading
    ) throws -> [DirectoryID: Directory] {
        var found: [DirectoryID: Directory] = [:]
        for id in Set(usages.compactMap { CountedClient($0.key.key)?.directory }) {
            found[id] = try tx.directory(id)
        }
        return found
    }

    /// `nil` for what is not told: of a Directory that has gone since.
    private static func addition(
        _ usage: TokenBuckets<RateLimiter.Key>.Usage, _ directories: [DirectoryID: Directory], at now: Instant
    ) -> AttemptAddition? {
        let rule = usage.key.rule
        guard let client = CountedClient(usage.key.key), let directory = directories[client.directory],
            let (cost, size) = rule.portion, size <= longest
        else { return nil }
        // What was forgotten meanwhile is not told.
        let counted = min(Int64(usage.attempts), Int64(rule.count)) * cost.microseconds
        let left = max((usage.fullAt - now).microseconds, 0)
        return AttemptAddition(
            key: LedgerLimit.key("calls " + rule.name, client.origin, in: directory), directory: directory.id,
            debt: TimeSpan(microseconds: min(counted, left, size.microseconds)), size: size)
    }
}

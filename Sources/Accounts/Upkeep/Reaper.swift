// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Removes what has had its time. One pass is many small transactions, which give way to others; whoever runs the
/// program decides when.
public struct Reaper: Sendable {
    /// How long what has ended stays.
    public struct Retention: Sendable {
        /// Spent and expired links, codes and tickets: long enough to recognise a second use.
        public var oneTime: TimeSpan = .days(1)
        public var sessions: TimeSpan = .days(30)
        public var outbox: TimeSpan = .days(7)
        /// `nil` keeps the audit log for ever.
        public var auditEvents: TimeSpan?
        public init() {}
    }

    /// How many rows of each kind a pass removed.
    public struct Report: Sendable, Equatable {
        public var oneTime = 0
        public var sessions = 0
        public var outbox = 0
        /// Soft-deleted users, and the sessions that they had left.
        public var users = 0
        public var signingKeys = 0
        public var auditEvents = 0
        public var nonces = 0
        public var attempts = 0
        public var lockouts = 0
        public var authorizations = 0
        public var federations = 0
        public var identityEnds = 0
        public var factors = 0
        public init() {}
        public var total: Int {
            oneTime + sessions + outbox + users + signingKeys + auditEvents + nonces + attempts + lockouts
                + authorizations + federations + identityEnds + factors
        }
    }

    /// Rows of one transaction at most: a store in which others wait for it takes fewer.
    private static let mostRows = 500
    /// The same of users: whatever is left of each is looked for in some twenty tables.
    private static let mostUsers = 100

    private let store: any AccountStoring
    private let retention: Retention

    public init(store: any AccountStoring, retention: Retention = Retention()) {
        self.store = store
        self.retention = retention
    }

    /// Removes everything that is due at `now`.
    ///
    /// - Throws: `AuthErrorCode.unavailable`, and `CancellationError` between two transactions.
    public func pass(at now: Instant) async throws -> Report {
        var report = Report()
        report.oneTime = try await drain { [retention] tx, limit in
            try tx.purgeOneTime(expiredBefore: now - retention.oneTime, limit: limit)
        }
        report.sessions = try await drain { [retention] tx, limit in
            try tx.purgeSessions(endedBefore: now - retention.sessions, limit: limit)
        }
        report.outbox = try await drain { [retention] tx, limit in
            try tx.purgeOutbox(finishedBefore: now - retention.outbox, limit: limit)
        }
        report.nonces = try await drain { [retention] tx, limit in
            try tx.purgeNonces(expiredBefore: now - retention.oneTime, limit: limit)
        }
        report.authorizations = try await drain { [retention] tx, limit in
            try tx.purgeAuthorizations(expiredBefore: now - retention.oneTime, limit: limit)
        }
        report.federations = try await drain { [retention] tx, limit in
            try tx.purgeFederations(expiredBefore: now - retention.oneTime, limit: limit)
        }
        report.factors = try await drain { [retention] tx, limit in
            try tx.purgeFactorChallenges(expiredBefore: now - retention.oneTime, limit: limit)
        }
        report.factors += try await drain { tx, limit in try tx.purgeFactors(expiredBefore: now, limit: limit) }
        report.factors += try await drain { tx, limit in
            try tx.purgeFactorRecoveries(endedBefore: now, limit: limit)
        }
        report.identityEnds = try await drain { tx, limit in
            try tx.purgeIdentityEnds(before: now - WaitingSyncs.memory, limit: limit)
        }
        report.attempts = try await drain { tx, limit in try tx.purgeAttempts(endedBefore: now, limit: limit) }
        report.lockouts = try await drain { tx, limit in try tx.purgeLockouts(endedBefore: now, limit: limit) }
        let directories = try await store.read { try $0.directories() }
        for directory in directories.map(\.id) {
            guard let kept = retention.auditEvents else { break }
            report.auditEvents += try await drain { tx, limit in
                try tx.purgeAuditEvents(in: directory, before: now - kept, limit: limit)
            }
        }
        report.users = try await purgeUsers(of: directories, at: now)
        report.signingKeys = try await purgeKeys(of: directories, at: now)
        return report
    }

    private func drain(
        of most: Int = Self.mostRows, _ purge: @escaping @Sendable (any StoreWriting, Int) throws -> Int
    ) async throws -> Int {
        try await store.writeInTurns(of: most) { try purge($0, $1.count) }
    }

    /// Each Directory has its own time of grace.
    private func purgeUsers(of directories: [Directory], at now: Instant) async throws -> Int {
        var total = 0
        for directory in directories {
            try Task.checkCancellation()
            let (id, cutoff) = (directory.id, now - .days(max(directory.settings.deletionGraceDays, 0)))
            // A turn costs a commit, and most Directories have nobody who is due.
            guard try await !store.read({ try $0.usersDeleted(in: id, before: cutoff, limit: 1) }).isEmpty else {
                continue
            }
            total += try await drain(of: Self.mostUsers) { tx, rows in
                try Self.purgeUsers(of: id, deletedBefore: cutoff, rows: rows, tx)
            }
        }
        return total
    }

    /// One turn. Of sessions, which go with their user, there may be any number.
    private static func purgeUsers(
        of directory: DirectoryID, deletedBefore cutoff: Instant, rows: Int, _ tx: any StoreWriting
    ) throws -> Int {
        var left = rows
        for user in try tx.usersDeleted(in: directory, before: cutoff, limit: rows) {
            left -= try tx.eraseSessions(of: user, in: directory, limit: left)
            guard left > 0 else { break }
            left -= try tx.deleteUser(user, in: directory) ? 1 : 0
        }
        return rows - left
    }

    private func purgeKeys(of directories: [Directory], at now: Instant) async throws -> Int {
        var total = 0
        for directory in directories {
            try Task.checkCancellation()
            let isDue: @Sendable (SigningKeyRecord) -> Bool = { key in
                key.state == .retiring && key.retiresAt.map { $0 <= now } ?? false
            }
            let keys = try await store.read { try $0.signingKeys(in: directory.id) }
            guard keys.contains(where: isDue) else { continue }
            total += try await store.write { tx in
                try tx.signingKeys(in: directory.id).filter(isDue)
                    .reduce(0) { try $0 + (tx.deleteSigningKey($1.id, in: directory.id) ? 1 : 0) }
            }
        }
        return total
    }
}

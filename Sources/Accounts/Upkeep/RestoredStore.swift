// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What a store needs before it serves again that was put back to an earlier time.
///
/// A backup knows nothing of what happened after it: who signed out, whose session was revoked, which link was used and
/// which mail was sent. All of it would hold again. So everything that was issued ends, and everybody signs in afresh.
///
/// It goes in turns, so that no size of a store is too large for one statement. From before the first until after the
/// last the store bears ``StoreMark/takingBack``, with which no server opens it.
public struct RestoredStore: Sendable {
    /// Rows of one transaction.
    private static let rows = 1_000

    private let store: any AccountStoring
    private let random: any RandomSource

    public init(store: any AccountStoring, random: any RandomSource) {
        self.store = store
        self.random = random
    }

    /// Ends every session of every Directory, with its refresh tokens, and takes back tokens, links, codes and pending
    /// messages. One that was cut short is to be done again: it passes over what has been taken back, and counts what
    /// has not.
    ///
    /// - Parameter requireAlone: throws where somebody serves from the store. Asked before anything is changed, once
    ///   the mark is there, for one that was started in between, and before it is taken away.
    /// - Throws: `AuthErrorCode.unavailable` when the store can't be reached, `CancellationError` between two turns,
    ///   what `requireAlone` throws.
    @discardableResult
    public func takeBackEverything(
        at now: Instant, by actor: AuditEvent.Actor = .commandLine,
        requireAlone: @Sendable () async throws -> Void = {}
    ) async throws -> RestoreAftermath {
        // The next whole second: a token says its time in seconds, and one of this second may be older than now. The
        // time of one that was cut short is of no use: the store may have been put back to its midst.
        let validSince = Instant(seconds: now.seconds + 1)
        try await requireAlone()
        try await store.write { try $0.set(.takingBack, at: now) }
        try await requireAlone()
        var parts: [DirectoryID: RestoreAftermath] = [:]
        for kind in IssuedKind.allCases {
            var last: [String]?
            repeat {
                try Task.checkCancellation()
                let turn = try await store.writeInTurn { [last] in
                    try $0.takeBack(kind, after: last, limit: Self.rows, validSince: validSince, at: now)
                }
                parts.merge(turn.taken, uniquingKeysWith: +)
                last = turn.last
            } while last != nil
        }
        try await requireAlone()
        return try await store.write { [random, parts] tx in
            for directory in try tx.directories() {
                let part = parts[directory.id] ?? RestoreAftermath()
                try tx.append(
                    AuditEvent(
                        id: random.identifier(at: now), directoryID: directory.id, action: .backupRestored,
                        actor: actor,
                        details: [
                            "sessions": .integer(Int64(part.sessions)), "proofs": .integer(Int64(part.proofs)),
                            "messages": .integer(Int64(part.messages)),
                        ], at: now))
            }
            try tx.remove(.takingBack)
            return parts.values.reduce(RestoreAftermath(), +)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What a store needs before it serves again that was put back to an earlier time.
///
/// A backup knows nothing of what happened after it: who signed out, whose session was revoked, which link was used and
/// which mail was sent. All of it would hold again. So everything that was issued ends, and everybody signs in afresh.
public struct RestoredStore: Sendable {
    private let store: any AccountStoring
    private let random: any RandomSource

    public init(store: any AccountStoring, random: any RandomSource) {
        self.store = store
        self.random = random
    }

    /// Ends every session of every Directory, with its refresh tokens, and takes back tokens, links, codes and pending
    /// messages, in one transaction. Doing it again changes nothing but the time.
    ///
    /// - Throws: `AuthErrorCode.unavailable` when the store can't be reached.
    @discardableResult
    public func takeBackEverything(
        at now: Instant, by actor: AuditEvent.Actor = .commandLine
    ) async throws -> RestoreAftermath {
        // The next whole second: a token says its time in seconds, and one of this second may be older than now.
        let validSince = Instant(seconds: now.seconds + 1)
        return try await store.write { [random] tx in
            var sum = RestoreAftermath()
            for directory in try tx.directories() {
                let part = try tx.takeBackEverything(in: directory.id, validSince: validSince, at: now)
                sum.sessions += part.sessions
                sum.proofs += part.proofs
                sum.messages += part.messages
                try tx.append(
                    AuditEvent(
                        id: random.identifier(at: now), directoryID: directory.id, action: .backupRestored,
                        actor: actor,
                        details: [
                            "sessions": .integer(Int64(part.sessions)), "proofs": .integer(Int64(part.proofs)),
                            "messages": .integer(Int64(part.messages)),
                        ], at: now))
            }
            return sum
        }
    }
}

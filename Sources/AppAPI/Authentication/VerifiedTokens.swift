// SPDX-License-Identifier: Apache-2.0

import Accounts
import AuthTypes
import Crypto
import Synchronization
import TokenVerifier

/// Remembers tokens whose signature has been judged good, so that the next request with the same token costs a hash
/// instead of a curve operation.
///
/// Keyed by our own SHA-256 of the whole token. An entry is believed for a minute and never past the token's `exp`:
/// a key that is withdrawn stops working within that minute. Whether the session lives is asked of the store each time.
final class VerifiedTokens: Sendable {
    typealias Key = SHA256.Digest

    struct Entry: Sendable {
        var token: VerifiedToken
        var user: UserID
        var session: SessionID
        var directory: Directory
        var expiresAt: Instant
        var checkedAt: Instant
    }

    private static let capacity = 10_000
    private static let trust = Span.minutes(1)

    private let entries = Mutex<[Key: Entry]>([:])

    func entry(for key: Key, at now: Instant) -> Entry? {
        guard let entry = entries.withLock({ $0[key] }), now < entry.expiresAt, now < entry.checkedAt + Self.trust,
            now >= entry.checkedAt
        else { return nil }
        return entry
    }

    func insert(_ entry: Entry, for key: Key) {
        entries.withLock { entries in
            // Starting over costs each live token one verification, and needs no bookkeeping on the hot path.
            if entries.count >= Self.capacity { entries.removeAll(keepingCapacity: true) }
            entries[key] = entry
        }
    }
}

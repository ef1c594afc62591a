// SPDX-License-Identifier: Apache-2.0

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

    private struct Entry: Sendable {
        var token: VerifiedToken
        var judgedAt: Instant
    }

    private static let capacity = 10_000
    private static let trust = Span.minutes(1)

    private let entries = Mutex<[Key: Entry]>([:])

    func token(for key: Key, at now: Instant) -> VerifiedToken? {
        guard let entry = entries.withLock({ $0[key] }), now < entry.token.expiresAt,
            now < entry.judgedAt + Self.trust, now >= entry.judgedAt
        else { return nil }
        return entry.token
    }

    func insert(_ token: VerifiedToken, for key: Key, at now: Instant) {
        entries.withLock { entries in
            // Starting over costs each live token one verification, and needs no bookkeeping on the hot path.
            if entries.count >= Self.capacity { entries.removeAll(keepingCapacity: true) }
            entries[key] = Entry(token: token, judgedAt: now)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import JOSE

/// Remembers tokens that a ``TokenVerifier`` has judged good, so that the next request with the same one costs a hash
/// instead of a signature.
///
/// An entry is found by the SHA-256 of the whole token, is believed before the token's `exp` and never after it, and
/// not once a key of its issuer has been withdrawn. Tokens that were refused are not remembered. May be shared: each
/// verifier sees only what it has judged itself.
public final class VerifiedTokenCache: Sendable {
    package struct Entry: Sendable {
        package var token: VerifiedToken
        /// Which verifier, and which of its profiles.
        var verifier: UInt64
        var profile: Int
        /// Of the issuer's keys.
        var generation: UInt64
        var judgedAt: Instant
    }

    private let shards: [Shard]

    /// - Parameter capacity: how many tokens are remembered at most; at least 2. When it is reached, those that were
    ///   not used for longest are forgotten, half of them at once.
    public init(capacity: Int = 10_000) {
        // Several locks, so that tasks on several cores seldom meet at one.
        let count = capacity >= 1_024 ? 16 : 1
        shards = (0..<count).map { _ in Shard(half: max(1, capacity / count / 2)) }
    }

    /// How many are remembered now.
    public var count: Int { shards.reduce(0) { $0 + $1.count } }

    /// Forgets the tokens of a session, by ``VerifiedToken/sessionID``.
    ///
    /// Such a token is then judged again, and accepted again unless ``TokenProfile/isRevoked`` says otherwise.
    public func remove(session: String) {
        for shard in shards { shard.remove { $0.token.sessionID == session } }
    }

    /// Forgets the tokens of a user, by `iss` and `sub`.
    public func remove(subject: String, of issuer: String) {
        for shard in shards { shard.remove { $0.token.subject == subject && $0.token.issuer == issuer } }
    }

    /// Forgets every token; each is judged anew when it comes again.
    public func removeAll() {
        for shard in shards { shard.remove { _ in true } }
    }

    /// `nil` for an entry that has expired, and for one of the future: the clock has been set back.
    package func entry(for digest: TokenDigest, at now: Instant) -> Entry? {
        guard let entry = shard(of: digest).entry(for: digest), now < entry.token.expiresAt, entry.judgedAt <= now
        else {
            return nil
        }
        return entry
    }

    func insert(_ entry: Entry, for digest: TokenDigest) {
        shard(of: digest).insert(entry, for: digest)
    }

    private func shard(of digest: TokenDigest) -> Shard {
        shards[Int(truncatingIfNeeded: digest.low) & (shards.count - 1)]
    }
}

extension VerifiedTokenCache {
    /// Two halves: when the younger is full the older is dropped, and they change places. That costs no bookkeeping for
    /// each use, and nothing that is in use is ever dropped.
    private final class Shard: Sendable {
        private struct Halves {
            var younger: [TokenDigest: Entry] = [:]
            var older: [TokenDigest: Entry] = [:]
        }

        private let half: Int
        private let halves = Mutex(Halves())

        init(half: Int) {
            self.half = half
        }

        var count: Int { halves.withLock { $0.younger.count + $0.older.count } }

        func entry(for digest: TokenDigest) -> Entry? {
            halves.withLock { halves in
                if let entry = halves.younger[digest] { return entry }
                guard let entry = halves.older.removeValue(forKey: digest) else { return nil }
                add(entry, for: digest, to: &halves)
                return entry
            }
        }

        func insert(_ entry: Entry, for digest: TokenDigest) {
            halves.withLock { halves in
                halves.older[digest] = nil
                add(entry, for: digest, to: &halves)
            }
        }

        func remove(_ isUnwanted: (Entry) -> Bool) {
            halves.withLock { halves in
                halves.younger = halves.younger.filter { !isUnwanted($0.value) }
                halves.older = halves.older.filter { !isUnwanted($0.value) }
            }
        }

        private func add(_ entry: Entry, for digest: TokenDigest, to halves: inout Halves) {
            if halves.younger.count >= half, halves.younger[digest] == nil {
                halves.older = halves.younger
                halves.younger = [:]
            }
            halves.younger[digest] = entry
        }
    }
}

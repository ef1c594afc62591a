// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// When the keys of one location are fetched, used and dropped, as a state machine that knows neither network, clock
/// nor task. Whoever holds it says what time it is, and starts a fetch when told to.
///
/// - Fetches are never two at a time. Each begins with an ``Action/fetch`` and ends with ``succeeded(_:fingerprints:life:at:)``
///   or ``failed(at:)``.
/// - Keys are renewed before they are stale. After a failure the next attempt waits, twice as long each time; meanwhile
///   the last good keys are used until the grace has passed.
/// - Tokens with an unknown `kid` cause one fetch in each cool-down.
/// - A clock that is set back takes every deadline with it: no pause grows, and no key lives longer by it.
struct KeyCache<Keys: Sendable>: Sendable {
    enum Action: Sendable, Hashable {
        /// Begin a fetch now.
        case fetch
        /// One is under way: wait for its end.
        case wait
        /// Nothing is to be done now.
        case rest
    }

    private struct Held: Sendable {
        var keys: Keys
        var fingerprints: Set<String>
        var renewAt: Instant
        var trustedUntil: Instant
    }

    let policy: KeyCachePolicy
    private(set) var isFetching = false
    /// Counts how often a key was withdrawn, replaced or dropped. One that is added moves it not.
    private(set) var generation: UInt64 = 0
    private var held: Held?
    private var failures = 0
    /// No attempt before this time, because the last ones failed.
    private var blockedUntil: Instant?
    /// No attempt for an unknown `kid` before this time.
    private var coolUntil: Instant?
    private var latest: Instant?

    init(_ policy: KeyCachePolicy) {
        self.policy = policy
    }

    // MARK: What is known

    /// The keys, fresh or within their grace.
    mutating func keys(at now: Instant) -> Keys? {
        observe(now)
        return held?.keys
    }

    /// How long until asking again may help; `nil` when there are keys.
    mutating func retryAfter(at now: Instant) -> Span? {
        observe(now)
        guard held == nil else { return nil }
        return max(.seconds(1), blockedUntil.map { $0 - now } ?? .zero)
    }

    /// How long until ``renew(at:)`` has something to do. While a fetch is under way, when to look again.
    mutating func pause(at now: Instant) -> Span {
        observe(now)
        return isFetching ? policy.firstDelay : max(.zero, due(now) - now)
    }

    // MARK: What is to be done

    /// Time has passed: fetch when there are no keys yet or when they are due for renewal.
    mutating func renew(at now: Instant) -> Action {
        observe(now)
        return due(now) <= now ? begin() : isFetching ? .wait : .rest
    }

    /// A token could not be judged.
    mutating func request(_ need: KeyNeed, at now: Instant) -> Action {
        observe(now)
        if isFetching { return .wait }
        if held == nil { return renew(at: now) }
        // Keys came between the verifier's look and this call.
        guard need == .unknownKey else { return .rest }
        guard (blockedUntil ?? now) <= now, (coolUntil ?? now) <= now else { return .rest }
        coolUntil = now + policy.coolDown
        return begin()
    }

    // MARK: How the fetch ended

    /// - Parameters:
    ///   - fingerprints: One for each key, equal for equal keys.
    ///   - life: How long the server says they may be used; `nil` when it does not say.
    mutating func succeeded(_ keys: Keys, fingerprints: Set<String>, life: Span?, at now: Instant) {
        observe(now)
        guard isFetching else { return }
        isFetching = false
        failures = 0
        blockedUntil = nil
        if let held, !held.fingerprints.isSubset(of: fingerprints) { generation += 1 }
        let life = policy.bounded(life)
        held = Held(
            keys: keys, fingerprints: fingerprints, renewAt: now + policy.renewal(of: life),
            trustedUntil: now + life + policy.grace)
    }

    mutating func failed(at now: Instant) {
        observe(now)
        guard isFetching else { return }
        isFetching = false
        failures += 1
        blockedUntil = now + policy.delay(after: failures)
    }

    // MARK: Parts

    private mutating func begin() -> Action {
        if isFetching { return .wait }
        isFetching = true
        return .fetch
    }

    /// When the next fetch is due. A failed one is repeated as soon as its pause ends: if it was for an unknown `kid`,
    /// the answer is still owed, and the cool-down would withhold it.
    private func due(_ now: Instant) -> Instant { blockedUntil ?? held?.renewAt ?? now }

    private mutating func observe(_ now: Instant) {
        if let latest, now < latest {
            let jump = now - latest
            held?.renewAt.shift(by: jump)
            held?.trustedUntil.shift(by: jump)
            blockedUntil?.shift(by: jump)
            coolUntil?.shift(by: jump)
        }
        latest = now
        if let limit = held?.trustedUntil, limit <= now {
            held = nil
            generation += 1
        }
    }
}

extension Instant {
    fileprivate mutating func shift(by span: Span) { self = self + span }
}

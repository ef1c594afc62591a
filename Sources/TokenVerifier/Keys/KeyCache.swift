// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// When the keys of one location are fetched, used and dropped, as a state machine that knows neither network, clock
/// nor task. Whoever holds it says what time it is, and starts a fetch when told to. What else a provider publishes of
/// itself lives by the same rules.
///
/// - Fetches are never two at a time. Each begins with an ``Action/fetch`` and ends with
///   ``succeeded(_:fingerprints:life:at:)`` or ``failed(at:)``.
/// - Keys are renewed before they are stale. After a failure the next attempt waits, twice as long each time; meanwhile
///   the last good keys are used until the grace has passed.
/// - Tokens with an unknown `kid` cause one fetch in each cool-down.
/// - A clock that is set back takes every deadline with it: no pause grows, and no key lives longer by it.
package struct KeyCache<Keys: Sendable>: Sendable {
    package enum Action: Sendable, Hashable {
        /// Begin a fetch now.
        case fetch
        /// One is under way: wait for its end.
        case wait
        /// Nothing is to be done now.
        case rest
    }

    /// What there is to judge tokens by.
    private enum Contents: Sendable {
        /// Nothing was fetched yet, or its grace has passed.
        case none
        /// `renewAt` is when others are to be fetched, `trustedUntil` when these are dropped for want of them.
        case keys(Keys, fingerprints: Set<String>, renewAt: Instant, trustedUntil: Instant)
    }

    /// What is being done to have others.
    private enum Fetching: Sendable {
        /// Nothing, and the last fetch, if there was one, brought keys.
        case idle
        /// One is under way; so many in a row have failed before it.
        case underWay(failures: Int)
        /// The last ones failed, so many in a row: the next does not begin before `until`.
        case pausing(failures: Int, until: Instant)
    }

    let policy: KeyCachePolicy
    /// Counts how often a key was withdrawn, replaced or dropped. One that is added moves it not.
    private(set) var generation: UInt64 = 0
    private var contents = Contents.none
    private var fetching = Fetching.idle
    /// No fetch for an unknown `kid` before this time; `nil` before the first. It outlives the keys.
    private var coolUntil: Instant?
    /// The latest time that was told; `nil` before the first.
    private var latest: Instant?

    package init(_ policy: KeyCachePolicy) {
        self.policy = policy
    }

    var isFetching: Bool { if case .underWay = fetching { true } else { false } }

    // MARK: What is known

    /// The keys, fresh or within their grace.
    package mutating func keys(at now: Instant) -> Keys? {
        observe(now)
        return switch contents {
        case .none: nil
        case .keys(let keys, _, _, _): keys
        }
    }

    /// How long until asking again may help; `nil` when there are keys.
    package mutating func retryAfter(at now: Instant) -> TimeSpan? {
        observe(now)
        guard case .none = contents else { return nil }
        return switch fetching {
        case .idle, .underWay: .seconds(1)
        case .pausing(_, let until): max(.seconds(1), until - now)
        }
    }

    /// How long until ``renew(at:)`` has something to do. While a fetch is under way, when to look again.
    mutating func pause(at now: Instant) -> TimeSpan {
        observe(now)
        return due(now).map { max(.zero, $0 - now) } ?? policy.firstDelay
    }

    // MARK: What is to be done

    /// Time has passed: fetch when there are no keys yet or when they are due for renewal.
    package mutating func renew(at now: Instant) -> Action {
        observe(now)
        guard let due = due(now) else { return .wait }
        return due <= now ? begin() : .rest
    }

    /// A token could not be judged.
    package mutating func request(_ need: KeyNeed, at now: Instant) -> Action {
        observe(now)
        guard case .keys = contents else { return renew(at: now) }
        switch fetching {
        case .underWay: return .wait
        case .pausing(_, let until) where until > now: return .rest
        case .idle, .pausing: break
        }
        // Without a need, keys came between the verifier's look and this call.
        guard need == .unknownKey, (coolUntil ?? now) <= now else { return .rest }
        coolUntil = now + policy.coolDown
        return begin()
    }

    // MARK: How the fetch ended

    /// - Parameters:
    ///   - fingerprints: One for each key, equal for equal keys.
    ///   - life: How long the server says they may be used; `nil` when it does not say.
    package mutating func succeeded(_ keys: Keys, fingerprints: Set<String>, life: TimeSpan?, at now: Instant) {
        observe(now)
        guard isFetching else { return }
        fetching = .idle
        if case .keys(_, let former, _, _) = contents, !former.isSubset(of: fingerprints) { generation += 1 }
        let life = policy.bounded(life)
        contents = .keys(
            keys, fingerprints: fingerprints, renewAt: now + policy.renewal(of: life),
            trustedUntil: now + life + policy.grace)
    }

    package mutating func failed(at now: Instant) {
        observe(now)
        guard case .underWay(let failures) = fetching else { return }
        fetching = .pausing(failures: failures + 1, until: now + policy.delay(after: failures + 1))
    }

    // MARK: Parts

    private mutating func begin() -> Action {
        switch fetching {
        case .underWay: return .wait
        case .idle: fetching = .underWay(failures: 0)
        case .pausing(let failures, _): fetching = .underWay(failures: failures)
        }
        return .fetch
    }

    /// When the next fetch is due; `nil` while one is under way. A failed one is repeated as soon as its pause ends: if
    /// it was for an unknown `kid`, the answer is still owed, and the cool-down would withhold it.
    private func due(_ now: Instant) -> Instant? {
        switch (fetching, contents) {
        case (.underWay, _): nil
        case (.pausing(_, let until), _): until
        case (.idle, .none): now
        case (.idle, .keys(_, _, let renewAt, _)): renewAt
        }
    }

    /// Takes every deadline along with a clock that was set back, and drops keys whose grace has passed.
    private mutating func observe(_ now: Instant) {
        if let latest, now < latest { shift(by: now - latest) }
        latest = now
        if case .keys(_, _, _, let trustedUntil) = contents, trustedUntil <= now {
            contents = .none
            generation += 1
        }
    }

    private mutating func shift(by jump: TimeSpan) {
        if case .keys(let keys, let fingerprints, let renewAt, let trustedUntil) = contents {
            contents = .keys(
                keys, fingerprints: fingerprints, renewAt: renewAt + jump, trustedUntil: trustedUntil + jump)
        }
        if case .pausing(let failures, let until) = fetching {
            fetching = .pausing(failures: failures, until: until + jump)
        }
        coolUntil = coolUntil.map { $0 + jump }
    }
}

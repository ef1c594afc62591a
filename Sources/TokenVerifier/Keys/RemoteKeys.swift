// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import JOSE
import Logging

/// The keys of one location, fetched when the cache's rules say so.
///
/// A fetch runs in a task of its own, so that it neither ends with the caller who happened to start it nor delays one
/// who reads ``keys``: the lock is held for a few comparisons, never across a fetch.
public final class RemoteKeys: KeySource {
    private struct State {
        var cache: KeyCache<VerificationKeySet>
        var fetch: Task<Void, Never>?
        var waiting = 0
    }

    /// Where the keys are published.
    public let location: KeyLocation
    private let fetcher: any KeyFetching
    private let logger: Logger
    private let clock: @Sendable () -> Instant
    private let state: Mutex<State>
    private let published = AtomicNumber()
    /// Callers that may wait for one fetch. Beyond it a flood of tokens would be a heap of tasks.
    private let mostWaiting = 4096

    /// - Parameters:
    ///   - location: where the keys are published.
    ///   - fetcher: asks the issuer.
    ///   - policy: how long keys count as fresh, and how often the issuer is asked.
    ///   - logger: told of fetches that fail.
    ///   - clock: Read while a lock is held: it must return at once.
    public init(
        _ location: KeyLocation, fetcher: any KeyFetching, policy: KeyCachePolicy = KeyCachePolicy(),
        logger: Logger = Logger(label: "token-keys"), clock: @escaping @Sendable () -> Instant
    ) {
        self.location = location
        self.fetcher = fetcher
        self.logger = logger
        self.clock = clock
        state = Mutex(State(cache: KeyCache(policy)))
    }

    /// The keys as they are known now. Starts, but does not await, a renewal that is due and that nobody else started.
    public var keys: VerificationKeySet? {
        step { state, now in
            if state.cache.renew(at: now) == .fetch { begin(&state) }
            return state.cache.keys(at: now)
        }
    }

    public var generation: UInt64 { UInt64(truncatingIfNeeded: published.load()) }

    public var retryAfter: TimeSpan? { step { state, now in state.cache.retryAfter(at: now) } }

    public func request(_ need: KeyNeed) async { await perform { $0.request(need, at: $1) } }

    /// Fetches if a fetch is due. Returns when it, or the one under way, has ended.
    public func renew() async { await perform { $0.renew(at: $1) } }

    /// Starts a fetch if one is due.
    ///
    /// - Returns: How long until the next one.
    func renewInBackground() -> TimeSpan {
        step { state, now in
            if state.cache.renew(at: now) == .fetch { begin(&state) }
            return state.cache.pause(at: now)
        }
    }

    private func perform(
        _ ask: (inout KeyCache<VerificationKeySet>, Instant) -> KeyCache<VerificationKeySet>.Action
    ) async {
        let fetch = step { state, now -> Task<Void, Never>? in
            switch ask(&state.cache, now) {
            case .fetch: begin(&state)
            case .wait: break
            case .rest: return nil
            }
            guard state.waiting < mostWaiting else { return nil }
            state.waiting += 1
            return state.fetch
        }
        guard let fetch else { return }
        await fetch.value
        step { state, _ in state.waiting -= 1 }
    }

    /// The clock is read under the lock, so that the cache sees times in the order of its calls.
    private func step<Result: Sendable>(_ body: (inout State, Instant) -> Result) -> Result {
        state.withLock { state in
            let before = state.cache.generation
            let result = body(&state, clock())
            if state.cache.generation != before {
                published.store(Int(truncatingIfNeeded: state.cache.generation))
            }
            return result
        }
    }

    private func begin(_ state: inout State) {
        state.fetch = Task.detached { await self.fetch() }
    }

    private func fetch() async {
        let outcome: Result<FetchedKeys, KeyFetchError>
        do {
            outcome = .success(try await fetcher.fetch(location))
        } catch {
            outcome = .failure(error)
        }
        let isCold = step { state, now in
            switch outcome {
            case .success(let fetched):
                state.cache.succeeded(fetched.keys, fingerprints: fetched.fingerprints, life: fetched.life, at: now)
            case .failure: state.cache.failed(at: now)
            }
            state.fetch = nil
            return state.cache.keys(at: now) == nil
        }
        report(outcome, isCold: isCold)
    }

    private func report(_ outcome: Result<FetchedKeys, KeyFetchError>, isCold: Bool) {
        let metadata: Logger.Metadata = ["location": "\(location)"]
        switch outcome {
        case .success(let fetched):
            logger.debug("keys fetched", metadata: metadata.merging(["keys": "\(fetched.fingerprints.count)"]) { $1 })
        case .failure(let error):
            logger.log(
                level: isCold ? .error : .warning,
                isCold ? "no keys: every token of this issuer is refused" : "keys not renewed: the last good ones stay",
                metadata: metadata.merging(["error": "\(error)"]) { $1 })
        }
    }
}

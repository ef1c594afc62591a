// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Logging
import ServiceLifecycle

/// The key sources of a process, one a location, however many verifiers and profiles ask for it.
///
/// As a service it renews keys before they are stale, so that no request ever pays for a fetch. It forgets locations
/// that nobody has asked for lately where there are more than ``mostLocations``: whoever may say where keys are fills
/// no memory.
public final class KeyCatalog: KeyProviding, Service {
    /// Locations that are remembered at once.
    public static let mostLocations = 2048

    private let fetcher: any KeyFetching
    private let policy: KeyCachePolicy
    private let logger: Logger
    private let clock: @Sendable () -> Instant
    private let wait: @Sendable (TimeSpan) async throws -> Void
    private let sources = Mutex(RecentlyUsed<KeyLocation, RemoteKeys>(most: mostLocations))
    /// Locations may be added, and the clock may be set, while the service sleeps.
    private let longestWait = TimeSpan.seconds(30)

    /// - Parameters:
    ///   - fetcher: asks the issuers.
    ///   - policy: how long keys count as fresh, and how often issuers are asked.
    ///   - logger: told of fetches that fail.
    ///   - clock: What time it is. It must return at once.
    ///   - wait: Returns when this much time has passed, or throws when its task is cancelled.
    public init(
        fetcher: any KeyFetching = HTTPKeyFetcher(), policy: KeyCachePolicy = KeyCachePolicy(),
        logger: Logger = Logger(label: "token-keys"), clock: @escaping @Sendable () -> Instant,
        wait: @escaping @Sendable (TimeSpan) async throws -> Void = { span in
            try await Task.sleep(for: .microseconds(span.microseconds))
        }
    ) {
        self.fetcher = fetcher
        self.policy = policy
        self.logger = logger
        self.clock = clock
        self.wait = wait
    }

    /// The source of `location`. That of fixed keys is empty here: whoever has such keys has them in a ``FixedKeys``.
    public func source(for location: KeyLocation) -> any KeySource {
        if case .fixed = location { return FixedKeys.empty }
        return sources.withLock { sources in
            sources.use(
                location,
                default: RemoteKeys(location, fetcher: fetcher, policy: policy, logger: logger, clock: clock)
            ) { $0 }
        }
    }

    /// Fetches the keys of every location asked for so far, all at once. Returns when each attempt has ended; what
    /// failed is tried again by ``run()``.
    public func hydrate() async {
        await withTaskGroup { group in
            for source in known { group.addTask { await source.renew() } }
        }
    }

    /// Renews keys until the service is shut down or its task cancelled. Does not wait for a fetch under way.
    public func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                let pause = self.known.map { $0.renewInBackground() }.min() ?? self.longestWait
                do {
                    try await self.wait(min(pause, self.longestWait))
                } catch {
                    return
                }
            }
        }
    }

    /// How many are remembered now.
    var locations: Int { sources.withLock(\.count) }

    private var known: [RemoteKeys] { sources.withLock(\.values) }
}

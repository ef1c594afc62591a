// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Logging
import TokenVerifier

/// The metadata of issuers, each fetched by one caller at a time and remembered as keys are: renewed before they are
/// stale, and used on for a day while their issuer can't be reached.
final class Discovery: Sendable {
    private struct Entry {
        var cache: KeyCache<ProviderMetadata>
        var fetch: Task<Void, Never>?
    }

    /// Issuers that are remembered at once; they are what operators configure, and those of a Directory may do so
    /// often.
    private static let most = KeyCatalog.mostLocations

    private let client: any OutwardCalling
    private let policy: KeyCachePolicy
    private let logger: Logger
    private let clock: @Sendable () -> Instant
    private let entries = Mutex(RecentlyUsed<String, Entry>(most: most))

    init(
        _ client: any OutwardCalling, policy: KeyCachePolicy = KeyCachePolicy(), logger: Logger,
        clock: @escaping @Sendable () -> Instant
    ) {
        self.client = client
        self.policy = policy
        self.logger = logger
        self.clock = clock
    }

    /// The metadata of `issuer`: at once where they are known, or after the fetch that this begins or joins. Whoever
    /// goes meanwhile ends nobody else's.
    ///
    /// - Throws: `AuthErrorCode.identityProviderUnavailable`.
    func metadata(of issuer: String) async throws(AuthError) -> ProviderMetadata {
        let (known, fetch) = step(issuer) { entry, now -> (ProviderMetadata?, Task<Void, Never>?) in
            if entry.cache.renew(at: now) == .fetch { begin(issuer, &entry) }
            return (entry.cache.keys(at: now), entry.fetch)
        }
        if let known { return known }
        await fetch?.value
        let (found, wait) = step(issuer) { entry, now in (entry.cache.keys(at: now), entry.cache.retryAfter(at: now)) }
        guard let found else {
            throw AuthError(.identityProviderUnavailable, reason: "no metadata of the issuer", retryAfter: wait)
        }
        return found
    }

    private func step<Result: Sendable>(_ issuer: String, _ body: (inout Entry, Instant) -> Result) -> Result {
        entries.withLock { entries in
            entries.use(issuer, default: Entry(cache: KeyCache(policy))) { body(&$0, clock()) }
        }
    }

    private func begin(_ issuer: String, _ entry: inout Entry) {
        entry.fetch = Task.detached { await self.fetch(issuer) }
    }

    private func fetch(_ issuer: String) async {
        let outcome: Result<(ProviderMetadata, TimeSpan?), OutwardFailure>
        do throws(OutwardFailure) {
            let answer = try await client.send(OutwardCall(get: try ProviderMetadata.address(of: issuer)), for: nil)
            outcome = .success((try ProviderMetadata(try answer.granted(), of: issuer), answer.life))
        } catch {
            outcome = .failure(error)
            logger.warning(
                "metadata of an identity provider not fetched", metadata: ["issuer": "\(issuer)", "error": "\(error)"])
        }
        step(issuer) { entry, now in
            entry.fetch = nil
            switch outcome {
            case .success(let (metadata, life)):
                entry.cache.succeeded(metadata, fingerprints: [], life: life, at: now)
            case .failure: entry.cache.failed(at: now)
            }
        }
    }
}

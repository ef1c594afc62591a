// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Logging
import TokenVerifier

/// Our side of a sign-in at somebody else's identity provider: the one object of the program that asks providers
/// anything. What it is told it judges, and hands on as a ``FederatedProof``; whose account that opens is not its
/// affair.
public final class RelyingParty: IdentityProviding {
    /// What the server that it works for allows.
    public struct Options: Sendable {
        /// Whether providers may be on this very machine, without TLS: in development.
        public var allowsLoopback = false
        /// Hosts of providers that may be in a private network. Any other name that leads there is not asked.
        public var privateHosts: Set<String> = []

        public init(allowsLoopback: Bool = false, privateHosts: Set<String> = []) {
            self.allowsLoopback = allowsLoopback
            self.privateHosts = privateHosts
        }

        var rules: OutwardClient.Rules { .init(allowsLoopback: allowsLoopback, privateHosts: privateHosts) }
    }

    let client: any OutwardCalling
    let discovery: Discovery
    let judge: IDTokenJudge
    let logger: Logger
    let clock: @Sendable () -> Instant

    /// - Parameters:
    ///   - options: what the server that it works for allows.
    ///   - logger: told of providers that can't be asked.
    ///   - clock: what time it is. It must return at once.
    public convenience init(
        _ options: Options = Options(), logger: Logger = Logger(label: "identity-providers"),
        clock: @escaping @Sendable () -> Instant
    ) {
        self.init(OutwardClient(options.rules), logger: logger, clock: clock)
    }

    init(_ client: any OutwardCalling, logger: Logger, clock: @escaping @Sendable () -> Instant) {
        // A key that is new is asked for again after a minute: whoever sends unknown ones does not keep it out for
        // longer.
        var policy = KeyCachePolicy()
        policy.coolDown = .minutes(1)
        let keys = ProviderKeys(client)
        self.client = client
        self.logger = logger
        self.clock = clock
        discovery = Discovery(client, logger: logger, clock: clock)
        judge = IDTokenJudge(
            keys: keys, catalog: KeyCatalog(fetcher: keys, policy: policy, logger: logger, clock: clock))
    }

    /// All that is known of a provider, its metadata fetched where they are needed.
    ///
    /// - Throws: `AuthErrorCode.identityProviderUnavailable`.
    func upstream(_ provider: IdentityProvider) async throws(AuthError) -> Upstream {
        guard let issuer = Upstream.discoveredIssuer(of: provider) else { return try Upstream(provider) }
        return try Upstream(provider, metadata: try await discovery.metadata(of: issuer))
    }

    /// Asks a provider, among its own calls.
    ///
    /// - Throws: `AuthErrorCode.identityProviderUnavailable`.
    func ask(_ call: OutwardCall, _ upstream: Upstream, _ what: String) async throws(AuthError) -> OutwardAnswer {
        do throws(OutwardFailure) {
            return try await client.send(call, for: upstream.place)
        } catch {
            throw unavailable(error, upstream, what)
        }
    }

    func unavailable(_ failure: OutwardFailure, _ upstream: Upstream, _ what: String) -> AuthError {
        logger.warning(
            "identity provider unavailable",
            metadata: [
                "provider": "\(upstream.provider.name)", "directory": "\(upstream.provider.directoryID)",
                "asked": "\(what)", "error": "\(failure)",
            ])
        return AuthError(
            .identityProviderUnavailable, reason: "\(what): \(failure)",
            retryAfter: failure == .busy ? .seconds(10) : nil)
    }
}

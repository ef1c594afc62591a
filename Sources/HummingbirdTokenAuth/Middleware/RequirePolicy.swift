// SPDX-License-Identifier: Apache-2.0

import CoreMetrics
import Hummingbird
import JOSE
import TokenVerifier

/// Lets only those requests through whose identity satisfies a policy. Placed behind ``TokenAuthMiddleware``; without
/// it, or on its exempt paths, there is no identity and the answer is 401.
///
/// ```swift
/// router.group("admin").add(middleware: RequirePolicy(.requireGroups("admin", "testing")))
/// ```
public struct RequirePolicy<Context: TokenAuthRequestContext>: RouterMiddleware {
    private let policy: AccessPolicy
    private let realm: String
    private let refusals: RefusalReport

    /// - Parameters:
    ///   - policy: what an identity must satisfy.
    ///   - realm: as ``TokenAuthMiddleware``'s.
    ///   - metrics: where refusals are counted.
    public init(
        _ policy: AccessPolicy, realm: String = AccessRefusal.defaultRealm,
        metrics: any MetricsFactory = MetricsSystem.factory
    ) {
        self.policy = policy
        self.realm = realm
        refusals = RefusalReport(metrics)
    }

    /// Passes the request on if its identity satisfies the policy.
    ///
    /// - Throws: ``AccessRefusal``.
    public func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard let identity = context.identity else {
            throw refusals.report(AccessRefusal(.noCredentials, realm: realm), to: context.logger)
        }
        if let shortfall = policy.shortfall(of: identity) {
            let isBound = identity.verifiedToken.map { $0.binding != .bearer } ?? false
            let scheme = isBound ? AccessRefusal.Scheme.dpop(DPoPProof.algorithms.map(\.rawValue)) : .bearer
            throw refusals.report(
                AccessRefusal(.insufficient(shortfall), realm: realm, scheme: scheme), to: context.logger)
        }
        return try await next(request, context)
    }
}

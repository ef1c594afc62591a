// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// An identity provider of the project's own that plays Google, Apple, Microsoft, GitHub, Facebook and any OpenID
/// provider, so that signing in by them can be walked with no internet and no console. It has no passwords: whoever
/// reaches it is whom they say. Never added to a router in production, and nobody believes its keys there.
///
/// What it remembers is in memory: it is forgotten when the process ends, and never more than some thousand entries.
public struct DevelopmentIdentityProvider: Sendable {
    /// Where all of it is.
    public static let path = "/dev/identity-provider"

    /// What the provider is given from outside.
    public struct Ports: Sendable {
        /// Of this server.
        public var url: ServerURL
        /// Who may be answered: browsers are sent to this machine alone.
        public var callers: LocalCallers
        public var random: any RandomSource
        public var keys: ProviderKeys
        /// Waits, for an answer that is slow on purpose.
        public var wait: @Sendable (TimeSpan) async throws -> Void
        /// Hands a vendor's notification to the app's server.
        ///
        /// Returns whether there is anybody who takes it.
        public var notify: @Sendable (VendorNotification, Instant) async throws -> Bool

        public init(
            url: ServerURL, callers: LocalCallers, random: any RandomSource, keys: ProviderKeys,
            wait: @escaping @Sendable (TimeSpan) async throws -> Void,
            notify: @escaping @Sendable (VendorNotification, Instant) async throws -> Bool = { _, _ in false }
        ) {
            self.url = url
            self.callers = callers
            self.random = random
            self.keys = keys
            self.wait = wait
            self.notify = notify
        }
    }

    /// The key of Apple's team, by which an app proves itself there: PKCS #8 in PEM, as Apple hands it out.
    public var teamKey: Secret<String> { ports.keys.teamKey }

    let ports: Ports
    let book: Book

    public init(_ ports: Ports) {
        self.ports = ports
        book = Book(random: ports.random)
    }

    /// What is not found here, or asked in a way that nothing answers, is said in this provider's own form.
    public var surfaces: [Surface] { [Surface(prefix: Self.path, renderer: ProviderErrors())] }

    public func addRoutes(to router: some RouterMethods<LatchkeyRequestContext>, routes: KnownRoutes) {
        for route in Route.all {
            let path = Self.path + route.path
            routes.add(route.method, path)
            router.on(RouterPath(path), method: route.method) { request, context in
                try await respond(to: request, context, by: route)
            }
        }
    }

    private func respond(
        to request: Request, _ context: LatchkeyRequestContext, by route: Route
    ) async throws -> Response {
        var failed = Refusal(vendor: nil, audience: route.audience, context: context, headers: request.headers)
        failed.isTokenEndpoint = route.path == "/{provider}/token"
        do {
            let call = try await Call(request, context, of: self, for: route)
            failed.vendor = call.given
            return try await route.endpoint(call)
        } catch let error as OAuthError {
            return failed.response(to: error)
        } catch let error as AuthError where error.code != .internalFailure {
            return failed.response(to: OAuthError(error))
        }
    }
}

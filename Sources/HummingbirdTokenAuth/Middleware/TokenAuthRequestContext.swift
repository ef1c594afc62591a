// SPDX-License-Identifier: Apache-2.0

import Hummingbird

/// A request context that says who the request comes from.
///
/// ```swift
/// struct APIContext: TokenAuthRequestContext {
///     var coreContext: CoreRequestContextStorage
///     var identity: TokenIdentity?
///
///     init(source: Source) { coreContext = .init(source: source) }
/// }
/// ```
public protocol TokenAuthRequestContext: RequestContext {
    /// Set by ``TokenAuthMiddleware`` and by nothing else. `nil` on exempt paths and where the middleware does not run.
    var identity: TokenIdentity? { get set }
}

extension TokenAuthRequestContext {
    /// The identity, for a handler that cannot do without.
    ///
    /// - Throws: ``AccessRefusal`` (401) when there is none.
    public func requireIdentity() throws(AccessRefusal) -> TokenIdentity {
        guard let identity else { throw AccessRefusal(.noCredentials) }
        return identity
    }
}

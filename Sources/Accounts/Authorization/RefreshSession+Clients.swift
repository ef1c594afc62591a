// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension RefreshSession {
    /// Exchanges a refresh token for a client that says what it wants of it (RFC 6749, section 6). The next token
    /// stands for all that was granted, however little is asked for now. What the client is no longer registered for,
    /// since an operator took it back, and what its user has agreed to no longer, is not in the session that is
    /// returned, and where nothing is left there is none.
    ///
    /// - Parameters:
    ///   - scopes: at most those that were granted; `nil` for all of them.
    ///   - resources: at most those that were granted (RFC 8707, section 2.2).
    ///   - dpopKey: the thumbprint of the key that the caller proved to have (RFC 9449, section 5).
    /// - Throws: as without; ``AuthorizationRefusal`` with ``AuthorizationErrorCode/invalidScope``,
    ///   ``AuthorizationErrorCode/invalidTarget``, or ``AuthorizationErrorCode/invalidGrant`` for another key than the
    ///   token is bound to, and for a client that has nothing left of what was granted. The token is then as it was.
    public func callAsFunction(
        _ text: String, scopes: [String]?, resources: [String] = [], dpopKey: String? = nil, call: CallContext
    ) async throws -> IssuedSession {
        let registered = call.client?.settings.authorization
        return try await self(text, call: call) { session, tx in
            let granted = session.grant ?? ClientGrant()
            var left: ClientGrant? = granted
            if let registered {
                left = try registered.held(granted).flatMap { try registered.agreed($0, in: session, tx) }
            }
            guard let grant = left else {
                throw AuthorizationRefusal(.invalidGrant, "the client may ask for nothing of what was granted any more")
            }
            guard scopes?.allSatisfy(grant.scopes.containsOctets) ?? true else {
                throw AuthorizationRefusal(.invalidScope, "more is asked for than was granted")
            }
            guard resources.allSatisfy(grant.resources.containsOctets) else {
                throw AuthorizationRefusal(.invalidTarget, "resource was not granted")
            }
            guard grant.dpopKey == nil || grant.dpopKey == dpopKey else {
                throw AuthorizationRefusal(.invalidGrant, "the refresh token is bound to another key")
            }
            if session.grant != nil { session.grant = grant }
        }
    }
}

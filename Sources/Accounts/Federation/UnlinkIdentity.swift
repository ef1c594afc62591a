// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Takes one of their identities from a user who is signed in. The last way in can't be removed.
public struct UnlinkIdentity: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// - Returns: the user as now stored. Sessions that the identity opened have ended, but the caller's.
    /// - Throws: ``AuthErrorCode/identityNotFound``, also for another user's; ``AuthErrorCode/lastWayIn``;
    ///   ``AuthErrorCode/unsupported`` for an address or a number, which go by other ways;
    ///   ``AuthErrorCode/reauthenticationNeeded``, ``AuthErrorCode/userBanned``, ``AuthErrorCode/userNotFound``,
    ///   ``AuthErrorCode/sessionNotFound``, ``AuthErrorCode/insufficientAssurance``.
    public func callAsFunction(
        _ id: IdentityID, of authenticated: AuthenticatedUser, call: CallContext
    ) async throws -> UserRecord {
        try LinkRule(call).require(authenticated)
        return try await ports.write(call) { step in
            var user = try authenticated.usable(call, step.tx)
            try AssuranceRule(step).require(authenticated)
            let identities = try LocalIdentities.all(of: user, step.tx)
            guard let identity = identities.first(where: { $0.id == id }) else { throw AuthError(.identityNotFound) }
            guard !LocalIdentities.isLocal(identity) else {
                throw AuthError(.unsupported, reason: "an address is changed, not unlinked", field: "identity")
            }
            guard WaysToSignIn(user, identities).remain(without: identity) else { throw AuthError(.lastWayIn) }
            try IdentityEnding(step).unlink(identity, from: &user, except: authenticated.session?.id)
            return try UserRecord(try step.tx.update(user), step.tx)
        }
    }
}

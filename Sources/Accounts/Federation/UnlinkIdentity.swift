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
    ///   ``AuthErrorCode/reauthenticationNeeded``, ``AuthErrorCode/userBanned``, ``AuthErrorCode/userNotFound``.
    public func callAsFunction(
        _ id: IdentityID, of authenticated: AuthenticatedUser, call: CallContext
    ) async throws -> UserRecord {
        try LinkRule(call).require(authenticated)
        return try await ports.write(call) { step in
            var user = try step.tx.liveUser(authenticated.user.id, in: step.directory)
            try call.requireUsable(user)
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

/// By what a user can come back.
struct WaysToSignIn {
    private let user: User
    private let identities: [Identity]

    init(_ user: User, _ identities: [Identity]) {
        self.user = user
        self.identities = identities
    }

    /// Whether one is left without this identity: another one, a password with something to call oneself by, an address
    /// or a number that was proved.
    func remain(without identity: Identity) -> Bool {
        let isNamed = user.username != nil || user.email != nil || user.phone != nil
        return user.isProved || user.passwordHash != nil && isNamed
            || identities.contains { $0.id != identity.id && !LocalIdentities.isLocal($0) }
    }
}

/// Takes identities away, whoever says so: one rule.
struct IdentityEnding {
    private let step: FlowStep

    init(_ step: FlowStep) {
        self.step = step
    }

    /// The caller writes the user.
    ///
    /// - Parameter spared: the session in which the user asks for it.
    func unlink(_ identity: Identity, from user: inout User, except spared: SessionID?) throws {
        try AccountEnding(step).end(identity)
        let left = try LocalIdentities.all(of: user, step.tx)
        user.name(providers: left.map(\.provider))
        user.updatedAt = step.now
        try endSessions(of: user, by: identity.provider, except: spared)
        try step.record(.identityUnlinked, user, details: ["provider": .string(identity.provider)])
        let label = try ConfiguredProviders(step).label(of: identity.provider)
        try OwnerNotice(step).tellUnlinked(label, from: user)
    }

    /// All that the provider's word has opened: which of a provider's identities it was nobody has written down. And what
    /// it would open yet: whoever has a code would come in after all of that has ended.
    private func endSessions(of user: User, by provider: String, except spared: SessionID?) throws {
        for session in try step.tx.sessions(of: user.id, in: step.directory)
        where session.id != spared && session.methods.contains(where: { $0.provider == provider }) {
            try SessionEnding(step).end(session.id, because: .identityRevoked)
        }
        try step.tx.deleteAuthorizationCodes(of: user.id, in: step.directory)
    }
}

// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Mail

/// A user's passkeys: lists, names and removes them.
public struct UserPasskeys: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// The oldest first.
    public func list(of user: UserID, call: CallContext) async throws -> [Factor] {
        try await ports.store.read { try $0.factors(of: user, in: call.directory.id).passkeys }
    }

    /// - Parameter name: unlike any other of the user's factors and passkeys.
    /// - Throws: ``AuthErrorCode/factorNotFound``, also for another user's; ``AuthErrorCode/factorNameExists``,
    ///   ``AuthErrorCode/invalidRequest``; what a session that has ended throws.
    public func rename(
        _ id: FactorID, to name: String, of authenticated: AuthenticatedUser, call: CallContext
    ) async throws -> Factor {
        try FactorNames.require(name)
        return try await ports.write(call) { step in
            let user = try authenticated.usable(call, step.tx)
            var passkey = try Self.passkey(id, of: user.id, step)
            passkey.name = name
            passkey.updatedAt = step.now
            try step.tx.update(passkey)
            try step.record(.passkeyChanged, user, details: ["passkey": .string(id.rawValue)])
            return passkey
        }
    }

    /// Takes one from the user. With the last one, sessions that passkeys alone have raised are at `aal1`.
    ///
    /// - Throws: ``AuthErrorCode/insufficientAssurance`` in a session that shows no second factor, where the user has
    ///   one; ``AuthErrorCode/factorNotFound``, also for another user's; ``AuthErrorCode/lastWayIn``; what a session
    ///   that has ended throws.
    public func remove(_ id: FactorID, of authenticated: AuthenticatedUser, call: CallContext) async throws -> Factor {
        try await ports.write(call) { step in
            let user = try authenticated.usable(call, step.tx)
            let passkey = try Self.passkey(id, of: user.id, step)
            try AssuranceRule(step).require(authenticated)
            let left = try step.tx.factors(of: user.id, in: step.directory).passkeys.filter { $0.id != id }
            let identities = try LocalIdentities.all(of: user, step.tx)
            guard !left.isEmpty || WaysToSignIn(user, identities).areLeft else { throw AuthError(.lastWayIn) }
            try Self.remove(passkey, of: user, step)
            return passkey
        }
    }

    /// Takes one from a user, as an operator.
    ///
    /// - Throws: ``AuthErrorCode/forbidden``, ``AuthErrorCode/userNotFound``, ``AuthErrorCode/factorNotFound``.
    public func remove(_ id: FactorID, from user: UserID, call: CallContext) async throws -> Factor {
        try call.requireAdministrator()
        return try await ports.write(call) { step in
            let user = try step.tx.liveUser(user, in: step.directory)
            let passkey = try Self.passkey(id, of: user.id, step)
            try Self.remove(passkey, of: user, step)
            return passkey
        }
    }

    static func remove(_ passkey: Factor, of user: User, _ step: FlowStep) throws {
        _ = try step.tx.deleteFactor(passkey.id, in: step.directory)
        try step.record(.passkeyRemoved, user, details: ["passkey": .string(passkey.id.rawValue)])
        try OwnerNotice(step).tell(.passkeyRemoved, of: user)
        try FactorSessions(step).lower(of: user)
    }

    private static func passkey(_ id: FactorID, of user: UserID, _ step: FlowStep) throws -> Factor {
        guard let factor = try step.tx.factor(id, in: step.directory), factor.userID == user, factor.isPasskey else {
            throw AuthError(.factorNotFound)
        }
        return factor
    }
}

// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// A user's second factors: lists, changes and removes them.
public struct UserFactors: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// The oldest first, those that are being set up too. What they are proved by is in them: it is for nobody's
    /// answer.
    public func list(of user: UserID, call: CallContext) async throws -> [Factor] {
        try await ports.store.read { try $0.factors(of: user, in: call.directory.id).secondFactors }
    }

    /// The same as they are shown: nothing that proves one is read for it.
    public func summaries(of user: UserID, call: CallContext) async throws -> [FactorSummary] {
        try await ports.store.read { try $0.secondFactors(of: user, in: call.directory.id) }
    }

    /// One of them; `nil` for what is none of the user's.
    public func find(_ id: FactorID, of user: UserID, call: CallContext) async throws -> Factor? {
        try await ports.store.read { tx in
            guard let factor = try tx.factor(id, in: call.directory.id), factor.userID == user else { return nil }
            return factor.isPasskey ? nil : factor
        }
    }

    /// The same of several users; nobody without one is in it.
    public func list(of users: [UserID], call: CallContext) async throws -> [UserID: [Factor]] {
        var found: [UserID: [Factor]] = [:]
        var rest = users[...]
        while !rest.isEmpty {
            // A long list is read in turns, as its users are.
            let turn = Array(rest.prefix(UserPage.readAtOnce))
            rest = rest.dropFirst(turn.count)
            found.merge(try await ports.store.read { try $0.factors(of: turn, in: call.directory.id) }) { $1 }
        }
        return found
    }

    /// What the user may be asked for, and may set up.
    public func choices(of user: User, call: CallContext) async throws -> FactorChoices {
        try await ports.store.read { try FactorChoices(of: user, after: [], in: call.directory, $0) }
    }

    /// The same of somebody whose sign-in asks for a factor, or for one to be set up. The ticket stays good.
    ///
    /// - Throws: ``AuthErrorCode/invalidCredentials`` for a ticket that was used or whose proof is void,
    ///   ``AuthErrorCode/userBanned``.
    public func choices(for ticket: SignInTicket, call: CallContext) async throws -> FactorChoices {
        try await ports.store.read {
            try FactorChoices(of: try ticket.holder(call, $0), after: ticket.methods, in: call.directory, $0)
        }
    }

    /// Takes a factor from the user. Sessions that it alone has raised are at `aal1` from then on. With the last one
    /// the backup codes go.
    ///
    /// - Throws: ``AuthErrorCode/insufficientAssurance`` for one that counts, in a session that shows none;
    ///   ``AuthErrorCode/factorNotFound``, also for another user's; what a session that has ended throws.
    public func remove(_ id: FactorID, of authenticated: AuthenticatedUser, call: CallContext) async throws -> Factor {
        try await ports.write(call) { step in
            let user = try authenticated.usable(call, step.tx)
            let factor = try Self.factor(id, of: user.id, step)
            if factor.isVerified { try AssuranceRule(step).require(authenticated) }
            try FactorRemoval(step).remove(factor, of: user)
            return factor
        }
    }

    /// - Parameters:
    ///   - name: `nil` leaves it.
    ///   - isEnabled: whether it is asked for; `nil` leaves it. Putting the last one aside is as removing it.
    ///   - isPreferred: whether it is asked for first, and none other is; `nil` leaves it.
    /// - Throws: as ``remove(_:of:call:)``; ``AuthErrorCode/factorNameExists``, ``AuthErrorCode/invalidRequest``.
    public func change(
        _ id: FactorID, of authenticated: AuthenticatedUser, name: String? = nil, isEnabled: Bool? = nil,
        isPreferred: Bool? = nil, call: CallContext
    ) async throws -> Factor {
        try FactorNames.require(name)
        return try await ports.write(call) { step in
            let user = try authenticated.usable(call, step.tx)
            let factor = try Self.factor(id, of: user.id, step)
            // One that was put aside is no less the user's: who takes it up again must show what counts now.
            if factor.isVerified { try AssuranceRule(step).require(authenticated) }
            return try FactorRemoval(step).change(
                factor, of: user, name: name, isEnabled: isEnabled, isPreferred: isPreferred,
                sparing: authenticated.session)
        }
    }

    static func factor(_ id: FactorID, of user: UserID, _ step: FlowStep) throws -> Factor {
        guard let factor = try step.tx.factor(id, in: step.directory), factor.userID == user,
            !factor.isPasskey
        else {
            throw AuthError(.factorNotFound)
        }
        return factor
    }
}

// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Mail

/// What an operator does to users' second factors. Every call needs an administrator as its actor, and is audited.
public struct FactorAdministration: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// - Throws: ``AuthErrorCode/forbidden``, ``AuthErrorCode/userNotFound``.
    public func list(of user: UserID, call: CallContext) async throws -> [Factor] {
        try call.requireAdministrator()
        return try await ports.store.read { tx in
            let found = try tx.liveUser(user, in: call.directory.id)
            return try tx.factors(of: found.id, in: call.directory.id).secondFactors
        }
    }

    /// The owner is told, and sessions that it alone has raised are at `aal1`.
    ///
    /// - Throws: ``AuthErrorCode/factorNotFound``, and as ``list(of:call:)``.
    public func remove(_ id: FactorID, of user: UserID, call: CallContext) async throws -> Factor {
        try call.requireAdministrator()
        return try await ports.write(call) { step in
            let user = try step.tx.liveUser(user, in: step.directory)
            let factor = try UserFactors.factor(id, of: user.id, step)
            try FactorRemoval(step).remove(factor, of: user)
            return factor
        }
    }

    /// Removes all of the user's factors and backup codes, for who has lost them. Says how many factors there were.
    ///
    /// - Parameter kind: of this kind alone; `nil` for every one.
    public func removeAll(of user: UserID, kind: Factor.Kind? = nil, call: CallContext) async throws -> Int {
        try call.requireAdministrator()
        return try await ports.write(call) { step in
            let user = try step.tx.liveUser(user, in: step.directory)
            let factors = try step.tx.factors(of: user.id, in: step.directory).secondFactors
                .filter { kind == nil || $0.kind == kind }
            for factor in factors { try FactorRemoval(step).remove(factor, of: user) }
            return factors.count
        }
    }

    /// - Parameters:
    ///   - name: `nil` leaves it.
    ///   - phone: of a factor whose codes go to a number; `nil` leaves it.
    /// - Throws: as ``remove(_:of:call:)``; ``AuthErrorCode/factorNameExists``, ``AuthErrorCode/invalidRequest``.
    public func change(
        _ id: FactorID, of user: UserID, name: String? = nil, phone: PhoneNumber? = nil, isEnabled: Bool? = nil,
        isPreferred: Bool? = nil, call: CallContext
    ) async throws -> Factor {
        try call.requireAdministrator()
        try FactorNames.require(name)
        return try await ports.write(call) { step in
            let user = try step.tx.liveUser(user, in: step.directory)
            var factor = try UserFactors.factor(id, of: user.id, step)
            let isMoved = phone.map { factor.recipient != $0.e164 } ?? false
            if let phone, isMoved, case .phone = factor.credential {
                factor.credential = .phone(phone)
                try FactorRemoval(step).move(factor, of: user)
            }
            return try FactorRemoval(step).change(
                factor, of: user, name: name, isEnabled: isEnabled, isPreferred: isPreferred, sparing: nil)
        }
    }

    /// Sets a factor up on a user's behalf, such as one that they had elsewhere. It counts at once.
    ///
    /// - Throws: ``AuthErrorCode/tooManyFactors``, ``AuthErrorCode/factorNameExists``,
    ///   ``AuthErrorCode/factorExists``, and as ``list(of:call:)``.
    public func add(
        _ credential: Factor.Credential, named name: String?, to user: UserID, call: CallContext
    ) async throws -> Factor {
        try call.requireAdministrator()
        try FactorNames.require(name)
        return try await ports.write(call) { step in
            let user = try step.tx.liveUser(user, in: step.directory)
            return try FactorAddition(step).add(credential, named: name, to: user, sparing: nil)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// A user's sessions in the hands of an administrator: to look at, and to end.
public struct SessionAdministration: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// Those that live, the last active first.
    ///
    /// - Throws: `AuthErrorCode.userNotFound`, `.forbidden`.
    public func list(of user: UserID, call: CallContext) async throws -> [Session] {
        try call.requireAdministrator()
        return try await ports.store.read { tx in
            guard try tx.user(user, in: call.directory.id) != nil else { throw AuthError(.userNotFound) }
            return try tx.sessions(of: user, in: call.directory.id).filter { !$0.hasEnded(call) }
        }
    }

    /// Ends all of them, and revokes what was issued up to now. The user's access tokens are refused wherever their
    /// session is asked for, and can't be refreshed.
    ///
    /// - Returns: how many there were.
    /// - Throws: `AuthErrorCode.userNotFound`, `.forbidden`.
    public func endAll(of user: UserID, call: CallContext) async throws -> Int {
        try call.requireAdministrator()
        return try await ports.write(call) { step in
            let tx = step.tx
            guard var found = try tx.user(user, in: call.directory.id) else { throw AuthError(.userNotFound) }
            found.revokeTokens(at: call.now)
            found.updatedAt = call.now
            found = try tx.update(found)
            let count = try SessionEnding(step).endAll(of: user, because: .administrator)
            try step.record(.sessionRevoked, found, details: ["sessions": .integer(Int64(count))])
            return count
        }
    }

    /// As ``endAll(of:call:)``.
    @discardableResult
    public func revokeAll(of user: UserID, call: CallContext) async throws -> Int {
        try await endAll(of: user, call: call)
    }
}

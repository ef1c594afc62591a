// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// A user's own sessions: to look at, and to end (G-6).
public struct SessionList: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// Those that live, the last active first.
    public func list(_ authenticated: AuthenticatedUser, call: CallContext) async throws -> [Session] {
        let user = authenticated.user
        return try await ports.store.read { tx in
            try tx.sessions(of: user.id, in: user.directoryID).filter { !$0.hasEnded(call) }
        }
    }

    /// Ends one of the user's own sessions.
    ///
    /// - Throws: ``AuthErrorCode/sessionNotFound``, also for another user's session.
    public func revoke(_ id: SessionID, of authenticated: AuthenticatedUser, call: CallContext) async throws {
        let user = authenticated.user
        try await ports.write(call) { step in
            guard let session = try step.tx.session(id, in: user.directoryID), session.userID == user.id,
                try SessionEnding(step).end(id, because: .signedOut)
            else { throw AuthError(.sessionNotFound) }
            try step.record(.sessionRevoked, user, details: ["session": .string(id.rawValue)])
        }
    }
}

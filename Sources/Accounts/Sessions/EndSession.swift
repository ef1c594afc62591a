// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Ends the session that a refresh token belongs to, at the wish of whoever holds the token (RFC 7009, section 2).
public struct EndSession: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// Any token of the session will do, also one that was exchanged. One that this Directory never issued, or whose
    /// session has ended, changes nothing and is no error (RFC 7009, section 2.2).
    ///
    /// - Throws: ``AuthErrorCode/forbidden`` for a token that another client was given.
    public func callAsFunction(_ refreshToken: String, call: CallContext) async throws {
        guard let token = try await ports.refreshToken(refreshToken, in: call) else { return }
        try await self(token.session, call: call)
    }

    /// The same of a session that an access token names, which the dialect has judged.
    public func callAsFunction(_ id: SessionID, call: CallContext) async throws {
        try await ports.write(call) { step in
            let tx = step.tx
            guard let session = try tx.session(id, in: call.directory.id) else { return }
            guard session.clientID == call.client?.id else {
                throw AuthError(.forbidden, reason: "the token was issued to another client")
            }
            guard try SessionEnding(step).end(session.id, because: .signedOut) else { return }
            let user = try tx.user(session.userID, in: call.directory.id)
            try step.record(
                .sessionRevoked, user: session.userID, email: user?.email,
                details: ["session": .string(session.id.rawValue)])
        }
    }
}

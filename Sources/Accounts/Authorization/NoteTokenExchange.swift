// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Writes down that a client is given a token to act for a user by (RFC 8693), before it is: nothing else tells
/// afterwards who acted for whom.
public struct NoteTokenExchange: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// - Parameters:
    ///   - holder: for whom is acted, in the session that the token ends with.
    ///   - actor: who acts, as the token's `act` says it.
    ///   - audience: whom the token is for.
    ///   - call: of the client that is given the token.
    public func callAsFunction(
        of holder: AuthenticatedUser, by actor: String, audience: [String], scopes: [String], call: CallContext
    ) async throws {
        try await ports.write(call) { step in
            try step.record(
                .tokenExchanged, holder.user,
                details: [
                    "client": .string(call.client?.id.rawValue ?? ""), "actor": .string(actor),
                    "audience": .string(audience.joined(separator: " ")),
                    "scopes": .string(scopes.joined(separator: " ")),
                    "session": .string(holder.session?.id.rawValue ?? ""),
                ])
        }
    }
}

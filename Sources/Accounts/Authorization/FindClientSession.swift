// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Finds what a client was given in a session that its ID tokens name (`sid`): the browser's, which outlasts it.
public struct FindClientSession: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// The newest live session of the call's client under the one that is named, or that one itself where it is the
    /// client's own, as a device's is. `nil` where all have ended, as with a consent that was taken back.
    public func callAsFunction(_ named: SessionID, of user: UserID, call: CallContext) async throws -> Session? {
        guard let client = call.client?.id else { return nil }
        return try await ports.store.read { tx in
            let own = try tx.session(named, in: call.directory.id).map { [$0] } ?? []
            return try (tx.sessions(under: named, in: call.directory.id) + own)
                .filter {
                    $0.clientID == client && $0.userID == user && $0.revokedAt == nil && !$0.hasEnded(call)
                }
                .max { $0.createdAt < $1.createdAt }
        }
    }
}

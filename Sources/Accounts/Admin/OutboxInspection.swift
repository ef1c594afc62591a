// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What was sent, or waits to be, with its text: for the pages of a development server, where the outbox is where
/// messages are read; and for operators, who are shown what became of each, without its text.
public struct OutboxInspection: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// The newest first.
    ///
    /// - Parameters:
    ///   - recipient: an address or a number; `nil` for all.
    ///   - directory: `nil` for every Directory.
    public func messages(
        to recipient: String? = nil, in directory: DirectoryID? = nil, limit: Int
    ) async throws -> [OutboxMessage] {
        try await ports.store.read { try $0.outbox(in: directory, recipient: recipient, limit: limit) }
    }

    /// What programs of the operator's were to be told of a Directory's accounts, and was given up: the newest first.
    public func failedEvents(in directory: DirectoryID, limit: Int) async throws -> [OutboxMessage] {
        try await ports.store.scan(in: directory) {
            try $0.failedOutbox(.webhook, in: directory, limit: limit)
        }
    }

    /// - Throws: ``AuthErrorCode/notFound``.
    public func message(_ id: OutboxMessageID) async throws -> OutboxMessage {
        guard let message = try await ports.store.read({ try $0.outboxMessage(id) }) else {
            throw AuthError(.notFound)
        }
        return message
    }
}

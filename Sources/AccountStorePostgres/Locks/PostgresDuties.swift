// SPDX-License-Identifier: Apache-2.0

import AccountStore
import Dispatch

/// Duties as advisory locks of a session: the server ends them with the connection, however its process ended, so that
/// no lease has to run out and no clock is asked.
///
/// `@unchecked`: `connection` and `held` are touched on `thread` alone, which runs one thing at a time.
final class PostgresDuties: StoreDuties, @unchecked Sendable {
    private let thread = DispatchQueue(label: "account-store.duties")
    private let schema: String
    private let open: @Sendable () throws -> PostgresConnection
    /// Opened when a duty is first asked for, and again when it is lost.
    private var connection: PostgresConnection?
    private var held: Set<StoreDuty> = []

    /// As which its connection is seen by others.
    static func name(schema: String) -> String { "\(schema) duties" }

    init(schema: String, _ open: @escaping @Sendable () throws -> PostgresConnection) {
        self.schema = schema
        self.open = open
    }

    func isOurs(_ duty: StoreDuty) async -> Bool {
        await withCheckedContinuation { continuation in
            thread.async { continuation.resume(returning: self.take(duty)) }
        }
    }

    func release() {
        thread.async {
            self.held = []
            self.connection = nil
        }
    }

    private func opened() throws -> PostgresConnection {
        let connection = try open()
        // By which an operator sees whose it is.
        try connection.commands(["SET application_name TO '\(Self.name(schema: schema))'"])
        return connection
    }

    /// What was held is ours while its session answers. Where it does not, somebody else may have it already.
    private func take(_ duty: StoreDuty) -> Bool {
        do {
            if let connection, connection.isUsable, held.contains(duty) {
                _ = try connection.query("SELECT 1", []) { _ in true }
                return true
            }
            if connection?.isUsable != true {
                held = []
                connection = nil
            }
            let connection = try self.connection ?? opened()
            self.connection = connection
            let taken = try connection.query(
                "SELECT pg_try_advisory_lock(?)", [.integer(PostgresLock.duty(duty).number(in: schema))]
            ) { try $0.integer(0) }
            guard taken == [1] else { return false }
            held.insert(duty)
            return true
        } catch {
            held = []
            connection = nil
            return false
        }
    }
}

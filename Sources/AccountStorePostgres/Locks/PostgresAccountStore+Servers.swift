// SPDX-License-Identifier: Apache-2.0

import AccountStore
import AuthTypes

extension PostgresAccountStore {
    /// How often is looked, and after how long again: the connections of one that has just ended may be there for a
    /// moment.
    private static let looks = 10
    private static let pause: Duration = .milliseconds(100)

    /// By the connections beside those for requests, which each server has for as long as it runs.
    package func requireNoServer() async throws {
        // PostgreSQL keeps as many octets of a name.
        let names = [PostgresChanges.name(schema: schema), PostgresDuties.name(schema: schema)].map {
            String(decoding: $0.utf8.prefix(63), as: UTF8.self)
        }
        for look in 1... {
            let servers = try await readStatements { transaction in
                try transaction.connection.first(
                    """
                    SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name IN (?, ?)
                    """, names.map { .text($0) }
                ) { try $0.integer(0) }
            }
            if servers == 0 { return }
            guard look == Self.looks else {
                try await Task.sleep(for: Self.pause)
                continue
            }
            throw AuthError(
                .conflict,
                reason: "a server runs over these tables: stop all of them first. Its connection is called "
                    + names.joined(separator: " or ") + " in pg_stat_activity")
        }
    }
}

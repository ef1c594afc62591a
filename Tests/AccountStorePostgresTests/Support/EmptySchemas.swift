// SPDX-License-Identifier: Apache-2.0

import Synchronization

@testable import AccountStorePostgres

/// Schemas of a server with all tables and no rows, for tests of what a store does and not of how its tables are made, which
/// takes far longer than to empty them. There are as many as such tests are under way at once.
final class EmptySchemas: Sendable {
    private struct State {
        var free: [String] = []
        /// What empties them: it knows their tables by then.
        var connection: PostgresConnection?
    }

    private let state = Mutex(State())

    func take() -> String? { state.withLock { $0.free.popLast() } }

    /// For the next one, once nobody uses it. One in which a test has failed is left as it is, and taken by nobody.
    func giveBack(_ schema: String, of address: PostgresAddress) throws {
        try state.withLock { state in
            let connection = try state.connection ?? PostgresConnection(address, schema: "public")
            state.connection = connection
            try connection.commands([Self.emptying(schema)])
            state.free.append(schema)
        }
    }

    private static func emptying(_ schema: String) -> String {
        """
        DO $$
        DECLARE
            name text;
        BEGIN
            -- In any order, whoever refers to whom.
            PERFORM set_config('session_replication_role', 'replica', true);
            FOR name IN SELECT tablename FROM pg_catalog.pg_tables
                WHERE schemaname = '\(schema)' AND tablename <> 'schema_migrations'
            LOOP
                EXECUTE format('DELETE FROM %I.%I', '\(schema)', name);
            END LOOP;
        END
        $$
        """
    }
}

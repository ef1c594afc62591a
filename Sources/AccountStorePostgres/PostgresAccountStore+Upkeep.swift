// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStore
import AuthTypes

extension PostgresAccountStore {
    /// The disk is the database server's: it says what it can't write.
    package func requireSpace() throws(AuthError) {}

    /// So are its files.
    package func emptyLog() async throws -> Bool { true }

    /// So are its pages: checksums, `pg_amcheck`.
    package func checkIntegrity() async throws {}

    /// Writes every table with sealed columns anew. Requests for one wait meanwhile.
    ///
    /// - Returns: the tables that were left as they were: PostgreSQL passes over one that this role does not own, and
    ///   only remarks on it.
    package func rewrite() async throws -> [String] {
        try await withOwnTransactions { [schema] connection in
            let before = try Self.files(in: schema, connection)
            // No transactions: it is a statement of its own each.
            for table in SealedTables.names { try connection.commands(["VACUUM FULL \(table)"]) }
            let after = try Self.files(in: schema, connection)
            return SealedTables.names.filter { before[$0] == after[$0] }.sorted()
        }
    }

    /// A Directory of a table that nobody has counted is taken for a small one, and walked through to find some of its
    /// users. Autovacuum counts a minute later, unless it is off. Of tables that this role does not own PostgreSQL only
    /// says that it has passed them over.
    package func refreshStatistics() async {
        _ = try? await withOwnTransactions { try Self.count(SchemaTable.names, $0) }
    }

    /// The same of the tables by which an import asks whether somebody is there already, and of what it fills besides.
    public func didImport(_ count: Int, into directory: DirectoryID) {
        guard growth.withLock({ $0.isDue(with: count, in: directory) }) else { return }
        runUnattended { try Self.count(["users", "user_identifiers", "identities", "factors"], $0) }
    }

    private static func count(_ tables: [String], _ connection: PostgresConnection) throws {
        // Whoever only reads and writes never waits behind it; it waits for those who change a table, or clean it up.
        try connection.commands(["SET lock_timeout TO \(TableChange.lockMilliseconds)"])
        for table in tables where connection.isUsable { try? connection.commands(["ANALYZE \(table)"]) }
        try connection.commands(["SET lock_timeout TO 0"])
    }

    /// Which file each table is in: a table that was written anew is in another one.
    private static func files(in schema: String, _ connection: PostgresConnection) throws -> [String: Int64] {
        let rows = try connection.query(
            """
            SELECT c.relname::text, pg_relation_filenode(c.oid)::bigint FROM pg_catalog.pg_class c
            JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = ? AND c.relkind = 'r'
            """, [.text(schema)]
        ) { (try $0.text(0), try $0.integer(1)) }
        return Dictionary(rows) { first, _ in first }
    }

    package var isShared: Bool { true }
}

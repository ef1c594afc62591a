// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStore
import AuthTypes

/// What an installation has left word of.
struct InstalledMirror: Sendable {
    let mirror: SchemaMirror
    /// Of what is installed.
    let version: Int64
    /// Whether all of its triggers are there and enabled: those on the other server's tables are in no backup of our
    /// schema, and go with a schema of ours that is dropped. How many a newer version has, it alone knows.
    let isWhole: Bool
    /// Whether all of our rows have come there once. Until then what changes is written, and what does not is not.
    let isFilled: Bool

    /// Whether a server of this version has to write its own in its place.
    var isOutdated: Bool { version < SchemaMirror.version || isOwn && !isWhole }
    /// Whether it goes on where a filling was cut short.
    var isToBeFilled: Bool { isOwn && !isFilled }
    private var isOwn: Bool { version == SchemaMirror.version }
}

extension SchemaMirror {
    /// - Returns: `nil` where there is none.
    static func installed(_ connection: any SQLConnection, ours: String) throws -> InstalledMirror? {
        let found = try connection.query(
            "SELECT obj_description(to_regprocedure(?), 'pg_proc')", [.text("\(ours).mirror_guard()")]
        ) { $0.isNull(0) ? nil : try $0.text(0) }
        guard let text = found.first ?? nil else { return nil }
        let json = try JSONObject(parsing: text.utf8)
        guard let namespace = json["namespace"]?.stringValue, let directory = json["directory"]?.stringValue,
            let dialect = json["dialect"]?.stringValue, let version = json["version"]?.integerValue
        else { throw AuthError(.unavailable, reason: "the mirror's description is none") }
        let mirror = try SchemaMirror(
            namespace: namespace, directory: DirectoryID(directory), dialect: DialectName(dialect), ours: ours)
        // Versions before 7 left no word before all was there.
        return InstalledMirror(
            mirror: mirror, version: version, isWhole: try mirror.countTriggers(connection) == mirror.triggers.count,
            isFilled: json["filled"]?.boolValue ?? true)
    }

    /// By the tables' names: who serves need not be allowed into the other server's schema, as `to_regclass` asks for.
    private func countTriggers(_ connection: any SQLConnection) throws -> Int {
        let places = Array(repeating: "?", count: Self.tables.count).joined(separator: ", ")
        let count = try connection.query(
            """
            SELECT count(*) FROM pg_catalog.pg_trigger t JOIN pg_catalog.pg_proc p ON p.oid = t.tgfoid
            JOIN pg_catalog.pg_class c ON c.oid = t.tgrelid JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            WHERE p.pronamespace = to_regnamespace(?) AND starts_with(p.proname, 'mirror_')
                AND NOT t.tgisinternal AND t.tgenabled IN ('O', 'A')
                AND (n.nspname = ? AND c.relname IN (\(places)) OR n.nspname = ? AND c.relname IN (\(places)))
            """,
            [.text(ours), .text(ours)] + Self.tables.map { .text($0.ours) } + [.text(namespace)]
                + Self.tables.map { .text($0.theirs) }
        ) { try $0.integer(0) }
        return Int(count.first ?? 0)
    }
}

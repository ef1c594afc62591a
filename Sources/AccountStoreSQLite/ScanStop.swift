// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import GRDB
import GRDBSQLite

/// Says that nobody waits for a scan any more.
final class ScanStop: Sendable {
    /// How many steps of its virtual machine SQLite takes before it asks: some ten microseconds.
    private static let steps: CInt = 1_000

    private let isRaised = AtomicFlag()

    var isSet: Bool { isRaised.load() }

    func set() { isRaised.store(true) }

    /// Has `database` break off its statements with `SQLITE_INTERRUPT` once this is set, for as long as `body` runs.
    func watch<Value>(_ database: Database, _ body: () throws -> Value) rethrows -> Value {
        let connection = database.sqliteConnection
        sqlite3_progress_handler(
            connection, Self.steps,
            { stop in
                guard let stop else { return 0 }
                return Unmanaged<ScanStop>.fromOpaque(stop).takeUnretainedValue().isSet ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
        defer { sqlite3_progress_handler(connection, 0, nil, nil) }
        return try withExtendedLifetime(self, body)
    }
}

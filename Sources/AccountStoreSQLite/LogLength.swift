// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import GRDB
import GRDBSQLite

/// How long the write-ahead log was after the last commit of a connection, whoever wrote what is in it. In pages.
final class LogLength: Sendable {
    private let count = AtomicNumber()

    var pages: Int { count.load() }

    /// A configuration whose connection tells, instead of moving the log by itself, inside of some commit.
    func watching(_ configuration: Configuration) -> Configuration {
        var configuration = configuration
        // The connection keeps its configuration, and with it this object, for as long as it can commit: so it may be
        // given an address of it.
        configuration.prepareDatabase { [self] database in
            sqlite3_wal_hook(
                database.sqliteConnection,
                { address, _, _, pages in
                    guard let address else { return SQLITE_OK }
                    let log = Unmanaged<LogLength>.fromOpaque(address).takeUnretainedValue()
                    log.count.store(Int(pages))
                    return SQLITE_OK
                }, Unmanaged.passUnretained(self).toOpaque())
        }
        return configuration
    }
}

// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension SQLTransaction {
    func mark(_ mark: StoreMark) throws -> Instant? {
        try connection.first("SELECT at FROM marks WHERE name = ?", [SQLValue(mark.rawValue)]) { try $0.instant(0) }
    }

    func set(_ mark: StoreMark, at instant: Instant) throws {
        _ = try execute(
            "INSERT INTO marks (name, at) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET at = excluded.at",
            [SQLValue(mark.rawValue), SQLValue(instant)])
    }

    func remove(_ mark: StoreMark) throws {
        _ = try execute("DELETE FROM marks WHERE name = ?", [SQLValue(mark.rawValue)])
    }
}

// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What a flow sees of a transaction: the domain's storage protocols over a driver's connection. Each aggregate's
/// statements are in an extension of their own.
struct SQLTransaction: StoreWriting, StoreScanning {
    let connection: any SQLConnection
    let vault: Vault
    let damages: DamageReports

    func execute(_ sql: String, _ arguments: [SQLValue]) throws -> Int { try connection.execute(sql, arguments) }
}

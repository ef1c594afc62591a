// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// A column whose texts are JSON objects. Whatever of an object can't be read has no column of its own that would tell.
struct JSONColumn: Sendable, Hashable {
    let table: String
    let column: String

    private init(_ table: String, _ column: String) {
        self.table = table
        self.column = column
    }

    static let appMetadata = JSONColumn("users", "app_metadata")

    static let all: [JSONColumn] = [
        appMetadata, JSONColumn("users", "user_metadata"), JSONColumn("users", "dialect_data"),
        JSONColumn("users", "external_identifiers"), JSONColumn("identities", "data"),
        JSONColumn("directories", "settings"), JSONColumn("sessions", "claims"),
        JSONColumn("sessions", "client_grant"), JSONColumn("sign_up_attempts", "user_metadata"),
        JSONColumn("sign_up_attempts", "dialect_data"), JSONColumn("sign_up_attempts", "agreed"),
        JSONColumn("one_time_tokens", "agreed"), JSONColumn("authorization_codes", "request"),
        JSONColumn("factors", "details"), JSONColumn("factor_challenges", "data"), JSONColumn("clients", "keys"),
        JSONColumn("clients", "attributes"), JSONColumn("resource_servers", "scopes"),
        JSONColumn("directory_domains", "attributes"), JSONColumn("identity_providers", "settings"),
        JSONColumn("pending_federations", "continuation"), JSONColumn("pending_authorizations", "request"),
        JSONColumn("pending_authorizations", "parameters"), JSONColumn("identity_pools", "settings"),
        JSONColumn("service_account_keys", "public_jwk"), JSONColumn("audit_events", "details"),
        JSONColumn("terms", "texts"), JSONColumn("take_overs", "taken"), JSONColumn("take_overs", "left_behind"),
    ]

    private static let byTable = Dictionary(grouping: all, by: \.table)

    static func columns(of table: String) -> [JSONColumn] { byTable[table] ?? [] }

    /// Whether a value is read again.
    func accepts(_ value: SQLValue) -> Bool {
        guard case .text(let text) = value else { return value == .null }
        if self == Self.appMetadata, UserWords.isWord(text) { return true }
        return text == "{}" || (try? JSONObject(parsing: text.utf8, limits: StoredJSON.limits)) != nil
    }
}

/// A value that can't be read.
package struct DamagedValue: Sendable, Hashable, CustomStringConvertible {
    package let table: String
    package let column: String
    /// The row's, as texts: what no text is stands as hexadecimal digits.
    package let key: [String]

    package var description: String { "\(table).\(column) of \(key.joined(separator: ", ")): no JSON object" }
}

extension SchemaTable {
    /// The values of some of its rows that are to be JSON objects and are none.
    func damage(in page: TablePage) -> [DamagedValue] {
        let places = JSONColumn.columns(of: name).compactMap { json in
            columns.firstIndex { $0.name == json.column }.map { (json, $0) }
        }
        guard !places.isEmpty else { return [] }
        return page.rows.flatMap { row in
            places.filter { json, place in !json.accepts(row[place]) }.map { json, _ in
                DamagedValue(table: name, column: json.column, key: key(of: row).map(\.shown))
            }
        }
    }
}

extension SQLValue {
    /// As a row is called by it.
    var shown: String {
        switch self {
        case .null: ""
        case .integer(let number): String(number)
        case .text(let text): text
        case .blob(let octets): Hex.encode(octets)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import CPostgres

/// Where a database is, as libpq reads it (PostgreSQL, "Connection Strings"), with a password in it as a rule.
struct PostgresAddress {
    /// Where the string does not say otherwise: a host that does not answer, or answers no more, is noticed within seconds rather
    /// than by the system's own quarter of an hour, since a thread waits for it.
    private static let usual = [
        ("connect_timeout", "5"), ("keepalives_idle", "10"), ("keepalives_interval", "5"), ("keepalives_count", "3"),
        ("tcp_user_timeout", "20000"),
    ]

    private let text: String

    /// - Throws: `AuthErrorCode.invalidRequest` for what is no connection string. Nothing of it is repeated: libpq's own words
    ///   repeat it as a whole, password and all.
    init(_ text: String) throws(AuthError) {
        var fault: UnsafeMutablePointer<CChar>?
        guard !text.utf8.contains(0), let parts = PQconninfoParse(text, &fault) else {
            PQfreemem(fault)
            throw AuthError(.invalidRequest, reason: "database: no connection string or URI of PostgreSQL's")
        }
        PQconninfoFree(parts)
        self.text = text
    }

    /// Blocks until there is a connection, or none; `nil` where there is no memory for it.
    func connect() -> OpaquePointer? {
        // Later ones win, and what the string says comes in the place of `dbname`.
        let pairs = Self.usual + [("dbname", text)]
        var octets: [CChar] = []
        var places: [(name: Int, value: Int)] = []
        for (name, value) in pairs {
            let start = octets.count
            octets += Array(name.utf8CString)
            places.append((start, octets.count))
            octets += Array(value.utf8CString)
        }
        return octets.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return nil }
            let names = places.map { UnsafePointer<CChar>?(base + $0.name) } + [nil]
            let values = places.map { UnsafePointer<CChar>?(base + $0.value) } + [nil]
            return PQconnectdbParams(names, values, 1)
        }
    }
}

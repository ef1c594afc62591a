// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import CPostgres

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// How a connection is opened: as its address says, with bounds for what that leaves open.
enum PostgresOpening {
    /// What holds where neither the address nor the environment says otherwise. Seconds; of the last one milliseconds: how long what
    /// was sent may go unheard (TCP_USER_TIMEOUT, RFC 5482).
    private static let defaults: [(name: String, variable: String?, value: String)] = [
        ("connect_timeout", "PGCONNECT_TIMEOUT", "5"), ("fallback_application_name", nil, "latchkey"),
        ("keepalives_idle", nil, "10"), ("keepalives_interval", nil, "5"), ("keepalives_count", nil, "3"),
        ("tcp_user_timeout", nil, "20000"),
    ]

    /// - Returns: a connection that its caller ends.
    /// - Throws: `AuthErrorCode.unavailable` with libpq's first line, which names host and user and no password.
    static func connect(_ address: PostgresAddress) throws -> OpaquePointer {
        var parameters = address.parameters.mapValues { $0.reveal() }
        for (name, variable, value) in defaults
        where parameters[name] == nil && variable.flatMap({ getenv($0) }) == nil { parameters[name] = value }
        // libpq takes two lists that end with a null.
        let pairs = parameters.map { (strdup($0.key), strdup($0.value)) }
        defer {
            for (name, value) in pairs {
                free(name)
                free(value)
            }
        }
        let names = pairs.map { UnsafePointer($0.0) } + [nil]
        let values = pairs.map { UnsafePointer($0.1) } + [nil]
        guard let connection = PQconnectdbParams(names, values, 0) else { throw PostgresFailure(sqlState: "53200") }
        guard PQstatus(connection) == CONNECTION_OK else {
            defer { PQfinish(connection) }
            let lines = String(cString: PQerrorMessage(connection)).split(separator: "\n")
            throw AuthError(
                .unavailable, reason: "database: \(lines.first.map(String.init) ?? "")", retryAfter: .seconds(1))
        }
        // What the server remarks on would go to standard error, in the midst of a log or of a command's answer.
        _ = PQsetNoticeProcessor(connection, { _, _ in }, nil)
        return connection
    }
}

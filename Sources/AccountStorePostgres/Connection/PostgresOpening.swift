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
    /// What holds where neither the address nor the environment says otherwise. Seconds; of the last one milliseconds:
    /// how long what was sent may go unheard (TCP_USER_TIMEOUT, RFC 5482).
    private static let defaults: [(name: String, variable: String?, value: String)] = [
        ("connect_timeout", "PGCONNECT_TIMEOUT", "5"), ("fallback_application_name", nil, "latchkey"),
        ("keepalives_idle", nil, "10"), ("keepalives_interval", nil, "5"), ("keepalives_count", nil, "3"),
        ("tcp_user_timeout", nil, "20000"), ("target_session_attrs", "PGTARGETSESSIONATTRS", "primary"),
    ]

    /// - Parameter takesStandby: whether one that follows another server will do, of those that the address names. What
    ///   it knows is of before: who has signed out is signed in there for a while.
    /// - Returns: a connection that its caller ends.
    /// - Throws: `AuthErrorCode.unavailable` with libpq's first line, which names host and user and no password.
    static func connect(_ address: PostgresAddress, takesStandby: Bool = false) throws -> OpaquePointer {
        var parameters = address.parameters.mapValues { $0.reveal() }
        if takesStandby, parameters["target_session_attrs"] == nil { parameters["target_session_attrs"] = "any" }
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
        let connection = try opened(names, values)
        // What the server remarks on would go to standard error, in the midst of a log or of a command's answer.
        _ = PQsetNoticeProcessor(connection, { _, _ in }, nil)
        return connection
    }

    /// What libpq says of a connection that a server or a network ends while it is being opened.
    private static let breaks = ["closed the connection unexpectedly", "Connection reset by peer"]

    /// Once more where it breaks while it is being opened: that says nothing of whether the server lets anybody in.
    private static func opened(
        _ names: [UnsafePointer<CChar>?], _ values: [UnsafePointer<CChar>?]
    ) throws -> OpaquePointer {
        for isLast in [false, true] {
            guard let connection = PQconnectdbParams(names, values, 0) else {
                throw PostgresFailure(sqlState: "53200")
            }
            if PQstatus(connection) == CONNECTION_OK { return connection }
            defer { PQfinish(connection) }
            let said = String(cString: PQerrorMessage(connection))
            if !isLast, breaks.contains(where: said.contains) { continue }
            throw AuthError(
                .unavailable, reason: "database: \(said.split(separator: "\n").first.map(String.init) ?? "")",
                retryAfter: .seconds(1))
        }
        throw PostgresFailure.lost
    }
}

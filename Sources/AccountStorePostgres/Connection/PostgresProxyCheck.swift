// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import CPostgres

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Whether a connection stays with one of the server's processes. A proxy that pools transactions (PgBouncer,
/// "pool_mode") leads each to whichever is free: what a session has set and prepared is not there or another's, and a
/// lock that it took is given back by nobody.
enum PostgresProxyCheck {
    /// How long an answer may take: a proxy may keep whoever asks until one of the server's connections is free.
    private static let patience = Duration.seconds(5)
    private static let question = "SELECT pg_backend_pid()"

    /// Nothing is set or prepared for it, so that nothing is left behind at others who share the proxy.
    ///
    /// - Throws: `AuthErrorCode.unavailable` where transactions are pooled, and where nobody lets us in.
    static func requireSessions(_ address: PostgresAddress) throws {
        let one = try PostgresOpening.connect(address)
        defer { PQfinish(one) }
        // A process that says the number itself which the server gave has nobody between who would give another.
        // CockroachDB has sessions and no processes.
        guard PQparameterStatus(one, "crdb_version") == nil, let before = answer(to: question, on: one),
            before != PQbackendPID(one)
        else { return }
        // Where there is no second connection, or not in time, nobody can tell.
        guard let other = try? PostgresOpening.connect(address) else { return }
        defer { PQfinish(other) }
        // Until its end a transaction has a process for itself: the one that the first was led to, or else the first is
        // led to a third.
        guard let held = answer(to: "BEGIN; " + question, on: other) else { return }
        let isShared = held == before || answer(to: question, on: one).map { $0 != before } == true
        _ = answer(to: "ROLLBACK", on: other)
        guard !isShared else {
            throw AuthError(
                .unavailable,
                reason: "database: what stands between pools transactions; it has to pool sessions, or to be passed by")
        }
    }

    /// - Returns: the number that is the only column of the last answer; `nil` for none, or none in time.
    private static func answer(to question: String, on connection: OpaquePointer) -> CInt? {
        let clock = ContinuousClock()
        let deadline = clock.now + patience
        guard PQsendQuery(connection, question) == 1 else { return nil }
        var found: CInt?
        while true {
            while PQisBusy(connection) == 1 {
                let rest = clock.now.duration(to: deadline).components
                let milliseconds = rest.seconds * 1_000 + rest.attoseconds / PostgresConnection.millisecond
                var descriptor = pollfd(fd: PQsocket(connection), events: Int16(POLLIN), revents: 0)
                guard milliseconds > 0, poll(&descriptor, 1, CInt(clamping: milliseconds)) >= 0,
                    PQconsumeInput(connection) == 1
                else { return nil }
            }
            guard let result = PQgetResult(connection) else { return found }
            defer { PQclear(result) }
            guard PQresultStatus(result) == PGRES_TUPLES_OK, PQntuples(result) == 1 else { continue }
            found = PQgetvalue(result, 0, 0).flatMap { CInt(String(cString: $0)) }
        }
    }
}

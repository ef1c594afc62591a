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
/// lock that it took is given back by nobody. One that pools statements lets nobody begin a transaction.
enum PostgresProxyCheck {
    /// How long an answer may take: a proxy may keep whoever asks until one of the server's connections is free.
    private static let patience = Duration.seconds(5)
    /// The same of the third and those after it: where a proxy has no more, others wait for those that are held here.
    private static let brief = Duration.seconds(1)
    private static let question = "SELECT pg_backend_pid()"
    /// Connections that are open at once, of which no two may have one process. Several proxies may share an address
    /// ("so_reuseport"), each with processes of its own: of as many connections as there are proxies and one more, two
    /// are at one of them.
    private static let most = 8
    /// What PgBouncer ends a connection with that begins a transaction all the same.
    private static let refusal = "statement pooling"

    /// Nothing is set or prepared for it, so that nothing is left behind at others who share the proxy.
    ///
    /// - Throws: `AuthErrorCode.unavailable` where transactions or statements are pooled, and where nobody lets us in.
    static func requireSessions(_ address: PostgresAddress) throws {
        var connections = try [PostgresOpening.connect(address)]
        defer { connections.forEach { PQfinish($0) } }
        // A process that says the number itself which the server gave has nobody between who would give another.
        // CockroachDB has sessions and no processes.
        guard PQparameterStatus(connections[0], "crdb_version") == nil,
            let first = answer(to: question, on: connections[0]),
            first != PQbackendPID(connections[0])
        else { return }
        try requireTransactions(connections[0])
        var numbers = [first]
        // Where there are no more connections, or not in time, they are those that there are.
        while connections.count < most, let next = try? PostgresOpening.connect(address) {
            connections.append(next)
            let isThird = connections.count > 2
            guard let number = answer(to: question, on: next, within: isThird ? brief : patience) else { break }
            guard !numbers.contains(number) else { throw pools("transactions") }
            numbers.append(number)
        }
        // Until its end a transaction has a process for itself: that of another connection, which is then led to a
        // third, or one that is not its own.
        guard let last = numbers.indices.last, last > 0,
            let held = answer(to: "BEGIN; " + question, on: connections[last])
        else { return }
        let isLedElsewhere = numbers.indices.dropLast().contains { place in
            answer(to: question, on: connections[place]).map { $0 != numbers[place] } == true
        }
        _ = answer(to: "ROLLBACK", on: connections[last])
        guard held == numbers[last], !isLedElsewhere else { throw pools("transactions") }
    }

    private static func requireTransactions(_ connection: OpaquePointer) throws {
        _ = answer(to: "BEGIN; " + question, on: connection)
        guard !String(cString: PQerrorMessage(connection)).contains(refusal) else { throw pools("statements") }
        _ = answer(to: "ROLLBACK", on: connection)
    }

    private static func pools(_ what: String) -> AuthError {
        AuthError(
            .unavailable,
            reason: "database: what stands between pools \(what); it has to pool sessions, or to be passed by")
    }

    /// - Returns: the number that is the only column of the last answer; `nil` for none, or none in time.
    private static func answer(
        to question: String, on connection: OpaquePointer, within patience: Duration = patience
    ) -> CInt? {
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

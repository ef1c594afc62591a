// SPDX-License-Identifier: Apache-2.0

import AccountStore
import AuthTypes
import CPostgres
import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Hears by `LISTEN` of what other processes have committed, on a connection and a thread of its own.
///
/// A connection that is lost is opened again, and what was not heard meanwhile is made up for by a signal. One that
/// only seems to be there, a server or a pooler between that passes no such word on, and whatever keeps libpq waiting
/// cost the interval: that is counted elsewhere.
final class PostgresChanges: ChangeSignals {
    /// One for all schemas of a database: the word says which.
    static let channel = "latchkey"

    /// As which its connection is seen by others.
    static func name(schema: String) -> String { "\(schema) changes" }

    let signals: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    private let ticking: Task<Void, Never>
    /// Closing it ends the thread.
    private let end: Mutex<CInt?>

    /// - Parameters:
    ///   - address: as for ``PostgresConnection``.
    ///   - interval: after which there is a signal without a word.
    /// - Returns: `nil` where no descriptor is left to wait by.
    init?(_ address: PostgresAddress, schema: String, every interval: Duration) {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        let (signals, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.signals = signals
        self.continuation = continuation
        end = Mutex(ends[1])
        ticking = Task {
            while (try? await Task.sleep(for: interval)) != nil { continuation.yield() }
        }
        let listener = Listener(
            address: address, schema: schema, stop: ends[0], signal: { continuation.yield() })
        let thread = Thread {
            listener.run()
            _ = Self.close(listener.stop)
        }
        thread.name = "account-store.changes"
        thread.start()
    }

    deinit { close() }

    func close() {
        let descriptor = end.withLock { end in
            defer { end = nil }
            return end
        }
        if let descriptor { _ = Self.close(descriptor) }
        ticking.cancel()
        // Not once the thread has ended: a network may keep it for long.
        continuation.finish()
    }

    private static func close(_ descriptor: CInt) -> CInt {
        #if canImport(Glibc)
            Glibc.close(descriptor)
        #else
            Darwin.close(descriptor)
        #endif
    }
}

/// What the thread does.
private struct Listener: Sendable {
    /// How long a server that is away, or ends its connections, is left alone, in milliseconds.
    private static let pause: CInt = 500
    private static let forEver: CInt = -1

    let address: PostgresAddress
    let schema: String
    /// Readable when the thread is to end.
    let stop: CInt
    let signal: @Sendable () -> Void

    func run() {
        var connection: OpaquePointer?
        defer { if let connection { PQfinish(connection) } }
        while true {
            if connection == nil {
                connection = open()
                // What was committed before the first word could be heard.
                if connection != nil { signal() }
            }
            guard let heard = wait(connection, connection == nil ? Self.pause : Self.forEver) else { return }
            if heard, let open = connection, !hears(open) {
                PQfinish(open)
                connection = nil
                guard wait(nil, Self.pause) != nil else { return }
            }
        }
    }

    private func open() -> OpaquePointer? {
        guard let connection = try? PostgresOpening.connect(address) else { return nil }
        for command in [
            "SET application_name TO '\(PostgresChanges.name(schema: schema))'", "LISTEN \(PostgresChanges.channel)",
        ] {
            let result = PQexec(connection, command)
            defer { PQclear(result) }
            guard PQresultStatus(result) == PGRES_COMMAND_OK else {
                PQfinish(connection)
                return nil
            }
        }
        return connection
    }

    /// Takes what has arrived, and signals what is about this schema.
    ///
    /// - Returns: `false` where the connection is lost.
    private func hears(_ connection: OpaquePointer) -> Bool {
        guard PQconsumeInput(connection) == 1 else { return false }
        var isOurs = false
        while let word = PQnotifies(connection) {
            isOurs = isOurs || word.pointee.extra.map { String(cString: $0) == schema } ?? false
            PQfreemem(word)
        }
        if isOurs { signal() }
        return PQstatus(connection) == CONNECTION_OK
    }

    /// Waits until the server says something, and no longer than that.
    ///
    /// - Returns: whether it does; `nil` when the thread is to end.
    private func wait(_ connection: OpaquePointer?, _ milliseconds: CInt) -> Bool? {
        var descriptors = [pollfd(fd: stop, events: Int16(POLLIN), revents: 0)]
        if let connection {
            descriptors.append(pollfd(fd: PQsocket(connection), events: Int16(POLLIN), revents: 0))
        }
        let ready = poll(&descriptors, nfds_t(descriptors.count), milliseconds)
        if descriptors[0].revents != 0 { return nil }
        return ready > 0 && descriptors.count > 1 && descriptors[1].revents != 0
    }
}

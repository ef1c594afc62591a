// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Dispatch
import Testing

@testable import AccountStore
@testable import AccountStoreSQLite

@Suite("Scans", .timeLimit(.minutes(10)))
struct ScanTests {
    /// Goes on for ever.
    private static let endless =
        "WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT COUNT(*) FROM n"

    /// A scan that says when it has begun, and one that goes on when it is told.
    private final class Gate: Sendable {
        private let (begun, hasBegun) = AsyncStream<Void>.makeStream()
        private let going = DispatchSemaphore(value: 0)

        func begin() { hasBegun.yield() }
        func wait() {
            begin()
            going.wait()
        }
        func arrival() async { for await _ in begun { return } }
        func go() { going.signal() }
    }

    private func outcome(_ task: Task<Int, any Error>) async -> (any Error)? {
        do {
            _ = try await task.value
            return nil
        } catch { return error }
    }

    @Test("R9.15 a scan whose caller has gone stops in the midst of a statement, and the next one runs")
    func interrupt() async throws {
        try await withStore { store in
            let gate = Gate()
            let task = Task {
                try await store.scanStatements(in: Rows.home) { tx in
                    gate.begin()
                    return try tx.statements.connection.query(Self.endless, []) { Int(try $0.integer(0)) }.count
                }
            }
            await gate.arrival()
            task.cancel()
            #expect(await outcome(task) is CancellationError)
            let next = try await store.scan(in: Rows.home) { try $0.directories().count }
            #expect(next == 0)
        }
    }

    @Test("R9.15 a scan whose caller has gone begins no further statement")
    func between() async throws {
        try await withStore { store in
            let gate = Gate()
            let task = Task<Int, any Error> {
                try await store.scan(in: nil) { tx in
                    gate.begin()
                    while true { _ = try tx.directories() }
                }
            }
            await gate.arrival()
            task.cancel()
            #expect(await outcome(task) is CancellationError)
        }
    }

    @Test("R9.15 reads and writes go on beside a scan, other scans wait for it, and who has gone waits no more")
    func beside() async throws {
        try await withStore { store in
            try await store.addHome()
            let gate = Gate()
            let first = Task {
                try await store.scan(in: Rows.home) { tx in
                    gate.wait()
                    return try tx.userCount(in: Rows.home)
                }
            }
            await gate.arrival()
            try await store.write { try $0.insert(Rows.user("ann")) }
            #expect(try await store.read { try $0.userCount(in: Rows.home) } == 1)
            let gone = Task { try await store.scan(in: Rows.home) { _ in 1 } }
            gone.cancel()
            #expect(await outcome(gone) is CancellationError)
            let last = Task { try await store.scan(in: nil) { try $0.userCount(in: Rows.home) } }
            gate.go()
            // One snapshot, as old as the scan.
            #expect(try await first.value <= 1)
            #expect(try await last.value == 1)
        }
    }

    @Test("R9.15 when too many scans wait, another is told when to come again")
    func overload() async throws {
        try await withStore(.init(waitingScans: 1)) { store in
            let gate = Gate()
            let running = Task {
                try await store.scan(in: nil) { _ in
                    gate.wait()
                    return 1
                }
            }
            await gate.arrival()
            let refused = await withTaskGroup(of: AuthError?.self) { group in
                for _ in 0..<3 {
                    group.addTask {
                        do {
                            try await store.scan(in: Rows.home) { _ in }
                            return nil
                        } catch { return error as? AuthError }
                    }
                }
                var refused: [AuthError] = []
                for await error in group {
                    if let error { refused.append(error) }
                    // The second that is turned away lets the other two through.
                    if refused.count == 2 { gate.go() }
                }
                return refused
            }
            let finished = try await running.value
            #expect(finished == 1)
            #expect(refused.count == 2)
            #expect(refused.allSatisfy { $0.code == .overloaded && $0.retryAfter != nil })
        }
    }

    @Test("R9.15 closing the store stops the scan under way and turns the others away")
    func close() async throws {
        try await withStore { store in
            let gate = Gate()
            let running = Task {
                try await store.scanStatements(in: nil) { tx in
                    gate.begin()
                    return try tx.statements.connection.query(Self.endless, []) { Int(try $0.integer(0)) }.count
                }
            }
            await gate.arrival()
            try store.close()
            #expect((await outcome(running) as? AuthError)?.code == .unavailable)
            let later = Task { try await store.scan(in: nil) { _ in 1 } }
            #expect((await outcome(later) as? AuthError)?.code == .unavailable)
        }
    }

    @Test("R9.15 what a scan throws is thrown to its caller, and the scan after it sees what was written meanwhile")
    func errors() async throws {
        try await withStore { store in
            try await store.addHome()
            let failing = Task<Int, any Error> {
                try await store.scan(in: nil) { _ in throw AuthError(.userNotFound) }
            }
            #expect(await outcome(failing) as? AuthError == AuthError(.userNotFound))
            try await store.write { try $0.insert(Rows.user("ann")) }
            #expect(try await store.scan(in: nil) { try $0.users(in: Rows.home, after: nil, limit: 9).count } == 1)
        }
    }
}

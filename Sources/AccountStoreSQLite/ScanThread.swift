// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStore
import AuthTypes
import Foundation
import GRDB

/// What the scanning thread shares with ``SQLiteScanner``. It outlives it by as long as the last scan takes to stop.
final class ScanThread: Sendable {
    struct Job: Sendable {
        let stop: ScanStop
        /// Runs the caller's closure, and returns what hands over the result.
        let run: @Sendable (OpenTransaction) throws -> @Sendable () -> Void
        let fail: @Sendable (any Error) -> Void
    }

    private struct State {
        var queue: ScanQueue<Job>
        var running: ScanStop?
        var thread: ObjectIdentifier?
        var nextTicket: ScanQueue<Job>.Ticket = 0
        var isStopped = false
    }

    private let file: DatabaseFile
    private let vault: Vault
    private let damages: DamageReports
    private let state: Mutex<State>
    /// Raised once for each scan, and on stopping.
    private let available = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    init(_ file: DatabaseFile, vault: Vault, capacity: Int, damages: DamageReports) {
        self.file = file
        self.vault = vault
        self.damages = damages
        state = Mutex(State(queue: ScanQueue(capacity: capacity)))
    }

    func start() {
        let thread = Thread { [self] in
            state.withLock { $0.thread = ObjectIdentifier(Thread.current) }
            #if os(Linux)
                // Behind the threads that answer requests, as those that hash are (`HashingThreads`).
                _ = nice(Self.niceness)
            #endif
            work()
            ended.signal()
        }
        #if canImport(Darwin)
            thread.qualityOfService = .utility
        #endif
        thread.start()
        // Foundation on Linux names only a thread that runs.
        thread.name = Self.name
    }

    private static let name = "store-scan"
    private static let niceness: Int32 = 10

    func nextTicket() -> ScanQueue<Job>.Ticket {
        state.withLock { state in
            defer { state.nextTicket &+= 1 }
            return state.nextTicket
        }
    }

    func submit(_ job: Job, _ ticket: ScanQueue<Job>.Ticket, of directory: DirectoryID?) {
        let refusal: AuthError? = state.withLock { state in
            guard !state.isStopped else { return SQLiteWriter.closed }
            return state.queue.enqueue(job, ticket, of: directory) ? nil : Self.refusal
        }
        if let refusal { job.fail(refusal) } else { available.signal() }
    }

    /// Takes out a scan that waits. One that is under way stops by its own ``ScanStop``.
    func cancel(_ ticket: ScanQueue<Job>.Ticket) {
        state.withLock { $0.queue.cancel(ticket) }?.fail(CancellationError())
    }

    func stop() {
        state.withLock { state in
            state.isStopped = true
            state.running?.set()
        }
        available.signal()
    }

    func waitForEnd() {
        // What a scan holds may be the last reference to the store.
        guard state.withLock({ $0.thread }) != ObjectIdentifier(Thread.current) else { return }
        ended.wait()
        ended.signal()
    }

    private func work() {
        var connection: DatabaseQueue?
        while true {
            available.wait()
            let (job, isStopped) = state.withLock { state in
                let job = state.queue.next()
                state.running = job?.stop
                return (job, state.isStopped)
            }
            guard let job else {
                if isStopped { break }
                continue
            }
            do {
                if isStopped { throw SQLiteWriter.closed }
                let open = try connection ?? file.openReader()
                connection = open
                let deliver = try run(job, on: open)
                state.withLock { $0.running = nil }
                deliver()
            } catch {
                let isClosed = state.withLock { state in
                    state.running = nil
                    return state.isStopped
                }
                let stopped: any Error = isClosed ? SQLiteWriter.closed : CancellationError()
                job.fail(job.stop.isSet ? stopped : SQLiteFailure.domainError(error))
            }
        }
        try? connection?.close()
    }

    private func run(_ job: Job, on queue: DatabaseQueue) throws -> @Sendable () -> Void {
        guard !job.stop.isSet else { throw CancellationError() }
        return try queue.unsafeRead { database in
            try job.stop.watch(database) {
                try SQLiteConnection(database, stop: job.stop).snapshot { connection in
                    try job.run(OpenTransaction(on: connection, vault: vault, damages: damages))
                }
            }
        }
    }

    private static var refusal: AuthError {
        AuthError(.overloaded, reason: "too many lists are being made", retryAfter: .seconds(2))
    }
}

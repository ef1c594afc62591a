// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Foundation

/// What the threads share with the pool. It outlives the pool by as long as the last thread takes to end.
final class HashingThreads: Sendable {
    private struct Job: Sendable {
        /// Hashes, and returns what hands over the result.
        var work: @Sendable (Argon2Memory) -> @Sendable () -> Void
        var fail: @Sendable (any Error) -> Void
    }

    private struct State: Sendable {
        var queue: HashingQueue
        var jobs: [HashingQueue.Ticket: Job] = [:]
        var nextTicket: HashingQueue.Ticket = 0
        var stopped = false
    }

    let computed = HashCount()
    private let threads: Int
    private let state: Mutex<State>
    /// Raised once for each job, and on stopping.
    private let available = DispatchSemaphore(value: 0)
    private let clock: @Sendable () -> Instant
    private let rest: DispatchTimeInterval
    private let bound: UInt32
    private let kernel: Argon2Memory.Kernel?

    /// - Parameters:
    ///   - rest: how long a thread without work keeps the memory of its last hash. Beside what a server holds
    ///     otherwise, two times 19 MiB are much.
    ///   - bound: KiB of the largest hash whose memory each thread keeps.
    ///   - kernel: as for ``Argon2Memory``.
    init(
        _ queue: HashingQueue, rest: DispatchTimeInterval = .seconds(10), bound: UInt32 = Argon2Memory.bound,
        kernel: Argon2Memory.Kernel? = .best, clock: @escaping @Sendable () -> Instant
    ) {
        threads = queue.threads
        self.rest = rest
        self.bound = bound
        self.kernel = kernel
        state = Mutex(State(queue: queue))
        self.clock = clock
    }

    /// Starts as many threads as the queue counts on.
    func start() {
        for _ in 0..<threads {
            let known = DispatchSemaphore(value: 0)
            let thread = Thread { [self] in
                // By the thread itself, so that it hashes nothing before it has its name, and once `start()` is back:
                // until then Foundation on Linux does not know the thread and drops the name.
                known.wait()
                Thread.current.name = Self.name
                Self.yieldToOthers()
                work()
            }
            #if canImport(Darwin)
                thread.qualityOfService = .utility
            #endif
            thread.start()
            known.signal()
        }
    }

    /// Linux has room for 15 characters.
    static let name = "password-hash"

    /// How far the threads stand behind the others of the process (`nice`, at most 19): a request that comes while they
    /// hash is served first. Where others keep every core busy they still have a tenth of it, so that a hash takes a
    /// tenth of a second; at 19 it would take one, and under `SCHED_IDLE` five, which is as long as anybody waits.
    static let niceness: Int32 = 10

    private static func yieldToOthers() {
        #if os(Linux)
            // POSIX knows it of processes, Linux of the thread that calls. A container may refuse it: then the threads
            // stand where the others do.
            _ = nice(niceness)
        #endif
    }

    /// - Throws: `CancellationError` when the caller is cancelled while waiting; a hash under way is completed.
    ///
    /// - Parameters:
    ///   - hashes: how many `work` computes.
    ///   - work: is given the memory of the thread that it runs on.
    func run<Value: Sendable>(
        hashes: Int = 1, _ work: @escaping @Sendable (Argon2Memory) -> Value
    ) async throws -> Value {
        let ticket = state.withLock { state in
            defer { state.nextTicket &+= 1 }
            return state.nextTicket
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let job = Job(
                    work: { [computed] memory in
                        computed.add(hashes)
                        let value = work(memory)
                        return { continuation.resume(returning: value) }
                    },
                    fail: { continuation.resume(throwing: $0) })
                admit(job, ticket)
                // A cancellation before the job was there found nothing to cancel.
                if Task.isCancelled { cancel(ticket) }
            }
        } onCancel: {
            cancel(ticket)
        }
    }

    private func admit(_ job: Job, _ ticket: HashingQueue.Ticket) {
        let now = clock()
        let accepted = state.withLock { state in
            guard !state.stopped, state.queue.enqueue(ticket, at: now) else { return false }
            state.jobs[ticket] = job
            return true
        }
        if accepted { available.signal() } else { job.fail(Self.refusal) }
    }

    private func cancel(_ ticket: HashingQueue.Ticket) {
        let job = state.withLock { state in
            state.queue.cancel(ticket)
            return state.jobs.removeValue(forKey: ticket)
        }
        job?.fail(CancellationError())
    }

    private func work() {
        let memory = Argon2Memory(bound: bound, kernel: kernel)
        while true {
            if available.wait(timeout: .now() + rest) == .timedOut {
                memory.release()
                available.wait()
            }
            let now = clock()
            let (next, job, stopped) = state.withLock { state in
                let next = state.queue.next(at: now)
                switch next {
                case .run(let ticket), .refuse(let ticket):
                    return (next, state.jobs.removeValue(forKey: ticket), false)
                case .idle: return (next, nil, state.stopped)
                }
            }
            switch next {
            case .run:
                let deliver = job?.work(memory)
                // First the thread is free, then its caller may come back.
                state.withLock { $0.queue.finish() }
                deliver?()
            case .refuse: job?.fail(Self.refusal)
            case .idle:
                if stopped {
                    // Wakes the next thread, which ends likewise.
                    available.signal()
                    return
                }
            }
        }
    }

    func stop() {
        state.withLock { $0.stopped = true }
        available.signal()
    }

    private static var refusal: AuthError {
        AuthError(.overloaded, reason: "too many password attempts are waiting", retryAfter: .seconds(2))
    }
}

/// How many hashes were computed.
final class HashCount: Sendable {
    private let count = AtomicNumber()
    func add(_ number: Int) { count.add(number) }
    var value: Int { count.load() }
}

// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Foundation
import Synchronization

/// Hashes on threads of its own, so that a flood of sign-ins neither starves the rest of the server nor piles up.
public final class PasswordHashingPool: PasswordHashing {
    private let core: Core
    private let parameters: Argon2Parameters
    private let random: any RandomSource
    /// What an attempt without a stored hash is compared with: the current cost, and a tag no password gives.
    private let decoy: PasswordHash

    /// - Parameters:
    ///   - threads: hashes computed at once.
    ///   - queueLength: attempts that may wait beyond those.
    ///   - deadline: the longest that one may wait.
    public init(
        parameters: Argon2Parameters = Argon2Parameters(), threads: Int, queueLength: Int = 256,
        deadline: Span = .seconds(5), random: any RandomSource, clock: @escaping @Sendable () -> Instant
    ) {
        self.parameters = parameters
        self.random = random
        decoy = PasswordHash(
            parameters, salt: random.bytes(Argon2.saltLength), tag: random.bytes(Argon2.tagLength))
        core = Core(HashingQueue(capacity: max(1, queueLength), deadline: deadline), clock: clock)
        for _ in 0..<max(1, threads) {
            let thread = Thread { [core] in core.work() }
            thread.name = "password-hashing"
            thread.start()
        }
    }

    deinit {
        core.stop()
    }

    /// Hashes computed since the start, for metrics.
    public var hashesComputed: Int { core.computed.load(ordering: .relaxed) }

    public func verify(_ password: Secret<String>, against stored: PasswordHash?) async throws -> PasswordVerdict {
        let hash = stored ?? decoy
        let matches = try await core.run { hash.matches(NormalizedPassword.bytes(password)) }
        return matches && stored != nil ? .match(rehash: hash.needsRehash(to: parameters)) : .mismatch
    }

    public func hash(_ password: Secret<String>) async throws -> PasswordHash {
        let salt = random.bytes(Argon2.saltLength)
        let tag = try await core.run { [parameters] in
            Argon2.tag(of: NormalizedPassword.bytes(password), salt: salt, parameters)
        }
        guard let tag else { throw AuthError(.unavailable, reason: "no memory for a password hash") }
        return PasswordHash(parameters, salt: salt, tag: tag)
    }
}

extension PasswordHashingPool {
    /// What the threads share with the pool. It outlives the pool by as long as the last thread takes to end.
    private final class Core: Sendable {
        struct Job: Sendable {
            var work: @Sendable () -> Void
            var fail: @Sendable (any Error) -> Void
        }

        struct State: Sendable {
            var queue: HashingQueue
            var jobs: [HashingQueue.Ticket: Job] = [:]
            var nextTicket: HashingQueue.Ticket = 0
            var stopped = false
        }

        let computed = Atomic<Int>(0)
        private let state: Mutex<State>
        /// Raised once for each job, and on stopping.
        private let available = DispatchSemaphore(value: 0)
        private let clock: @Sendable () -> Instant

        init(_ queue: HashingQueue, clock: @escaping @Sendable () -> Instant) {
            state = Mutex(State(queue: queue))
            self.clock = clock
        }

        func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async throws -> Value {
            try await withCheckedThrowingContinuation { continuation in
                let job = Job(
                    work: { continuation.resume(returning: work()) }, fail: { continuation.resume(throwing: $0) })
                let now = clock()
                let accepted = state.withLock { state in
                    let ticket = state.nextTicket
                    state.nextTicket &+= 1
                    guard !state.stopped, state.queue.enqueue(ticket, at: now) else { return false }
                    state.jobs[ticket] = job
                    return true
                }
                if accepted { available.signal() } else { job.fail(Self.refusal) }
            }
        }

        func work() {
            while true {
                available.wait()
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
                    computed.add(1, ordering: .relaxed)
                    job?.work()
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
}

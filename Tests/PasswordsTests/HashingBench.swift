// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Dispatch

@testable import Passwords

/// A clock that a test sets, and at which the hashing threads can be made to wait: what they find in the queue is then
/// what the test has put there, whatever the scheduler does.
final class HashingBench: Sendable {
    private let now = Mutex(Instant(seconds: 1_000))
    private let isHeld: Bool
    private let gate = DispatchSemaphore(value: 0)
    private let arrivals: AsyncStream<Void>
    private let arrived: AsyncStream<Void>.Continuation

    /// - Parameter isHeld: whether the hashing threads wait for ``release()`` before they take their first job.
    init(isHeld: Bool = false) {
        self.isHeld = isHeld
        (arrivals, arrived) = AsyncStream.makeStream()
    }

    /// Cheap enough to hash thousands.
    static let cost = Argon2Parameters(memoryKiB: 8, iterations: 1)

    func pool(
        threads: Int = 1, queueLength: Int = 256, deadline: TimeSpan = .seconds(5),
        parameters: Argon2Parameters = HashingBench.cost, random: any RandomSource = SystemRandomSource()
    ) -> PasswordHashingPool {
        PasswordHashingPool(
            parameters: parameters, threads: threads, queueLength: queueLength, deadline: deadline, random: random,
            clock: { self.read() })
    }

    func advance(by span: TimeSpan) { now.withLock { $0 = $0 + span } }

    /// Returns once a hashing thread stands at the gate: a job is in the queue then, and still there.
    func arrival() async {
        for await _ in arrivals { return }
    }

    /// Opens the gate, for good.
    func release() { gate.signal() }

    private func read() -> Instant {
        // The hashing threads, unlike their callers, are no tasks'.
        if isHeld, withUnsafeCurrentTask(body: { $0 == nil }) {
            arrived.yield()
            gate.wait()
            gate.signal()
        }
        return now.withLock { $0 }
    }
}

/// Gives the octets it was told to, in that order.
final class ScriptedRandom: RandomSource {
    private let answers: Mutex<[[UInt8]]>

    init(_ answers: [[UInt8]]) {
        self.answers = Mutex(answers)
    }

    func bytes(_ count: Int) -> [UInt8] {
        answers.withLock { $0.isEmpty ? [UInt8](repeating: 0, count: count) : $0.removeFirst() }
    }
}

/// What an asynchronous call threw, if it did.
func failure(of body: () async throws -> Void) async -> AuthError? {
    do {
        try await body()
        return nil
    } catch { return error as? AuthError }
}

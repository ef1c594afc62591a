// SPDX-License-Identifier: Apache-2.0

import LatchkeyClient
import Synchronization

/// What an access token that lives costs its caller, beside the least that could guard it: a lock, and an actor.
enum TokenRate {
    static func measure() async throws -> JSONObject {
        let app = try await SignedInApp(store: MemoryStore())
        let service = app.service
        let guarded = Guarded(Secret("token"))
        let actor = Holder()
        var (ours, lock, hop) = (Times(), Times(), Times())
        // In turns, so that what else the machine does befalls all alike.
        for _ in 0..<40 {
            ours.add(try await Times.rounds(5, of: 2_000) { _ = try await service.accessToken() })
            lock.add(await Times.rounds(5, of: 2_000) { _ = guarded.value })
            hop.add(await Times.rounds(5, of: 500) { _ = await actor.token })
        }
        let caller = Caller()
        let calls = 100_000
        let jobs = try await caller.jobs(for: calls, of: service)
        return [
            "accessToken": .object(ours.report), "lock": .object(lock.report), "actor": .object(hop.report),
            "calls": .integer(Int64(calls)), "jobs": .integer(Int64(jobs)),
        ]
    }

    private actor Holder {
        let value = Secret("token")
        var token: Secret<String> { value }
    }

    /// An actor whose executor counts what is enqueued on it: each suspension comes back as one more job.
    private actor Caller {
        private final class Counting: SerialExecutor {
            let jobs = Atomic(0)

            func enqueue(_ job: consuming ExecutorJob) {
                jobs.add(1, ordering: .relaxed)
                let job = UnownedJob(job)
                let executor = asUnownedSerialExecutor()
                Task.detached { job.runSynchronously(on: executor) }
            }
        }

        private let executor = Counting()
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

        /// How often this actor was suspended while it asked.
        func jobs(for calls: Int, of service: any AuthenticationService) async throws -> Int {
            let before = executor.jobs.load(ordering: .relaxed)
            for _ in 0..<calls { _ = try await service.accessToken() }
            return executor.jobs.load(ordering: .relaxed) - before
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import LatchkeyClient
import Synchronization

/// A thousand callers wait for one refresh: from the answer's arrival until the last of them has its token.
enum WaiterRelease {
    private static let callers = 1_000

    static func measure() async throws -> JSONObject {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        return [
            "memory": .object(try await release(MemoryStore()).report),
            "file": .object(try await release(directory.store()).report),
            "bare": .object(try await bare().report),
        ]
    }

    private static func release(_ store: any SecureStore) async throws -> Times {
        let app = try await SignedInApp(store: store)
        let service = app.service
        var times = Times()
        for round in 0..<60 {
            let (entered, answered) = (Arrivals(), Guarded<ContinuousClock.Instant?>(nil))
            app.gate.before.withLock { $0 = { _ in await entered.all() } }
            app.gate.after.withLock { $0 = { _ in answered.withLock { $0 = .now } } }
            app.clock.sleep(.hours(2))
            let last = try await withThrowingTaskGroup(of: ContinuousClock.Instant.self) { group in
                for _ in 0..<callers {
                    group.addTask {
                        entered.count.add(1, ordering: .relaxed)
                        _ = try await service.accessToken()
                        return .now
                    }
                }
                return try await group.reduce(ContinuousClock.now) { max($0, $1) }
            }
            guard let answered = answered.value else { throw Failure("no refresh") }
            if round >= 10 { times.add(last - answered) }
        }
        guard app.cloud.refreshes == 60 else { throw Failure("\(app.cloud.refreshes) refreshes for 60 rounds") }
        return times
    }

    /// As many continuations, resumed in a row with nothing else to do.
    private static func bare() async throws -> Times {
        var times = Times()
        for _ in 0..<60 {
            let waiting = Guarded<[CheckedContinuation<Void, Never>]>([])
            times.add(
                await withTaskGroup(of: ContinuousClock.Instant.self) { group in
                    for _ in 0..<callers {
                        group.addTask {
                            await withCheckedContinuation { continuation in
                                waiting.withLock { $0.append(continuation) }
                            }
                            return .now
                        }
                    }
                    while waiting.withLock({ $0.count }) < callers { await Task.yield() }
                    let start = ContinuousClock.now
                    for continuation in waiting.value { continuation.resume() }
                    return await group.reduce(start) { max($0, $1) } - start
                })
        }
        return times
    }

    /// Counts the callers on their way in.
    private final class Arrivals: Sendable {
        let count = Atomic(0)

        /// Returns when all of them wait: they have come, and have had time to take their places.
        func all() async {
            while count.load(ordering: .relaxed) < callers { await Task.yield() }
            try? await Task.sleep(for: .milliseconds(30))
        }
    }
}

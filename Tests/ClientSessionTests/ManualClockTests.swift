// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import ClientTestSupport
import Testing

struct ManualClockTests {
    @Test("R13.1 Who waits goes on when their time is reached, and not before")
    func waits() async throws {
        let clock = ManualClock()
        let reached = Guarded<[Int]>([])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for seconds in [3, 1, 2] {
                group.addTask {
                    try await clock.wait(.seconds(Int64(seconds)))
                    reached.withLock { $0.append(seconds) }
                }
            }
            try await clock.untilSleeping(3)
            clock.advance(by: .milliseconds(999))
            #expect(clock.sleeping == 3)
            clock.advance(by: .milliseconds(1))
            #expect(clock.sleeping == 2)
            clock.set(Instant(seconds: 0))
            #expect(clock.sleeping == 2)
            clock.advance(by: .seconds(2))
            try await group.waitForAll()
        }
        #expect(reached.value.sorted() == [1, 2, 3])
    }

    @Test("R13.1 Who is cancelled waits no longer")
    func cancelled() async throws {
        let clock = ManualClock()
        let waiter = Task { try await clock.wait(.seconds(1)) }
        try await clock.untilSleeping()
        waiter.cancel()
        await #expect(throws: CancellationError.self) { try await waiter.value }
        #expect(clock.sleeping == 0)
    }

    @Test("R13.1 The device's clock: what has passed never goes back, and a wait of nothing returns at once")
    func system() async throws {
        let clock = SystemClock()
        let before = clock.uptime
        try await clock.wait(.zero)
        try await clock.wait(.seconds(-5))
        #expect(clock.uptime >= before)
        #expect(clock.now > Instant(seconds: 1_700_000_000))
    }
}

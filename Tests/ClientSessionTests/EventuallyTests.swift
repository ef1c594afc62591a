// SPDX-License-Identifier: Apache-2.0

import ClientTestSupport
import TestSupport
import Testing

struct EventuallyTests {
    @Test("What a test waits for is asked until it holds, while others go on")
    func holds() async throws {
        let gate = Gate()
        let passing = Task { await gate.pass() }
        try await gate.untilReached()
        await gate.open()
        await passing.value
    }

    @Test("Who waits in vain is told for what, and is not kept where the test is cancelled")
    func vain() async {
        let waiting = Task { try await eventually("pigs fly") { false } }
        waiting.cancel()
        let error = await #expect(throws: WaitedInVain.self) { try await waiting.value }
        #expect(error?.description.contains("until pigs fly (ClientSessionTests/EventuallyTests.swift:") == true)
    }

    @Test("What is asked for and fails ends the wait with its own error")
    func failing() async {
        await #expect(throws: CancellationError.self) { try await eventually("pigs fly") { throw CancellationError() } }
    }
}

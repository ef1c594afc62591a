// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

@Suite("What nobody calls") struct UpkeepTests {
    @Test("G-8.3 a duty that fails keeps none of those after it from being done, and is told by its name")
    func apart() async throws {
        let bench = try await LockoutBench()
        try await bench.base.user()
        try await bench.lock()
        let now = bench.base.now + .minutes(16)
        let upkeep = Upkeep([
            .init("deletions") { _ in throw AuthError(.unavailable) },
            // Somebody else's cancellation: not the pass's.
            .init("factor recoveries") { _ in throw CancellationError() },
            .init("purge") { try await Reaper(store: bench.base.store).pass(at: $0).lockouts },
        ])
        let outcomes = try await upkeep.pass { now }
        #expect(outcomes.map(\.duty) == ["deletions", "factor recoveries", "purge"])
        #expect(throws: AuthError(.unavailable)) { try outcomes[0].result.get() }
        #expect(throws: CancellationError.self) { try outcomes[1].result.get() }
        #expect(try outcomes[2].result.get() == 1)
    }

    @Test("A pass that is cancelled ends there, and begins no other duty")
    func cancelled() async throws {
        let upkeep = Upkeep([
            .init("first") { _ in
                withUnsafeCurrentTask { $0?.cancel() }
                throw AuthError(.unavailable)
            },
            .init("second") { _ in
                Issue.record("begun after its pass was cancelled")
                return 1
            },
        ])
        let pass = Task { try await upkeep.pass { Instant(microseconds: 0) } }
        await #expect(throws: CancellationError.self) { try await pass.value }
    }
}

// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

/// The calls of a client, counted in several servers' memories and in one ledger.
@Suite("What several servers count of a client's calls", .postgres, .timeLimit(.minutes(5)))
struct ClientCallTests {
    @Test(
        "R9.8 what four servers tell at once is counted, each once", arguments: Processes.Database.allCases)
    func atOnce(_ database: Processes.Database) async throws {
        try await Processes.with(4, over: database) { world in
            let now = Processes.now
            let rule = RateLimitRule(name: "sign-in", count: 100, period: .seconds(1000))
            let limiters = world.stores.map { _ in RateLimiter(isShared: true) }
            let key = CountedClient(directory: world.directory.id, origin: "203.0.113.5").text
            for limiter in limiters {
                for _ in 0..<26 { #expect(limiter.take(rule, key: key, now: now) == .allowed) }
            }
            let told = try await world.race(4) { _, process in
                try await ClientCallExchange(limiters[process], store: world.stores[process]).pass(at: now)
            }
            #expect(told == [1, 1, 1, 1])
            let ledger = LedgerLimit.key("calls sign-in", "203.0.113.5", in: world.directory)
            let end = try await world.stores[0].read { try $0.attemptsEnd(ledger, in: world.directory.id) }
            // 104 calls, of which the limit keeps a hundred.
            #expect(end == now + .seconds(1000))
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

/// Thousands of lives of a session. A failure names the seed, which is all it takes to see it again.
@Suite struct RefreshSimulationTests {
    private func simulate(
        _ seeds: ClosedRange<UInt64>, _ options: RefreshSimulation.Options
    ) -> RefreshSimulation.Counts {
        var sum = RefreshSimulation.Counts()
        for seed in seeds {
            var simulation = RefreshSimulation(seed: seed, options: options)
            simulation.run()
            for violation in simulation.violations { Issue.record("seed \(seed): \(violation)") }
            sum.rotated += simulation.counts.rotated
            sum.parent += simulation.counts.parent
            sum.raced += simulation.counts.raced
            sum.replays += simulation.counts.replays
            sum.crashes += simulation.counts.crashes
            sum.lost += simulation.counts.lost
        }
        return sum
    }

    @Test("I1 I6 an app that obeys the protocol never loses its session, whatever network, server and clock do")
    func honest() {
        let counts = simulate(1...1000, RefreshSimulation.Options())
        #expect(counts.replays == 0)
        #expect(counts.rotated > 5000 && counts.parent > 5000 && counts.raced > 200)
        #expect(counts.crashes > 1000 && counts.lost > 3000)
    }

    @Test("F3 with a thief about, each call is answered as the rule says, and a token left behind ends the session")
    func thief() {
        let counts = simulate(
            10_001...11_000, RefreshSimulation.Options(hasThief: true, setsClockBack: false, wakes: 12))
        #expect(counts.replays > 200)
        #expect(counts.rotated > 3000 && counts.parent > 3000 && counts.raced > 200)
    }

    @Test("F11 a clock that jumps ahead signs nobody out who holds the live token or its parent")
    func clockAhead() {
        // Long waits only: what is under way when the clock jumps is judged by the new time.
        for seed in UInt64(1)...200 {
            let random = SeededRandom(seed: seed)
            let rules = RefreshTokenFamily.Rules(rotates: true, reuseInterval: .seconds(10))
            var (family, held) = RefreshTokenFamily.open(for: SessionID(random.uuid()), secret: random.bytes(24))
            var now = Instant(seconds: 1_800_000_000)
            for _ in 0..<20 {
                now = now + .seconds(random.number(in: -3600...86_400))
                let verdict = family.present(held, nonce: random.bytes(16), at: now, rules: rules)
                guard let given = verdict.token else {
                    Issue.record("seed \(seed): refused")
                    break
                }
                if random.happens(60) { held = given }
            }
        }
    }

    @Test("G-5 the same seed makes the same life, and another seed another")
    func deterministic() {
        for seed in UInt64(1)...20 {
            let traces = [seed, seed, seed + 1].map { seed in
                var simulation = RefreshSimulation(seed: seed, options: RefreshSimulation.Options(hasThief: true))
                simulation.run()
                return simulation.trace
            }
            #expect(traces[0] == traces[1], "seed \(seed)")
            #expect(traces[0] != traces[2], "seed \(seed)")
        }
    }

    @Test("The simulation can fail: without a reuse interval it finds apps that are signed out")
    func canFail() {
        let failures = (UInt64(1)...200).count { seed in
            var simulation = RefreshSimulation(seed: seed, options: RefreshSimulation.Options(reuseInterval: .zero))
            simulation.run()
            return !simulation.violations.isEmpty
        }
        #expect(failures > 10)
    }
}

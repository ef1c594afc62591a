// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

struct SessionSimulationTests {
    @Test(
        """
        R13.1 Y-E5 F2 F4 F5 F6 F7 F8 F9 F10 F11 Whatever happens in whatever order: one refresh at a time, nobody \
        signed out without a reason, no token of another user, no ended session back, no caller forgotten, no storm
        """)
    func histories() {
        let told = ProcessInfo.processInfo.environment["LATCHKEY_SIMULATION_SEED"].flatMap { UInt64($0) }
        let seeds = told.map { $0...$0 } ?? 1...2000
        var steps = 0
        var failed: [UInt64] = []
        for seed in seeds where failed.count < 3 {
            let simulation = SessionSimulation(seed: seed)
            if simulation.run() != nil { failed.append(seed) }
            steps += simulation.steps
        }
        for seed in failed {
            let again = SessionSimulation(seed: seed, isRecording: true)
            let violation = again.run() ?? "not again"
            let history = again.history.joined(separator: "\n")
            Issue.record("LATCHKEY_SIMULATION_SEED=\(seed): \(violation)\n\(history)")
        }
        if told == nil, failed.isEmpty { #expect(steps > 100_000) }
    }

    @Test(
        "R13.1 The simulation finds a fault that was put in on purpose", arguments: SessionSimulation.Sabotage.allCases)
    func finds(sabotage: SessionSimulation.Sabotage) {
        let seed = (1...2000).first { SessionSimulation(seed: $0, sabotage: sabotage).run() != nil }
        #expect(seed != nil)
    }

    @Test("R13.1 The same seed is the same history")
    func same() {
        let histories = (0..<2).map { _ in
            let simulation = SessionSimulation(seed: 7, isRecording: true)
            _ = simulation.run()
            return simulation.history
        }
        #expect(histories[0] == histories[1])
        #expect(histories[0].count > 20)
    }
}

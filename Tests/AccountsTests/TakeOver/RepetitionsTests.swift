// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Accounts

@Suite("What comes more than once") struct RepetitionsTests {
    @Test("R25 it is found however few are kept at a time, and nothing else is", arguments: [1, 2, 7, 100, 10_000])
    func found(capacity: Int) {
        let twice = Array(stride(from: 3, to: 1_000, by: 29))
        let values = twice.prefix(9) + Array(0..<1_000) + twice
        var repetitions = Repetitions(capacity: capacity)
        var turns = 0
        repeat {
            for value in values { repetitions.note(value) }
            turns += 1
        } while repetitions.needsAnotherTurn()
        #expect(repetitions.found == Set(twice.map { Repetitions.bits(of: $0) }))
        #expect(turns >= 1_000 / capacity && (capacity < 10_000 || turns == 1))
    }
}

// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import TestSupport
import Testing

@testable import AccountStoreSQLite

@Suite("Turns of many rows", .timeLimit(.minutes(10)))
struct TurnPaceTests {
    @Test("the first turn is small, one that is quick is followed by a larger one, one that is slow by a smaller one")
    func pace() {
        var pace = TurnPace(most: 500)
        #expect(pace.rows == TurnPace.fewest)
        var sizes: [Int] = []
        for _ in 0..<8 {
            pace.finish(in: .microseconds(100))
            sizes.append(pace.rows)
        }
        #expect(sizes == [16, 32, 64, 128, 256, 500, 500, 500])
        // As long as is wanted: neither.
        pace.finish(in: .microseconds(1500))
        #expect(pace.rows == 500)
        sizes = []
        for _ in 0..<8 {
            pace.finish(in: .milliseconds(100))
            sizes.append(pace.rows)
        }
        #expect(sizes == [250, 125, 62, 31, 15, 8, 8, 8])
    }

    @Test("no turn has more rows than are asked for, and each has one at least", arguments: [-1, 0, 1, 3])
    func bounds(_ most: Int) {
        var pace = TurnPace(most: most)
        for duration in [Duration.zero, .seconds(9), .zero, .zero, .seconds(1)] {
            #expect((1...max(1, most)).contains(pace.rows))
            pace.finish(in: duration)
        }
    }

    @Test("turns go on where the last one ended, end with the first that did less, and are as many commits")
    func ranges() async throws {
        try await withStore { store in
            try await store.addHome()
            let before = store.commitCount
            let ranges = Mutex<[Range<Int>]>([])
            let done = try await store.writeInTurns(of: 40) { tx, rows in
                ranges.withLock { $0.append(rows) }
                let some = rows.clamped(to: 0..<101)
                for index in some { try tx.insert(Rows.user("\(index)")) }
                return some.count
            }
            let turns = ranges.withLock { $0 }
            #expect(done == 101)
            #expect(try await store.userIDs().count == 101)
            #expect(turns.first == 0..<TurnPace.fewest)
            #expect(zip(turns, turns.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
            #expect(turns.allSatisfy { (1...40).contains($0.count) })
            #expect(turns.last?.contains(101) == true)
            #expect(store.commitCount - before == turns.count)
        }
    }

    @Test("a turn that fails leaves what those before it did, and there is no other")
    func failing() async throws {
        struct Refusal: Error {}
        try await withStore { store in
            try await store.addHome()
            await #expect(throws: Refusal.self) {
                try await store.writeInTurns(of: 1) { tx, rows in
                    try tx.insert(Rows.user("\(rows.lowerBound)"))
                    if rows.lowerBound == 2 { throw Refusal() }
                    return 1
                }
            }
            #expect(try await store.userIDs().count == 2)
        }
    }

    @Test("whoever is cancelled begins no other turn")
    func cancelled() async throws {
        try await withStore { store in
            try await store.addHome()
            let task = Task {
                try await store.writeInTurns(of: 1) { tx, rows in
                    try tx.insert(Rows.user("\(rows.lowerBound)"))
                    return 1
                }
            }
            // It would never end by itself.
            defer { task.cancel() }
            try await eventually("a turn is done") { try await !store.userIDs().isEmpty }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }
}

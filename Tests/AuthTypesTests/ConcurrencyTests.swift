// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AuthTypes

@Suite("What several tasks share")
struct ConcurrencyTests {
    private struct Refusal: Error, Equatable {}

    /// No value of ours: only the lock keeps two tasks from it.
    private final class Tally {
        var count = 0
        var isBusy = false
        var hasMet = false
    }

    /// What tasks share: they hold it by reference.
    private final class Shared: Sendable {
        let tally = Mutex(Tally())
        let number = AtomicNumber()
        let slot = AtomicNumber()
        let winners = AtomicNumber(10)
        let isOver = AtomicFlag()
    }

    private final class Witness: Sendable {}

    @Test("Of a thousand tasks at one lock, each finds the value as another left it, and none is in its midst")
    func oneAtATime() async {
        let shared = Shared()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<1_000 {
                group.addTask {
                    shared.tally.withLock { tally in
                        tally.hasMet = tally.hasMet || tally.isBusy
                        tally.isBusy = true
                        tally.count += 1
                        tally.isBusy = false
                    }
                }
            }
            await group.waitForAll()
        }
        let (count, hasMet) = shared.tally.withLock { ($0.count, $0.hasMet) }
        #expect(count == 1_000)
        #expect(!hasMet)
    }

    @Test("What is thrown under a lock comes out as what it is, and leaves the lock free")
    func throwing() {
        let value = Mutex(1)
        #expect(throws: Refusal()) {
            try value.withLock { value throws(Refusal) in
                value = 2
                throw Refusal()
            }
        }
        let kept = value.withLock { $0 }
        #expect(kept == 2)
    }

    @Test("A lock lets go of what it held when it ends")
    func release() {
        weak var held: Witness?
        do {
            let witness = Witness()
            held = witness
            let value = Mutex<Witness?>(witness)
            let isThere = value.withLock { $0 != nil }
            #expect(isThere)
        }
        #expect(held == nil)
    }

    @Test("Of tasks that count together, each gets a number of its own; one alone exchanges what all expect")
    func numbers() async {
        let shared = Shared()
        let seen = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<1_000 {
                group.addTask {
                    let mine = shared.number.add(1)
                    if shared.slot.exchange(expected: 0, desired: mine) { shared.winners.add(-1) }
                    return mine
                }
            }
            return await group.reduce(into: Set<Int>()) { $0.insert($1) }
        }
        shared.isOver.store(true)
        #expect(seen == Set(1...1_000))
        let (last, winner) = (shared.number.load(), shared.slot.load())
        let (left, ended) = (shared.winners.load(), shared.isOver.load())
        #expect(last == 1_000)
        #expect(seen.contains(winner))
        #expect(left == 9)
        #expect(ended)
    }

    @Test(
        "Octets are text only where they are UTF-8 throughout, on systems of every age",
        arguments: [
            ([], true), (Array("Grüße 👋🏽".utf8), true), ([0xEF, 0xBF, 0xBD], true), ([0x00], true),
            ([0xFF], false), ([0x61, 0x80], false), ([0xC0, 0xAF], false), ([0xE2, 0x82], false),
            ([0xED, 0xA0, 0x80], false), ([0xF4, 0x90, 0x80, 0x80], false), ([0xEF, 0xBF], false),
        ] as [([UInt8], Bool)])
    func strictText(_ octets: [UInt8], _ isText: Bool) {
        let text = String(strictUTF8: octets)
        #expect((text != nil) == isText)
        #expect(String(repairedOnlyIfSound: octets) == text)
        if let text { #expect(Array(text.utf8) == octets) }
    }
}

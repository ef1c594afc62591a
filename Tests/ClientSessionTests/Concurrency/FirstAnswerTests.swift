// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ClientSession

struct FirstAnswerTests {
    @Test("R13.1 The first answer counts, whether it comes before somebody waits or after")
    func first() async {
        let early = FirstAnswer<Int>()
        #expect(early.give(1) && !early.give(2))
        #expect(await early.value() == 1)
        #expect(!early.give(3))

        let late = FirstAnswer<Int>()
        async let value = late.value()
        await Task.yield()
        #expect(late.give(4) && !late.give(5))
        #expect(await value == 4)
    }

    @Test("R13.1 of fifty that answer at once one is the first, and it is what is heard")
    func raced() async {
        for _ in 0..<20 {
            let answer = FirstAnswer<Int>()
            async let heard = answer.value()
            let first = await withTaskGroup(of: Int?.self) { group in
                for number in 0..<50 { group.addTask { answer.give(number) ? number : nil } }
                return await group.reduce(into: [Int]()) { if let number = $1 { $0.append(number) } }
            }
            #expect(await first == [heard])
        }
    }
}

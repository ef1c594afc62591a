// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import LatchkeyClient
import Testing

@Suite("FailureCount") struct FailureCountTests {
    private func failing(_ times: [Int64], as identifier: String = "ann@a.test") -> FailureCount {
        var count = FailureCount()
        for minute in times { count.failed(identifier, at: .minutes(minute)) }
        return count
    }

    @Test("G-8.2 Five failures within fifteen minutes are a lock of fifteen minutes; four, or five over more, are none")
    func five() {
        #expect(failing([0, 1, 2, 3]).remainingLock(of: "ann@a.test", at: .minutes(3)) == nil)
        let locked = failing([0, 1, 2, 3, 14])
        #expect(locked.remainingLock(of: "ann@a.test", at: .minutes(14)) == .minutes(15))
        #expect(locked.remainingLock(of: " Ann@A.test ", at: .minutes(28)) == .minutes(1))
        #expect(locked.remainingLock(of: "ann@a.test", at: .minutes(29)) == nil)
        #expect(failing([0, 1, 2, 3, 15]).remainingLock(of: "ann@a.test", at: .minutes(15)) == nil)
    }

    @Test("G-8.2 What is tried during a lock makes it no longer, and after it the count begins anew")
    func during() {
        var count = failing([0, 0, 0, 0, 0, 5, 10])
        #expect(count.remainingLock(of: "ann@a.test", at: .minutes(10)) == .minutes(5))
        count.failed("ann@a.test", at: .minutes(15))
        #expect(count.remainingLock(of: "ann@a.test", at: .minutes(15)) == nil)
    }

    @Test("G-8.2 A success forgets the failures, and another identifier has a count of its own")
    func apart() {
        var count = failing([0, 0, 0, 0])
        count.succeeded("ann@a.test")
        count.failed("ann@a.test", at: .minutes(1))
        #expect(count.remainingLock(of: "ann@a.test", at: .minutes(1)) == nil)
        #expect(failing([0, 0, 0, 0, 0]).remainingLock(of: "bob@a.test", at: .minutes(0)) == nil)
    }

    @Test("What is kept stays small however many identifiers are tried")
    func bounded() {
        var count = failing([0, 0, 0, 0, 0])
        for number in 0..<16 { count.failed("user\(number)", at: .minutes(1)) }
        #expect(count.remainingLock(of: "ann@a.test", at: .minutes(1)) == nil)
    }
}

// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Testing

@testable import AccountModel

/// The lock as a machine over times.
@Suite struct LockoutMachineTests {
    private static let rule = LockoutRule(attempts: 5, window: .minutes(15), duration: .minutes(15))
    private static let now = Instant(seconds: 1_800_000_000)

    private func lockout() -> Lockout { Lockout(key: [1], directoryID: DirectoryID("d"), userID: nil) }

    /// Which of the failures locks, by its number; none is sent while there is a lock.
    private func locks(_ minutes: [Int64], _ rule: LockoutRule = rule) -> [Int] {
        var lockout = lockout()
        return minutes.enumerated().filter { _, minute in
            let now = Self.now + .minutes(minute)
            guard lockout.wait(rule, at: now) == nil else { return false }
            return lockout.fail(rule, at: now, from: nil)
        }.map(\.offset)
    }

    @Test(
        "G-8.1 five failures within any quarter of an hour lock, wherever its bounds fall, and none that is older counts"
    )
    func window() {
        #expect(locks([0, 1, 2, 3, 4]) == [4])
        #expect(locks([0, 0, 0, 0, 14]) == [4])
        #expect(locks([0, 0, 0, 0, 15]) == [])
        // Four at the end of one quarter and one at the beginning of the next are five within one.
        #expect(locks([0, 14, 14, 14, 14, 15]) == [4])
        #expect(locks([0, 14, 14, 14, 15, 15]) == [5])
        #expect(locks([0, 4, 8, 12, 16, 20, 24, 28]) == [])
    }

    @Test("G-8.3 a lock ends by itself, no attempt makes it longer, and all is counted anew then")
    func end() {
        var lockout = lockout()
        for _ in 0..<5 { _ = lockout.fail(Self.rule, at: Self.now, from: "192.0.2.0") }
        #expect(lockout.wait(Self.rule, at: Self.now) == .minutes(15))
        #expect(lockout.wait(Self.rule, at: Self.now + .seconds(899)) == .seconds(1))
        #expect(lockout.wait(Self.rule, at: Self.now + .minutes(15)) == nil)
        #expect(lockout.end(Self.rule) == Self.now + .minutes(15))
        #expect(locks([0, 0, 0, 0, 0, 5, 14, 15, 15, 15, 15, 15]) == [4, 11])
    }

    @Test("G-8.1 a changed setting holds at once, for what was counted and for what is locked")
    func changed() {
        var lockout = lockout()
        for _ in 0..<4 { _ = lockout.fail(Self.rule, at: Self.now, from: nil) }
        var strict = lockout
        let three = LockoutRule(attempts: 3, window: .minutes(15), duration: .minutes(1))
        #expect({ strict.fail(three, at: Self.now, from: nil) }())
        #expect(strict.wait(three, at: Self.now + .minutes(1)) == nil)
        #expect(strict.wait(Self.rule, at: Self.now + .minutes(1)) == .minutes(14))
        let six = LockoutRule(attempts: 6, window: .minutes(15), duration: .minutes(15))
        #expect(!{ lockout.fail(six, at: Self.now, from: nil) }())
        #expect({ lockout.fail(six, at: Self.now, from: nil) }())
    }

    @Test("G-8.3 a clock that is set back keeps nobody out, and a moment is no sign of one")
    func clockSetBack() {
        var lockout = lockout()
        for _ in 0..<4 { _ = lockout.fail(Self.rule, at: Self.now, from: nil) }
        // Calls of one moment come in any order: they count, and a lock holds.
        #expect({ lockout.fail(Self.rule, at: Self.now + .milliseconds(-1), from: nil) }())
        #expect(lockout.wait(Self.rule, at: Self.now + .milliseconds(-2)) != nil)
        #expect(lockout.wait(Self.rule, at: Self.now + .hours(-5)) == nil)
        // What lies ahead counts as long ago.
        lockout.failures = [Instant](repeating: Self.now, count: 4)
        #expect(!{ lockout.fail(Self.rule, at: Self.now + .hours(-5), from: nil) }())
        #expect(lockout.failures == [Self.now + .hours(-5)])
    }
}

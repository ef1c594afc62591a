// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientStorage
import Testing

struct RetryBackoffTests {
    /// Every byte the same.
    private struct Constant: RandomSource {
        var byte: UInt8
        func bytes(_ count: Int) -> [UInt8] { [UInt8](repeating: byte, count: count) }
    }

    @Test("G-7.4 H-8 Each wait is up to twice the one before, never under half of that, and never beyond the bound")
    func doubling() {
        let backoff = RetryBackoff(first: .seconds(1), longest: .seconds(60))
        for failures in 1...200 {
            let most = failures > 6 ? 60 : 1 << (failures - 1)
            for byte in [UInt8(0), 1, 0x5A, 0xFF] {
                let wait = backoff.wait(afterFailures: failures, retryAfter: nil, random: Constant(byte: byte))
                #expect(wait <= .seconds(Int64(most)) && wait.microseconds >= Int64(most) * 500_000, "\(failures)")
            }
        }
        #expect(backoff.wait(afterFailures: 3, retryAfter: nil, random: Constant(byte: 0)) == .seconds(2))
    }

    @Test("G-7.4 What the service asks for is never undercut; more than a day is not believed")
    func retryAfter() {
        let (backoff, random) = (RetryBackoff.standard, Constant(byte: 0))
        #expect(backoff.wait(afterFailures: 1, retryAfter: .minutes(10), random: random) == .minutes(10))
        #expect(backoff.wait(afterFailures: 1, retryAfter: .days(4000), random: random) == .days(1))
        let without = backoff.wait(afterFailures: 1, retryAfter: nil, random: random)
        #expect(backoff.wait(afterFailures: 1, retryAfter: .seconds(-5), random: random) == without)
    }

    @Test("R13.2 No number of failures and no bound traps")
    func ends() {
        for first in [Int64.min, 0, 1, .max] {
            for longest in [Int64.min, 0, 1, .max] {
                let backoff = RetryBackoff(
                    first: TimeSpan(microseconds: first), longest: TimeSpan(microseconds: longest))
                for failures in [Int.min, 0, 1, 64, .max] {
                    #expect(backoff.wait(afterFailures: failures, retryAfter: nil, random: Constant(byte: 9)) >= .zero)
                }
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Testing

/// Gives each byte value in turn.
private final class CountingSource: RandomSource, Sendable {
    let first: UInt8

    init(first: UInt8 = 0) { self.first = first }

    func bytes(_ count: Int) -> [UInt8] { (0..<count).map { first &+ UInt8(truncatingIfNeeded: $0) } }
}

@Suite struct RandomSourceTests {
    @Test("The digits of a code are equally likely")
    func digits() {
        // All 256 bytes once: the six above 249 must be thrown away, or 0 to 5 would come more often.
        let text = CountingSource().digits(250)
        for digit in "0123456789" { #expect(text.filter { $0 == digit }.count == 25) }
        let sample = SystemRandomSource().digits(100_000)
        #expect(sample.count == 100_000)
        for digit in "0123456789" {
            // Ten standard deviations on either side.
            #expect((9_050...10_950).contains(sample.filter { $0 == digit }.count))
        }
    }

    @Test("A code has as many digits as were asked for", arguments: 0...12)
    func length(count: Int) {
        #expect(SystemRandomSource().digits(count).utf8.count == count)
        #expect(SystemRandomSource().bytes(count).count == count)
    }

    @Test("UUIDs have RFC 9562's form, version and variant")
    func uuid() {
        let time = Instant(rfc3339: "2026-11-21T05:51:47.25Z") ?? Instant(microseconds: 0)
        for first in UInt8.min...UInt8.max {
            let source = CountingSource(first: first)
            for (text, version) in [(source.uuid(), "4"), (source.uuid(at: time), "7")] {
                let parts = text.split(separator: "-", omittingEmptySubsequences: false)
                #expect(parts.map(\.count) == [8, 4, 4, 4, 12])
                #expect(text.utf8.allSatisfy { "0123456789abcdef-".utf8.contains($0) })
                #expect(parts[2].hasPrefix(version))
                #expect("89ab".contains(parts[3].prefix(1)))
            }
        }
    }

    @Test("Identifiers made later sort later")
    func order() {
        let source = SystemRandomSource()
        let times = (0..<100).map { Instant(microseconds: 1_795_240_307_000_000 + $0 * 1_000) }
        let made = times.map { source.uuid(at: $0) }
        #expect(made == made.sorted())
        #expect(made[0].hasPrefix("01a1fc"))
    }

    @Test("Two draws differ")
    func freshness() {
        let source = SystemRandomSource()
        #expect(Set((0..<1_000).map { _ in source.uuid() }).count == 1_000)
    }
}

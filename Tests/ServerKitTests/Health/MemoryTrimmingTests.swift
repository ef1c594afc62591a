// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ServerKit

@Suite("Memory that load has left behind")
struct MemoryTrimmingTests {
    @Test("R9.16 is given back at the first rest, never during work, and now and then in a long rest")
    func due() {
        var trimming = MemoryTrimming()
        var used = 0.0
        func after(_ seconds: Double) -> Bool {
            used += seconds
            return trimming.isDue(after: used)
        }
        // A start, traffic, and a rest of four minutes.
        #expect(!after(3))
        for _ in 0..<20 { #expect(!after(10)) }
        #expect(after(0.5))
        let rest = (0..<16).map { _ in after(0.1) }
        #expect(rest.filter(\.self).count == 2)
        #expect(!after(2) && after(0))
    }
}

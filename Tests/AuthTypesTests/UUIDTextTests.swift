// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Testing

@Suite struct UUIDTextTests {
    @Test("Sixteen bytes read back, in either case, with hyphens or without")
    func roundTrip() {
        let bytes = [UInt8](0xA0...0xAF)
        let text = UUIDText.encode(bytes[...])
        #expect(text == "a0a1a2a3-a4a5-a6a7-a8a9-aaabacadaeaf")
        #expect(UUIDText.decode(text) == bytes)
        #expect(UUIDText.decode(text.uppercased()) == bytes)
        #expect(UUIDText.decode("a0a1a2a3a4a5a6a7a8a9aaabacadaeaf") == bytes)
        // A part of an array begins where it begins.
        #expect(UUIDText.encode(([0] + bytes)[1...]) == text)
    }

    @Test(
        "Anything else is refused",
        arguments: [
            "", "-", "a0a1a2a3-a4a5-a6a7-a8a9-aaabacadae", "a0a1a2a3-a4a5-a6a7-a8a9-aaabacadaeaf00",
            "g0a1a2a3-a4a5-a6a7-a8a9-aaabacadaeaf", " a0a1a2a3-a4a5-a6a7-a8a9-aaabacadaeaf",
        ])
    func strictness(text: String) {
        #expect(UUIDText.decode(text) == nil)
    }
}

// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Testing

@Suite struct HexTests {
    @Test("Every byte reads back, in either case")
    func roundTrip() {
        let bytes = Array(UInt8.min...UInt8.max)
        let text = Hex.encode(bytes)
        #expect(text.hasPrefix("000102") && text.hasSuffix("fdfeff"))
        #expect(Hex.decode(text) == bytes)
        #expect(Hex.decode(text.uppercased()) == bytes)
        #expect(Hex.decode("") == [])
    }

    @Test("Anything else is refused", arguments: ["0", "0g", "0x", " 00", "00 ", "é0", "+1", "/0", ":0", "@0", "`0"])
    func strictness(text: String) {
        #expect(Hex.decode(text) == nil)
    }
}

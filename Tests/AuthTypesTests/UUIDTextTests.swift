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

    @Test("R9.14 there is one check of a UUID, and one of what may be an identifier of ours")
    func checks() {
        let text = "a0a1a2a3-a4a5-76a7-a8a9-aaabacadaeaf"
        let zero = "00000000-0000-0000-0000-000000000000"
        for (candidate, isUUID, isIdentifier) in [
            (text, true, true), (text.uppercased(), true, false), (zero, true, false),
            (text.replacing("-", with: ""), false, false), (text + "0", false, false), ("", false, false),
            ("a0a1a2a3a-4a5-76a7-a8a9-aaabacadaeaf", false, false), ("g" + text.dropFirst(), false, false),
        ] {
            #expect(UUIDText.accepts(candidate) == isUUID, "\(candidate)")
            #expect(UUIDText.isIdentifier(candidate) == isIdentifier, "\(candidate)")
        }
    }

    @Test("R9.14 percent-encoding leaves the unreserved characters alone, and of a blank what its place takes")
    func percentEncoding() {
        let text = "aZ0-._~ +&%ä/\r\n"
        #expect(PercentEncoding.encode(text.utf8) == "aZ0-._~%20%2B%26%25%C3%A4%2F%0D%0A")
        #expect(PercentEncoding.encode(text.utf8, spacesAsPlus: true) == "aZ0-._~+%2B%26%25%C3%A4%2F%0D%0A")
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

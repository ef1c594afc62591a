// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Testing

@Suite struct Base62Tests {
    @Test("An identifier in base 62 has 22 letters and digits, and reads back as itself")
    func roundTrip() throws {
        let random = SystemRandomSource()
        for _ in 0..<1000 {
            let id: DirectoryID = random.identifier()
            #expect(id.base62.utf8.count == 22)
            #expect(DirectoryID(base62: id.base62) == id)
        }
    }

    @Test(
        "The number is written with its highest digit first",
        arguments: [
            ("00000000-0000-0000-0000-000000000000", "0000000000000000000000"),
            ("00000000-0000-0000-0000-00000000003d", "000000000000000000000z"),
            ("00000000-0000-0000-0000-00000000003e", "0000000000000000000010"),
            ("ffffffff-ffff-ffff-ffff-ffffffffffff", "7n42DGM5Tflk9n8mt7Fhc7"),
        ])
    func known(uuid: String, text: String) {
        #expect(UserID(uuid).base62 == text)
        #expect(UserID(base62: text) == UserID(uuid))
    }

    @Test(
        "What is no 128-bit number in 22 digits is refused",
        arguments: [
            "", "0", "000000000000000000000", "00000000000000000000000", "7n42DGM5Tflk9n8mt7Fhc8",
            "zzzzzzzzzzzzzzzzzzzzzz", "000000000000000000000-", "000000000000000000000é", "\u{0}00000000000000000000",
        ])
    func refused(text: String) {
        #expect(UserID(base62: text) == nil)
    }

    @Test(
        "An identifier that is no lower-case UUID stays as it is",
        arguments: ["home", "FFFFFFFF-ffff-ffff-ffff-ffffffffffff", "00000000000000000000000000000000", ""])
    func foreign(text: String) {
        #expect(UserID(text).base62 == text)
    }
}

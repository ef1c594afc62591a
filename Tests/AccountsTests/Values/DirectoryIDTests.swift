// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@Suite struct DirectoryIDTests {
    @Test("A new Directory's identifier is eight letters and digits, and another each time")
    func fresh() {
        let random = SystemRandomSource()
        let ids = (0..<1000).map { _ in DirectoryID(by: random) }
        #expect(ids.allSatisfy { $0.rawValue.utf8.count == 8 && DirectoryID.accepts($0.rawValue) })
        #expect(Set(ids).count == 1000)
    }

    @Test(
        "A text from outside that can be no Directory's identifier is refused",
        arguments: ["", "Home", "a b", "a_b", "ä", "a'b", "a\u{0}", String(repeating: "a", count: 37)])
    func refused(text: String) {
        #expect(!DirectoryID.accepts(text))
    }
}

// SPDX-License-Identifier: Apache-2.0

import ServerKit
import Testing

@Suite struct PageTokenTests {
    private static let places = ["", "a", "ada@example.com\u{0}u-1", "grüße", String(repeating: "x", count: 1_000)]

    @Test("R70 a page's token leads to its place in the list that it was given for", arguments: places)
    func place(_ place: String) {
        let list = PageToken(of: ["users", "default", "email"])
        #expect(list.place(in: list.text(after: place)) == place)
    }

    @Test("R70 a page's token is none in another list, whichever part of it is another", arguments: places)
    func otherList(_ place: String) {
        let token = PageToken(of: ["users", "default", "email"]).text(after: place)
        for parts in [
            ["groups", "default", "email"], ["users", "other", "email"], ["users", "default", ""],
            ["users", "default"],
            ["users", "defaultemail"], ["users", "default", "email", ""], ["users", "default", "emai", "l"], [],
        ] {
            #expect(PageToken(of: parts).place(in: token) == nil, "\(parts)")
        }
    }

    @Test("R70 a token with any character changed, cut or added is no place")
    func garbled() {
        let list = PageToken(of: ["users"])
        let token = Array(list.text(after: "0190a6a0-0000-7000-8000-000000000001"))
        for index in token.indices {
            var changed = token
            changed[index] = token[index] == "A" ? "B" : "A"
            #expect(list.place(in: String(changed)) == nil, "\(index)")
            #expect(list.place(in: String(token.prefix(index))) == nil, "\(index)")
        }
        for text in ["%", "=", "AAAAAAAAAAA", "0190a6a0-0000-7000-8000-000000000001", String(token) + "A"] {
            #expect(list.place(in: text) == nil, "\(text)")
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Testing

@Suite("Paths that everyone reads alike")
struct PlainPathTests {
    @Test(
        "plain paths are accepted",
        arguments: ["/", "/a", "/a/", "/a/b.c", "/a/...", "/.well-known/jwks.json", "/a%C3%A4", "/ä", "/a:b@c"])
    func accepts(path: String) {
        #expect(PlainPath.accepts(path))
    }

    @Test(
        "R80 paths that a proxy may read otherwise are not",
        arguments: [
            "", "*", "a", "//", "//a", "/a//b", "/a//", "/.", "/..", "/a/.", "/a/..", "/a/../b", "/./a", "/a%2fb",
            "/a%2Fb", "/%2e%2e/a", "/a/%2E", "/a%252fb", "/a%5cb", "/a\\b", "/a;b", "/a%3bb", "/a b", "/a%20b", "/a%00",
            "/a%0d%0a", "/a\u{0}", "/a\tb", "/a\u{7F}", "/a%7F", "/a%", "/a%2", "/a%zz", "/a%é", "/a#b", "/#",
        ])
    func refuses(path: String) {
        #expect(!PlainPath.accepts(path))
    }
}

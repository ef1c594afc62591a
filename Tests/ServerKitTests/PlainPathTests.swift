// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

@testable import ServerKit

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

@Suite("Known routes")
struct KnownRoutesTests {
    @Test("a template matches one segment, no more and no less")
    func templates() {
        let routes = KnownRoutes()
        routes.add(.get, "/users/{id}")
        routes.add(.get, "/users/{id}")
        #expect(routes.methods(for: "/users/7") == [.get])
        #expect(routes.methods(for: "/users/7/") == [.get])
        #expect(routes.methods(for: "/users/") == [])
        #expect(routes.methods(for: "/users/7/8") == [])
        #expect(routes.methods(for: "/users//7") == [])
        #expect(routes.methods(for: "/Users/7") == [])
    }
}

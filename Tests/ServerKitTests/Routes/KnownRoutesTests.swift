// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

@testable import ServerKit

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

// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Testing

@testable import TokenVerifier

@Suite("The life that a response gives itself")
struct CacheControlTests {
    @Test(
        "max-age less Age; nothing said is nothing; what forbids keeping, or cannot be read, is zero",
        arguments: [
            ([], nil, nil), (["public"], nil, nil), ([""], nil, nil), ([",,="], nil, nil), ([], "10", nil),
            (["max-age=600"], nil, 600), (["Public , MAX-AGE = 600"], nil, 600), (["max-age=\"600\""], nil, 600),
            (["public, max-age=19845, must-revalidate, no-transform"], nil, 19845), (["s-maxage=9"], nil, nil),
            (["public", "max-age=60"], nil, 60), (["max-age=60, max-age=50"], nil, 50), (["max-age=600"], "100", 500),
            (["max-age=600"], "601", 0), (["max-age=600"], "x", 600), (["max-age=600"], "-5", 600),
            (["max-age=600"], "99999999999999999999999", 0), (["no-store"], nil, 0), (["max-age=60, no-cache"], nil, 0),
            (["no-store, max-age=60"], nil, 0), (["max-age"], nil, 0), (["max-age="], nil, 0), (["max-age=-1"], nil, 0),
            (["max-age=1.5"], nil, 0), (["max-age=1e9"], nil, 0), (["max-age=\""], nil, 0), (["max-age=٣"], nil, 0),
            (["no-cache=\"Set-Cookie\""], nil, 0),
        ] as [([String], String?, Int64?)])
    func life(fields: [String], age: String?, seconds: Int64?) {
        #expect(CacheControl.life(fields, age: age) == seconds.map(TimeSpan.seconds))
    }

    @Test("A number beyond the range is a long time, not none")
    func endless() throws {
        let life = try #require(CacheControl.life(["max-age=99999999999999999999999"], age: nil))
        #expect(life > .days(36500))
    }
}

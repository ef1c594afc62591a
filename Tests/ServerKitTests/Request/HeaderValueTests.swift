// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import ServerKit
import Testing

@Suite struct HeaderValueTests {
    @Test(
        "R9.14 a bearer's token is what stands behind the scheme's name, in whichever case",
        arguments: [
            (nil, nil), ("Bearer a.b.c", "a.b.c"), ("bEARER a.b.c", "a.b.c"), ("Bearer", nil), ("Bearer ", nil),
            ("Basic YTpi", nil), ("Bearerx a", nil), ("Bearer  a", " a"),
        ] as [(String?, String?)])
    func bearer(value: String?, token: String?) {
        var fields = HTTPFields()
        fields[.authorization] = value
        #expect(fields.bearerToken == token)
    }

    @Test(
        "R9.14 the time to wait is said in whole seconds, and never less than it is",
        arguments: [(0, "1"), (1, "1"), (1_000_000, "1"), (1_000_001, "2")] as [(Int64, String)])
    func retryAfter(microseconds: Int64, text: String) {
        var fields = HTTPFields()
        fields.setRetryAfter(TimeSpan(microseconds: microseconds))
        #expect(fields[.retryAfter] == text)
    }
}

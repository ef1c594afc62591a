// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import HummingbirdCore
import Testing

@testable import SupabaseAPI

@Suite struct WireTests {
    @Test(
        "Durations are read as the platform writes them",
        arguments: [("24h", 86_400), ("1h30m", 5400), ("90s", 90), ("1.5h", 5400), ("1500ms", 1), ("0s", 0), ("0", 0)])
    func durations(text: String, seconds: Int64) throws {
        #expect(try DurationText(text).span.seconds == seconds)
    }

    @Test(
        "What is no duration is refused, whatever its size",
        arguments: [
            "", "24", "00", "h", "1d", "-1h", "1h-1m", "1e9h", "999999999999h", "1..5h", "∞h",
            String(repeating: "1h", count: 99),
        ])
    func badDurations(text: String) {
        #expect(throws: AuthError(.invalidRequest)) { try DurationText(text) }
    }

    @Test("V14.2.1 tokens go into the fragment of a redirect, and nothing in them can leave it")
    func redirects() {
        let target = RedirectTarget(url: "https://app.example.com/done?x=1#old")
        #expect(target.adding(query: [("code", "a b&c=d")]) == "https://app.example.com/done?x=1&code=a+b%26c%3Dd")
        #expect(target.adding(fragment: [("t", "a\r\nb#")]) == "https://app.example.com/done?x=1#t=a%0D%0Ab%23")
    }

    @Test("R24 only a UUID names a user")
    func identifiers() throws {
        #expect(UUIDText.accepts("0192F3A0-0000-7000-8000-00000000ABCD"))
        #expect(UUIDText.accepts("00000000-0000-0000-0000-000000000000"))
        #expect(throws: WireError.self) {
            try AdminUserEndpoints.attributes(
                Input(object: ["id": "00000000-0000-0000-0000-000000000000", "email": "a@example.com"]))
        }
        let attributes = try AdminUserEndpoints.attributes(
            Input(object: ["id": "0192F3A0-0000-7000-8000-00000000ABCD", "email": "a@example.com"]))
        #expect(attributes.id?.rawValue == "0192f3a0-0000-7000-8000-00000000abcd")
        for text in ["", "../x", "0192f3a0000070008000000000000abc", "0192f3a0-0000-7000-8000-00000000abcg"] {
            #expect(!UUIDText.accepts(text), "\(text)")
        }
    }

    @Test(
        "A page is within bounds, and its links lead on",
        arguments: [("-1", nil), (nil, "0"), (nil, "-1"), (nil, "10001"), ("x", nil)] as [(String?, String?)])
    func pages(page: String?, size: String?) throws {
        var query: [String: String] = [:]
        query["page"] = page
        query["per_page"] = size
        #expect(throws: WireError.self) { try Page(query) }
        let second = try Page(["page": "2", "per_page": "10"])
        #expect(second.number == 2 && second.size == 10)
        #expect(try Page(["page": "0", "per_page": "10000"]).number == 1)
        var response = Answer.object([:])
        second.describe(total: 35, of: "/auth/v1/admin/users", in: &response)
        #expect(response.headers[.totalCount] == "35")
        #expect(
            response.headers[.link]
                == "</auth/v1/admin/users?page=3&per_page=10>; rel=\"next\", "
                + "</auth/v1/admin/users?page=4&per_page=10>; rel=\"last\"")
    }

    @Test("A member of another type is a malformed body; a missing, null or empty one is not given")
    func input() throws {
        let input = Input(object: ["a": "x", "b": .null, "c": "", "d": 1, "e": "true"])
        #expect(try input.text("a") == "x")
        #expect(try input.text("b") == nil && input.text("c") == nil && input.text("z") == nil)
        #expect(throws: WireError.self) { try input.text("d") }
        #expect(throws: WireError.self) { try input.flag("e") }
        #expect(throws: WireError.self) { try input.members("a") }
    }
}

// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import HummingbirdCore
import Testing

@testable import AppAPI

@Suite struct AppErrorTableTests {
    @Test("Y-FR11 every error has a status and a body, and a 401 its challenge (RFC 6750)")
    func complete() {
        for code in AuthErrorCode.allKnown {
            let error = AuthError(code, reason: "private")
            let entry = AppErrorTable.entry(for: code)
            let body = AppErrorTable.body(for: error)
            #expect(body["error"]?.stringValue?.isEmpty == false)
            #expect(body["code"] == .string(code.rawValue))
            #expect(!JSONValue.object(body).text.contains("private"))
            let challenge = AppErrorTable.challenge(for: error)
            #expect(
                (challenge != nil) == (entry.status == .unauthorized || entry.status == .forbidden), "\(code.rawValue)")
        }
    }

    @Test("RFC 6750 3.1: a request without a token is told no error")
    func challenges() {
        #expect(AppErrorTable.challenge(for: AuthError(.tokenMissing)) == "Bearer realm=\"latchkey\"")
        #expect(
            AppErrorTable.challenge(for: AuthError(.tokenExpired))
                == "Bearer realm=\"latchkey\", error=\"invalid_token\", "
                + "error_description=\"The access token has expired\"")
    }

    @Test("Y-FR8 a query is within bounds, and nothing in it is passed over")
    func queries() throws {
        let query = try ActivitiesEndpoint.Query([
            "limit": "100", "type": "yoga.session", "from": "2026-01-01T00:00:00Z",
        ])
        #expect(query.limit == 100 && query.filter.type == "yoga.session")
        #expect(try ActivitiesEndpoint.Query([:]).limit == 20)
        for bad in [["limit": "0"], ["limit": "101"], ["limit": "1.5"], ["from": "now"], ["page": "2"]] {
            #expect(throws: AuthError(.invalidRequest)) { try ActivitiesEndpoint.Query(bad) }
        }
    }

    @Test("F-7 a profile takes its own members only")
    func registration() throws {
        _ = try RegisterEndpoint.changes(from: ["name": "Ada", "picture": .null])
        for bad: JSONObject in [["role": "admin"], ["name": 1], ["name": ""], ["picture": "http://x.example/a"]] {
            #expect(throws: AuthError(.invalidRequest)) { try RegisterEndpoint.changes(from: bad) }
        }
    }
}

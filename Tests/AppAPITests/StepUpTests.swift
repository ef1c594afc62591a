// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Testing

@testable import AppAPI

/// A sign-in that is not recent enough (RFC 9470).
@Suite struct StepUpTests {
    @Test("R11.8 RFC 9470, section 3: administration may want a recent sign-in, says which, and takes the next token")
    func recent() async throws {
        let bench = try await AppBench(administratorMaxAge: 600)
        let user = try await bench.addUser("admin@example.com", in: ["admin"])
        func token(_ age: Int64?) async throws -> String {
            try await bench.signIn(
                user, changes: age.map { ["auth_time": .integer(AppBench.now.seconds - $0)] } ?? [:])
        }
        for age in [601, nil] as [Int64?] {
            let refused = try await bench.send(.get, "/v1/admin/users", token: try await token(age))
            #expect(refused.status == .unauthorized && refused.json["error"] == "insufficient_user_authentication")
            #expect(refused.json["code"] == "insufficient_assurance")
            let challenge = refused.challenge ?? ""
            #expect(challenge.contains(#"error="insufficient_user_authentication""#), "\(challenge)")
            #expect(challenge.hasSuffix(#", max_age="600""#), "\(challenge)")
            // What is the user's own is not administration.
            #expect(try await bench.send(.get, "/v1/me", token: try await token(age)).status == .ok)
        }
        #expect(try await bench.send(.get, "/v1/admin/users", token: try await token(600)).status == .ok)
        let outsider = try await bench.signIn(try await bench.addUser("user@example.com"))
        #expect(try await bench.send(.get, "/v1/admin/users", token: outsider).status == .forbidden)
    }
}

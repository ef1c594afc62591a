// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Testing

@testable import AppAPI

/// A sign-in that is not recent enough (RFC 9470).
@Suite struct StepUpTests {
    @Test("R14.2 an administrator who has a second factor administrates only in a session that shows it")
    func secondFactor() async throws {
        let bench = try await AppBench()
        let user = try await bench.addUser("admin@example.com", in: ["admin"])
        let low = try await bench.signIn(user)
        #expect(try await bench.send(.get, "/v1/admin/users", token: low).status == .ok)
        try await bench.ports.store.write {
            try $0.insert(
                Factor(
                    id: FactorID("f"), directoryID: user.directoryID, userID: user.id,
                    credential: .totp(Secret([UInt8](repeating: 7, count: 20))), verifiedAt: AppBench.now,
                    createdAt: AppBench.now))
        }
        for path in Route.all.filter({ $0.access == .administrator && $0.method == .get }).map(\.path) {
            let refused = try await bench.send(.get, path.replacing("{id}", with: user.id.rawValue), token: low)
            #expect(refused.json["code"] == "insufficient_assurance", "\(path)")
        }
        #expect(try await bench.send(.get, "/v1/me", token: low).status == .ok)
        let raised = try await bench.signIn(user, assurance: .aal2)
        #expect(try await bench.send(.get, "/v1/admin/users", token: raised).status == .ok)
    }

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

// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import TestBench
import TestBenchHTTP
import Testing

@testable import AppAPI

@Suite("Lost second factors over HTTP") struct FactorRecoveryEndpointTests {
    private func bench(wait: Int64) async throws -> (AppBench, token: String) {
        let bench = try await AppBench { $0.factors.recoveryWait = wait }
        let user = try await bench.addUser("ada@example.com")
        let factor = Factor(
            id: FactorID("app"), directoryID: user.directoryID, userID: user.id, credential: .totp(Secret([1, 2, 3])),
            verifiedAt: AppBench.now, createdAt: AppBench.now)
        try await bench.ports.store.write { try $0.insert(factor) }
        return (bench, try await bench.signIn(user))
    }

    @Test("G-9.8 it is begun by a session that shows no factor, once, and says until when, as the description has it")
    func begun() async throws {
        let (bench, token) = try await bench(wait: 86_400)
        let before = try await bench.send(.get, "/v1/account/factor-recovery", token: token)
        #expect(before.status == .ok)
        #expect(before.json == ["offered": true, "waitSeconds": 86_400, "recovery": nil])
        let begun = try await bench.send(.post, "/v1/account/factor-recovery", token: token)
        #expect(begun.status == .accepted)
        let due = AppBench.now + .days(1)
        #expect(begun.json["dueAt"] == .string(due.rfc3339) && begun.json["ready"] == false)
        let schema = OpenAPIDocument.accountSchemas["FactorRecovery"]?.objectValue
        #expect(schema?["required"]?.arrayValue?.compactMap(\.stringValue) == begun.json.names)
        let again = try await bench.send(.post, "/v1/account/factor-recovery", token: token)
        #expect(again.json == begun.json)
        let after = try await bench.send(.get, "/v1/account/factor-recovery", token: token)
        #expect(after.json["recovery"] == .object(begun.json))
        #expect(try await bench.send(.post, "/v1/account/factor-recovery", token: nil).status == .unauthorized)
        #expect(try await bench.send(.delete, "/v1/account/factor-recovery", token: token).status.code >= 400)
    }

    @Test("G-9.8 where operators alone remove factors it is not offered, and refused by its name")
    func withheld() async throws {
        let (bench, token) = try await bench(wait: 0)
        let standing = try await bench.send(.get, "/v1/account/factor-recovery", token: token)
        #expect(standing.json["offered"] == false)
        let refused = try await bench.send(.post, "/v1/account/factor-recovery", token: token)
        #expect(refused.status.code < 500 && refused.json["code"] == "factor_disabled")
    }
}

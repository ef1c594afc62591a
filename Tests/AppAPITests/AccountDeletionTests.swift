// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import TestBench
import TestBenchHTTP
import Testing

@testable import AppAPI

@Suite("An account is deleted over HTTP") struct AccountDeletionTests {
    @Test("G-10.2 what goes is said before, in the caller's language and for programs, as the description has it")
    func explained() async throws {
        let bench = try await AppBench()
        let token = try await bench.signIn(try await bench.addUser("ada@example.com"))
        let answer = try await bench.send(.get, "/v1/account/deletion", token: token)
        #expect(answer.status == .ok)
        #expect(answer.json["graceSeconds"] == 0 && answer.json["needsRecentSignIn"] == false)
        #expect(answer.json["explanation"]?.stringValue?.contains("for good") == true)
        #expect(answer.json["erased"]?.arrayValue?.contains("activities") == true && answer.json["sessions"] == 1)
        let schema = OpenAPIDocument.accountSchemas["DeletionExplanation"]?.objectValue
        #expect(schema?["required"]?.arrayValue?.compactMap(\.stringValue) == answer.json.names)

        let german = try await bench.send(
            .get, "/v1/account/deletion",
            headers: [.authorization: "Bearer \(token)", .acceptLanguage: "de"], bytes: [])
        #expect(german.json["explanation"]?.stringValue?.contains("Konto") == true)
    }

    @Test("G-10.3 G-10.4 the account is gone with the answer, and the next call says that its session is over")
    func deleted() async throws {
        let bench = try await AppBench()
        let user = try await bench.addUser("ada@example.com")
        let (token, other) = (try await bench.signIn(user), try await bench.signIn(user))
        let answer = try await bench.send(.delete, "/v1/account", token: token)
        #expect(answer.status == .ok)
        #expect(answer.json == ["deleted": true, "deletionDueAt": nil])
        for gone in [token, other] {
            let refused = try await bench.send(.get, "/v1/me", token: gone)
            #expect(refused.status == .unauthorized && refused.json["code"] == "session_not_found")
        }
        let left = try #require(try await bench.ports.store.read { try $0.user(user.id, in: user.directoryID) })
        #expect(left.deletedAt == AppBench.now && left.email == nil)
    }

    @Test("G-10.4 in a Directory with a time of grace the answer says until when, and the user is out meanwhile")
    func postponed() async throws {
        let bench = try await AppBench { $0.deletion.grace = 86_400 }
        let user = try await bench.addUser("ada@example.com")
        let token = try await bench.signIn(user)
        let explained = try await bench.send(.get, "/v1/account/deletion", token: token)
        #expect(explained.json["graceSeconds"] == 86_400)
        #expect(explained.json["explanation"]?.stringValue?.contains("grace") == true)
        let answer = try await bench.send(.delete, "/v1/account", token: token)
        #expect(answer.status == .accepted)
        let due = AppBench.now + .days(1)
        #expect(answer.json == ["deleted": false, "deletionDueAt": .string(due.rfc3339)])
        #expect(try await bench.send(.get, "/v1/me", token: token).json["code"] == "session_not_found")
        let admin = try await bench.signIn(try await bench.addUser("admin@example.com", in: ["admin"]))
        let shown = try await bench.send(.get, "/v1/admin/users/" + user.id.rawValue, token: admin)
        #expect(shown.json["deletionDueAt"] == .string(due.rfc3339) && shown.json["deleted"] == false)
    }

    @Test("G-10.3 a sign-in that is not recent is asked for anew, by the words of RFC 9470, and nothing is deleted")
    func recent() async throws {
        let bench = try await AppBench()
        let user = try await bench.addUser("ada@example.com")
        let token = try await bench.signIn(user)
        try await bench.ports.store.write { tx in
            var session = try #require(try tx.sessions(of: user.id, in: user.directoryID).first)
            session.methods = [AuthenticationMethod(.password, at: AppBench.now - .seconds(301))]
            _ = try tx.advance(session, from: session.family.generation)
        }
        #expect(
            try await bench.send(.get, "/v1/account/deletion", token: token).json["needsRecentSignIn"] == true)
        let refused = try await bench.send(.delete, "/v1/account", token: token)
        #expect(refused.status == .unauthorized)
        #expect(refused.json["error"] == "insufficient_user_authentication")
        #expect(refused.json["code"] == .string(AuthErrorCode.reauthenticationNeeded.rawValue))
        #expect(refused.challenge?.contains(#"error="insufficient_user_authentication""#) == true)
        #expect(try await bench.send(.get, "/v1/me", token: token).status == .ok)
        #expect(try await bench.send(.delete, "/v1/account", token: nil).status == .unauthorized)
    }
}

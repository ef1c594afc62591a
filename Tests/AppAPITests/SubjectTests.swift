// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Testing

@testable import AppAPI

@Suite("Tokens whose subject was brought from elsewhere")
struct SubjectTests {
    @Test("R9.12 this API takes a token by whatever its dialect calls the user, and calls them by our own identifier")
    func subjects() async throws {
        let bench = try await AppBench()
        var attributes = UserAttributes()
        attributes.email = try EmailAddress("ada@example.com")
        attributes.externalIdentifier = try ExternalIdentifier("Uid/7")
        var call = bench.call
        call.dialect = DialectName("one")
        let ada = try await UserAdministration(bench.ports).create(attributes, call: call).user
        let bob = try await bench.addUser("bob@example.com")
        for subject in ["Uid/7", ada.id.rawValue] {
            let token = try await bench.signIn(ada, changes: ["sub": .string(subject)])
            let me = try await bench.send(.get, "/v1/me", token: token)
            #expect(me.status == .ok && me.json["id"]?.stringValue == ada.id.rawValue, "\(subject)")
        }
        for subject in ["uid/7", bob.id.rawValue] {
            let token = try await bench.signIn(ada, changes: ["sub": .string(subject)])
            #expect(try await bench.send(.get, "/v1/me", token: token).status == .unauthorized, "\(subject)")
        }
        let token = try await bench.signIn(bob, changes: ["sub": "Uid/7"])
        #expect(try await bench.send(.get, "/v1/me", token: token).status == .unauthorized)
    }
}

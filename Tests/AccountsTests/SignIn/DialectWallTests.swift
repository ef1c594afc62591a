// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

@Suite("What dialects keep of a user")
struct DialectWallTests {
    private static let one = DialectName("one")
    private static let two = DialectName("two")

    private func call(_ bench: Bench, _ dialect: DialectName?) -> CallContext {
        var call = bench.call()
        call.dialect = dialect
        return call
    }

    private func user(_ bench: Bench) async throws -> User {
        var attributes = UserAttributes()
        attributes.email = try EmailAddress("ada@example.com")
        return try await UserAdministration(bench.ports).create(attributes, call: bench.call()).user
    }

    @Test("R8.5 a call writes the place of its own dialect, each half by its own word, and nobody else's")
    func places() async throws {
        let bench = try await Bench.make()
        let user = try await user(bench)
        for dialect in [Self.one, Self.two] {
            var changes = UserAttributes()
            changes.attributes = ["role": .string(dialect.rawValue), "gone": 1]
            changes.operatorAttributes = ["role": .string("operator of " + dialect.rawValue)]
            changes.userMetadata = ["role": "metadata"]
            _ = try await UserAdministration(bench.ports).update(user.id, changes, call: call(bench, dialect))
            changes = UserAttributes()
            changes.attributes = ["gone": .null]
            _ = try await UserAdministration(bench.ports).update(user.id, changes, call: call(bench, dialect))
        }
        let data = try await UserAdministration(bench.ports).get(user.id, call: bench.call()).user.dialectData
        #expect(
            data.json == [
                "one": ["user": ["role": "one"], "operator": ["role": "operator of one"]],
                "two": ["user": ["role": "two"], "operator": ["role": "operator of two"]],
            ])
        #expect(try DialectData(data.json) == data)
    }

    @Test("R8.5 a caller that has no place writes nothing, and nothing of its request happens")
    func nowhere() async throws {
        let bench = try await Bench.make()
        let user = try await user(bench)
        var changes = UserAttributes()
        changes.userMetadata = ["name": "Ada"]
        changes.attributes = ["role": "admin"]
        await #expect(throws: AuthError(.internalFailure)) {
            try await UserAdministration(bench.ports).update(user.id, changes, call: bench.call())
        }
        changes.attributes = nil
        changes.operatorAttributes = ["role": "admin"]
        await #expect(throws: AuthError(.internalFailure)) {
            try await UserAdministration(bench.ports).update(user.id, changes, call: bench.call())
        }
        let after = try await UserAdministration(bench.ports).get(user.id, call: bench.call()).user
        #expect(after.userMetadata.isEmpty && after.dialectData == DialectData())
    }

    @Test("R8.5 a soft deletion leaves nothing of it")
    func deletion() async throws {
        let bench = try await Bench.make()
        let user = try await user(bench)
        var changes = UserAttributes()
        changes.attributes = ["a": 1]
        changes.operatorAttributes = ["b": 1]
        _ = try await UserAdministration(bench.ports).update(user.id, changes, call: call(bench, Self.one))
        try await UserAdministration(bench.ports).delete(user.id, soft: true, call: bench.call())
        let left = try await UserAdministration(bench.ports).get(user.id, call: bench.call()).user
        #expect(left.dialectData == DialectData())
    }

    @Test(
        "R8.5 what is of another form than the two halves is refused",
        arguments: [
            ["one": 1], ["one": ["user": 1]], ["one": ["operator": []]], ["one": ["admin": [:]]],
        ] as [JSONObject])
    func malformed(json: JSONObject) {
        #expect(throws: AuthError(.invalidRequest)) { try DialectData(json) }
    }
}

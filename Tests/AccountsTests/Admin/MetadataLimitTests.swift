// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

@Suite("How much is kept of a user")
struct MetadataLimitTests {
    private static let limit = 2048

    /// An object of this many bytes.
    private static func object(_ bytes: Int, _ name: String = "a") -> JSONObject {
        let frame = JSONObject(dictionaryLiteral: (name, "")).text.utf8.count
        return [name: .string(String(repeating: "x", count: bytes - frame))]
    }

    private static func bench() async throws -> PasswordBench {
        try await PasswordBench { $0.metadataLimit = limit }
    }

    private static func administrator(_ bench: PasswordBench) -> CallContext {
        var call = bench.call()
        call.actor = .commandLine
        call.dialect = DialectName("one")
        return call
    }

    @Test("R8.2 the bound is on what comes of a write, holds in each place, and a refused write does nothing")
    func places() async throws {
        let bench = try await Self.bench()
        let call = Self.administrator(bench)
        let administration = UserAdministration(bench.ports)
        let user = try await bench.user()
        let places: [any WritableKeyPath<UserAttributes, JSONObject?> & Sendable] = [
            \.userMetadata, \.appMetadata, \.attributes, \.operatorAttributes,
        ]
        for place in places {
            var changes = UserAttributes()
            changes[keyPath: place] = Self.object(1500)
            changes.role = "kept"
            _ = try await administration.update(user.id, changes, call: call)
            let before = try await bench.base.reload(user)
            changes[keyPath: place] = Self.object(600, "b")
            changes.role = "lost"
            await #expect(throws: AuthError(.metadataTooLarge)) {
                try await administration.update(user.id, changes, call: call)
            }
            let after = try await bench.base.reload(user)
            #expect(after.version == before.version && after.role == "kept")
            // What leaves it within the bound is a change like any other.
            changes[keyPath: place] = Self.object(600, "b").merging([:])
            changes[keyPath: place]?["a"] = .some(.null)
            _ = try await administration.update(user.id, changes, call: call)
        }
    }

    @Test("R8.2 the bound is exact")
    func exact() async throws {
        let bench = try await Self.bench()
        try await bench.user()
        let session = try await bench.signIn()
        _ = try await bench.update(session) { $0.userMetadata = Self.object(Self.limit) }
        await #expect(throws: AuthError(.metadataTooLarge)) {
            try await bench.update(session) { $0.userMetadata = Self.object(Self.limit + 1) }
        }
    }

    @Test("R8.2 a refused change of metadata changes no password either")
    func nothingHalfDone() async throws {
        let bench = try await Self.bench()
        let user = try await bench.user()
        let session = try await bench.signIn()
        let before = try await bench.base.reload(user)
        await #expect(throws: AuthError(.metadataTooLarge)) {
            try await bench.update(session) {
                $0.userMetadata = Self.object(Self.limit + 1)
                $0.password = Secret(PasswordBench.newPassword)
            }
        }
        let after = try await bench.base.reload(user)
        #expect(after.passwordHash == before.passwordHash && after.version == before.version)
    }

    @Test("R8.2 who is refused for what they say of themselves does not learn whether they have an account")
    func strangers() async throws {
        let bench = try await Self.bench()
        try await bench.user("known@example.com", phone: "+491701234567")
        let large = Self.object(Self.limit + 1)
        for address in ["known@example.com", "unknown@example.com"] {
            let email = try EmailAddress(address)
            await #expect(throws: AuthError(.metadataTooLarge)) {
                try await bench.signUp(.email(email), metadata: large)
            }
            await #expect(throws: AuthError(.metadataTooLarge)) {
                try await RequestMagicLink(bench.ports)(email, userMetadata: large, call: bench.call())
            }
        }
        for number in ["+491701234567", "+491701234568"] {
            let phone = try PhoneNumber(number)
            await #expect(throws: AuthError(.metadataTooLarge)) {
                try await RequestPhoneCode(bench.ports)(phone, userMetadata: large, call: bench.call())
            }
        }
        #expect(try await bench.base.messages().isEmpty && bench.passwords.hashed == 0)
        await #expect(throws: AuthError(.metadataTooLarge)) {
            try await AnonymousSignUp(bench.ports)(
                userMetadata: large,
                call: bench.call {
                    $0.signUp.anonymousEnabled = true; $0.metadataLimit = Self.limit
                })
        }
        #expect(try await bench.userCount() == 1)
    }

    @Test("R8.2 depth and members have bounds too, since an export must be read again")
    func shape() async throws {
        let bench = try await PasswordBench { $0.metadataLimit = MetadataLimit.range.upperBound }
        try await bench.user()
        let session = try await bench.signIn()
        var deep = JSONValue.object(["x": 1])
        for _ in 0..<30 { deep = .object(["x": deep]) }
        var wide = JSONObject()
        for index in 0..<5_000 { wide[String(index)] = 1 }
        _ = try await bench.update(session) { $0.userMetadata = ["deep": deep] }
        _ = try await bench.update(session) { $0.userMetadata = wide }
        await #expect(throws: AuthError(.metadataTooLarge)) {
            try await bench.update(session) { $0.userMetadata = ["deeper": .object(["x": deep])] }
        }
        var wider = JSONObject()
        for index in 5_000..<10_000 { wider[String(index)] = 1 }
        await #expect(throws: AuthError(.metadataTooLarge)) {
            try await bench.update(session) { $0.userMetadata = wider }
        }
    }

    @Test("R8.2 the largest user there can be is read, listed and exported, and the export is imported")
    func largest() async throws {
        var settings = DirectorySettings()
        settings.metadataLimit = MetadataLimit.range.upperBound
        let bench = try await Bench.make(settings: settings)
        var call = bench.call()
        // Each of these is written with six bytes.
        let text = JSONValue.string(String(repeating: "\u{7F}", count: (MetadataLimit.range.upperBound - 8) / 6))
        var deep = JSONValue.object(["x": 1])
        for _ in 0..<30 { deep = .object(["x": deep]) }
        var attributes = UserAttributes()
        attributes.email = try EmailAddress("large@example.com")
        attributes.userMetadata = ["a": text]
        attributes.appMetadata = ["b": deep]
        var user = try await UserAdministration(bench.ports).create(attributes, call: call).user
        for dialect in ["one", "two", "three"] {
            call.dialect = DialectName(dialect)
            var changes = UserAttributes()
            changes.attributes = ["a": dialect == "one" ? deep : text]
            changes.operatorAttributes = ["a": text]
            user = try await UserAdministration(bench.ports).update(user.id, changes, call: call).user
        }
        let listed = try await UserAdministration(bench.ports).list(call: bench.call())
        #expect(listed.records.map(\.user.isDamaged) == [false])
        let transfer = UserTransferTests()
        let lines = try await transfer.export(bench)
        let other = try await DirectoryAdministration(bench.ports).create(
            name: "other", settings: settings, at: bench.now)
        let (summary, faults) = try await transfer.importing(lines, to: other, bench)
        #expect(summary.imported == 1 && faults.isEmpty, "\(faults)")
        #expect(try await transfer.export(bench, from: other) == lines)
        // A Directory that allows less says so of the line.
        let small = try await DirectoryAdministration(bench.ports).create(name: "small", at: bench.now)
        let (_, refused) = try await transfer.importing(lines, to: small, bench)
        #expect(refused.map(\.error) == [AuthError(.metadataTooLarge)])
    }

    @Test("R8.2 a setting beyond its range counts as the end of it", arguments: [(0, 1024), (1 << 40, 1 << 20)])
    func range(setting: Int, bytes: Int) {
        var settings = DirectorySettings()
        settings.metadataLimit = setting
        #expect(throws: Never.self) { try settings.requireBounded(Self.object(bytes), "a") }
        #expect(throws: AuthError(.metadataTooLarge)) { try settings.requireBounded(Self.object(bytes + 1), "a") }
    }
}

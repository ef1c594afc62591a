// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Passwords
import Testing

@testable import Accounts

@Suite("Users with an identifier from elsewhere")
struct ExternalIdentifierTests {
    private static let dialect = DialectName("one")

    private func call(_ bench: Bench, actor: AuditEvent.Actor = .commandLine) -> CallContext {
        var call = bench.call(actor: actor)
        call.dialect = Self.dialect
        return call
    }

    private func create(
        _ bench: Bench, _ identifier: String, _ name: String, id: String? = nil
    ) async throws -> User {
        var attributes = UserAttributes()
        attributes.email = try EmailAddress("\(name)@example.com")
        attributes.externalIdentifier = try ExternalIdentifier(identifier)
        attributes.id = id.map { UserID($0) }
        return try await UserAdministration(bench.ports).create(attributes, call: call(bench)).user
    }

    private func refusal(_ body: () async throws -> Void) async throws -> AuthError? {
        do {
            try await body()
            return nil
        } catch let error as AuthError {
            return error
        }
    }

    @Test("R9.12 the dialect it was given through calls the user so, every other by our own identifier")
    func shown() async throws {
        let bench = try await Bench.make()
        let user = try await create(bench, "Abc", "ada")
        #expect(user.identifier(in: Self.dialect) == "Abc")
        #expect(user.identifier(in: DialectName("two")) == user.id.rawValue)
        for text in ["Abc", user.id.rawValue, user.id.rawValue.uppercased()] {
            let found = try await UserAdministration(bench.ports).find(.user(UserID(text)), call: bench.call())
            #expect(found?.user.id == user.id, "\(text)")
            #expect(try await UserAdministration(bench.ports).identifier(of: text, call: bench.call()) == user.id)
        }
        #expect(try await UserAdministration(bench.ports).find(.user(UserID("abc")), call: bench.call()) == nil)
        let long = UserID(String(repeating: "x", count: 1_000_000))
        #expect(try await UserAdministration(bench.ports).find(.user(long), call: bench.call()) == nil)
    }

    @Test("R9.12 nobody's identifier is given to another, neither as ours, nor as one brought along, nor as a name")
    func taken() async throws {
        let bench = try await Bench.make()
        let uuid = "7c5ab6b0-0000-4000-8000-000000000001"
        let ada = try await create(bench, "Abc", "ada")
        _ = try await create(bench, uuid, "eve")
        for text in ["Abc", ada.id.rawValue, uuid] {
            let error = try await refusal { _ = try await create(bench, text, "bob") }
            #expect(error?.code == .conflict && error?.field == "external_identifiers", "\(text)")
        }
        let own = try await refusal { _ = try await create(bench, "free", "bob", id: uuid) }
        #expect(own?.code == .conflict && own?.field == "id")
        var attributes = UserAttributes()
        attributes.username = try Username("Abc")
        let named = try await refusal {
            _ = try await UserAdministration(bench.ports).create(attributes, call: call(bench))
        }
        #expect(named?.code == .usernameExists)
        let changed = try await refusal {
            let eve = try await UserAdministration(bench.ports).identifier(of: uuid, call: bench.call())
            _ = try await UserAdministration(bench.ports).update(eve, attributes, call: call(bench))
        }
        #expect(changed?.code == .usernameExists)
        attributes.username = try Username("Bob")
        _ = try await UserAdministration(bench.ports).create(attributes, call: call(bench))
        let name = try await refusal { _ = try await create(bench, "bOB", "cleo") }
        #expect(name?.code == .conflict && name?.field == "external_identifiers")
    }

    @Test("R9.12 of twenty made at once with one identifier, one is made")
    func race() async throws {
        let bench = try await Bench.make()
        let made = await withTaskGroup(of: Bool.self) { group in
            for index in 0..<20 {
                group.addTask { (try? await create(bench, "wanted", "user\(index)")) != nil }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(made == 1)
        let directory = bench.directory.id
        #expect(try await bench.ports.store.read { try $0.userCount(in: directory) } == 1)
    }

    @Test("R9.12 nobody signs up by a name that is somebody's identifier")
    func signUp() async throws {
        let bench = try await Bench.make()
        _ = try await create(bench, "Legacy", "ada")
        let command = SignUpCommand(
            identifier: .username(try Username("Legacy")), password: Secret("Tr1cky-Enough-Phrase"))
        let error = try await refusal {
            _ = try await SignUp(bench.ports)(command, call: call(bench, actor: .unknown))
        }
        #expect(error?.code == .usernameExists)
    }

    @Test("R9.12 a caller of no dialect, and one who is no administrator, bring nothing along")
    func callers() async throws {
        let bench = try await Bench.make()
        var attributes = UserAttributes()
        attributes.email = try EmailAddress("ada@example.com")
        attributes.externalIdentifier = try ExternalIdentifier("Abc")
        let nameless = try await refusal {
            _ = try await UserAdministration(bench.ports).create(attributes, call: bench.call())
        }
        #expect(nameless?.code == .invalidRequest && nameless?.field == "external_identifiers")
        let stranger = try await refusal {
            _ = try await UserAdministration(bench.ports).create(attributes, call: call(bench, actor: .unknown))
        }
        #expect(stranger?.code == .forbidden)
    }

    @Test("R9.12 a deleted user's identifier is given out again once nothing is left of them")
    func deletion() async throws {
        let bench = try await Bench.make()
        let user = try await create(bench, "Abc", "ada")
        try await UserAdministration(bench.ports).delete(user.id, soft: true, call: bench.call())
        #expect(try await UserAdministration(bench.ports).find(.user(UserID("Abc")), call: bench.call()) == nil)
        let left = try await UserAdministration(bench.ports).get(user.id, call: bench.call()).user
        #expect(left.externalIdentifiers == user.externalIdentifiers && left.email == nil)
        #expect(try await refusal { _ = try await create(bench, "Abc", "bob") }?.code == .conflict)
        try await UserAdministration(bench.ports).delete(user.id, soft: false, call: bench.call())
        _ = try await create(bench, "Abc", "bob")
    }

    @Test("R9.12 a token is its user's by whichever of their identifiers it names, and by nobody else's")
    func tokens() async throws {
        let bench = try await Bench.make()
        let ada = try await create(bench, "Abc", "ada")
        let bob = try await create(bench, "Bcd", "bob")
        let session = try await bench.openSession(of: ada)
        let authentication = SessionAuthentication(bench.ports)
        for text in ["Abc", ada.id.rawValue] {
            let found = try await authentication(user: UserID(text), session: session, call: call(bench))
            #expect(found.user.id == ada.id && found.session?.id == session && found.identities.count == 1)
        }
        for text in ["Bcd", bob.id.rawValue] {
            let error = try await refusal {
                _ = try await authentication(user: UserID(text), session: session, call: call(bench))
            }
            #expect(error?.code == .sessionNotFound)
        }
        let directory = bench.directory.id
        let holder = try #require(try await bench.ports.store.read { try $0.holder(of: session, in: directory) })
        #expect(holder.isCalled("Abc") && holder.isCalled(ada.id.rawValue))
        #expect(!holder.isCalled("Bcd") && !holder.isCalled("abc") && !holder.isCalled(""))
    }
}

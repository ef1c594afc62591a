// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

@Suite("GroupAdministration")
struct GroupAdministrationTests {
    @Test("C-5 Members are added and removed by an operator, each change once and audited")
    func membership() async throws {
        let bench = try await Bench.make()
        let groups = GroupAdministration(bench.ports)
        var attributes = UserAttributes()
        attributes.email = try EmailAddress("ada@example.com")
        let user = try await UserAdministration(bench.ports).create(attributes, call: bench.call()).user
        _ = try await groups.create(name: "testing", precedence: 2, call: bench.call())
        _ = try await groups.create(name: "admin", precedence: 1, call: bench.call())
        #expect(try await groups.add(user.id, to: "testing", call: bench.call()))
        #expect(try await groups.add(user.id, to: "admin", call: bench.call()))
        #expect(try await !groups.add(user.id, to: "admin", call: bench.call()))
        #expect(try await groups.groups(of: user.id, call: bench.call()).map(\.name) == ["admin", "testing"])
        let members = try await groups.members(of: "admin", call: bench.call())
        #expect(members.records.map(\.user.id) == [user.id] && members.next == nil)
        #expect(try await groups.remove(user.id, from: "admin", call: bench.call()))
        #expect(try await !groups.remove(user.id, from: "admin", call: bench.call()))
        let directory = bench.directory.id
        let events = try await bench.ports.store.scan(in: nil) {
            try $0.auditEventCount(in: directory, actions: [.groupChanged], user: user.id)
        }
        #expect(events == 3)
    }

    @Test("A group is made, changed and deleted; its name is unique and has a form")
    func lifecycle() async throws {
        let bench = try await Bench.make()
        let groups = GroupAdministration(bench.ports)
        _ = try await groups.create(name: "admin", call: bench.call())
        await #expect(throws: AuthError(.conflict)) { try await groups.create(name: "admin", call: bench.call()) }
        for name in ["", "two words", "a\n", String(repeating: "x", count: 129)] {
            await #expect(throws: AuthError(.invalidRequest)) {
                try await groups.create(name: name, call: bench.call())
            }
        }
        let changed = try await groups.update("admin", description: "All of it", precedence: 3, call: bench.call())
        #expect(changed.description == "All of it" && changed.precedence == 3)
        try await groups.delete("admin", call: bench.call())
        await #expect(throws: AuthError(.notFound)) { try await groups.get("admin", call: bench.call()) }
        #expect(try await groups.list(call: bench.call()).isEmpty)
    }

    @Test("R8.18 a group is one group whatever keyboard composed its name")
    func composition() async throws {
        let bench = try await Bench.make()
        let groups = GroupAdministration(bench.ports)
        let made = try await groups.create(name: "Pru\u{308}fer", call: bench.call())
        #expect(made.name.unicodeScalars.count == 6)
        for name in ["Pr\u{FC}fer", "Pru\u{308}fer"] {
            await #expect(throws: AuthError(.conflict)) { try await groups.create(name: name, call: bench.call()) }
            #expect(try await groups.get(name, call: bench.call()).id == made.id)
        }
        await #expect(throws: AuthError(.notFound)) { try await groups.get("pr\u{FC}fer", call: bench.call()) }
    }

    @Test("Nobody who is gone joins a group")
    func unknownUser() async throws {
        let bench = try await Bench.make()
        let groups = GroupAdministration(bench.ports)
        _ = try await groups.create(name: "admin", call: bench.call())
        await #expect(throws: AuthError(.userNotFound)) {
            try await groups.add(UserID("nobody"), to: "admin", call: bench.call())
        }
    }
}

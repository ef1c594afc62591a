// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

/// Users by name, by filter, and what an administrator takes back from them.
@Suite struct UserListTests {
    private func make(_ bench: Bench, _ change: (inout UserAttributes) throws -> Void) async throws -> User {
        var attributes = UserAttributes()
        try change(&attributes)
        return try await UserAdministration(bench.ports).create(attributes, call: bench.call()).user
    }

    @Test("A user may have a name alone, is found by it, and keeps it to themselves")
    func names() async throws {
        let bench = try await Bench.make()
        let users = UserAdministration(bench.ports)
        let user = try await make(bench) { $0.username = try Username("Ada") }
        #expect(user.isConfirmed && user.email == nil)
        #expect(try await users.find(.username(Username("ada")), call: bench.call())?.user.id == user.id)
        #expect(try await users.find(.user(user.id), call: bench.call())?.user.username?.rawValue == "Ada")
        #expect(try await users.find(.username(Username("eve")), call: bench.call()) == nil)
        await #expect(throws: AuthError(.usernameExists)) {
            try await make(bench) { $0.username = try Username("ADA") }
        }
        let other = try await make(bench) { $0.email = try EmailAddress("b@example.com") }
        var attributes = UserAttributes()
        let taken = try attributes.with { $0.username = try Username("ada") }
        await #expect(throws: AuthError(.usernameExists)) {
            try await users.update(other.id, taken, call: bench.call())
        }
        attributes.username = try Username("Eve")
        #expect(try await users.update(other.id, attributes, call: bench.call()).user.username?.rawValue == "Eve")
        // One's own name in another case is no conflict.
        attributes.username = try Username("EVE")
        #expect(try await users.update(other.id, attributes, call: bench.call()).user.username?.rawValue == "EVE")
        await #expect(throws: AuthError(.invalidRequest)) { try await make(bench) { _ in } }
        let caller = bench.call(actor: .user(user.id))
        await #expect(throws: AuthError(.forbidden)) { try await users.find(.user(user.id), call: caller) }
        await #expect(throws: AuthError(.forbidden)) { try await users.list(matching: nil, limit: 1, call: caller) }
    }

    @Test("A list shows whom its filter names, with their identities, in pages")
    func lists() async throws {
        let bench = try await Bench.make()
        let users = UserAdministration(bench.ports)
        for name in ["anna", "anne", "bob"] {
            _ = try await make(bench) {
                $0.email = try EmailAddress("\(name)@example.com")
                $0.emailConfirm = name == "anna"
                if name == "bob" { $0.ban = .indefinitely }
            }
        }
        func emails(_ filter: UserFilter?) async throws -> Set<String> {
            Set(
                try await users.list(matching: filter, limit: 9, call: bench.call()).records
                    .compactMap { $0.user.email?.localPart.description })
        }
        #expect(try await emails(nil) == ["anna", "anne", "bob"])
        #expect(try await emails(.email(.prefix("ANN"))) == ["anna", "anne"])
        #expect(try await emails(.enabled(false)) == ["bob"])
        #expect(try await emails(.standing([.confirmed])) == ["anna"])
        let first = try await users.list(matching: .email(.prefix("")), limit: 2, call: bench.call())
        let rest = try await users.list(
            matching: .email(.prefix("")), after: first.next, limit: 2, call: bench.call())
        #expect(first.records.count == 2 && rest.records.count == 1 && rest.next == nil)
        #expect(first.records.allSatisfy { $0.identities.count == 1 })
        for limit in [0, 1001] {
            await #expect(throws: AuthError(.invalidRequest)) {
                try await users.list(matching: nil, limit: limit, call: bench.call())
            }
        }
    }

    @Test("R9.15 a search that no index leads looks at a bounded number of users a turn, and finds all of them")
    func turns() async throws {
        let bench = try await Bench.make()
        let store = RecordingStore(bench.ports.store)
        let users = UserAdministration(
            AccountPorts(
                store: store, passwords: bench.ports.passwords, random: bench.ports.random,
                messages: bench.ports.messages))
        let (directory, start, count) = (bench.directory.id, bench.now, 2 * UserPage.mostLookedAt + 10)
        try await bench.ports.store.write { tx in
            for index in 0..<count {
                var user = User(
                    id: UserID("user-\(index)"), directoryID: directory, createdAt: start + .seconds(Int64(index)))
                // The oldest, the newest, and one on the border of a turn.
                let isWanted = [0, count - UserPage.mostLookedAt, count - 1].contains(index)
                user.email = try EmailAddress((isWanted ? "wanted" : "other") + "\(index)@example.com")
                try tx.insert(user)
            }
        }
        func search(_ page: Int, _ size: Int, oldestFirst: Bool = false) async throws -> [String] {
            let found = try await users.list(
                page: page, perPage: size, holding: UserPart("wanted", orIn: "name"), oldestFirst: oldestFirst,
                call: bench.call())
            return found.records.map(\.user.id.rawValue) + ["\(found.total)"]
        }
        let wanted = [count - 1, count - UserPage.mostLookedAt, 0].map { "user-\($0)" }
        #expect(try await search(1, 50) == wanted + ["3"])
        #expect(store.taken().filter { $0.sql.contains("LIKE") }.count == 3)
        // What is on the page is enough: the rest is not looked at.
        #expect(try await search(1, 1) == [wanted[0], "2"])
        #expect(store.taken().filter { $0.sql.contains("LIKE") }.count == 1)
        #expect(try await search(2, 2) == [wanted[2], "3"])
        #expect(try await search(2, 1, oldestFirst: true) == [wanted[1], "3"])
        #expect(try await search(9, 1) == ["8"])
    }

    @Test("R9.14 a list and an export run as many statements for many users as for few")
    func statements() async throws {
        let bench = try await Bench.make()
        let store = RecordingStore(bench.ports.store)
        let ports = AccountPorts(
            store: store, passwords: bench.ports.passwords, random: bench.ports.random, messages: bench.ports.messages)
        func trace() async throws -> [[String]] {
            var traces: [[String]] = []
            func took(_ body: () async throws -> Void) async throws {
                _ = store.taken()
                try await body()
                traces.append(store.taken().map(\.sql))
            }
            let users = UserAdministration(ports)
            try await took { _ = try await users.list(matching: nil, limit: 50, call: bench.call()) }
            try await took { _ = try await users.list(matching: .email(.prefix("")), limit: 50, call: bench.call()) }
            try await took { _ = try await users.list(call: bench.call()) }
            try await took { _ = try await users.list(search: "user", call: bench.call()) }
            try await took { _ = try await UserExport(store: store).run(from: bench.directory) { _ in } }
            try await took {
                _ = try await GroupAdministration(ports).members(of: "all", limit: 50, call: bench.call())
            }
            return traces
        }
        _ = try await GroupAdministration(bench.ports).create(name: "all", call: bench.call())
        var traces: [[[String]]] = []
        for number in 0..<30 {
            let user = try await make(bench) { $0.email = try EmailAddress("user\(number)@example.com") }
            _ = try await GroupAdministration(bench.ports).add(user.id, to: "all", call: bench.call())
            if number == 1 || number == 29 { traces.append(try await trace()) }
        }
        #expect(traces[0] == traces[1])
        #expect(traces[0].allSatisfy { !$0.isEmpty && $0.count <= 8 })
    }

    @Test("R67 a ban, a password, an address, a revocation and a global sign-out take back what was issued before")
    func tokens() async throws {
        let bench = try await Bench.make()
        let users = UserAdministration(bench.ports)
        let later = Instant(microseconds: bench.now.microseconds + 5_700_000)
        func since(_ change: (inout UserAttributes) throws -> Void) async throws -> Instant? {
            let name = bench.ports.random.uuid().prefix(8)
            let user = try await make(bench) { $0.email = try EmailAddress("\(name)@example.com") }
            #expect(user.tokensValidSince == nil && user.acceptsTokens(issuedAt: 0, at: bench.now))
            var attributes = UserAttributes()
            try change(&attributes)
            return try await users.update(user.id, attributes, call: bench.call(at: later)).user.tokensValidSince
        }
        let second = bench.now + .seconds(5)
        #expect(try await since { $0.ban = .indefinitely } == second)
        #expect(try await since { $0.password = Secret("Correct-Horse-7") } == second)
        #expect(try await since { $0.email = try EmailAddress("moved@example.com") } == second)
        #expect(try await since { $0.userMetadata = ["name": "x"] } == nil)
        #expect(try await since { $0.ban = .lift } == nil)
        let user = try await make(bench) { $0.email = try EmailAddress("last@example.com") }
        let session = try await bench.openSession(of: user)
        #expect(try await SessionAdministration(bench.ports).revokeAll(of: user.id, call: bench.call(at: later)) == 1)
        let revoked = try await users.get(user.id, call: bench.call()).user
        #expect(revoked.tokensValidSince == second && revoked.version == user.version + 1)
        #expect(
            !revoked.acceptsTokens(issuedAt: second.seconds - 1, at: second)
                && revoked.acceptsTokens(issuedAt: second.seconds, at: second))
        // The clock never goes back.
        _ = try await SessionAdministration(bench.ports).endAll(of: user.id, call: bench.call())
        #expect(try await users.get(user.id, call: bench.call()).user.tokensValidSince == second)
        let ended = try await bench.ports.store.read { [id = bench.directory.id] in try $0.session(session, in: id) }
        #expect(ended?.revocation == .administrator)
    }

    @Test("An indefinite ban ends when it is lifted, and can be written as a date")
    func bans() async throws {
        let bench = try await Bench.make()
        let users = UserAdministration(bench.ports)
        let user = try await make(bench) {
            $0.email = try EmailAddress("a@example.com")
            $0.ban = .indefinitely
        }
        #expect(user.isBanned(at: bench.now + .days(365_000)))
        #expect(user.bannedUntil?.rfc3339.hasPrefix("9999-12-31T23:59:59") == true)
        var attributes = UserAttributes()
        attributes.ban = .lift
        #expect(try await users.update(user.id, attributes, call: bench.call()).user.bannedUntil == nil)
    }

    @Test("The mark of a temporary password is set and lifted beside the password")
    func temporary() async throws {
        var settings = DirectorySettings()
        settings.password.temporaryLifetimeDays = 0
        let bench = try await Bench.make(settings: settings)
        let users = UserAdministration(bench.ports)
        let user = try await make(bench) {
            $0.username = try Username("ada")
            $0.passwordIsTemporary = true
        }
        #expect(user.temporaryPassword == nil, "no password to be temporary")
        var attributes = UserAttributes()
        attributes.password = Secret("Correct-Horse-7")
        attributes.passwordIsTemporary = true
        let marked = try await users.update(user.id, attributes, call: bench.call()).user
        #expect(marked.temporaryPassword == TemporaryPassword(expiresAt: nil))
        attributes = UserAttributes()
        attributes.userMetadata = ["name": "Ada"]
        #expect(try await users.update(user.id, attributes, call: bench.call()).user.temporaryPassword != nil)
        attributes.passwordIsTemporary = false
        #expect(try await users.update(user.id, attributes, call: bench.call()).user.temporaryPassword == nil)
        attributes.passwordIsTemporary = nil
        attributes.password = Secret("Another-Horse-8")
        #expect(try await users.update(user.id, attributes, call: bench.call()).user.temporaryPassword == nil)
    }
}

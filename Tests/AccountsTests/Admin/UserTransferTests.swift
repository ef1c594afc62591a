// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Passwords
import TestBench
import Testing

@testable import Accounts

@Suite("User export and import")
struct UserTransferTests {
    func export(_ bench: Bench, from directory: Directory? = nil) async throws -> [String] {
        var lines: [String] = []
        let count = try await UserExport(store: bench.ports.store).run(from: directory ?? bench.directory) {
            lines.append($0)
        }
        #expect(count == lines.count)
        return lines
    }

    func importing(
        _ lines: [String], to directory: Directory, _ bench: Bench, atOnce: Int = UserImport.linesBesideServer
    ) async throws -> (UserImport.Summary, [UserImport.Fault]) {
        var rest = lines[...]
        var faults: [UserImport.Fault] = []
        let summary = try await UserImport(
            store: bench.ports.store, random: bench.ports.random, dialects: [DialectName("one"), DialectName("two")],
            linesAtOnce: { atOnce }
        ).run(
            into: directory, at: bench.now, nextLine: { rest.popFirst() }, fault: { faults.append($0) })
        return (summary, faults)
    }

    func line(_ number: Int, _ more: JSONObject = [:]) -> String {
        let digits = String(number + 100_000_000_000)
        var json: JSONObject = [
            "id": .string("aaaaaaaa-aaaa-4aaa-8aaa-\(digits)"), "email": .string("user\(number)@example.com"),
        ]
        for member in more.members { json[member.name] = member.value }
        return json.text
    }

    @Test("What is exported and imported elsewhere is the same user, with hash, identities, groups and profile")
    func roundTrip() async throws {
        let bench = try await Bench.make()
        var attributes = UserAttributes()
        attributes.email = try EmailAddress("ada@example.com")
        attributes.phone = try PhoneNumber("+41791234567")
        attributes.emailConfirm = true
        attributes.username = try Username("Ada.L")
        attributes.password = Secret("Tr1cky-Enough-Phrase")
        attributes.passwordIsTemporary = true
        attributes.userMetadata = ["name": "Ada", "nested": ["deep": [1, 2.5, nil]]]
        attributes.appMetadata = ["plan": "pro"]
        attributes.attributes = ["custom": "a"]
        attributes.operatorAttributes = ["claim": ["deep": 1]]
        attributes.role = "editor"
        attributes.ban = .for(.days(2))
        var call = bench.call()
        call.dialect = DialectName("one")
        let user = try await UserAdministration(bench.ports).create(attributes, call: call).user
        _ = try await GroupAdministration(bench.ports).create(name: "admin", call: bench.call())
        try await GroupAdministration(bench.ports).add(user.id, to: "admin", call: bench.call())
        _ = try await ProfileFlow(bench.ports).register(
            ProfileChanges(name: .set("Ada L."), locale: .set("en-GB")), of: user.id, call: bench.call())

        let lines = try await export(bench)
        let other = try await DirectoryAdministration(bench.ports).create(name: "other", at: bench.now)
        let (summary, faults) = try await importing(lines, to: other, bench)
        #expect(faults.isEmpty, "\(faults)")
        #expect(summary.imported == 1)
        #expect(try await export(bench, from: other) == lines)
        let copy = try await bench.ports.store.read { try $0.user(user.id, in: other.id) }
        #expect(copy?.passwordHash == user.passwordHash && copy?.passwordHash != nil)
        #expect(copy?.bannedUntil == user.bannedUntil)
        #expect(copy?.dialectData == user.dialectData && copy?.dialectData != DialectData())
    }

    @Test("G-15.7 R14.70 who has said nothing of their language goes on getting mails in the one they signed in with")
    func language() async throws {
        let bench = try await Bench.make()
        let lines = [
            line(1, ["language": "de"]), line(2, ["language": "de-CH"]), line(3), line(4, ["language": "xx"]),
            line(5, ["language": 1]),
        ]
        let (summary, faults) = try await importing(lines, to: bench.directory, bench)
        #expect(summary.imported == 3 && faults.map(\.line) == [4, 5], "\(faults)")
        #expect(faults.allSatisfy { $0.error.field == "language" })
        let other = try await DirectoryAdministration(bench.ports).create(name: "other", at: bench.now)
        let (again, none) = try await importing(try await export(bench), to: other, bench)
        #expect(again.imported == 3 && none.isEmpty, "\(none)")
        for directory in [bench.directory.id, other.id] {
            let users = try await bench.ports.store.read { tx in
                try (1...3).map { try tx.user(UserID("aaaaaaaa-aaaa-4aaa-8aaa-10000000000\($0)"), in: directory) }
            }
            #expect(users.allSatisfy { $0 != nil } && users.map { $0?.language } == [.de, .de, nil])
        }
    }

    @Test("An import that is run again imports nothing twice, and one that broke off goes on")
    func resumable() async throws {
        let bench = try await Bench.make()
        let lines = (0..<450).map { line($0) }
        let (first, _) = try await importing(Array(lines.prefix(300)), to: bench.directory, bench)
        #expect(first.imported == 300)
        let (second, faults) = try await importing(lines, to: bench.directory, bench)
        #expect(second.imported == 150 && second.present == 300 && faults.isEmpty)
        let directory = bench.directory.id
        #expect(try await bench.ports.store.read { try $0.userCount(in: directory) } == 450)
        let exported = try await export(bench)
        #expect(exported.count == 450)
        #expect(exported.allSatisfy { !$0.contains("null") && !$0.contains("{}") })
    }

    @Test("A bad line is reported by its number and member, without its values, and the others are imported")
    func badLines() async throws {
        let bench = try await Bench.make()
        let lines = [
            line(1), "", "{broken", line(2, ["email": "not an address"]), line(3, ["passwort_hash": "x"]),
            line(4, ["password_hash": "$md5$secret-value"]), line(5, ["created_at": "yesterday"]),
            line(6, ["email": "user1@example.com"]), "{\"email\":\"a@example.com\"}",
            line(7, ["groups": ["two words"]]),
            line(10, ["dialects": ["one": ["admin": [:]]]]),
            line(8, ["email": nil, "email_verified_at": "2026-01-01T00:00:00Z"]), line(9), "[1]",
        ]
        let (summary, faults) = try await importing(lines, to: bench.directory, bench)
        #expect(summary.imported == 2)
        #expect(summary.faults == 11)
        #expect(faults.map(\.line) == [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14])
        #expect(
            faults.map(\.error.field) == [
                nil, "email", "passwort_hash", "password_hash", "created_at", "email", "id", "groups",
                "dialects", "email_verified_at", nil,
            ])
        #expect(faults.allSatisfy { !$0.description.contains("secret-value") })
    }

    @Test("R9.12 identifiers from elsewhere come along, are theirs alone, and go along again")
    func externalIdentifiers() async throws {
        let bench = try await Bench.make()
        let own = "aaaaaaaa-aaaa-4aaa-8aaa-100000000001"
        let lines = [
            line(1, ["external_identifiers": ["one": "Uid/1", "two": "7c5ab6b0-0000-4000-8000-000000000001"]]),
            line(2, ["id": nil, "external_identifiers": ["one": "Uid/2"]]),
            // Our own, said twice.
            line(3, ["external_identifiers": ["one": "aaaaaaaa-aaaa-4aaa-8aaa-100000000003"]]),
        ]
        let (summary, faults) = try await importing(lines, to: bench.directory, bench)
        #expect(summary.imported == 3 && faults.isEmpty, "\(faults)")
        let (again, none) = try await importing(lines, to: bench.directory, bench)
        #expect(again.present == 3 && none.isEmpty, "\(none)")
        let directory = bench.directory.id
        let users = try await bench.ports.store.read { tx in
            try ["Uid/1", "Uid/2", "7c5ab6b0-0000-4000-8000-000000000001"].map {
                try tx.user(identifier: $0, in: directory)
            }
        }
        #expect(users[0]?.id.rawValue == own && users[2]?.id.rawValue == own)
        #expect(users[1]?.email?.rawValue == "user2@example.com" && UUIDText.isIdentifier(users[1]?.id.rawValue ?? ""))
        let exported = try await export(bench)
        #expect(exported.count { $0.contains("external_identifiers") } == 2)
        let other = try await DirectoryAdministration(bench.ports).create(name: "other", at: bench.now)
        let (copied, _) = try await importing(exported, to: other, bench)
        #expect(copied.imported == 3)
        #expect(try await export(bench, from: other) == exported)
    }

    @Test("R9.12 a line whose identifier is another's, of an unknown dialect or malformed is reported")
    func badExternalIdentifiers() async throws {
        let bench = try await Bench.make()
        func identifiers(_ object: JSONObject) -> JSONObject { ["external_identifiers": .object(object)] }
        let lines = [
            line(1, identifiers(["one": "taken", "two": "aaaaaaaa-aaaa-4aaa-8aaa-100000000008"])),
            line(2, ["username": "Named"]),
            line(3, identifiers(["two": "taken"])), line(4, identifiers(["one": "named"])),
            line(5, identifiers(["one": "aaaaaaaa-aaaa-4aaa-8aaa-100000000001"])),
            line(6, identifiers(["three": "x"])), line(7, identifiers(["one": ""])), line(8),
            line(9, identifiers(["one": 7])), line(10, ["external_identifiers": "x"]),
            line(11, ["id": nil]), line(12, ["username": "taken"]),
        ]
        let (summary, faults) = try await importing(lines, to: bench.directory, bench)
        #expect(summary.imported == 2 && summary.present == 0)
        #expect(faults.map(\.line) == Array(3...12))
        let field = "external_identifiers"
        #expect(
            faults.map(\.error.field)
                == [field, field, field, field, field, "id", field, field, "id", "username"], "\(faults)")
        #expect(faults.allSatisfy { !$0.description.contains("taken") && !$0.description.contains("named") })
    }

    @Test("R9.12 a line with what no column takes is reported by its number, and the others around it are imported")
    func untakeable() async throws {
        let bench = try await Bench.make()
        let lines = [line(1), line(2), line(3, ["role": "a\u{0}b"]), line(4), line(5)]
        let (summary, faults) = try await importing(lines, to: bench.directory, bench)
        #expect(summary.imported == 4)
        #expect(faults.map(\.line) == [3] && faults.first?.error.code == .invalidRequest)
        #expect(try await export(bench).count == 4)
        let (again, same) = try await importing(lines, to: bench.directory, bench)
        #expect(again.imported == 0 && again.present == 4 && same.map(\.line) == [3])
    }

    @Test(
        "A line that is too long or no text is reported by its number, and however long lines are few are held at once")
    func unreadable() async throws {
        let bench = try await Bench.make()
        var rest: [UserImport.Line] = [.text(line(1)), .tooLong, .text(""), .notText]
        rest += (2..<50).map { .text(line($0)) }
        rest.reverse()
        var (faults, held, most): ([UserImport.Fault], Int, Int) = ([], 0, 0)
        var importing = UserImport(store: bench.ports.store, random: bench.ports.random, dialects: [])
        importing.octetsAtOnce = 10 * line(10).utf8.count
        let summary = try await importing.run(
            into: bench.directory, at: bench.now,
            next: {
                held += 1
                most = max(most, held)
                return rest.popLast()
            }, fault: { faults.append($0) }, progress: { _ in held = 0 })
        #expect(summary.imported == 49 && summary.faults == 2)
        #expect(faults.map(\.line) == [2, 4])
        #expect(most < 20)
    }

    @Test("Two lines of one address: the first is imported, the second reported")
    func twins() async throws {
        let bench = try await Bench.make()
        let (summary, faults) = try await importing(
            [line(1), line(2, ["email": "USER1@example.com"])], to: bench.directory, bench)
        #expect(summary.imported == 1)
        #expect(faults.map(\.line) == [2])
    }

    @Test("R10.4 users who share an address come along with it, and one at most as its owner where it is one user's")
    func shared() async throws {
        let bench = try await Bench.make()
        func shared(_ number: Int, _ more: JSONObject = [:]) -> String {
            let members: JSONObject = [
                "email": "shared@example.com", "shares_email": true, "username": .string("user\(number)"),
            ]
            return line(number, members.merging(more))
        }
        let proof: JSONObject = ["email_verified_at": "2026-01-01T00:00:00Z"]
        let lines = [
            shared(1), shared(2, ["confirmed_at": "2026-01-02T00:00:00Z", "shares_phone": true]), shared(3, proof),
            shared(4, proof), line(5, ["email": "shared@example.com"]),
        ]
        let (summary, faults) = try await importing(lines, to: bench.directory, bench)
        #expect(summary.imported == 3)
        #expect(faults.map(\.error.code) == [.emailExists, .emailExists])
        let exported = try await export(bench)
        #expect(exported.count == 3)
        let other = try await DirectoryAdministration(bench.ports).create(name: "other", at: bench.now)
        let (again, none) = try await importing(exported, to: other, bench)
        #expect(again.imported == 3 && none.isEmpty, "\(none)")
        #expect(try await export(bench, from: other) == exported)
        var settings = DirectorySettings()
        settings.signUp.uniqueEmails = false
        let loose = try await DirectoryAdministration(bench.ports).create(
            name: "loose", settings: settings, at: bench.now)
        // Of two who have proved it neither is named, so that one may still have it for a name.
        #expect(try await importing(lines, to: loose, bench).0.imported == 5)
        let email = try EmailAddress("shared@example.com")
        for (directory, isNamed) in [(bench.directory.id, true), (loose.id, false)] {
            let named = try await bench.ports.store.read { try $0.user(email: email, in: directory) }
            #expect(named?.username?.rawValue == (isNamed ? "user3" : nil))
        }
    }

    @Test("Lines that come together are imported as each by itself would be, whatever is among them")
    func together() async throws {
        let bench = try await Bench.make()
        let alone = try await DirectoryAdministration(bench.ports).create(name: "alone", at: bench.now)
        let together = try await DirectoryAdministration(bench.ports).create(name: "together", at: bench.now)
        let inSevens = try await DirectoryAdministration(bench.ports).create(name: "sevens", at: bench.now)
        let profile: JSONObject = ["profile": ["name": "Ada"], "groups": ["one", "two"]]
        let plain = (0..<40).map { line($0, $0.isMultiple(of: 7) ? profile : [:]) }
        let odd = [
            line(50, ["username": "Named"]), line(51, ["email": "user3@example.com"]), line(4), "no line",
            line(52, ["email": "user52@example.com", "external_identifiers": ["one": "named"]]),
            line(53, ["phone": "+41791234567"]), line(54, ["phone": "+41791234567"]),
            line(55, ["id": "aaaaaaaa-aaaa-4aaa-8aaa-100000000005"]),
        ]
        for lines in [plain, odd, plain + odd, (60..<70).map { line($0) } + odd] {
            let (summary, faults) = try await importing(lines, to: together, bench)
            let (some, otherFaults) = try await importing(lines, to: inSevens, bench, atOnce: 7)
            #expect(some == summary && otherFaults.map(\.line) == faults.map(\.line))
            var wanted = UserImport.Summary()
            var wantedFaults: [Int] = []
            for (index, line) in lines.enumerated() {
                let (one, fault) = try await importing([line], to: alone, bench)
                wanted.imported += one.imported
                wanted.present += one.present
                wanted.faults += one.faults
                if !fault.isEmpty { wantedFaults.append(index + 1) }
            }
            #expect(summary == wanted)
            #expect(faults.map(\.line) == wantedFaults)
        }
        #expect(try await export(bench, from: together) == export(bench, from: alone))
    }

    @Test("A user's identifier that is spelled as another's name is refused, also among many")
    func identifierOfName() async throws {
        let bench = try await Bench.make()
        _ = try await importing([line(1, ["username": "Named"])], to: bench.directory, bench)
        let lines = [line(2), line(3, ["external_identifiers": ["one": "named"]]), line(4)]
        let (summary, faults) = try await importing(lines, to: bench.directory, bench)
        #expect(summary.imported == 2)
        #expect(faults.map(\.line) == [2] && faults.first?.error.field == "external_identifiers")
    }

    @Test("Soft-deleted users are not exported")
    func deleted() async throws {
        let bench = try await Bench.make()
        _ = try await importing([line(1), line(2)], to: bench.directory, bench)
        let id = UserID("aaaaaaaa-aaaa-4aaa-8aaa-100000000001")
        try await UserAdministration(bench.ports).delete(id, soft: true, call: bench.call())
        #expect(try await export(bench).count == 1)
    }
}

// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Passwords

extension StoreConformance {
    static let users: [ConformanceCase] = [
        ConformanceCase("what a row says in fewer words is read as it was written") { world in
            let said: [JSONObject] = [
                ["provider": "email", "providers": ["email"]],
                ["provider": "oidc.acme-1", "providers": ["oidc.acme-1"]],
                ["providers": ["email"], "provider": "email"],
                ["provider": "email", "providers": ["email", "google"]],
                ["provider": "email", "providers": ["google"]], ["provider": "Email", "providers": ["Email"]],
                ["provider": "{", "providers": ["{"]], ["provider": "", "providers": [""]],
                ["provider": "email", "providers": "email"], ["provider": "email"], [:],
                ["provider": "email", "providers": ["email"], "plan": .null],
            ]
            // The last two are one name to whoever compares texts, and have one key.
            let names = ["ada", "Ada", "ADA.LOVELACE", "e\u{301}va", "\u{E9}va"]
            for index in 0..<max(said.count, names.count) {
                let name = index < names.count ? names[index] : nil
                let user = try await world.addUser("user-\(index)") {
                    $0.appMetadata = said[index % said.count]
                    if let name { $0.username = try Username(name, isCaseSensitive: index != 1) }
                }
                for change in [nil, said[(index + 1) % said.count]] {
                    var wanted = user
                    if let change {
                        wanted.appMetadata = change
                        wanted = try await world.write { [wanted] in try $0.update(wanted) }
                    }
                    let found = try await world.read { try $0.user(user.id, in: world.home) }
                    try expectSame(found, wanted, "user \(index)")
                    try expectEqual(found?.appMetadata.names, wanted.appMetadata.names, "their order")
                    try expect(
                        (found?.username?.rawValue ?? "").utf8.elementsEqual((name ?? "").utf8), "the name of \(index)")
                }
                _ = try await world.write { try $0.deleteUser(user.id, in: world.home) }
            }
        },
        ConformanceCase("one hash of each form that a Directory's users have is found, and of none that is gone") {
            world in
            func hash(_ cost: Int) throws -> PasswordHash {
                try PasswordHash(
                    "$2b$\(cost)$" + String(repeating: "C", count: 21) + ".E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW")
            }
            @Sendable func forms(_ directory: DirectoryID, limit: Int = 9) async throws -> [String] {
                try await world.read { try $0.passwordForms(in: directory, limit: limit) }
            }
            try expectEqual(try await forms(world.home), [], "no users")
            for (name, cost) in [("ann", 11), ("bob", 10), ("cleo", 11)] {
                var user = try await world.addUser(name)
                user.passwordHash = try hash(cost)
                let changed = user
                try await world.write { try $0.update(changed) }
            }
            try expectEqual(try await forms(world.home), ["bcrypt:10", "bcrypt:11"], "two forms")
            try expectEqual(try await forms(world.home, limit: 1), ["bcrypt:10"], "the limit")
            try expectEqual(try await forms(world.other), [], "elsewhere")
            try await world.write { tx in
                for name in ["ann", "bob"] { _ = try tx.deleteUser(UserID(name), in: world.home) }
            }
            try expectEqual(try await forms(world.home), ["bcrypt:11"], "one left")
        },
        ConformanceCase("users inserted together are those that one by one would have been, or none of them") { world in
            let email = try EmailAddress("ann@example.com")
            let phone = try PhoneNumber("+4930123456")
            let users = try (0..<120).map { number in
                var user = User(
                    id: UserID("u\(number)"), directoryID: world.home,
                    externalIdentifiers: ExternalIdentifiers(
                        try ExternalIdentifier("elsewhere-\(number)"), in: DialectName("one")), createdAt: Sample.now)
                user.email = number == 99 ? email : try EmailAddress("u\(number)@example.com")
                user.phone = number == 7 ? phone : nil
                if number == 3 { user.deletedAt = Sample.now }
                return user
            }
            let identity = Identity(
                id: IdentityID("i"), directoryID: world.home, userID: UserID("u5"), provider: "p", subject: "s",
                data: [:],
                createdAt: Sample.now, updatedAt: Sample.now)
            @Sendable func taken(_ emails: [EmailAddress], _ phones: [PhoneNumber]) async throws -> Bool {
                try await world.read { try $0.isAnyTaken(emails: emails, phones: phones, in: world.home) }
            }
            try expect(try await !taken([email], [phone]), "nobody yet")
            let prepared = try world.store.prepared(users, with: [identity])
            try await world.write { try $0.insert(prepared) }
            try expectEqual(try await world.read { try $0.userCount(in: world.home) }, 119, "counted but the deleted")
            let called = try await world.read { try $0.user(identifier: "elsewhere-42", in: world.home) }
            try expectSame(called, users[42], "by what they are called")
            try expectEqual(
                try await world.read { try $0.identity(provider: "p", subject: "s", in: world.home) }?.userID,
                UserID("u5"), "identity")
            let unknown = try (0..<60).map { try EmailAddress("nobody\($0)@example.com") }
            try expect(try await taken(unknown + [email], []), "an address behind many")
            try expect(try await taken([], [phone]), "a number")
            try expect(try await !taken(unknown + [EmailAddress("u3@example.com")], []), "of the deleted")
            try expect(
                try await world.read { try !$0.isAnyTaken(emails: [email], phones: [], in: world.other) }, "elsewhere")
            let more = [UserID("new"), UserID("u1")].map {
                User(id: $0, directoryID: world.home, createdAt: Sample.now)
            }
            for prepared in [PreparedUsers(more, with: []), try world.store.prepared(more, with: [])] {
                try await expectConflict(.duplicate("user.id"), "one is there") {
                    try await world.write { try $0.insert(prepared) }
                }
            }
            try expect(try await world.read { try $0.user(UserID("new"), in: world.home) } == nil, "none of them")
            try expectEqual(try await world.read { try $0.userCount(in: world.home) }, 119, "nor counted")
        },
        ConformanceCase("whether one of many texts is spelled as a user's name, be it with regard to case or without") {
            world in
            try await world.write { tx in
                for (id, name) in [
                    ("named", try Username("Some.Name")), ("exact", try Username("Exact", isCaseSensitive: true)),
                ] {
                    var user = User(id: UserID(id), directoryID: world.home, createdAt: Sample.now)
                    user.username = name
                    try tx.insert(user)
                }
            }
            @Sendable func isName(_ texts: [String], in directory: DirectoryID) async throws -> Bool {
                try await world.read { try $0.isAnyName(texts, in: directory) }
            }
            let others = (0..<60).map { "other \($0)" }
            try expect(try await isName(others + ["some.NAME"], in: world.home), "a name, whatever the case")
            try expect(try await isName(["Exact"], in: world.home), "a name with its case")
            try expect(try await !isName(others + ["exact", "named", "", "no name\n"], in: world.home), "no name")
            try expect(try await !isName(["Some.Name"], in: world.other), "a name elsewhere")
        },
        ConformanceCase("a user keeps every field") { world in
            let full = try Sample.user("full", in: world.home)
            let bare = User(id: UserID("bare"), directoryID: world.home, createdAt: Sample.now)
            try await world.write { tx in
                try tx.insert(full)
                try tx.insert(bare)
            }
            let found = try await world.read { try $0.user(full.id, in: world.home) }
            try expectSame(found, full, "full")
            try expectEqual(found?.srpVerifier, full.srpVerifier, "SRP verifier")
            try expectSame(try await world.read { try $0.user(bare.id, in: world.home) }, bare, "bare")
        },
        ConformanceCase("a user is found by identifier, email, phone and name, in their Directory only") { world in
            let user = try await world.addUser("ann") {
                $0.email = try EmailAddress("ann@example.com")
                $0.phone = try PhoneNumber("+4930123456")
                $0.username = try Username("Änn")
            }
            let name = try Username("A\u{308}NN")
            let email = try EmailAddress("ANN@example.com")
            let phone = try PhoneNumber("+49 30 123456")
            try await world.write { tx in
                for reading in [tx as any StoreReading] {
                    try expectSame(try reading.user(user.id, in: world.home), user, "by identifier")
                    try expectSame(try reading.user(email: email, in: world.home), user, "by email")
                    try expectSame(try reading.user(phone: phone, in: world.home), user, "by phone")
                    try expectSame(try reading.user(username: name, in: world.home), user, "by name")
                    try expect(try reading.user(username: name, in: world.other) == nil, "name elsewhere")
                    try expect(try reading.user(user.id, in: world.other) == nil, "identifier elsewhere")
                    try expect(try reading.user(email: email, in: world.other) == nil, "email elsewhere")
                    try expect(try reading.user(phone: phone, in: world.other) == nil, "phone elsewhere")
                }
                try expect(try !tx.deleteUser(user.id, in: world.other), "deleted elsewhere")
                var foreign = user
                foreign.directoryID = world.other
                do {
                    try tx.update(foreign)
                    try expect(false, "updated elsewhere")
                } catch StoreConflict.stale {}
            }
            try expectSame(try await world.read { try $0.user(user.id, in: world.home) }, user, "unchanged")
        },
        ConformanceCase("R10.4 names that a Directory tells apart by case are two users', and stay so") { world in
            @Sendable func name(_ text: String) throws -> Username { try Username(text, isCaseSensitive: true) }
            let upper = try await world.addUser("upper") { $0.username = try name("Zo\u{EB}") }
            let lower = try await world.addUser("lower") { $0.username = try name("zo\u{EB}") }
            try await expectConflict(.duplicate("user.username"), "the same in another composition") {
                try await world.addUser("third") { $0.username = try name("Zoe\u{308}") }
            }
            try await world.write { try $0.update(upper) }
            for user in [upper, lower] {
                let text = user.username?.rawValue ?? ""
                let found = try await world.read { try $0.user(username: name(text), in: world.home) }
                try expectEqual(found?.id, user.id, "by name")
                try expectEqual(found?.username?.key, user.username?.key, "key")
                for match in [UserFilter.Match.exact(text), .prefix(text)] {
                    let filter = UserFilter.called(match, in: DialectName("any"), caseSensitive: true)
                    let page = try await world.scan {
                        try $0.users(in: world.home, matching: filter, after: nil, limit: 10, at: Sample.now)
                    }
                    try expectEqual(page.users.map(\.id), [user.id], "listed")
                }
            }
            let other = try await world.read { try $0.user(username: name("ZO\u{CB}"), in: world.home) }
            try expect(other == nil, "in another case")
        },
        ConformanceCase("an identifier, an email, a phone and a name stand for one user of a Directory") { world in
            let first = try await world.addUser("first") {
                $0.email = try EmailAddress("a@example.com")
                $0.phone = try PhoneNumber("+4930123456")
                $0.username = try Username("Zo\u{EB}")
            }
            let second = try await world.addUser("second") { $0.email = try EmailAddress("b@example.com") }
            try await expectConflict(.duplicate("user.id"), "identifier") { try await world.addUser("first") }
            try await expectConflict(.duplicate("user.email"), "email") {
                try await world.addUser("third") { $0.email = first.email }
            }
            try await expectConflict(.duplicate("user.phone"), "phone") {
                try await world.addUser("third") { $0.phone = first.phone }
            }
            try await expectConflict(.duplicate("user.username"), "name in another case") {
                try await world.addUser("third") { $0.username = try Username("ZO\u{CB}") }
            }
            try await expectConflict(.duplicate("user.username"), "name in another composition") {
                try await world.addUser("third") { $0.username = try Username("ZOE\u{308}") }
            }
            try await expectConflict(.duplicate("user.username"), "update of the name") {
                var taken = second
                taken.username = first.username
                try await world.write { [taken] in try $0.update(taken) }
            }
            try await expectConflict(.duplicate("user.email"), "update of the email") {
                var taken = second
                taken.email = first.email
                try await world.write { [taken] in try $0.update(taken) }
            }
            try await expectConflict(.duplicate("user.phone"), "update of the phone") {
                var taken = second
                taken.phone = first.phone
                try await world.write { [taken] in try $0.update(taken) }
            }
            // Elsewhere all four are free, and any number of users has no address.
            try await world.addUser("first", in: world.other) {
                $0.email = first.email
                $0.phone = first.phone
                $0.username = first.username
            }
            try await world.addUser("fourth")
            try await world.addUser("fifth")
            try expectSame(try await world.read { try $0.user(second.id, in: world.home) }, second, "unchanged")
            try expectEqual(try await world.read { try $0.userCount(in: world.home) }, 4, "count")
        },
        ConformanceCase("nothing of one Directory is found by way of another") { world in
            try await fill(world.home, in: world)
            try expectEqual(
                try await inventory(of: world.other, owner: world.home, in: world),
                ["directory", "federation", "API key by hash"],
                "seen from the other Directory")
        },
        ConformanceCase("a text is kept whole or refused, never cut") { world in
            let long = String(repeating: "ü🧘", count: 100_000)
            let user = try await world.addUser("ann") {
                $0.role = long
                $0.userMetadata = ["long": .string(long), "quote": "'; DROP TABLE users; --"]
            }
            try expectSame(try await world.read { try $0.user(user.id, in: world.home) }, user, "long")
            do {
                try await world.addUser("cut") { $0.role = "admin\u{0000}x" }
                let found = try await world.read { try $0.user(UserID("cut"), in: world.home)?.role }
                try expectEqual(found, "admin\u{0000}x", "with NUL")
            } catch let error as AuthError {
                try expectEqual(error.code, .invalidRequest, "with NUL")
            }
            try await world.write { try $0.insert(Sample.group("admins", in: world.home)) }
            let found = try? await world.read { try $0.group(named: "name of admins\u{0000}x", in: world.home) }
            try expect(found == nil, "a name that goes on after NUL is another name")
        },
    ]
}

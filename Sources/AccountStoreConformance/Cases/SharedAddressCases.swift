// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension StoreConformance {
    static let sharedAddresses: [ConformanceCase] = [
        ConformanceCase(
            "R10.4 an address that several users share names who alone has proved it, and of several nobody"
        ) {
            world in
            let email = try EmailAddress("shared@example.com")
            let phone = try PhoneNumber("+4930123456")
            @Sendable func add(_ name: String, isProved: Bool = false, shares: Bool = true) async throws -> User {
                try await world.addUser(name) {
                    ($0.email, $0.phone) = (email, phone)
                    ($0.sharesEmail, $0.sharesPhone) = (shares, shares)
                    if isProved { ($0.emailVerifiedAt, $0.phoneVerifiedAt) = (Sample.now, Sample.now) }
                }
            }
            func named(_ expected: String?, _ what: String) async throws {
                let (home, other) = (world.home, world.other)
                let byEmail = try await world.read { try $0.user(email: email, in: home)?.id.rawValue }
                let byPhone = try await world.read { try $0.user(phone: phone, in: home)?.id.rawValue }
                try expectEqual(byEmail, expected, "\(what), by email")
                try expectEqual(byPhone, expected, "\(what), by phone")
                try expect(try await world.read { try $0.user(email: email, in: other) } == nil, "\(what), elsewhere")
            }
            func prove(_ user: User) async throws -> User {
                var proved = user
                (proved.emailVerifiedAt, proved.phoneVerifiedAt) = (Sample.now, Sample.now)
                return try await world.write { [proved] in try $0.update(proved) }
            }
            var bob = try await add("bob")
            _ = try await add("ann")
            try await named(nil, "nobody has proved it")
            var own = try await add("own", shares: false)
            try await named("own", "one has it for a name")
            bob = try await prove(bob)
            try await named("bob", "one who shares it has proved it, and whose name it was to be has not")
            _ = try await add("cleo", isProved: true)
            try await named(nil, "two have proved it")
            own = try await prove(own)
            try await named("own", "whose name it is has proved it too")
            bob.deletedAt = Sample.now
            try await world.write { [bob] in try $0.update(bob) }
            own.deletedAt = Sample.now
            try await world.write { [own] in try $0.update(own) }
            try await named("cleo", "the others are gone")
        },
        ConformanceCase(
            "R10.4 who shares an address takes it from nobody; of two who have it for a name one is refused"
        ) {
            world in
            let email = try EmailAddress("shared@example.com")
            try await world.addUser("own") { $0.email = email }
            for name in ["ann", "bob"] {
                try await world.addUser(name) { ($0.email, $0.sharesEmail) = (email, true) }
            }
            try await expectConflict(.duplicate("user.email"), "a second name") {
                try await world.addUser("cleo") { $0.email = email }
            }
            let ann = try await world.read { try $0.user(UserID("ann"), in: world.home) }
            try await expectConflict(.duplicate("user.email"), "a name of what was shared") {
                guard var named = ann else { return }
                named.sharesEmail = false
                try await world.write { [named] in try $0.update(named) }
            }
            try expectEqual(try await world.read { try $0.userCount(in: world.home) }, 3, "count")
        },
        ConformanceCase("R10.4 many who share one address are listed each once, in pages of any length") { world in
            let email = try EmailAddress("shared@example.com")
            for index in 0..<7 {
                try await world.addUser("user-\(index)") {
                    ($0.email, $0.sharesEmail) = (email, index > 0)
                    if index % 2 == 0 { $0.emailVerifiedAt = Sample.now }
                }
            }
            try await world.addUser("other") { $0.email = try EmailAddress("shared@example.org") }
            let matches: [(UserFilter.Match, Int)] = [(.exact(email.rawValue), 7), (.prefix("shared@"), 8)]
            for (match, count) in matches {
                for limit in [1, 2, 3, 7, 50] {
                    var seen: [UserID] = []
                    var position: UserPosition?
                    repeat {
                        let after = position
                        let page = try await world.scan {
                            try $0.users(
                                in: world.home, matching: .email(match), after: after, limit: limit, at: Sample.now)
                        }
                        try expect(page.users.count <= limit, "\(match) in pages of \(limit)")
                        seen += page.users.map(\.id)
                        position = page.next
                    } while position != nil
                    try expectEqual(seen.count, count, "\(match) in pages of \(limit)")
                    try expectEqual(Set(seen).count, count, "\(match) in pages of \(limit), each once")
                }
            }
        },
    ]
}

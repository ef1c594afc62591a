// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension StoreConformance {
    static let userFilters: [ConformanceCase] = [
        ConformanceCase("a filter finds whom it names and nobody else, in order of identifiers") { world in
            try await fill(world)
            let expected: [(UserFilter, [String])] = [
                (.email(.exact("ANNA@example.com")), ["c"]), (.email(.prefix("Ann")), ["b", "c"]),
                (.email(.exact("ann")), []), (.email(.prefix("%")), []), (.email(.prefix("")), ["a", "b", "c"]),
                (.username(.exact("ZOË")), ["a"]), (.username(.exact("zoe\u{308}")), ["a"]),
                (.username(.prefix("z")), ["a", "d"]), (.username(.exact("z")), []),
                (.phone(.exact("+4930111")), []), (.phone(.prefix("+4930")), ["b", "d"]),
                (.phone(.exact("49301111")), ["b"]),
                (named(.exact("Zoë")), ["a"]), (named(.prefix("Zo")), ["a", "c"]), (named(.exact("zoë")), []),
                (named(.exact("Kept")), ["d"]), (named(.exact("Hidden")), []),
                (.attribute("name", of: ours, orShared: nil, .prefix("")), ["d"]),
                (.attribute("age", of: ours, orShared: nil, .exact("7")), []),
                (.attribute("name", of: DialectName("theirs"), orShared: nil, .prefix("")), []),
                (.id(UserID("b")), ["b"]), (.id(UserID("x")), []), (.id(UserID("gone")), []),
                (.enabled(true), ["a", "c", "d", "e"]), (.enabled(false), ["b"]),
                (.confirmed(true), ["a", "d", "e"]), (.confirmed(false), ["b", "c"]),
            ]
            for (filter, ids) in expected {
                let found = try await list(filter, in: world)
                try expectEqual(found, ids, "\(filter)")
                // One at a time gives the same.
                var walked: [String] = []
                while let next = try await list(filter, after: walked.last, limit: 1, in: world).first {
                    walked.append(next)
                    try expect(walked.count <= ids.count, "\(filter) ends")
                }
                try expectEqual(walked, ids, "\(filter) in pages of one")
            }
            try expectEqual(try await list(.email(.prefix("ann")), limit: 0, in: world), [], "none asked for")
        },
        ConformanceCase("a filter by what has no index finds the last of many") { world in
            try await world.write { tx in
                for index in 0..<1100 {
                    let digits = String(index)
                    let id = UserID("user-" + String(repeating: "0", count: 4 - digits.count) + digits)
                    var user = User(id: id, directoryID: world.home, createdAt: Sample.now)
                    if index == 3 || index > 1097 { user.userMetadata = ["name": "wanted"] }
                    try tx.insert(user)
                }
            }
            let filter = named(.exact("wanted"))
            try expectEqual(
                try await list(filter, in: world), ["user-0003", "user-1098", "user-1099"], "all")
            try expectEqual(try await list(filter, after: "user-0003", limit: 1, in: world), ["user-1098"], "next")
        },
    ]

    private static let ours = DialectName("ours")

    private static func named(_ match: UserFilter.Match) -> UserFilter {
        .attribute("name", of: ours, orShared: .name, match)
    }

    private static func fill(_ world: World) async throws {
        try await world.addUser("a") {
            $0.email = try EmailAddress("o'neil@example.com")
            $0.emailVerifiedAt = Sample.now
            $0.username = try Username("Zoë")
            $0.userMetadata = ["name": "Zoë", "age": 7]
        }
        try await world.addUser("b") {
            $0.email = try EmailAddress("anne@example.com")
            $0.phone = try PhoneNumber("+49301111")
            $0.bannedUntil = Sample.at(1)
        }
        try await world.addUser("c") {
            $0.email = try EmailAddress("anna@example.com")
            $0.bannedUntil = Sample.now
            $0.userMetadata = ["name": "Zora"]
        }
        try await world.addUser("d") {
            $0.phone = try PhoneNumber("+49302222")
            $0.phoneVerifiedAt = Sample.now
            $0.username = try Username("zed")
            $0.userMetadata = ["name": "Hidden"]
            $0.dialectData = try DialectData([ours.rawValue: ["user": ["name": "Kept", "age": 7]]])
        }
        try await world.addUser("e")
        try await world.addUser("gone") {
            $0.email = try EmailAddress("anna@example.com")
            $0.deletedAt = Sample.now
        }
        try await world.addUser("x", in: world.other) {
            $0.email = try EmailAddress("anna@example.com")
            $0.username = try Username("zoë")
            $0.userMetadata = ["name": "Zoë"]
        }
    }

    private static func list(
        _ filter: UserFilter, after: String? = nil, limit: Int = 99, in world: World
    ) async throws -> [String] {
        try await world.read {
            try $0.users(
                in: world.home, matching: filter, after: after.map { UserID($0) }, limit: limit, at: Sample.now
            ).map(\.id.rawValue)
        }
    }
}

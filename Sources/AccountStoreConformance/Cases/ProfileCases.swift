// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension StoreConformance {
    static let profiles: [ConformanceCase] = [
        ConformanceCase("Y-FR7 a profile keeps every field, and a later one takes its place") { world in
            let user = try await world.addUser("ann")
            try await world.addUser("ann", in: world.other)
            let full = Profile(
                userID: user.id, directoryID: world.home, name: "Zoë “Σ” 🧘", picture: "https://example.com/z.png",
                locale: "de-AT", updatedAt: Sample.at(1))
            let bare = Profile(userID: user.id, directoryID: world.home, updatedAt: Sample.at(2))
            let elsewhere = Profile(userID: user.id, directoryID: world.other, name: "Ann", updatedAt: Sample.at(3))
            try expect(try await world.read { try $0.profile(of: user.id, in: world.home) } == nil, "none yet")
            try await world.write { try $0.upsert(elsewhere) }
            for wanted in [full, bare, full] {
                try await world.write { try $0.upsert(wanted) }
                try expectSame(try await world.read { try $0.profile(of: user.id, in: world.home) }, wanted, "profile")
            }
            try expectSame(
                try await world.read { try $0.profile(of: user.id, in: world.other) }, elsewhere, "elsewhere")
        },
        ConformanceCase("a profile and an activity belong to a user who is there") { world in
            let nobody = User(id: UserID("none"), directoryID: world.home, createdAt: Sample.now)
            try await expectStale("profile") {
                try await world.write {
                    try $0.upsert(Profile(userID: nobody.id, directoryID: world.home, updatedAt: Sample.now))
                }
            }
            try await expectStale("activity") {
                try await world.write { try $0.insert(Sample.activity("one", of: nobody, at: Sample.now)) }
            }
        },
        ConformanceCase("an activity keeps every field, and is its user's alone") { world in
            let user = try await world.addUser("ann")
            let stranger = try await world.addUser("bob")
            let elsewhere = try await world.addUser("ann", in: world.other)
            var wanted = Sample.activity("one", of: user, type: "ähm/\"x\"", at: Sample.at(5))
            wanted.durationSeconds = .max
            try await world.write { [wanted] in try $0.insert(wanted) }
            func list(_ owner: User) async throws -> [Activity] {
                try await world.read {
                    try $0.activities(
                        of: owner.id, in: owner.directoryID, matching: ActivityFilter(), after: nil, limit: 9)
                }
            }
            try expectSame(try await list(user), [wanted], "activity")
            try expectEqual(try await list(stranger), [], "the stranger's")
            try expectEqual(try await list(elsewhere), [], "elsewhere")
        },
        ConformanceCase("activities are narrowed by type and time, from inclusive, until exclusive") { world in
            let user = try await world.addUser("ann")
            try await world.write { tx in
                for index in 0..<6 {
                    let type = index.isMultiple(of: 2) ? "yoga.session" : "walk"
                    try tx.insert(Sample.activity("\(index)", of: user, type: type, at: Sample.at(Int64(index))))
                }
            }
            let wanted: [(ActivityFilter, [String])] = [
                (ActivityFilter(), ["5", "4", "3", "2", "1", "0"]),
                (ActivityFilter(type: "walk"), ["5", "3", "1"]), (ActivityFilter(type: "Walk"), []),
                (ActivityFilter(from: Sample.at(4)), ["5", "4"]), (ActivityFilter(until: Sample.at(2)), ["1", "0"]),
                (ActivityFilter(from: Sample.at(2), until: Sample.at(4)), ["3", "2"]),
                (ActivityFilter(from: Sample.at(4), until: Sample.at(2)), []),
                (ActivityFilter(type: "walk", from: Sample.at(1), until: Sample.at(5)), ["3", "1"]),
            ]
            for (filter, names) in wanted {
                let found = try await world.read {
                    try $0.activities(of: user.id, in: world.home, matching: filter, after: nil, limit: 9)
                        .map(\.id.rawValue)
                }
                try expectEqual(found, names, "\(filter)")
            }
        },
        ConformanceCase("activities come in pages that a new one does not shift") { world in
            let user = try await world.addUser("ann")
            try await world.write { tx in
                for index in 10..<35 {
                    // Several at one time: the identifier decides.
                    try tx.insert(Sample.activity("\(index)", of: user, at: Sample.at(Int64(index / 10))))
                }
            }
            for type in [nil, "yoga.session"] {
                var found: [String] = []
                var position: ActivityPosition?
                while true {
                    let page = try await world.read { [position] in
                        try $0.activities(
                            of: user.id, in: world.home, matching: ActivityFilter(type: type), after: position, limit: 7
                        )
                    }
                    guard let last = page.last else { break }
                    try expect(page.count <= 7, "a page of \(page.count)")
                    found += page.map(\.id.rawValue)
                    position = ActivityPosition(at: last.at, id: last.id)
                    let newer = Sample.activity("new \(type ?? "") \(found.count)", of: user, at: Sample.at(99))
                    try await world.write { try $0.insert(newer) }
                }
                let old = found.filter { !$0.hasPrefix("new") }
                try expectEqual(old, (10..<35).reversed().map { "\($0)" }, "all pages")
                try expectEqual(found.count, type == nil ? 25 : 25 + found.count - old.count, "each once")
            }
        },
    ]
}

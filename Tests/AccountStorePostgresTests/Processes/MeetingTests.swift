// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Testing

@testable import AccountStorePostgres

/// Writes that read and change the same rows, or rows that lie on one page of an index, which is what PostgreSQL
/// watches.
@Suite("Writes that meet", .postgres, .timeLimit(.minutes(5)))
struct MeetingTests {
    @Test("R9.8 of ninety writes that read and change one row at once, in three servers, each is done, and done once")
    func sameRow() async throws {
        try await Processes.with(3, over: .postgresql) { world in
            let id = world.directory.id
            var user = User(id: world.ports[0].random.identifier(), directoryID: id, createdAt: Processes.now)
            user.email = try EmailAddress("ada@example.com")
            let made = user
            try await world.stores[0].write { try $0.insert(made) }
            try await withThrowingTaskGroup { group in
                for number in 0..<90 {
                    group.addTask {
                        try await world.stores[number % 3].write { tx in
                            guard var user = try tx.user(made.id, in: id) else { return }
                            user.userMetadata["visits"] = .integer((user.userMetadata["visits"]?.integerValue ?? 0) + 1)
                            _ = try tx.update(user)
                        }
                    }
                }
                try await group.waitForAll()
            }
            let found = try await world.stores[1].read { try $0.user(made.id, in: id) }
            #expect(found?.userMetadata["visits"] == 90)
        }
    }

    @Test("R9.8 of ninety new users at once, in three servers, none is refused for the others")
    func newRows() async throws {
        try await Processes.with(3, over: .postgresql) { world in
            let id = world.directory.id
            try await withThrowingTaskGroup { group in
                for number in 0..<90 {
                    group.addTask {
                        var user = User(
                            id: world.ports[0].random.identifier(), directoryID: id, createdAt: Processes.now)
                        user.email = try EmailAddress("ada\(number)@example.com")
                        let made = user
                        try await world.stores[number % 3].write { tx in
                            // As a sign-up asks: whoever looks for a row that is not there is met by each that comes
                            // near it.
                            guard try tx.user(made.id, in: id) == nil else { return }
                            try tx.insert(made)
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test(
        "Fewer writes are under way at once the more of them meet, and as many as there are connections where none does"
    )
    func lanes() {
        var lanes = WriteLanes(maximum: 10)
        func room() -> Int {
            var lanes = lanes
            while lanes.hasRoom { lanes.begin() }
            return lanes.writing
        }
        #expect(room() == 10)
        for most in [5, 2, 1, 1] {
            lanes.didMeet()
            #expect(room() == most)
        }
        for _ in 0..<15 { lanes.didCommit() }
        #expect(room() == 1)
        for _ in 0..<200 { lanes.didCommit() }
        #expect(room() == 10)
        // One in three that meet keep one at work, one in a hundred nearly all.
        for number in 0..<600 { number % 3 == 0 ? lanes.didMeet() : lanes.didCommit() }
        #expect(room() == 1)
        for number in 1..<2_000 { number % 100 == 0 ? lanes.didMeet() : lanes.didCommit() }
        #expect(room() >= 5)
        lanes.begin()
        lanes.end()
        #expect(lanes.writing == 0)
    }
}

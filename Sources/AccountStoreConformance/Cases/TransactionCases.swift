// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension StoreConformance {
    private struct Refusal: Error, Equatable { let number: Int }

    private struct Live: StoreQuestion {
        let session: SessionID
        let directory: DirectoryID

        func answer(in tx: any StoreReading) throws -> Bool { try tx.holder(of: session, in: directory) != nil }
    }

    static let transactions: [ConformanceCase] = [
        ConformanceCase("a write that throws leaves nothing, and its error reaches the caller as it is") { world in
            for directory in [world.home, world.other] { try await fill(directory, in: world) }
            let user = try Sample.user("user-home", in: world.home)
            let before = try await inventory(of: world.home, in: world)
            do {
                try await world.write { tx in
                    try tx.insert(User(id: UserID("new"), directoryID: world.home, createdAt: Sample.now))
                    try tx.append(Sample.event("new", in: world.home))
                    try tx.upsert(Profile(userID: user.id, directoryID: world.home, name: "x", updatedAt: Sample.now))
                    try expect(try tx.consume(OneTimeTokenID("token-home")), "the token was there")
                    try expect(try tx.deleteDirectory(world.other), "the Directory was there")
                    throw Refusal(number: 7)
                }
                try expect(false, "nothing was thrown")
            } catch let error as Refusal {
                try expectEqual(error.number, 7, "error")
            }
            try expectEqual(try await inventory(of: world.home, in: world), before, "home")
            try expectEqual(try await inventory(of: world.other, in: world).count, 25, "other")
            let (new, name, events) = try await world.scan { tx in
                (
                    try tx.user(UserID("new"), in: world.home), try tx.profile(of: user.id, in: world.home)?.name,
                    try tx.auditEventCount(in: world.home, actions: nil, user: nil)
                )
            }
            try expect(new == nil, "a user was left")
            try expectEqual(name, "home", "profile")
            try expectEqual(events, 1, "events")
        },
        ConformanceCase("a write sees what it wrote, and returns what its body does") { world in
            let user = User(id: UserID("ann"), directoryID: world.home, createdAt: Sample.now)
            let counts = try await world.write { tx in
                let before = try tx.userCount(in: world.home)
                try tx.insert(user)
                let between = try tx.userCount(in: world.home)
                _ = try tx.deleteUser(user.id, in: world.home)
                return [before, between, try tx.userCount(in: world.home)]
            }
            try expectEqual(counts, [0, 1, 0], "counts")
        },
        ConformanceCase("a question asked again is answered by what was written since") { world in
            let user = try await world.addUser("ann")
            let session = Sample.session("one", of: user)
            let question = Live(session: session.id, directory: world.home)
            try expectEqual(try await world.store.answer(question), false, "before")
            try await world.write { try $0.insert(session) }
            try expectEqual(try await world.store.answer(question), true, "open")
            try await world.write { _ = try $0.revoke(session.id, in: world.home, because: .signedOut, at: Sample.now) }
            for _ in 0..<2 { try expectEqual(try await world.store.answer(question), false, "revoked") }
        },
        ConformanceCase("a failed statement that the body survives undoes itself only") { world in
            let user = User(id: UserID("ann"), directoryID: world.home, createdAt: Sample.now)
            try await world.write { tx in
                try tx.insert(user)
                do {
                    try tx.insert(user)
                    try expect(false, "two of one identifier")
                } catch StoreConflict.duplicate {}
                try tx.append(Sample.event("after", in: world.home, user: user.id))
            }
            try expectSame(try await world.read { try $0.user(user.id, in: world.home) }, user, "user")
            let events = try await world.scan { try $0.auditEventCount(in: world.home, actions: nil, user: user.id) }
            try expectEqual(events, 1, "events")
        },
        ConformanceCase("of 100 writes at once, those that fail fail alone") { world in
            let stored = try await race(100) { index in
                let user = User(id: UserID("user \(index)"), directoryID: world.home, createdAt: Sample.now)
                do {
                    try await world.write { tx in
                        try tx.insert(user)
                        // A third fails at the caller's wish, a third by a constraint, after having written.
                        if index % 3 == 1 { throw Refusal(number: index) }
                        if index % 3 == 2 { try tx.insert(user) }
                    }
                    return true
                } catch let error as Refusal {
                    try expectEqual(error.number, index, "whose error")
                    return false
                } catch StoreConflict.duplicate {
                    try expectEqual(index % 3, 2, "whose conflict")
                    return false
                }
            }
            try expectEqual(stored.count { $0 }, 34, "writes")
            let (count, users) = try await world.scan { tx in
                (try tx.userCount(in: world.home), try tx.users(in: world.home, after: nil, limit: 200))
            }
            try expectEqual(count, 34, "count")
            try expectEqual(
                Set(users.map(\.id.rawValue)), Set(stride(from: 0, to: 100, by: 3).map { "user \($0)" }), "users")
        },
        ConformanceCase("a read sees one moment: the two halves of every write, or neither") { world in
            let user = try await world.addUser("ann")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<60 {
                    group.addTask {
                        try await world.write { tx in
                            try tx.append(Sample.event("\(index)", in: world.home, user: user.id))
                            try tx.insert(Sample.activity("\(index)", of: user, at: Sample.now))
                            // What a failed write did must not be seen either, not even while it runs.
                            if index.isMultiple(of: 3) { throw Refusal(number: index) }
                        }
                    }
                    group.addTask {
                        let (events, activities) = try await world.scan { tx in
                            let events = try tx.auditEventCount(in: world.home, actions: nil, user: user.id)
                            let activities = try tx.activities(
                                of: user.id, in: world.home, matching: .init(), after: nil, limit: 99)
                            return (events, activities.count)
                        }
                        try expectEqual(events, activities, "two halves")
                    }
                }
                while let result = await group.nextResult() {
                    if case .failure(let error) = result, !(error is Refusal) { throw error }
                }
            }
            let events = try await world.scan { try $0.auditEventCount(in: world.home, actions: nil, user: user.id) }
            try expectEqual(events, 40, "events")
        },
        ConformanceCase("who was told of a write finds it, whoever reads") { world in
            _ = try await race(40) { index in
                let user = User(id: UserID("user \(index)"), directoryID: world.home, createdAt: Sample.now)
                try await world.write { try $0.insert(user) }
                let found = try await world.read { try $0.user(user.id, in: world.home) }
                try expectSame(found, user, "right after")
            }
        },
        ConformanceCase("a write whose task is cancelled happens all the same, or not at all") { world in
            let tasks = (0..<20).map { index in
                Task {
                    try await world.write { tx in
                        try tx.insert(User(id: UserID("\(index)"), directoryID: world.home, createdAt: Sample.now))
                        try tx.append(Sample.event("\(index)", in: world.home, user: UserID("\(index)")))
                    }
                }
            }
            for task in tasks { task.cancel() }
            var done = 0
            for task in tasks {
                if case .success = await task.result { done += 1 }
            }
            let (users, events) = try await world.scan { tx in
                (
                    try tx.userCount(in: world.home),
                    try tx.auditEventCount(in: world.home, actions: nil, user: nil)
                )
            }
            try expectEqual(users, done, "users")
            try expectEqual(events, done, "events")
        },
        ConformanceCase("what is done while a write is kept is handed back once it is, and not where it fails") {
            world in
            @Sendable func write(_ id: String, failing: Bool = false) async throws -> (Bool, String) {
                let user = User(id: UserID(id), directoryID: world.home, createdAt: Sample.now)
                return try await world.store.write { tx in
                    try tx.insert(user)
                    if failing { throw Refusal(number: 1) }
                    return true
                } while: {
                    // The store is free for others meanwhile.
                    try await world.write { _ = try $0.user(UserID("nobody"), in: world.home) }
                    return id
                }
            }
            let (isKept, made) = try await write("ann")
            try expect(isKept, "kept")
            try expectEqual(made, "ann", "made")
            for _ in 0..<2 {
                let failed = try? await write("bob", failing: true)
                try expect(failed == nil, "the failure was lost")
            }
            let user = User(id: UserID("cleo"), directoryID: world.home, createdAt: Sample.now)
            do {
                let _: (Void, Void) = try await world.store.write {
                    try $0.insert(user)
                } while: {
                    throw Refusal(number: 2)
                }
                try expect(false, "nothing was thrown")
            } catch let error as Refusal {
                try expectEqual(error.number, 2, "error")
            }
            let found = try await race(50) { try await write("user \($0)").1 }
            try expectEqual(Set(found), Set((0..<50).map { "user \($0)" }), "at once")
            let stored = try await world.read { tx in
                try ["ann", "bob", "cleo"].map { try tx.user(UserID($0), in: world.home) != nil }
            }
            try expectEqual(stored, [true, false, true], "stored")
        },
    ]
}

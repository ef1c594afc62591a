// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStoreSQLite
import AuthTypes
import Testing

/// What the connections that read remember: see `StoreQuestion`.
@Suite("Remembered answers", .timeLimit(.minutes(10)))
struct RememberedAnswersTests {
    private final class Count: Sendable {
        private let number = Mutex(0)
        func increase() { number.withLock { $0 += 1 } }
        var value: Int { number.withLock { $0 } }
    }

    /// How many users there are, and a note of each time that it was looked up.
    private struct Users: StoreQuestion {
        var name = ""
        let lookups: Count

        func answer(in tx: any StoreReading) throws -> Int {
            lookups.increase()
            return try tx.userCount(in: Rows.home)
        }

        static func == (one: Self, other: Self) -> Bool { one.name == other.name }
        func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }

    /// A user's address; `nil` without one, and an error for `nobody`.
    private struct Address: StoreQuestion {
        struct Nobody: Error {}
        let user: UserID

        func answer(in tx: any StoreReading) throws -> String? {
            guard let found = try tx.user(user, in: Rows.home) else { throw Nobody() }
            return found.email?.rawValue
        }
    }

    private struct Ended: StoreQuestion {
        let session: SessionID

        func answer(in tx: any StoreReading) throws -> Bool { try tx.holder(of: session, in: Rows.home) == nil }
    }

    private func add(_ id: String, to store: SQLiteAccountStore) async throws {
        try await store.write { try $0.insert(Rows.user(id)) }
    }

    @Test(
        "R11.1 an answer is remembered until something is committed, by this process or another, and then looked up anew"
    )
    func untilCommitted() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.file("accounts.sqlite")
            let store = try SQLiteAccountStore(path: path, options: .init(readers: 1))
            // To SQLite the connections of one process are as strange to each other as those of two.
            let other = try SQLiteAccountStore(path: path)
            try await store.write { try $0.insert(Rows.directory) }
            let lookups = Count()
            let question = Users(lookups: lookups)
            for (round, writer) in [store, other, store, other].enumerated() {
                try await add("user-\(round)", to: writer)
                for _ in 0..<3 { #expect(try await store.answer(question) == round + 1) }
                #expect(lookups.value == round + 1, "after round \(round)")
            }
            // Reads of any other kind between two questions change nothing.
            _ = try await store.read { try $0.userCount(in: Rows.home) }
            #expect(try await store.answer(question) == 4 && lookups.value == 4)
            try store.close()
            try other.close()
        }
    }

    @Test("R11.1 an answer that is nothing is remembered as that, and a question that fails is asked again")
    func nothing() async throws {
        try await withStore { store in
            try await store.write { tx in
                try tx.insert(Rows.directory)
                try tx.insert(Rows.user("ann"))
            }
            for _ in 0..<3 {
                #expect(try await store.answer(Address(user: UserID("ann"))) == nil)
                await #expect(throws: Address.Nobody.self) { try await store.answer(Address(user: UserID("bob"))) }
            }
        }
    }

    @Test("R11.1 questions of other kinds and of other words are not taken for each other, however many there are")
    func many() async throws {
        try await withStore(.init(readers: 1)) { store in
            try await store.write { tx in
                try tx.insert(Rows.directory)
                for number in 0..<100 {
                    var user = Rows.user("user-\(number)")
                    user.email = try EmailAddress("user-\(number)@example.com")
                    try tx.insert(user)
                }
            }
            let lookups = Count()
            for number in 0..<3000 {
                let name = "user-\(number % 100)"
                #expect(try await store.answer(Users(name: "\(number)", lookups: lookups)) == 100)
                #expect(try await store.answer(Address(user: UserID(name))) == name + "@example.com")
            }
            #expect(lookups.value == 3000)
        }
    }

    @Test("R11.1 what was revoked is revoked with the next question, on whichever of many connections it is asked")
    func revoked() async throws {
        try await withStore { store in
            let user = Rows.user("ann")
            try await store.write { tx in
                try tx.insert(Rows.directory)
                try tx.insert(user)
            }
            for round in 0..<50 {
                let id = SessionID("session-\(round)")
                try await store.write { try $0.insert(Rows.session("session-\(round)", of: user)) }
                let revocations = Count()
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<4 {
                        group.addTask {
                            var answer = false
                            while !answer {
                                // An answer is found without waiting: whoever revokes needs a thread too.
                                await Task.yield()
                                // Whoever saw the revocation done before they asked must be told of it.
                                let mustHaveEnded = revocations.value > 0
                                answer = try await store.answer(Ended(session: id))
                                guard answer || !mustHaveEnded else {
                                    Issue.record("a revoked session was said to live")
                                    return
                                }
                            }
                        }
                    }
                    group.addTask {
                        _ = try await store.write {
                            try $0.revoke(id, in: Rows.home, because: .signedOut, at: Rows.now)
                        }
                        revocations.increase()
                    }
                    try await group.waitForAll()
                }
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import GRDB
import Testing

@testable import AccountStore
@testable import AccountStoreSQLite

@Suite("Writes that share a commit", .timeLimit(.minutes(10)))
struct GroupedWriteTests {
    private struct Refusal: Error, Equatable { let number: Int }

    private func race(_ count: Int, on store: SQLiteAccountStore) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<count {
                group.addTask { try await store.write { try $0.insert(Rows.user("\(index)")) } }
            }
            try await group.waitForAll()
        }
    }

    @Test("200 writes at once need fewer commits than 200")
    func fewCommits() async throws {
        try await withStore { store in
            try await store.addHome()
            let before = store.commitCount
            // While the writer is at work, so that they do wait for it together, however slow the machine is.
            let written = try await store.writeTogether(200) { try $1.insert(Rows.user("\($0)")) }
            #expect(written.allSatisfy { $0.isSuccess })
            #expect((2..<200).contains(store.commitCount - before))
            #expect(try await store.userIDs().count == 200)
        }
    }

    @Test("with batches of one, 200 writes need 200 commits")
    func oneEach() async throws {
        try await withStore(.init(maximumBatch: 1)) { store in
            try await store.addHome()
            let before = store.commitCount
            try await race(200, on: store)
            #expect(store.commitCount - before == 200)
            #expect(try await store.userIDs().count == 200)
        }
    }

    @Test("writes that wait together are one commit, or as many as their maximum asks", arguments: [(256, 1), (20, 3)])
    func exactCommits(_ maximum: Int, _ commits: Int) async throws {
        try await withStore(.init(maximumBatch: maximum)) { store in
            try await store.addHome()
            let before = store.commitCount
            let results = try await store.writeTogether(50) { index, tx in try tx.insert(Rows.user("\(index)")) }
            #expect(results.compactMap(\.failure).isEmpty)
            // And that of the write they waited for.
            #expect(store.commitCount - before == commits + 1)
        }
    }

    @Test("a write that fails fails alone, after having written, and each caller has its own answer")
    func failsAlone() async throws {
        try await withStore { store in
            try await store.addHome()
            let before = store.commitCount
            let results = try await store.writeTogether(50) { index, tx in
                try tx.insert(Rows.user("\(index)"))
                if index == 17 { throw Refusal(number: index) }
                if index == 18 { try tx.insert(Rows.user("\(index - 1)")) }
                if index == 19 { try tx.insert(Rows.user("\(index)")) }
                return index
            }
            #expect(store.commitCount - before == 2)
            for (index, result) in results.enumerated() {
                switch index {
                case 17: #expect(result.failure as? Refusal == Refusal(number: 17))
                case 19: #expect(result.failure as? StoreConflict == .duplicate("user.id"))
                case 18: #expect(try result.get() == 18, "17 was undone, so its name was free")
                default: #expect(try result.get() == index)
                }
            }
            #expect(try await store.userIDs() == Set((0..<50).filter { $0 != 19 }.map { "\($0)" }))
        }
    }

    private final class Runs: Sendable {
        let count = AtomicNumber()
    }

    @Test(
        "a write that fails before it has changed anything has no other run again, one that fails later once, and not those after it"
    )
    func runsAgain() async throws {
        try await withStore { store in
            try await store.addHome()
            func count(_ name: String, failsLate: Bool) async throws -> Int {
                let runs = Runs()
                let results = try await store.writeTogether(20) { index, tx in
                    runs.count.add(1)
                    if index == 7, !failsLate { throw Refusal(number: index) }
                    try tx.insert(Rows.user("\(name) \(index)"))
                    if index == 7 { throw Refusal(number: index) }
                }
                for (index, result) in results.enumerated() { #expect(result.isSuccess == (index != 7)) }
                return runs.count.load()
            }
            #expect(try await count("early", failsLate: false) == 20)
            #expect(try await (21...40).contains(count("late", failsLate: true)))
            #expect(try await count("late again", failsLate: true) == 20)
            #expect(try await store.userIDs().count == 3 * 19)
        }
    }

    @Test("when all of a batch fail, nothing is stored and the store goes on")
    func allFail() async throws {
        try await withStore { store in
            try await store.addHome()
            let results = try await store.writeTogether(20) { index, tx in
                try tx.insert(Rows.user("\(index)"))
                throw Refusal(number: index)
            }
            #expect(results.map { $0.failure as? Refusal } == (0..<20).map { Refusal(number: $0) })
            #expect(try await store.userIDs().isEmpty)
            try await race(3, on: store)
        }
    }

    @Test("the closures of a batch see one another's work in their order, and no reader sees any before the commit")
    func order() async throws {
        try await withStore { store in
            try await store.addHome()
            let readers = store.readers
            let results = try await store.writeTogether(20) { index, tx in
                let before = try tx.userCount(in: Rows.home)
                try tx.insert(Rows.user("\(index)"))
                let outside = try readers.read { try $0.accounts.user(Rows.user("\(index)").id, in: Rows.home) }
                return [before, outside == nil ? 0 : 1]
            }
            let values = try results.map { try $0.get() }
            #expect(values.map(\.first).compactMap { $0 }.sorted() == Array(0..<20))
            #expect(values.allSatisfy { $0.last == 0 })
        }
    }

    @Test("a turn that can wait comes through beside writes that never stop, and has its own answer")
    func turnBesideOthers() async throws {
        try await withStore(.init(maximumBatch: 4)) { store in
            try await store.addHome()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<8 {
                    group.addTask {
                        var count = 0
                        while !Task.isCancelled {
                            let name = "\(writer) \(count)"
                            try await store.write { try $0.insert(Rows.user(name)) }
                            count += 1
                        }
                    }
                }
                for turn in 0..<20 {
                    try await store.writeInTurn { try $0.insert(Rows.user("turn \(turn)")) }
                    await #expect(throws: Refusal(number: turn)) {
                        try await store.writeInTurn { tx in
                            try tx.insert(Rows.user("refused \(turn)"))
                            throw Refusal(number: turn)
                        }
                    }
                }
                group.cancelAll()
                try await group.waitForAll()
            }
            for turn in 0..<20 {
                let (kept, refused) = try await store.read { tx in
                    (
                        try tx.user(UserID("turn \(turn)"), in: Rows.home),
                        try tx.user(UserID("refused \(turn)"), in: Rows.home)
                    )
                }
                #expect(kept != nil && refused == nil)
            }
        }
    }
}

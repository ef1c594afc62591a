// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Foundation
import GRDB
import Testing

@testable import AccountStoreSQLite

@Suite("Moves of the log", .timeLimit(.minutes(10)))
struct LogMovesTests {
    private var moves = LogMoves(idle: 100, most: 1000)

    @Test("a short log is left alone, a longer one is moved when nobody waits, one that is too long in any case")
    mutating func needs() {
        #expect(moves.need(at: 60) == nil)
        #expect(moves.need(at: 99) == nil)
        #expect(moves.need(at: 100) == .whenIdle)
        // Nobody was idle.
        #expect(moves.need(at: 199) == .whenIdle)
        for pages in 200..<1000 { #expect(moves.need(at: pages) == .whenIdle) }
        #expect(moves.need(at: 1000) == .now)
    }

    @Test("a log that is begun anew is counted anew")
    mutating func restarts() {
        #expect(moves.need(at: 99) == nil)
        #expect(moves.need(at: 150) == .whenIdle)
        moves.finish(.whenIdle)
        #expect(moves.need(at: 3) == nil)
        #expect(moves.need(at: 99) == nil)
        #expect(moves.need(at: 102) == .whenIdle)
    }

    @Test("a log that readers hold is not tried at every commit, and asked of them when it grows too long")
    mutating func held() {
        var tries: [LogMoves.Need] = []
        for pages in stride(from: 5, through: 3000, by: 5) {
            guard let need = moves.need(at: pages) else { continue }
            tries.append(need)
            moves.finish(need)
        }
        #expect(tries.count == 30)
        #expect(tries.count { $0 == .now } == 3)
    }

    @Test("commits that are long by themselves are moved together, and what they left with the first that is not")
    mutating func bulk() {
        #expect(moves.need(at: 300) == nil)
        #expect(moves.need(at: 600) == nil)
        #expect(moves.need(at: 605) == .whenIdle)
        moves.finish(.whenIdle)
        #expect(moves.need(at: 300) == nil)
        #expect(moves.need(at: 1100) == .now)
    }

    private func log(_ directory: TemporaryDirectory) throws -> Int {
        let path = directory.file("accounts.sqlite-wal")
        return try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    }

    @Test("the log of a store that is written without end stays short, one caller or many", arguments: [1, 8])
    func bounded(_ callers: Int) async throws {
        try await TemporaryDirectory.with { directory in
            let store = try SQLiteAccountStore(path: directory.file("accounts.sqlite"))
            try await store.addHome()
            // Each changes some pages: more than the log may hold, by far.
            try await withThrowingTaskGroup(of: Void.self) { group in
                for caller in 0..<callers {
                    group.addTask {
                        for index in 0..<(1600 / callers) {
                            var user = Rows.user("\(caller) \(index)")
                            user.role = String(repeating: "x", count: 8_000)
                            let kept = user
                            if index.isMultiple(of: 2) {
                                try await store.write { try $0.insert(kept) }
                            } else {
                                try await store.writeBriefly { try $0.insert(kept) }
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            // A page of the log has a header, and the last commit before a move goes beyond it.
            #expect(try log(directory) < (callers == 1 ? 4 : 20) << 20)
            #expect(try await store.userIDs().count == 1600)
            try store.close()
        }
    }

    @Test("while somebody reads what is in it, the log is kept, and moved when they have read")
    func readers() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.file("accounts.sqlite")
            let store = try SQLiteAccountStore(path: path)
            try await store.addHome()
            let write: @Sendable (Int) async throws -> Void = { index in
                var user = Rows.user("\(index)")
                user.role = String(repeating: "x", count: 100_000)
                let kept = user
                try await store.writeBriefly { try $0.insert(kept) }
            }
            var configuration = DatabaseFile.configuration
            configuration.readonly = true
            configuration.allowsUnsafeTransactions = true
            let reader = try DatabaseQueue(path: path, configuration: configuration)
            try reader.inDatabase { database in
                try database.beginTransaction(.deferred)
                #expect(try Int.fetchOne(database, sql: "SELECT count(*) FROM users") == 0)
            }
            for index in 0..<40 { try await write(index) }
            try reader.inDatabase { database in
                #expect(try Int.fetchOne(database, sql: "SELECT count(*) FROM users") == 0)
                try database.commit()
            }
            let before = try log(directory)
            #expect(before > 4_000_000)
            for index in 40..<140 { try await write(index) }
            // It was begun anew: a hundred more are ten megabytes.
            #expect(try log(directory) < before + 3_000_000)
            try reader.close()
            try store.close()
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Foundation
import Testing

@testable import AccountStore
@testable import AccountStoreSQLite

@Suite("Brief writes", .timeLimit(.minutes(10)))
struct BriefWriteTests {
    private let now = ContinuousClock.now

    @Test("a lone brief write is its caller's, and wakes nobody")
    func alone() {
        var machine = GroupCommit<Int>(maximumBatch: 10)
        for _ in 0..<3 {
            #expect(machine.begun() == true)
            #expect(machine.isBusy)
            #expect(machine.finished() == false)
            #expect(!machine.isBusy)
        }
    }

    @Test("who comes meanwhile waits, another brief one too, and is the next batch in its order")
    func others() {
        var machine = GroupCommit<Int>(maximumBatch: 10)
        #expect(machine.begun() == true)
        #expect(machine.begun() == false)
        for job in 0..<3 { #expect(machine.submit(job) == .wait) }
        #expect(machine.finished() == true)
        #expect(machine.isBusy)
        #expect(machine.next(at: now) == .batch([0, 1, 2]))
        #expect(machine.next(at: now) == nil)
    }

    @Test("where writes meet one another they are the writer's, until one was alone again")
    func crowd() {
        var machine = GroupCommit<Int>(maximumBatch: 10)
        _ = machine.submit(0)
        _ = machine.submit(1)
        #expect(machine.next(at: now) == .batch([0, 1]))
        machine.finishBatch(of: 2, wasQuick: true)
        #expect(machine.next(at: now) == nil)
        #expect(machine.begun() == false)
        _ = machine.submit(2)
        #expect(machine.next(at: now) == .batch([2]))
        machine.finishBatch(of: 1, wasQuick: true)
        #expect(machine.next(at: now) == nil)
        #expect(machine.begun() == true)
    }

    @Test("on a slow disk they are the writer's, who finds out when it is quick again")
    func slow() {
        var machine = GroupCommit<Int>(maximumBatch: 10)
        #expect(machine.begun() == true)
        #expect(machine.finished(wasQuick: false) == false)
        for wasQuick in [false, true] {
            #expect(machine.begun() == false)
            #expect(machine.submit(0) == .start)
            #expect(machine.next(at: now) == .batch([0]))
            machine.finishBatch(of: 1, wasQuick: wasQuick)
            #expect(machine.next(at: now) == nil)
        }
        #expect(machine.begun() == true)
    }

    @Test("a turn that came meanwhile is begun, one that rests is left to its alarm, and what is owed is done")
    func background() {
        var machine = GroupCommit<Int>(maximumBatch: 10)
        #expect(machine.begun() == true)
        #expect(machine.submit(turn: 1) == .wait)
        #expect(machine.finished() == true)
        #expect(machine.next(at: now) == .turn(1))
        machine.finishTurn(from: now - .milliseconds(1), to: now)
        #expect(machine.next(at: now) == nil)
        #expect(machine.begun() == true)
        #expect(machine.submit(turn: 2) == .wait)
        #expect(machine.finished() == true)
        let due = now + Duration.milliseconds(1) * GroupCommit<Int>.restFactor
        #expect(machine.next(at: now) == .rest(until: due))
        #expect(machine.begun() == true)
        #expect(machine.finished() == false)
        // Rung while one is under way.
        #expect(machine.begun() == true)
        let rang = machine.ring()
        #expect(!rang)
        #expect(machine.finished() == true)
        #expect(machine.next(at: due) == .turn(2))
        #expect(machine.next(at: due) == nil)
        #expect(machine.begun() == true)
        machine.owe(.whenIdle)
        #expect(machine.finished() == true)
        #expect(machine.next(at: due) == .move(.whenIdle))
        #expect(machine.next(at: due) == nil)
    }

    @Test("while something long is done between commits, and once the store is closed, none is begun")
    func pieces() {
        var machine = GroupCommit<Int>(maximumBatch: 10)
        machine.beginPiece()
        #expect(machine.begun() == false)
        machine.finishPiece()
        #expect(machine.begun() == true)
        _ = machine.close()
        #expect(machine.finished() == false)
        #expect(machine.begun() == false)
    }

    @Test("a move waits for those who wait, and goes before turns; one that can't wait goes before everybody")
    func moves() {
        var machine = GroupCommit<Int>(maximumBatch: 1)
        for job in 0..<3 { _ = machine.submit(job) }
        _ = machine.submit(turn: 9)
        #expect(machine.next(at: now) == .batch([0]))
        machine.owe(.whenIdle)
        #expect(machine.next(at: now) == .batch([1]))
        machine.owe(.now)
        machine.owe(.whenIdle)
        #expect(machine.next(at: now) == .move(.now))
        #expect(machine.next(at: now) == .batch([2]))
        machine.owe(.whenIdle)
        #expect(machine.next(at: now) == .move(.whenIdle))
        #expect(machine.next(at: now) == .turn(9))
        #expect(machine.next(at: now) == nil)
    }

    @Test("whatever the order of calls, one works at a time, each write comes once, and nobody is left waiting")
    func anyOrder() {
        var allBriefs = 0
        for seed in 1...300 {
            var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15
            func roll(_ bound: UInt64) -> UInt64 {
                state ^= state << 13
                state ^= state >> 7
                state ^= state << 17
                return state % bound
            }
            var machine = GroupCommit<Int>(maximumBatch: Int(roll(5)) + 1)
            var now = self.now
            var (submitted, turns, done, briefs) = (0, 0, [Int](), 0)
            var (isThreadAtWork, isBriefAtWork, alarms, owed) = (false, false, 0, 0)
            func work() {
                switch machine.next(at: now) {
                case .batch(let batch):
                    done += batch
                    machine.finishBatch(of: batch.count, wasQuick: roll(4) > 0)
                case .turn:
                    turns -= 1
                    machine.finishTurn(from: now, to: now + .milliseconds(1))
                case .move:
                    owed = 0
                    machine.finishTurn(from: now, to: now + .milliseconds(1))
                case .rest:
                    alarms += 1
                    isThreadAtWork = false
                case nil: isThreadAtWork = false
                }
            }
            for _ in 0..<400 {
                now += .microseconds(Int64(roll(3000)))
                switch roll(6) {
                case 0, 1:
                    let isFree = !isThreadAtWork && !isBriefAtWork
                    #expect(machine.submit(submitted) == (isFree ? .start : .wait))
                    submitted += 1
                    if isFree { isThreadAtWork = true }
                case 2:
                    let isFree = !isThreadAtWork && !isBriefAtWork
                    guard machine.begun() else { break }
                    // Whoever came before has been served.
                    #expect(isFree && done.count == submitted)
                    (isBriefAtWork, briefs) = (true, briefs + 1)
                case 3 where isBriefAtWork:
                    if roll(5) == 0 {
                        machine.owe(.whenIdle)
                        owed = 1
                    }
                    isThreadAtWork = machine.finished(wasQuick: roll(4) > 0)
                    isBriefAtWork = false
                case 4 where turns < 2:
                    if machine.submit(turn: -1) == .start { isThreadAtWork = true }
                    turns += 1
                case 5 where alarms > 0:
                    alarms -= 1
                    if machine.ring() { isThreadAtWork = true }
                default: if isThreadAtWork { work() }
                }
                #expect(!(isThreadAtWork && isBriefAtWork))
                #expect(machine.isBusy == (isThreadAtWork || isBriefAtWork))
                // What waits has somebody at work, or an alarm.
                if done.count < submitted || owed > 0 { #expect(machine.isBusy) }
                if turns > 0 { #expect(machine.isBusy || alarms > 0) }
            }
            if isBriefAtWork { isThreadAtWork = machine.finished() }
            while isThreadAtWork { work() }
            #expect(done == Array(0..<submitted))
            allBriefs += briefs
        }
        // Not each order lets one in: a last write that met others sends the next to the thread.
        #expect(allBriefs > 200)
    }

    // MARK: On a store

    @Test("each brief write is durable when it returns, alone in its commit, and one that throws leaves nothing")
    func durable() async throws {
        struct Refusal: Error {}
        try await TemporaryDirectory.with { directory in
            let store = try SQLiteAccountStore(path: directory.file("accounts.sqlite"))
            try await store.addHome()
            let before = store.commitCount
            for index in 0..<20 {
                try await store.writeBriefly { try $0.insert(Rows.user("\(index)")) }
                await #expect(throws: Refusal.self) {
                    try await store.writeBriefly { tx in
                        try tx.insert(Rows.user("refused"))
                        throw Refusal()
                    }
                }
                guard index.isMultiple(of: 5) else { continue }
                // As a crash would leave them.
                for suffix in ["", "-wal"] {
                    try? FileManager.default.removeItem(atPath: directory.file("copy.sqlite" + suffix))
                    try FileManager.default.copyItem(
                        atPath: directory.file("accounts.sqlite" + suffix),
                        toPath: directory.file("copy.sqlite" + suffix))
                }
                let copy = try SQLiteAccountStore(path: directory.file("copy.sqlite"))
                #expect(try await copy.userIDs() == Set((0...index).map { "\($0)" }))
                try copy.close()
            }
            #expect(store.commitCount - before == 20)
            try store.close()
        }
    }

    @Test("a brief write of somebody who was cancelled is done all the same")
    func cancelled() async throws {
        try await withStore { store in
            try await store.addHome()
            let task = Task {
                while !Task.isCancelled { await Task.yield() }
                try await store.writeBriefly { try $0.insert(Rows.user("one")) }
            }
            task.cancel()
            try await task.value
            #expect(try await store.userIDs() == ["one"])
        }
    }

    /// What each of several tasks saw, held by reference.
    private final class Counts: Sendable {
        let inOrder = Mutex<[Int]>([])
    }

    @Test("brief writes, others and turns race, and each sees what was done before it")
    func races() async throws {
        try await withStore { store in
            try await store.addHome()
            let seen = Counts()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for caller in 0..<9 {
                    group.addTask {
                        for index in 0..<40 {
                            let body: @Sendable (any StoreWriting) throws -> Void = { tx in
                                let count = try tx.userCount(in: Rows.home)
                                seen.inOrder.withLock { $0.append(count) }
                                try tx.insert(Rows.user("\(caller) \(index)"))
                            }
                            switch caller % 3 {
                            case 0: try await store.write(body)
                            case 1: try await store.writeInTurn(body)
                            default: try await store.writeBriefly(body)
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            let inOrder = seen.inOrder.withLock { $0 }
            #expect(inOrder == Array(0..<360))
            #expect(try await store.userIDs().count == 360)
        }
    }

    @Test("a brief write that was begun before the store is closed is stored, one after it is refused")
    func closes() async throws {
        for round in 0..<10 {
            try await TemporaryDirectory.with { directory in
                let path = directory.file("accounts.sqlite")
                let store = try SQLiteAccountStore(path: path)
                try await store.addHome()
                let told = await withTaskGroup(of: String?.self) { group in
                    for index in 0..<40 {
                        group.addTask {
                            if index == 4 * round { try? store.close() }
                            do {
                                try await store.writeBriefly { try $0.insert(Rows.user("\(index)")) }
                                return "\(index)"
                            } catch {
                                #expect(error as? AuthError == AuthError(.unavailable))
                                return nil
                            }
                        }
                    }
                    var told: Set<String> = []
                    for await id in group { if let id { told.insert(id) } }
                    return told
                }
                let again = try SQLiteAccountStore(path: path)
                #expect(try await again.userIDs() == told)
                try again.close()
            }
        }
    }
}

extension GroupCommit {
    fileprivate mutating func begun() -> Bool { beginBrief() }
    fileprivate mutating func finished(wasQuick: Bool = true) -> Bool { finishBrief(wasQuick: wasQuick) }
}

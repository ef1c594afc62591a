// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import TestBench
import Testing

@testable import Accounts

@Suite("A store that was put back to an earlier time", .timeLimit(.minutes(5)))
struct RestoredStoreTests {
    /// More than one turn has.
    private static let users = 1_100

    private func bench() async throws -> AccountBench {
        let bench = try await AccountBench()
        let (directory, now) = (bench.directory.id, bench.now)
        try await bench.ports.store.write { tx in
            for number in 0..<Self.users {
                let user = UserID("u\(number)")
                try tx.insert(User(id: user, directoryID: directory, createdAt: now))
                try tx.insert(
                    Session(
                        id: SessionID("s\(number)"), directoryID: directory, userID: user, device: DeviceMetadata(),
                        methods: [], assurance: .aal1, createdAt: now, lastActiveAt: now, notAfter: nil,
                        family: RefreshTokenFamily(
                            generation: 0, liveHash: Array(repeating: 0, count: 32), steps: [])))
            }
        }
        return bench
    }

    private func live(_ bench: AccountBench) async throws -> Int {
        let directory = bench.directory.id
        return try await bench.ports.store.read { tx in
            try (0..<Self.users).count { number in
                let session = try tx.session(SessionID("s\(number)"), in: directory)
                let user = try tx.user(UserID("u\(number)"), in: directory)
                return session?.revokedAt == nil || user?.tokensValidSince == nil
            }
        }
    }

    private func events(_ bench: AccountBench) async throws -> [AuditEvent] {
        let directory = bench.directory.id
        return try await bench.ports.store.scan(in: directory) {
            try $0.auditEvents(in: directory, actions: [.backupRestored], user: nil, offset: 0, limit: 10)
        }
    }

    @Test("R8.17 all is taken back, whatever the number of turns, and the store is anybody's again")
    func whole() async throws {
        let bench = try await bench()
        let taken = try await RestoredStore(store: bench.ports.store, random: bench.ports.random)
            .takeBackEverything(at: bench.now)
        #expect(taken.sessions == Self.users)
        #expect(try await live(bench) == 0)
        #expect(try await bench.ports.store.read { try $0.mark(.takingBack) } == nil)
        #expect(try await events(bench).map { $0.details["sessions"] } == [.integer(Int64(Self.users))])
    }

    @Test(
        "R8.17 one that was cut short, by whatever and wherever, leaves the store for nobody to open, and is finished when it is done again",
        arguments: [2, 3])
    func cut(_ look: Int) async throws {
        let bench = try await bench()
        let restored = RestoredStore(store: bench.ports.store, random: bench.ports.random)
        let looks = Mutex(0)
        await #expect(throws: AuthError(.conflict)) {
            try await restored.takeBackEverything(at: bench.now) {
                let count = looks.withLock { looks in
                    looks += 1
                    return looks
                }
                if count == look { throw AuthError(.conflict) }
            }
        }
        #expect(try await bench.ports.store.read { try $0.mark(.takingBack) } == bench.now)
        #expect(try await events(bench).isEmpty)
        let later = bench.now + .seconds(60)
        let before = try await live(bench)
        let taken = try await restored.takeBackEverything(at: later)
        #expect(taken.sessions == before)
        #expect(try await live(bench) == 0)
        #expect(try await bench.ports.store.read { try $0.mark(.takingBack) } == nil)
        // A token of between the two is none, either: the store may have been put back to the midst of the first.
        let directory = bench.directory.id
        let since = try await bench.ports.store.read { try $0.user(UserID("u0"), in: directory)?.tokensValidSince }
        #expect(since.map { $0 > later } == true)
    }

    @Test("R8.17 where a server runs nothing is changed, and no mark keeps it from starting again")
    func served() async throws {
        let bench = try await bench()
        await #expect(throws: AuthError(.conflict)) {
            try await RestoredStore(store: bench.ports.store, random: bench.ports.random)
                .takeBackEverything(at: bench.now) { throw AuthError(.conflict) }
        }
        #expect(try await live(bench) == Self.users)
        #expect(try await bench.ports.store.read { try $0.mark(.takingBack) } == nil)
    }
}

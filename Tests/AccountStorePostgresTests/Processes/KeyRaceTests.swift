// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStore
import AccountStorePostgres
import Accounts
import AuthTypes
import JOSE
import Testing

/// Keys that several servers make at once.
@Suite("The keys of several servers", .postgres, .timeLimit(.minutes(5)))
struct KeyRaceTests {
    @Test("of rotations at once, in two servers, one takes place", arguments: Processes.Database.allCases)
    func rotation(_ database: Processes.Database) async throws {
        try await Processes.with(over: database) { world in
            let now = Processes.now + .minutes(1)
            let outcomes = try await world.race(8) { _, process in
                try await world.keys[process].rotate(world.directory, at: now)
            }
            let rotated = outcomes.count { if case .rotated = $0 { true } else { false } }
            #expect(rotated == 1)
            let states = try await world.keys[0].list(world.directory).filter { $0.purpose == .tokens }.map(\.state)
            #expect(states.count { $0 == .active } == 1)
            #expect(states.count { $0 == .standby } == 1)
            #expect(states.count { $0 == .retiring } == 1)
        }
    }

    @Test(
        "the first keys of a purpose are made once, however many servers need them at once",
        arguments: Processes.Database.allCases)
    func firstKeys(_ database: Processes.Database) async throws {
        try await Processes.with(over: database) { world in
            let names = try await world.race(8) { _, process in
                try await world.keys[process].signingKey(.compatibility, of: world.directory, at: Processes.now).keyID
            }
            #expect(Set(names).count == 1)
            let made = try await world.keys[1].list(world.directory).filter { $0.purpose == .compatibility }
            #expect(made.count == 2)
        }
    }

    @Test("R8.19 servers that are started at once with a master key make one data key, and read what each other seals")
    func sealing() async throws {
        let keys = try MasterKeys(parsing: MasterKey.generate(random: SystemRandomSource()))
        try await PostgresServer.withStores(3, masterKeys: keys) { stores in
            let sealed = try await withThrowingTaskGroup(of: Bool.self) { group in
                for store in stores { group.addTask { try await store.beginSealing(at: Processes.now) } }
                return try await group.reduce(into: [Bool]()) { $0.append($1) }
            }
            #expect(sealed == [true, true, true])
            #expect(try await stores[0].sealingStatus().keys.count == 1)
            let directory = try await DirectoryAdministration(store: stores[1], random: SystemRandomSource())
                .create(name: "default", at: Processes.now)
            let read = try await stores[2].read { try $0.directory(directory.id) }
            #expect(read?.tokenKey.reveal() == directory.tokenKey.reveal())
            #expect(try await stores[0].sealingStatus().clear.isEmpty)
        }
    }
}

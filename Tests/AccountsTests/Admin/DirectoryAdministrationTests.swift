// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import JOSE
import Testing

@testable import Accounts

@Suite("DirectoryAdministration")
struct DirectoryAdministrationTests {
    @Test("A new Directory has keys that work at once, different from any other's")
    func keys() async throws {
        let bench = try await Bench.make()
        let other = try await DirectoryAdministration(bench.ports).create(name: "other", at: bench.now)
        #expect(other.tokenKey.reveal().count == 32)
        #expect(other.tokenKey.reveal() != bench.directory.tokenKey.reveal())
        #expect(try await bench.ring.signingKey(.tokens, of: other, at: bench.now).algorithm == .es256)
        #expect(try await bench.ring.signingKey(.apiKeys, of: other, at: bench.now).algorithm == .hs256)
        #expect(try await bench.ring.publishedKeys(of: other, at: bench.now).keys.count == 2)
    }

    @Test("A name is unique and has a form", arguments: ["", "Upper", "under_score", "-a", "a-", "a b", "ü"])
    func names(name: String) async throws {
        let bench = try await Bench.make()
        let administration = DirectoryAdministration(bench.ports)
        await #expect(throws: AuthError(.invalidRequest)) { try await administration.create(name: name, at: bench.now) }
        await #expect(throws: AuthError(.conflict)) {
            try await administration.create(name: bench.directory.name, at: bench.now)
        }
        #expect(try await administration.list().count == 1)
    }

    @Test("An identifier that another Directory has is drawn anew")
    func taken() async throws {
        let bench = try await Bench.make()
        let taken = bench.directory.id.rawValue
        let random = FirstLetters(taken)
        let other = try await DirectoryAdministration(store: bench.ports.store, random: random).create(
            name: "other", at: bench.now)
        #expect(random.isUsed && other.id != bench.directory.id && DirectoryID.accepts(other.id.rawValue))
    }

    /// Draws a text once, and then whatever comes.
    private final class FirstLetters: RandomSource {
        private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz0123456789".utf8)

        private let rest = SystemRandomSource()
        private let first: Mutex<[UInt8]?>

        init(_ text: String) {
            first = Mutex(text.utf8.map { UInt8(Self.alphabet.firstIndex(of: $0) ?? 0) })
        }

        var isUsed: Bool { first.withLock { $0 == nil } }

        func bytes(_ count: Int) -> [UInt8] {
            let drawn = first.withLock { first in
                defer { if first?.count == count { first = nil } }
                return first?.count == count ? first : nil
            }
            return drawn ?? rest.bytes(count)
        }
    }

    @Test("Made sure of twice, there is one")
    func ensure() async throws {
        let bench = try await Bench.make()
        let administration = DirectoryAdministration(bench.ports)
        let first = try await administration.ensure(name: "again", at: bench.now)
        let second = try await administration.ensure(name: "again", at: bench.now + .days(1))
        #expect(first.id == second.id)
        #expect(first.tokenKey.reveal() == second.tokenKey.reveal())
    }

    @Test("Changed settings are seen by the catalog within five seconds, at once after being told")
    func settings() async throws {
        let bench = try await Bench.make()
        let catalog = DirectoryCatalog(store: bench.ports.store)
        let name = bench.directory.name
        #expect(
            try await catalog.directory(named: name, at: bench.now)?.settings.siteURL
                == bench.directory.settings.siteURL)
        var settings = bench.directory.settings
        settings.siteURL = "https://app.example.com"
        let updated = try await DirectoryAdministration(bench.ports).update(
            bench.directory.id, settings: settings, at: bench.now)
        #expect(updated.version == bench.directory.version + 1)
        let later = bench.now + DirectoryCatalog.refreshInterval
        #expect(try await catalog.directory(named: name, at: later)?.settings.siteURL == settings.siteURL)
        settings.siteURL = "https://www.example.com"
        try await DirectoryAdministration(bench.ports).update(bench.directory.id, settings: settings, at: later)
        catalog.invalidate()
        #expect(try await catalog.directory(bench.directory.id, at: later)?.settings.siteURL == settings.siteURL)
    }

    @Test(
        "R9.11 no Directory is given a setting out of its range; one that was stored so does not hinder other changes")
    func ranges() async throws {
        let bench = try await Bench.make()
        let administration = DirectoryAdministration(bench.ports)
        var settings = bench.directory.settings
        settings.oneTime.maximumAttempts = 1_000_000
        let error = await #expect(throws: AuthError(.invalidRequest)) {
            try await administration.update(bench.directory.id, settings: settings, at: bench.now)
        }
        #expect(error?.field == "directory.codeAttempts")
        await #expect(throws: AuthError(.invalidRequest)) {
            try await administration.create(name: "wild", settings: settings, at: bench.now)
        }
        #expect(try await administration.get(named: bench.directory.name).settings == bench.directory.settings)

        let stored = settings
        try await bench.ports.store.write { tx in
            var directory = bench.directory
            directory.settings = stored
            try tx.update(directory)
        }
        settings.siteURL = "https://app.example.com"
        let updated = try await administration.update(bench.directory.id, settings: settings, at: bench.now)
        #expect(updated.settings == settings)
    }

    @Test("A text that can't be a name is none, without asking the store")
    func strangeNames() async throws {
        let bench = try await Bench.make()
        let store = FailingStore(bench.ports.store)
        store.isDown = true
        let catalog = DirectoryCatalog(store: store)
        for name in ["../default", "DEFAULT", "", String(repeating: "a", count: 10_000)] {
            #expect(try await catalog.directory(named: name, at: bench.now) == nil)
        }
    }

    @Test("A deleted Directory takes its users and keys with it")
    func delete() async throws {
        let bench = try await Bench.make()
        let administration = DirectoryAdministration(bench.ports)
        let other = try await administration.create(name: "other", at: bench.now)
        try await administration.delete(other.id)
        #expect(try await bench.ports.store.read { try $0.signingKeys(in: other.id) }.isEmpty)
        await #expect(throws: AuthError(.notFound)) { try await administration.delete(other.id) }
        await #expect(throws: AuthError(.notFound)) { try await administration.get(named: "other") }
    }
}

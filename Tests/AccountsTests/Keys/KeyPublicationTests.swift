// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import JOSE
import Testing

@testable import Accounts

/// Two servers over one store, each with its own copies of the keys and its own clock, a minute from the other's.
@Suite("Keys that several servers sign by")
struct KeyPublicationTests {
    enum Change: CaseIterable, CustomTestStringConvertible {
        /// At once, to a standby key that was made a moment ago.
        case fresh
        /// At once, where none stands by.
        case withoutStandby
        /// To an algorithm that the Directory has not signed by.
        case algorithm

        var testDescription: String { "\(self)" }
    }

    private struct Server {
        let ring: KeyRing
        let ahead: TimeSpan
        let directory: Directory
        let start: Instant

        func clock(_ second: Int64) -> Instant { start + ahead + .seconds(second) }

        func signer(_ second: Int64) async throws -> String? {
            try await ring.signingKey(.tokens, of: directory, at: clock(second)).keyID
        }

        func published(_ second: Int64) async throws -> Set<String?> {
            Set(try await ring.publishedKeys(of: directory, at: clock(second)).keys.map(\.keyID))
        }

        func rotate(_ second: Int64, algorithm: JWSAlgorithm? = nil, immediately: Bool = true) async throws {
            try await ring.rotate(directory, algorithm: algorithm, immediately: immediately, at: clock(second))
        }
    }

    @Test(
        "A new key is published by both servers before either signs by it, whichever clock is ahead",
        arguments: Change.allCases, [-60, 60])
    func published(change: Change, ahead: Int64) async throws {
        let bench = try await Bench.make()
        let servers = [TimeSpan.seconds(ahead), .zero].map { ahead in
            Server(
                ring: KeyRing(store: bench.ports.store, random: bench.ports.random), ahead: ahead,
                directory: bench.directory, start: bench.now + .hours(1))
        }
        let (one, other) = (servers[0], servers[1])
        if change == .withoutStandby {
            try await bench.ports.store.write { tx in
                for key in try tx.signingKeys(in: bench.directory.id) where key.state == .standby {
                    _ = try tx.deleteSigningKey(key.id, in: bench.directory.id)
                }
            }
        }
        let before = try await (one.signer(-1), other.signer(-1))
        for second in 0...600 as ClosedRange<Int64> {
            // Both have read the keys a moment before.
            if second == 0, change == .fresh { try await one.rotate(second) }
            if second == 1 { try await one.rotate(second, algorithm: change == .algorithm ? .rs256 : nil) }
            let sets = try await (one.published(second), other.published(second))
            for signer in try await [one.signer(second), other.signer(second)] {
                #expect(sets.0.contains(signer) && sets.1.contains(signer), "\(second): \(signer ?? "none")")
            }
        }
        let after = try await (one.signer(600), other.signer(600))
        #expect(after.0 == after.1 && after.0 != before.0 && after.0 != before.1)
    }

    @Test("The first key of a purpose is known to a server that has read the Directory's keys a moment before")
    func first() async throws {
        let bench = try await Bench.make()
        let other = KeyRing(store: bench.ports.store, random: bench.ports.random)
        let (directory, now) = (bench.directory, bench.now)
        #expect(try await other.verificationKeys(of: directory, purpose: .compatibility, at: now).isEmpty)
        let key = try await bench.ring.signingKey(.compatibility, of: directory, at: now)
        let token = try JWS.sign(KeyRingTests.claims, with: key)
        let keys = try await other.edition(of: directory, purpose: .compatibility, at: now).verificationKeys
        #expect(KeyRingTests().verifies(token, keys))
        let set = try await other.publishedKeys(of: directory, purpose: .compatibility, at: now)
        #expect(set.keys.contains { $0.keyID == key.keyID })
    }

    @Test(
        "The key of API keys takes over at once: what an operator prints by it next is good without the one that leaked"
    )
    func apiKeys() async throws {
        let bench = try await Bench.make()
        let (ring, directory, now) = (bench.ring, bench.directory, bench.now + .hours(1))
        let before = try await ring.signingKey(.apiKeys, of: directory, at: now).keyID
        try await ring.rotate(directory, purpose: .apiKeys, immediately: true, at: now)
        #expect(try await ring.signingKey(.apiKeys, of: directory, at: now).keyID != before)
    }

    @Test("Where the key before it was taken away, one that was to wait signs at once")
    func alone() async throws {
        let bench = try await Bench.make()
        let (ring, directory, now) = (bench.ring, bench.directory, bench.now + .hours(1))
        try await ring.rotate(directory, immediately: true, at: now)
        let leaked = try #require(try await ring.signingKey(.tokens, of: directory, at: now).keyID)
        guard case .rotated(let next, _, _) = try await ring.rotate(directory, immediately: true, at: now + .seconds(1))
        else { throw AuthError(.internalFailure) }
        let later = now + .seconds(2)
        #expect(try await ring.signingKey(.tokens, of: directory, at: later).keyID == leaked)
        try await ring.remove(SigningKeyID(leaked), of: directory, at: later)
        for old in try await ring.list(directory) where old.state == .retiring {
            try await ring.remove(old.id, of: directory, at: later)
        }
        #expect(try await ring.signingKey(.tokens, of: directory, at: later).keyID == next.rawValue)
    }

    @Test("A clock that is set back by days goes on signing by the key that took over")
    func clockSetBack() async throws {
        let bench = try await Bench.make()
        let (ring, directory, now) = (bench.ring, bench.directory, bench.now + .days(9))
        guard case .rotated(let next, _, _) = try await ring.rotate(directory, at: now) else {
            throw AuthError(.internalFailure)
        }
        #expect(try await ring.signingKey(.tokens, of: directory, at: now - .days(5)).keyID == next.rawValue)
    }
}

// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import JOSE
import Testing

@testable import Accounts

/// Keys for clients that take RS256 only.
@Suite struct CompatibilityKeyTests {
    @Test("They are made once, by whoever asks first, and published before they sign")
    func lazily() async throws {
        let bench = try await Bench.make()
        let (ring, directory, now) = (bench.ring, bench.directory, bench.now)
        #expect(try await ring.verificationKeys(of: directory, purpose: .compatibility, at: now).isEmpty)
        #expect(try await ring.list(directory).allSatisfy { $0.purpose != .compatibility })
        let published = try await ring.publishedKeys(of: directory, purpose: .compatibility, at: now)
        #expect(published.keys.count == 2 && published.keys.allSatisfy { $0.algorithm == .rs256 && !$0.isSecret })
        let key = try await ring.signingKey(.compatibility, of: directory, at: now)
        #expect(key.algorithm == .rs256)
        #expect(published.keys.contains { $0.keyID == key.keyID })
        let token = try JWS.sign(KeyRingTests.claims, with: key)
        let verifiers = try await ring.verificationKeys(of: directory, purpose: .compatibility, at: now)
        #expect(KeyRingTests().verifies(token, verifiers))
        // Each purpose has its own set.
        let tokens = try await ring.publishedKeys(of: directory, at: now)
        #expect(tokens.keys.allSatisfy { $0.algorithm == .es256 })
        #expect(try await ring.signingKey(.tokens, of: directory, at: now).algorithm == .es256)
        let states = try await ring.list(directory).filter { $0.purpose == .compatibility }.map(\.state)
        #expect(Set(states) == [.active, .standby] && states.count == 2)
    }

    @Test("R8.19 RSA keys have the size that the Directory asks for; two rotations replace those of another size")
    func sizes() async throws {
        var settings = DirectorySettings()
        settings.rsaKeyBits = .bits3072
        let bench = try await Bench.make(settings: settings)
        var (directory, now) = (bench.directory, bench.now)
        func sizes() async throws -> Set<Int> {
            let set = try await bench.ring.publishedKeys(of: directory, purpose: .compatibility, at: now)
            return Set(
                set.keys.compactMap { $0.publicObject?["n"]?.stringValue.flatMap { Base64URL.decode($0) } }
                    .map { $0.count * 8 })
        }
        #expect(try await sizes() == [3072])
        directory.settings.rsaKeyBits = .bits2048
        for _ in 0..<2 {
            try await bench.ring.rotate(directory, purpose: .compatibility, immediately: true, at: now)
        }
        let key = try await bench.ring.signingKey(.compatibility, of: directory, at: now)
        #expect(try key.signature(for: Array("a".utf8)).count == 256)
        now = now + .days(2)
        #expect(try await sizes() == [2048])
    }

    @Test("Many callers at once and a second process make one pair")
    func race() async throws {
        let bench = try await Bench.make()
        let other = KeyRing(store: bench.ports.store, random: bench.ports.random)
        let (directory, now) = (bench.directory, bench.now)
        let ids = try await withThrowingTaskGroup(of: String?.self) { group in
            for index in 0..<24 {
                let ring = index.isMultiple(of: 2) ? bench.ring : other
                group.addTask { try await ring.signingKey(.compatibility, of: directory, at: now).keyID }
            }
            return try await group.reduce(into: Set<String?>()) { $0.insert($1) }
        }
        #expect(ids.count == 1)
        #expect(try await bench.ring.list(directory).filter { $0.purpose == .compatibility }.count == 2)
    }

    @Test("They rotate as others do, and stay published for as long as a client's tokens may live")
    func rotates() async throws {
        let bench = try await Bench.make()
        let (ring, directory, now) = (bench.ring, bench.directory, bench.now)
        let first = try await ring.signingKey(.compatibility, of: directory, at: now)
        let outcome = try await ring.rotate(directory, purpose: .compatibility, immediately: true, at: now)
        guard case .rotated(_, let old, let retiresAt?) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(old.map(\.rawValue) == [first.keyID])
        #expect(retiresAt >= now + .days(1))
        #expect(try await ring.signingKey(.compatibility, of: directory, at: now).keyID != first.keyID)
        #expect(try await ring.publishedKeys(of: directory, purpose: .compatibility, at: now).keys.count == 3)
    }

    @Test("A shared secret that is imported leaves them alone")
    func imports() async throws {
        let bench = try await Bench.make()
        let first = try await bench.ring.signingKey(.compatibility, of: bench.directory, at: bench.now)
        try await bench.adopt(secret: Secret(Bench.sharedSecret), at: bench.now)
        let after = try await bench.ring.signingKey(.compatibility, of: bench.directory, at: bench.now)
        #expect(after.keyID == first.keyID && after.algorithm == .rs256)
    }
}

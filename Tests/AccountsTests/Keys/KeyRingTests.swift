// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import JOSE
import Testing

@testable import Accounts

@Suite("KeyRing")
struct KeyRingTests {
    static let claims: JSONObject = ["sub": "somebody"]

    func verifies(_ token: String, _ keys: [VerificationKey]) -> Bool {
        guard let parsed = try? ParsedJWS(parsing: token.utf8) else { return false }
        return keys.contains { (try? parsed.verify(with: $0)) != nil }
    }

    @Test("A token signed before a rotation is good until it expires, and not after its key has left")
    func overlap() async throws {
        let bench = try await Bench.make()
        let ring = bench.ring
        let token = try JWS.sign(Self.claims, with: await ring.signingKey(.tokens, of: bench.directory, at: bench.now))
        let outcome = try await ring.rotate(bench.directory, at: bench.now)
        guard case .rotated(let active, let old, let retiresAt?) = outcome else {
            Issue.record("not rotated: \(outcome)")
            return
        }
        let signer = try await ring.signingKey(.tokens, of: bench.directory, at: bench.now)
        #expect(signer.keyID == active.rawValue)
        #expect(old.count == 1)
        let last = bench.now + .hours(1)
        #expect(verifies(token, try await ring.verificationKeys(of: bench.directory, purpose: .tokens, at: last)))
        #expect(
            !verifies(token, try await ring.verificationKeys(of: bench.directory, purpose: .tokens, at: retiresAt)))
        #expect(try await ring.publishedKeys(of: bench.directory, at: retiresAt).keys.count == 2)
    }

    @Test("The next signing key is published before it signs")
    func standbyIsPublished() async throws {
        let bench = try await Bench.make()
        let before = try await bench.ring.publishedKeys(of: bench.directory, at: bench.now)
        guard case .rotated(let active, _, _) = try await bench.ring.rotate(bench.directory, at: bench.now) else {
            Issue.record("not rotated")
            return
        }
        #expect(before.keys.contains { $0.keyID == active.rawValue })
    }

    @Test("The published set holds no private part, no shared secret and no API-key key")
    func publishedIsPublic() async throws {
        let bench = try await Bench.make()
        try await bench.ring.rotate(bench.directory, purpose: .tokens, algorithm: .hs256, at: bench.now)
        let set = try await bench.ring.publishedKeys(of: bench.directory, at: bench.now)
        #expect(!set.keys.isEmpty)
        #expect(set.keys.allSatisfy { !$0.isSecret })
        let text = set.publicObject.text
        for member in ["\"d\"", "\"k\"", "\"p\"", "\"q\""] { #expect(!text.contains(member)) }
    }

    @Test("A rotation by another process is noticed within five seconds")
    func otherProcess() async throws {
        let bench = try await Bench.make()
        let before = try await bench.ring.signingKey(.tokens, of: bench.directory, at: bench.now).keyID
        let other = KeyRing(store: bench.ports.store, random: bench.ports.random)
        try await other.rotate(bench.directory, at: bench.now)
        let after = try await bench.ring.signingKey(
            .tokens, of: bench.directory, at: bench.now + KeyRing.refreshInterval
        ).keyID
        #expect(after != before)
    }

    @Test("C-9 With the store down the ring signs and verifies on; a cold one answers 'unavailable'")
    func storeDown() async throws {
        let bench = try await Bench.make()
        let store = FailingStore(bench.ports.store)
        let warm = KeyRing(store: store, random: bench.ports.random)
        let key = try await warm.signingKey(.tokens, of: bench.directory, at: bench.now).keyID
        store.isDown = true
        let later = bench.now + .minutes(10)
        #expect(try await warm.signingKey(.tokens, of: bench.directory, at: later).keyID == key)
        let cold = KeyRing(store: store, random: bench.ports.random)
        await #expect(throws: AuthError(.unavailable)) {
            try await cold.signingKey(.tokens, of: bench.directory, at: later)
        }
        store.isDown = false
        #expect(try await cold.signingKey(.tokens, of: bench.directory, at: later).keyID == key)
    }

    @Test("A Directory's keys verify nothing of another Directory")
    func isolation() async throws {
        let bench = try await Bench.make()
        let other = try await DirectoryAdministration(bench.ports).create(name: "other", at: bench.now)
        let token = try JWS.sign(Self.claims, with: await bench.ring.signingKey(.tokens, of: other, at: bench.now))
        let keys = try await bench.ring.verificationKeys(of: bench.directory, purpose: .tokens, at: bench.now)
        #expect(!verifies(token, keys))
        let own = try await bench.ring.verificationKeys(of: other, purpose: .tokens, at: bench.now)
        #expect(verifies(token, own))
    }

    @Test("The active key cannot be removed, a retired one can")
    func removal() async throws {
        let bench = try await Bench.make()
        guard case .rotated(let active, let old, _) = try await bench.ring.rotate(bench.directory, at: bench.now),
            let retired = old.first
        else {
            Issue.record("not rotated")
            return
        }
        await #expect(throws: AuthError(.conflict)) {
            try await bench.ring.remove(active, of: bench.directory, at: bench.now)
        }
        try await bench.ring.remove(retired, of: bench.directory, at: bench.now)
        #expect(try await !bench.ring.list(bench.directory).contains { $0.id == retired })
        await #expect(throws: AuthError(.notFound)) {
            try await bench.ring.remove(retired, of: bench.directory, at: bench.now)
        }
    }

    @Test("Every change of keys is in the audit log, and no key is")
    func audit() async throws {
        let bench = try await Bench.make()
        try await bench.ring.rotate(bench.directory, at: bench.now)
        try await bench.adopt(secret: Secret(Bench.sharedSecret), at: bench.now)
        let directory = bench.directory.id
        let events = try await bench.ports.store.scan(in: nil) {
            try $0.auditEvents(in: directory, actions: [.keyChanged], user: nil, offset: 0, limit: 10)
        }
        #expect(events.count == 3)
        #expect(
            events.allSatisfy { !$0.details.text.contains(Bench.sharedSecret) && !$0.details.text.contains("\"d\"") })
    }
}

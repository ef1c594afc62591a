// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension StoreConformance {
    static let keys: [ConformanceCase] = [
        ConformanceCase("a signing key keeps every field, in every state and purpose") { world in
            var wanted: [SigningKeyRecord] = []
            for purpose in SigningKeyRecord.Purpose.allCases {
                for state in SigningKeyRecord.State.allCases {
                    var key = Sample.signingKey("\(purpose) \(state)", in: world.home)
                    key.purpose = purpose
                    key.state = state
                    key.createdAt = Sample.at(Int64(-wanted.count))
                    if state == .standby {
                        key.activatedAt = nil
                        key.retiresAt = nil
                    }
                    wanted.append(key)
                }
            }
            try await world.write { [wanted] tx in
                for key in wanted.reversed() { try tx.insert(key) }
            }
            let found = try await world.read { try $0.signingKeys(in: world.home) }
            try expectSame(found, wanted, "the newest first")
            try expectEqual(found.map { $0.privateJWK.reveal() }, wanted.map { $0.privateJWK.reveal() }, "private keys")
            try expect(try await world.read { try $0.signingKeys(in: world.other).isEmpty }, "elsewhere")
        },
        ConformanceCase("a signing key's update writes its state and dates, in its Directory only") { world in
            let key = Sample.signingKey("kid", in: world.home)
            // Two Directories may import one and the same key.
            let twin = Sample.signingKey("kid", in: world.other)
            try await world.write { tx in
                try tx.insert(key)
                try tx.insert(twin)
            }
            var changed = key
            changed.state = .active
            changed.activatedAt = Sample.at(20)
            changed.retiresAt = nil
            try await world.write { [changed] in try $0.update(changed) }
            try expectSame(try await world.read { try $0.signingKeys(in: world.home) }, [changed], "changed")
            try expectSame(try await world.read { try $0.signingKeys(in: world.other) }, [twin], "twin")
            try expect(try await world.write { try $0.deleteSigningKey(key.id, in: world.home) }, "was there")
            try expect(try await world.write { try !$0.deleteSigningKey(key.id, in: world.home) }, "is gone")
            try expectSame(try await world.read { try $0.signingKeys(in: world.other) }, [twin], "twin after")
            try await expectStale("a key that is gone") { [changed] in
                try await world.write { try $0.update(changed) }
            }
        },
        ConformanceCase("C-6 an API key keeps every field and is found by its hash") { world in
            let full = Sample.apiKey("full", in: world.home)
            var bare = Sample.apiKey("bare", in: world.home)
            bare.kind = .publishable
            bare.scopes = []
            bare.createdAt = Sample.at(9)
            bare.expiresAt = nil
            bare.lastUsedAt = nil
            bare.revokedAt = Sample.at(10)
            try await world.write { [bare] tx in
                try tx.insert(full)
                try tx.insert(bare)
            }
            try expectSame(
                try await world.read { try $0.apiKeys(in: world.home) }, [bare, full],
                "the newest first, the revoked too")
            for wanted in [full, bare] {
                try expectSame(try await world.read { try $0.apiKey(hash: wanted.hash) }, wanted, "by hash")
            }
            try expect(try await world.read { try $0.apiKey(hash: Sample.hash("none")) } == nil, "another hash")
            try expect(try await world.read { try $0.apiKey(hash: []) } == nil, "no hash")
            try expect(try await world.read { try $0.apiKeys(in: world.other).isEmpty }, "elsewhere")
        },
        ConformanceCase("C-6 one secret is one API key, whichever Directory") { world in
            let key = Sample.apiKey("one", in: world.home)
            var twin = Sample.apiKey("two", in: world.other)
            twin.hash = key.hash
            try await world.write { try $0.insert(key) }
            do {
                try await world.write { [twin] in try $0.insert(twin) }
                try expect(false, "one hash names two keys")
            } catch StoreConflict.duplicate {}
            try expectSame(try await world.read { try $0.apiKey(hash: key.hash) }, key, "by hash")
        },
        ConformanceCase("C-6 an API key is revoked once, in its Directory only") { world in
            let key = Sample.apiKey("one", in: world.home)
            let other = Sample.apiKey("two", in: world.home)
            try await world.write { tx in
                try tx.insert(key)
                try tx.insert(other)
            }
            @Sendable func revoke(in directory: DirectoryID, at now: Instant) async throws -> Bool {
                try await world.write { try $0.revokeAPIKey(key.id, in: directory, at: now) }
            }
            try expect(try await !revoke(in: world.other, at: Sample.at(7)), "revoked elsewhere")
            let revoked = try await race(50) { _ in try await revoke(in: world.home, at: Sample.at(8)) }
            try expectEqual(revoked.count { $0 }, 1, "revocations")
            try expect(try await !revoke(in: world.home, at: Sample.at(9)), "revoked again")
            var expected = key
            expected.revokedAt = Sample.at(8)
            try expectSame(try await world.read { try $0.apiKey(hash: key.hash) }, expected, "revoked")
            try expectSame(try await world.read { try $0.apiKey(hash: other.hash) }, other, "the other key")
        },
        ConformanceCase("R10.5 a service account's key keeps every field and is found by account while it is good") {
            world in
            let first = Sample.serviceAccountKey("first", in: world.home)
            var second = Sample.serviceAccountKey("second", in: world.home)
            second.createdAt = Sample.at(9)
            second.scopes = []
            let stranger = Sample.serviceAccountKey("stranger", of: "other", in: world.home)
            try await world.write { [second] tx in
                for key in [first, second, stranger] { try tx.insert(key) }
            }
            @Sendable func ofBackend(_ directory: DirectoryID) async throws -> [ServiceAccountKey] {
                try await world.read { try $0.serviceAccountKeys(of: "backend", in: directory) }
            }
            try expectSame(try await ofBackend(world.home), [second, first], "the newest first")
            try expect(try await ofBackend(world.other).isEmpty, "elsewhere")
            @Sendable func revoke(in directory: DirectoryID, at now: Instant) async throws -> Bool {
                try await world.write { try $0.revokeServiceAccountKey(first.id, in: directory, at: now) }
            }
            try expect(try await !revoke(in: world.other, at: Sample.at(10)), "revoked elsewhere")
            let revoked = try await race(50) { _ in try await revoke(in: world.home, at: Sample.at(11)) }
            try expectEqual(revoked.count { $0 }, 1, "revocations")
            var ended = first
            ended.revokedAt = Sample.at(11)
            try expectSame(
                try await world.read { try $0.serviceAccountKey(first.id, in: world.home) }, ended, "revoked")
            try expect(
                try await world.read { try $0.serviceAccountKey(first.id, in: world.other) } == nil, "found elsewhere")
            try expectSame(try await ofBackend(world.home), [second], "those that are good")
            try expectEqual(
                try await world.read { try $0.serviceAccountKeys(in: world.home).map(\.id.rawValue) },
                ["second", "stranger", "first"], "all of them")
        },
        ConformanceCase("an API key's last use is noted, in its Directory only") { world in
            let key = Sample.apiKey("one", in: world.home)
            try await world.write { tx in
                try tx.insert(key)
                try tx.touchAPIKey(key.id, in: world.other, at: Sample.at(30))
            }
            try expectSame(try await world.read { try $0.apiKey(hash: key.hash) }, key, "touched elsewhere")
            try await world.write { try $0.touchAPIKey(key.id, in: world.home, at: Sample.at(31)) }
            var expected = key
            expected.lastUsedAt = Sample.at(31)
            try expectSame(try await world.read { try $0.apiKey(hash: key.hash) }, expected, "touched")
        },
    ]
}

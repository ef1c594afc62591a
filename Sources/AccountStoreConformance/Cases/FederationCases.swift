// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension StoreConformance {
    static let identityProviders: [ConformanceCase] = [
        ConformanceCase("an identity provider keeps every field and is found by its exact name") { world in
            let full = Sample.identityProvider("custom:acme", in: world.home)
            let bare = IdentityProvider(
                id: IdentityProviderID("bare"), directoryID: world.home, name: "apple", kind: .apple,
                createdAt: Sample.at(3), updatedAt: Sample.at(4))
            let elsewhere = Sample.identityProvider("google", in: world.other)
            try await world.write { tx in
                for provider in [full, bare, elsewhere] { try tx.insert(provider) }
            }
            let found = try await world.read { try $0.identityProviders(in: world.home) }
            try expectEqual(found.map(\.name), ["apple", "custom:acme"], "in order")
            for (name, directory, wanted) in [
                ("apple", world.home, bare), ("custom:acme", world.home, full), ("google", world.other, elsewhere),
            ] {
                let found = try await world.read { try $0.identityProvider(named: name, in: directory) }
                try expectSame(found, wanted, name)
                try expectEqual(found?.secret?.reveal(), wanted.secret?.reveal(), "secret of \(name)")
            }
            for (name, directory) in [("google", world.home), ("Apple", world.home), ("", world.home)] {
                let found = try await world.read { try $0.identityProvider(named: name, in: directory) }
                try expect(found == nil, "\(name) is not there")
            }
        },
        ConformanceCase("an identity provider's name is given once in a Directory") { world in
            let provider = Sample.identityProvider("google", in: world.home)
            try await world.write { try $0.insert(provider) }
            var other = provider
            other.id = IdentityProviderID("another")
            try await expectConflict(.duplicate("identity_provider.name"), "insert") { [other] in
                try await world.write { try $0.insert(other) }
            }
            try await world.write { try $0.insert(Sample.identityProvider("google", in: world.other)) }
        },
        ConformanceCase("an identity provider is changed by whoever read its last version, and deleted by name") {
            world in
            let provider = Sample.identityProvider("google", in: world.home)
            try await world.write { try $0.insert(provider) }
            var changed = provider
            changed.secret = nil
            changed.clientIDs = []
            changed.isEnabled = true
            changed.issuer = nil
            changed.attributeMapping = [:]
            changed.updatedAt = Sample.at(20)
            var foreign = changed
            foreign.directoryID = world.other
            try await expectStale("elsewhere") { [foreign] in try await world.write { try $0.update(foreign) } }
            try await world.write { [changed] in try $0.update(changed) }
            try await expectStale("twice") { [changed] in try await world.write { try $0.update(changed) } }
            changed.version += 1
            try expectSame(
                try await world.read { try $0.identityProvider(named: "google", in: world.home) }, changed, "changed")
            try expect(
                try await world.write { try !$0.deleteIdentityProvider(named: "google", in: world.other) }, "elsewhere")
            try expect(
                try await world.write { try $0.deleteIdentityProvider(named: "google", in: world.home) }, "was there")
            try expect(
                try await world.write { try !$0.deleteIdentityProvider(named: "google", in: world.home) }, "is gone")
        },
        ConformanceCase("whether anybody is known by a provider is said of each Directory") { world in
            let user = try await world.addUser("zoe")
            try await world.write { try $0.insert(Sample.identity("one", of: user, provider: "google")) }
            for (name, directory, wanted) in [
                ("google", world.home, true), ("google", world.other, false), ("goog", world.home, false),
            ] {
                try expectEqual(
                    try await world.read { try $0.hasIdentities(of: name, in: directory) }, wanted, name)
            }
        },
    ]

    static let federations: [ConformanceCase] = [
        ConformanceCase("what a browser is sent to a provider with keeps every field, and is found by its state") {
            world in
            let full = Sample.pendingFederation("one", in: world.home)
            var bare = Sample.pendingFederation("two", in: world.home)
            (bare.issuer, bare.linksTo, bare.session, bare.usedAt, bare.continuation) = (nil, nil, nil, nil, [:])
            try await world.write { [bare] tx in
                for pending in [full, bare] { try tx.insert(pending) }
            }
            for wanted in [full, bare] {
                let found = try await world.read { try $0.pendingFederation(stateHash: wanted.stateHash) }
                try expectSame(found, wanted, wanted.id.rawValue)
                try expectEqual(found?.verifier.reveal(), wanted.verifier.reveal(), "verifier")
            }
            let none = try await world.read { try $0.pendingFederation(stateHash: Sample.hash("none")) }
            try expect(none == nil, "none")
        },
        ConformanceCase("an answer from a provider is taken once, also of two at once") { world in
            var pending = Sample.pendingFederation("one", in: world.home)
            pending.usedAt = nil
            try await world.write { [pending] in try $0.insert(pending) }
            let winners = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<20 {
                    group.addTask { [pending] in try await world.write { try $0.use(pending.id, at: Sample.at(9)) } }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            try expectEqual(winners, 1, "winners")
            let found = try await world.read { [pending] in try $0.pendingFederation(stateHash: pending.stateHash) }
            try expectEqual(found?.usedAt, Sample.at(9), "when")
        },
        ConformanceCase("what browsers were sent away with is deleted once it has expired, a few at a time") { world in
            try await world.write { tx in
                for (index, seconds) in [1, 2, 3, 4].enumerated() {
                    var pending = Sample.pendingFederation("n\(index)", in: world.home)
                    pending.expiresAt = Sample.at(Int64(seconds))
                    try tx.insert(pending)
                }
            }
            for (limit, wanted) in [(1, 1), (5, 1), (5, 0)] {
                let count = try await world.write { try $0.purgeFederations(expiredBefore: Sample.at(3), limit: limit) }
                try expectEqual(count, wanted, "limit \(limit)")
            }
            let last = try await world.read { try $0.pendingFederation(stateHash: Sample.hash("state n2")) }
            try expect(last != nil, "one that expires at that moment stays")
        },
        ConformanceCase("a provider's grant is kept once an identity, and goes with it") { world in
            let user = try await world.addUser("zoe")
            let identity = Sample.identity("one", of: user, provider: "apple")
            try await world.write { tx in
                try tx.insert(identity)
                try tx.put(Sample.grant(of: identity.id, in: world.home, "first"))
                try tx.put(Sample.grant(of: identity.id, in: world.home, "second"))
            }
            let grant = try await world.read { try $0.upstreamGrant(of: identity.id, in: world.home) }
            try expectSame(grant, Sample.grant(of: identity.id, in: world.home, "second"), "the last")
            try expectEqual(grant?.refreshToken.reveal(), "second", "token")
            let foreign = try await world.read { try $0.upstreamGrant(of: identity.id, in: world.other) }
            try expect(foreign == nil, "another Directory's")
            try expect(
                try await world.write { try !$0.deleteUpstreamGrant(of: identity.id, in: world.other) }, "elsewhere")
            let found = try await world.read { try $0.identity(identity.id, in: world.home) }
            try expectEqual(found?.subject, identity.subject, "the identity by its identifier")
            try expect(try await world.read { try $0.identity(identity.id, in: world.other) == nil }, "elsewhere")
            try await world.write { _ = try $0.deleteIdentity(identity.id, in: world.home) }
            let left = try await world.read { try $0.upstreamGrant(of: identity.id, in: world.home) }
            try expect(left == nil, "gone with its identity")
        },
        ConformanceCase("that an identity has ended is kept by the last note, and purged a few at a time") { world in
            for (name, seconds) in [("one", 5), ("one", 3), ("two", 4), ("three", 9), ("one", 6)] {
                try await world.write {
                    try $0.noteIdentityEnd(Sample.hash(name), in: world.home, at: Sample.at(Int64(seconds)))
                }
            }
            func end(_ name: String, in directory: DirectoryID) async throws -> Instant? {
                try await world.read { try $0.identityEnd(Sample.hash(name), in: directory) }
            }
            try expectEqual(try await end("one", in: world.home), Sample.at(6), "the last note")
            try expect(try await end("one", in: world.other) == nil, "elsewhere")
            try expect(try await end("none", in: world.home) == nil, "never")
            for (limit, wanted) in [(1, 1), (5, 1), (5, 0)] {
                let count = try await world.write { try $0.purgeIdentityEnds(before: Sample.at(9), limit: limit) }
                try expectEqual(count, wanted, "limit \(limit)")
            }
            try expectEqual(try await end("three", in: world.home), Sample.at(9), "one of that moment stays")
        },
        ConformanceCase("grants that are to be asked about are found by when, and others never") { world in
            let user = try await world.addUser("zoe")
            let dues: [(String, Instant?)] = [
                ("late", Sample.at(9)), ("second", Sample.at(3)), ("never", nil), ("first", Sample.at(2)),
            ]
            for (name, due) in dues {
                let identity = Sample.identity(name, of: user, provider: "provider of " + name)
                var grant = Sample.grant(of: identity.id, in: world.home, name)
                (grant.dueAt, grant.failures) = (due, 4)
                try await world.write { [grant] tx in
                    try tx.insert(identity)
                    try tx.put(grant)
                }
            }
            for (limit, wanted) in [(9, ["first", "second"]), (1, ["first"])] {
                let found = try await world.read { try $0.upstreamGrants(dueAt: Sample.at(3), limit: limit) }
                try expectEqual(found.map { $0.refreshToken.reveal() }, wanted, "limit \(limit)")
                try expect(found.allSatisfy { $0.failures == 4 && $0.directoryID == world.home }, "whole")
            }
        },
    ]
}

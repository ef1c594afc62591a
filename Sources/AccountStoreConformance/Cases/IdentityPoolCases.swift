// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension StoreConformance {
    static let identityPools: [ConformanceCase] = [
        ConformanceCase("an identity pool keeps every field, and is found by its identifier alone") { world in
            let full = Sample.identityPool("b", in: world.home)
            let bare = IdentityPool(
                id: IdentityPoolID("a"), directoryID: world.home, name: "", createdAt: Sample.at(3),
                updatedAt: Sample.at(4))
            let elsewhere = Sample.identityPool("c", in: world.other)
            try await world.write { tx in
                for pool in [full, bare, elsewhere] { try tx.insert(pool) }
            }
            for wanted in [full, bare, elsewhere] {
                try expectEqual(
                    try await world.read { try $0.identityPool(wanted.id) }, Optional(wanted), wanted.name)
            }
            for (after, limit, wanted) in [(nil, 9, [bare, full]), (bare.id, 9, [full]), (nil, 1, [bare])]
                as [(IdentityPoolID?, Int, [IdentityPool])]
            {
                let found = try await world.read { try $0.identityPools(in: world.home, after: after, limit: limit) }
                try expectEqual(found, wanted, "page")
            }
        },
        ConformanceCase("an identity pool is changed by whoever read its last version, and goes with its identities") {
            world in
            let pool = Sample.identityPool("a", in: world.home)
            let identity = Sample.poolIdentity("one", of: pool)
            let login = PoolLogin(.upstream("google"), issuer: "https://g.example", subject: "1")
            try await world.write { tx in
                try tx.insert(pool)
                try tx.insert(identity)
                try tx.insert(login, of: identity, at: Sample.at(5))
            }
            var changed = pool
            (changed.name, changed.roleMappings, changed.allowsClassicFlow) = ("renamed", [:], nil)
            try await world.write { [changed] in try $0.update(changed) }
            try await expectStale("twice") { [changed] in try await world.write { try $0.update(changed) } }
            changed.version += 1
            try expectEqual(try await world.read { try $0.identityPool(pool.id) }, Optional(changed), "changed")
            try expect(try await world.write { try !$0.deleteIdentityPool(pool.id, in: world.other) }, "elsewhere")
            try expect(try await world.write { try $0.deleteIdentityPool(pool.id, in: world.home) }, "was there")
            let left = try await world.read { tx in
                (try tx.poolIdentity(identity.id), try tx.identity(of: login, in: pool.id))
            }
            try expect(left.0 == nil && left.1 == nil, "its identities are gone")
        },
        ConformanceCase("an identity keeps every field and is listed in its pool, merged ones where they are asked for")
        {
            world in
            let pool = Sample.identityPool("a", in: world.home)
            let other = Sample.identityPool("b", in: world.home)
            var merged = Sample.poolIdentity("one", of: pool)
            merged.mergedInto = PoolIdentityID("two")
            let second = Sample.poolIdentity("two", of: pool)
            let foreign = Sample.poolIdentity("three", of: other)
            try await world.write { [merged] tx in
                for pool in [pool, other] { try tx.insert(pool) }
                for identity in [merged, second, foreign] { try tx.insert(identity) }
            }
            for wanted in [merged, second, foreign] {
                try expectSame(try await world.read { try $0.poolIdentity(wanted.id) }, wanted, wanted.id.rawValue)
            }
            for (after, withMerged, limit, wanted) in [
                (nil, true, 9, ["one", "two"]), (nil, false, 9, ["two"]), (nil, true, 1, ["one"]),
                ("one", true, 9, ["two"]),
            ] as [(String?, Bool, Int, [String])] {
                let found = try await world.read {
                    try $0.poolIdentities(
                        in: pool.id, after: after.map { PoolIdentityID($0) }, withMerged: withMerged, limit: limit)
                }
                try expectEqual(found.map(\.id.rawValue), wanted, "list")
            }
            try expect(try await world.write { try !$0.deletePoolIdentity(second.id, in: world.other) }, "elsewhere")
            try expect(try await world.write { try $0.deletePoolIdentity(second.id, in: world.home) }, "was there")
            try await expectStale("gone") { try await world.write { try $0.update(second) } }
        },
        ConformanceCase("a login leads to one identity of a pool, moves with a merger, and is taken away by its owner")
        {
            world in
            let (pool, other) = (Sample.identityPool("a", in: world.home), Sample.identityPool("b", in: world.home))
            let (one, two) = (Sample.poolIdentity("one", of: pool), Sample.poolIdentity("two", of: pool))
            let there = Sample.poolIdentity("three", of: other)
            let google = PoolLogin(.upstream("google"), issuer: "https://g.example", subject: "1")
            let elsewhere = PoolLogin(.upstream("google"), issuer: "https://h.example", subject: "1")
            let user = PoolLogin(.users(world.home), subject: "zoe")
            let developer = PoolLogin(.developer("login.acme"), subject: "a/b “Σ”")
            try await world.write { tx in
                for pool in [pool, other] { try tx.insert(pool) }
                for identity in [one, two, there] { try tx.insert(identity) }
                try tx.insert(google, of: one, at: Sample.at(1))
                try tx.insert(google, of: there, at: Sample.at(1))
                try tx.insert(user, of: one, at: Sample.at(2))
                try tx.insert(developer, of: one, at: Sample.at(3))
                try tx.insert(elsewhere, of: two, at: Sample.at(4))
            }
            try await expectConflict(.duplicate("pool_login.subject"), "a second owner") {
                try await world.write { try $0.insert(google, of: two, at: Sample.at(9)) }
            }
            try expectEqual(
                try await world.read { try $0.logins(of: one.id) }, [google, user, developer], "in order")
            for (login, pool, wanted) in [
                (google, pool, one.id), (google, other, there.id), (elsewhere, pool, two.id), (elsewhere, other, nil),
                (developer, pool, one.id),
            ] as [(PoolLogin, IdentityPool, PoolIdentityID?)] {
                let found = try await world.read { try $0.identity(of: login, in: pool.id) }
                try expectEqual(found?.id, wanted, "\(login)")
            }
            try await world.write { try $0.moveLogins(of: one.id, to: two.id) }
            try expectEqual(try await world.read { try $0.logins(of: one.id) }, [], "moved")
            try expectEqual(try await world.read { try $0.logins(of: two.id) }.count, 4, "moved")
            try expect(try await world.write { try !$0.delete(google, of: one.id) }, "not its own")
            try expect(try await world.write { try $0.delete(google, of: two.id) }, "its own")
            try expect(try await world.read { try $0.identity(of: google, in: pool.id) } == nil, "gone")
        },
    ]
}

// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension StoreConformance {
    static let identities: [ConformanceCase] = [
        ConformanceCase("an identity keeps every field") { world in
            let user = try await world.addUser("ann")
            let full = Sample.identity("full", of: user)
            var bare = Sample.identity("bare", of: user, provider: "phone")
            bare.lastSignInAt = nil
            bare.data = [:]
            bare.createdAt = Sample.at(-1)
            try await world.write { [bare] tx in
                try tx.insert(full)
                try tx.insert(bare)
            }
            let found = try await world.read { try $0.identities(of: user.id, in: world.home) }
            try expectSame(found, [bare, full], "the oldest first")
            let one = try await world.read {
                try $0.identity(provider: "email", subject: "subject of full", in: world.home)
            }
            try expectSame(one, full, "by subject")
        },
        ConformanceCase("a provider's subject is one user of a Directory") { world in
            let ann = try await world.addUser("ann")
            let bob = try await world.addUser("bob")
            let there = try await world.addUser("ann", in: world.other)
            let identity = Sample.identity("one", of: ann)
            try await world.write { try $0.insert(identity) }
            var twin = Sample.identity("two", of: bob)
            twin.subject = identity.subject
            try await expectConflict(.duplicate("identity.subject"), "twin") { [twin] in
                try await world.write { try $0.insert(twin) }
            }
            // The subject alone is nobody: another provider, and another Directory, may have the same.
            twin.provider = "phone"
            var elsewhere = Sample.identity("three", of: there)
            elsewhere.subject = identity.subject
            try await world.write { [twin, elsewhere] tx in
                try tx.insert(twin)
                try tx.insert(elsewhere)
            }
            let found = try await world.read {
                try $0.identity(provider: "email", subject: identity.subject, in: world.other)?.id.rawValue
            }
            try expectEqual(found, "three", "elsewhere")
        },
        ConformanceCase("an identity that follows from its user keeps every field, is found by them, and is one") {
            world in
            let user = try await world.addUser("ann")
            let name: JSONValue = .string(user.id.rawValue)
            let sayings: [JSONObject] = [
                ["sub": name, "email": "a@example.com", "none": .null], ["email": "a@example.com", "sub": name],
                ["sub": "another"], [:],
            ]
            for (provider, subject) in [("email", "ann"), ("phone", "ann"), ("google", "ann"), ("email", "other")] {
                for data in sayings {
                    var identity = Sample.identity("one", of: user, provider: provider)
                    identity.subject = subject
                    identity.data = data
                    try await world.write { [identity] in try $0.insert(identity) }
                    let found = try await world.read { [identity] tx in
                        [
                            try tx.identity(identity.id, in: world.home),
                            try tx.identity(provider: provider, subject: subject, in: world.home),
                        ].compactMap { $0 } + (try tx.identities(of: user.id, in: world.home))
                    }
                    try expectSame(found, [identity, identity, identity], "\(provider) \(subject) \(data)")
                    try expectEqual(found.map(\.data.names), Array(repeating: data.names, count: 3), "their order")
                    var twin = identity
                    twin.id = IdentityID("two")
                    try await expectConflict(.duplicate("identity.subject"), "a second one") { [twin] in
                        try await world.write { try $0.insert(twin) }
                    }
                    // Whatever it said before.
                    for next in sayings {
                        identity.data = next
                        try await world.write { [identity] in try $0.update(identity) }
                        let updated = try await world.read {
                            try $0.identity(provider: provider, subject: subject, in: world.home)
                        }
                        try expectSame(updated, identity, "\(data) and then \(next)")
                    }
                    let gone = try await world.write { try $0.deleteIdentity(IdentityID("one"), in: world.home) }
                    try expect(gone, "was there")
                }
            }
            let there = try await world.read { tx in
                (
                    try tx.identity(provider: "email", subject: "ann", in: world.home),
                    try tx.hasIdentities(of: "google", in: world.home)
                )
            }
            try expect(there.0 == nil && !there.1, "none is left")
        },
        ConformanceCase("an identity is updated and deleted in its own Directory only") { world in
            let user = try await world.addUser("ann")
            var identity = Sample.identity("one", of: user)
            try await world.write { [identity] in try $0.insert(identity) }
            try expect(
                try await world.write { try !$0.deleteIdentity(IdentityID("one"), in: world.other) }, "elsewhere")
            var foreign = identity
            foreign.directoryID = world.other
            try await expectStale("updated elsewhere") { [foreign] in
                try await world.write { try $0.update(foreign) }
            }
            identity.data = ["new": true]
            identity.lastSignInAt = Sample.at(50)
            identity.updatedAt = Sample.at(51)
            try await world.write { [identity] in try $0.update(identity) }
            try expectSame(
                try await world.read { try $0.identities(of: user.id, in: world.home) }, [identity], "updated")
            try expect(
                try await world.read { try $0.identities(of: user.id, in: world.other).isEmpty }, "seen elsewhere")
            try expect(try await world.write { try $0.deleteIdentity(IdentityID("one"), in: world.home) }, "was there")
            try expect(try await world.write { try !$0.deleteIdentity(IdentityID("one"), in: world.home) }, "is gone")
        },
    ]
}

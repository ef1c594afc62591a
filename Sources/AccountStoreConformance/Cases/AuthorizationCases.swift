// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension StoreConformance {
    static let authorizations: [ConformanceCase] = [
        ConformanceCase("a pending authorization keeps every field, and is found by its identifier alone") { world in
            try await world.write { try $0.insert(Sample.client("app", in: world.home)) }
            let full = Sample.pending("full", in: world.home)
            let bare = PendingAuthorization(
                id: PendingAuthorizationID("bare"), directoryID: world.home, clientID: ClientID("app"),
                request: AuthorizationRequest(challenge: nil), parameters: AuthorizationParameters(), browser: nil,
                createdAt: Sample.at(1), expiresAt: Sample.at(2))
            try await world.write { tx in
                try tx.insert(full)
                try tx.insert(bare)
            }
            for wanted in [full, bare] {
                let found = try await world.read { try $0.pendingAuthorization(wanted.id) }
                try expectEqual(found, .some(wanted), "pending")
            }
            try expect(try await world.read { try $0.pendingAuthorization(.init("none")) } == nil, "none")
        },
        ConformanceCase("what a user chose is kept until the request is completed, and nothing after it") { world in
            try await world.write { try $0.insert(Sample.client("app", in: world.home)) }
            var pending = Sample.pending("one", in: world.home)
            pending.completedAt = nil
            let stored = pending
            pending.chosenSession = SessionID("another")
            pending.consentedBy = UserID("another")
            pending.consentedScopes = ["openid"]
            pending.isDenied = false
            let changed = pending
            let kept = try await world.write { tx in
                try tx.insert(stored)
                return try tx.update(changed)
            }
            try expect(kept, "kept")
            let found = try await world.read { try $0.pendingAuthorization(stored.id) }
            try expectEqual(found, .some(changed), "changed")
            let won = try await race(50) { index in
                try await world.write { try $0.complete(stored.id, at: Sample.at(Int64(index))) }
            }
            try expectEqual(won.count { $0 }, 1, "winners")
            try expect(try await world.write { try !$0.update(stored) }, "kept after its completion")
            try expect(try await world.write { try !$0.complete(.init("none"), at: Sample.now) }, "none was completed")
        },
        ConformanceCase("the purge takes expired requests, so many at a time, and a client's go with it") { world in
            try await world.write { tx in
                for name in ["app", "other"] { try tx.insert(Sample.client(name, in: world.home)) }
                for index in 0..<4 {
                    var pending = Sample.pending("\(index)", in: world.home)
                    pending.expiresAt = Sample.at(Int64(index))
                    pending.clientID = ClientID(index == 3 ? "other" : "app")
                    try tx.insert(pending)
                }
            }
            func purge(_ limit: Int) async throws -> Int {
                try await world.write { try $0.purgeAuthorizations(expiredBefore: Sample.at(2), limit: limit) }
            }
            try expectEqual([try await purge(0), try await purge(1), try await purge(9)], [0, 1, 1], "purged")
            func left() async throws -> [Int] {
                try await world.read { tx in
                    try (0..<4).filter { try tx.pendingAuthorization(.init("\($0)")) != nil }
                }
            }
            try expectEqual(try await left(), [2, 3], "left")
            _ = try await world.write { try $0.deleteClient(ClientID("other"), in: world.home) }
            try expectEqual(try await left(), [2], "left without the client")
        },
        ConformanceCase("a consent is kept in place of the one before, and goes with its user and its client") {
            world in
            let user = try await world.addUser("ann")
            let stranger = try await world.addUser("bob")
            try await world.write { tx in
                for name in ["a", "b", "c"] { try tx.insert(Sample.client(name, in: world.home)) }
            }
            @Sendable func consent(_ user: User, _ client: String, _ scopes: [String], at: Int64) -> Consent {
                Consent(
                    directoryID: world.home, userID: user.id, clientID: ClientID(client), scopes: scopes,
                    createdAt: Sample.at(1), updatedAt: Sample.at(at))
            }
            try await world.write { tx in
                for name in ["c", "b", "a"] { try tx.put(consent(user, name, ["openid", "x/\(name)"], at: 1)) }
                try tx.put(consent(stranger, "a", [], at: 1))
                var second = consent(user, "a", ["openid"], at: 2)
                second.createdAt = Sample.at(9)
                try tx.put(second)
            }
            func all(_ user: User) async throws -> [Consent] {
                try await world.read { try $0.consents(of: user.id, in: world.home) }
            }
            let wanted = [
                consent(user, "a", ["openid"], at: 2), consent(user, "b", ["openid", "x/b"], at: 1),
                consent(user, "c", ["openid", "x/c"], at: 1),
            ]
            try expectEqual(try await all(user), wanted, "consents")
            let one = try await world.read { try $0.consent(of: user.id, to: ClientID("b"), in: world.home) }
            try expectEqual(one, .some(wanted[1]), "one")
            try expect(
                try await world.read { try $0.consent(of: user.id, to: ClientID("b"), in: world.other) } == nil,
                "elsewhere")
            func delete(_ client: String) async throws -> Bool {
                try await world.write { try $0.deleteConsent(of: user.id, to: ClientID(client), in: world.home) }
            }
            try expectEqual([try await delete("b"), try await delete("b")], [true, false], "taken back")
            _ = try await world.write { try $0.deleteClient(ClientID("c"), in: world.home) }
            try expectEqual(try await all(user), [wanted[0]], "left")
            try await world.write { try $0.deleteConsents(of: user.id, in: world.home) }
            try expectEqual(try await all(user), [], "of the user")
            try expectEqual(try await all(stranger).count, 1, "another's")
            _ = try await world.write { try $0.deleteUser(stranger.id, in: world.home) }
            try expectEqual(try await all(stranger), [], "of nobody")
        },
        ConformanceCase(
            "R11.2 a session begins anew from the generation it is at, with other times, and not once it has ended"
        ) { world in
            let user = try await world.addUser("ann")
            let session = Sample.session("browser", of: user)
            try await world.write { try $0.insert(session) }
            var next = session
            next.family = RefreshTokenFamily(
                generation: session.family.generation + 1, liveHash: Sample.hash("next"), steps: [])
            (next.createdAt, next.lastActiveAt, next.notAfter) = (Sample.at(60), Sample.at(61), Sample.at(90))
            let generation = session.family.generation
            try await world.write { [next] tx in
                try expect(try !tx.restart(next, from: generation + 1), "from a later one")
                try expect(try tx.restart(next, from: generation), "from its own")
            }
            try expectSame(try await world.read { try $0.session(session.id, in: world.home) }, next, "anew")
            try await world.write { [next] tx in
                _ = try tx.revoke(next.id, in: world.home, because: .signedOut, at: Sample.at(70))
                try expect(try !tx.restart(next, from: next.family.generation), "after its end")
            }
        },
        ConformanceCase("R11.2 a browser's session takes along what clients were given in it, but offline") { world in
            let user = try await world.addUser("ann")
            try await world.write { tx in
                for session in try Self.family("one", of: user) + Self.family("two", of: user) {
                    try tx.insert(session)
                }
            }
            func live(_ parent: String) async throws -> [String] {
                try await world.read { tx in
                    try tx.sessions(under: SessionID(parent), in: world.home).map(\.id.rawValue)
                }
            }
            try expectEqual(try await live("one"), ["one-offline", "one-online"], "before")
            try expect(
                try await world.write {
                    try !$0.revoke(SessionID("one"), in: world.other, because: .banned, at: Sample.now)
                },
                "ended elsewhere")
            try expect(
                try await world.write {
                    try $0.revoke(SessionID("one"), in: world.home, because: .signedOut, at: Sample.at(9))
                },
                "ended")
            try expectEqual(try await live("one"), ["one-offline"], "after")
            try expectEqual(try await live("two"), ["two-offline", "two-online"], "another's")
            let child = try await world.read { try $0.session(SessionID("one-online"), in: world.home) }
            try expectEqual(child?.revocation, .signedOut, "reason")
            try expectEqual(child?.revokedAt, Sample.at(9), "time")
            _ = try await world.write {
                try $0.revoke(SessionID("two-online"), in: world.home, because: .signedOut, at: Sample.now)
            }
            try expect(
                try await world.read { try $0.session(SessionID("two"), in: world.home)?.revokedAt } == nil,
                "a client's session ended the browser's")
        },
        ConformanceCase("R11.2 what is spared stays with its clients' sessions, or with the browser's it was given in")
        {
            world in
            for (spared, left) in [
                ("one", ["one", "one-offline", "one-online"]), ("one-online", ["one", "one-online"]),
                ("one-offline", ["one", "one-offline"]),
            ] {
                let user = try await world.addUser("ann " + spared)
                let name = spared + "."
                try await world.write { tx in
                    for session in try Self.family(name + "one", of: user) + Self.family(name + "two", of: user) {
                        try tx.insert(session)
                    }
                }
                let ended = try await world.write {
                    try $0.revokeSessions(
                        of: user.id, in: world.home, except: SessionID(name + spared), because: .passwordChanged,
                        at: Sample.at(9))
                }
                try expectEqual(ended, 6 - left.count, "ended but \(spared)")
                let found = try await world.read { try $0.sessions(of: user.id, in: world.home).map(\.id.rawValue) }
                try expectEqual(found.sorted(), left.map { name + $0 }, "left with \(spared)")
            }
        },
        ConformanceCase("R11.3 a client's sessions of one user end together, nobody else's with them") { world in
            let user = try await world.addUser("ann")
            let stranger = try await world.addUser("bob")
            try await world.write { tx in
                for session in try Self.family("one", of: user) + Self.family("two", of: stranger) {
                    try tx.insert(session)
                }
                var other = Sample.session("other", of: user)
                other.clientID = ClientID("another")
                try tx.insert(other)
            }
            for wanted in [2, 0] {
                let ended = try await world.write {
                    try $0.revokeSessions(
                        of: user.id, client: ClientID("client"), in: world.home, because: .signedOut, at: Sample.at(9))
                }
                try expectEqual(ended, wanted, "ended")
            }
            let left = try await world.read { try $0.sessions(of: user.id, in: world.home).map(\.id.rawValue) }
            try expectEqual(left.sorted(), ["one", "other"], "left")
            try expectEqual(
                try await world.read { try $0.sessions(of: stranger.id, in: world.home).count }, 3, "another user's")
        },
    ]

    /// A browser's session with two that clients were given in it.
    private static func family(_ name: String, of user: User) throws -> [Session] {
        var parent = Sample.session(name, of: user)
        (parent.parentID, parent.grant, parent.clientID) = (nil, nil, nil)
        return [parent]
            + ["offline", "online"].map { kind in
                var child = Sample.session("\(name)-\(kind)", of: user)
                child.parentID = parent.id
                child.grant?.isOffline = kind == "offline"
                return child
            }
    }
}

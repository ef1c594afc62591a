// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension StoreConformance {
    static let sessions: [ConformanceCase] = [
        ConformanceCase("a session keeps every field") { world in
            let user = try await world.addUser("ann")
            let full = Sample.session("full", of: user)
            var bare = Sample.session("bare", of: user)
            bare.device = DeviceMetadata()
            bare.methods = []
            bare.assurance = .aal1
            bare.notAfter = nil
            bare.clientID = nil
            bare.rotates = nil
            bare.claims = [:]
            bare.parentID = nil
            bare.grant = nil
            bare.family = RefreshTokenFamily(generation: 1, liveHash: Sample.hash("x"), steps: [])
            try await world.write { [bare] tx in
                try tx.insert(full)
                try tx.insert(bare)
            }
            try expectSame(try await world.read { try $0.session(full.id, in: world.home) }, full, "full")
            try expectSame(try await world.read { [bare] in try $0.session(bare.id, in: world.home) }, bare, "bare")
            try expect(try await world.read { try $0.session(full.id, in: world.other) } == nil, "elsewhere")
        },
        ConformanceCase("a user's live sessions are listed, the last active first") { world in
            let user = try await world.addUser("ann")
            let stranger = try await world.addUser("bob")
            try await world.write { tx in
                for (index, name) in ["b", "a", "c", "ended"].enumerated() {
                    var session = Sample.session(name, of: user)
                    session.lastActiveAt = Sample.at(Int64(index))
                    try tx.insert(session)
                }
                try tx.insert(Sample.session("foreign", of: stranger))
                _ = try tx.revoke(SessionID("ended"), in: world.home, because: .signedOut, at: Sample.now)
            }
            let ids = try await world.read { try $0.sessions(of: user.id, in: world.home).map(\.id.rawValue) }
            try expectEqual(ids, ["c", "a", "b"], "live")
            try expect(try await world.read { try $0.sessions(of: user.id, in: world.other).isEmpty }, "elsewhere")
        },
        ConformanceCase("a network is known by a user's own sessions, ended ones too, for as long as they were used") {
            world in
            let user = try await world.addUser("ann")
            let stranger = try await world.addUser("bob")
            var session = Sample.session("one", of: user)
            session.device.truncatedAddress = "192.0.2.0"
            session.lastActiveAt = Sample.at(5)
            let opened = session
            try await world.write { try $0.insert(opened) }
            @Sendable func isKnown(_ user: UserID, _ network: String, since: Instant) async throws -> Bool {
                try await world.read {
                    try $0.hasSession(of: user, in: world.home, from: network, activeSince: since)
                }
            }
            try expect(try await isKnown(user.id, "192.0.2.0", since: Sample.at(5)), "own")
            _ = try await world.write { try $0.revoke(opened.id, in: world.home, because: .signedOut, at: Sample.now) }
            try expect(try await isKnown(user.id, "192.0.2.0", since: Sample.at(5)), "ended")
            try expect(try await !isKnown(user.id, "192.0.2.0", since: Sample.at(6)), "long ago")
            try expect(try await !isKnown(user.id, "198.51.100.0", since: Sample.at(1)), "another network")
            try expect(try await !isKnown(stranger.id, "192.0.2.0", since: Sample.at(1)), "another user")
        },
        ConformanceCase("G-6.2 a user's live sessions come page by page, the last sign-in first") { world in
            let user = try await world.addUser("ann")
            let stranger = try await world.addUser("bob")
            try await world.write { tx in
                // Two began at one instant.
                for (name, second) in [("b", 1), ("a", 2), ("c", 2), ("d", 3), ("ended", 4)] as [(String, Int64)] {
                    var session = Sample.session(name, of: user)
                    session.createdAt = Sample.at(second)
                    session.lastActiveAt = Sample.at(100 - second)
                    session.device = DeviceMetadata(name: name)
                    try tx.insert(session)
                }
                try tx.insert(Sample.session("foreign", of: stranger))
                _ = try tx.revoke(SessionID("ended"), in: world.home, because: .signedOut, at: Sample.now)
            }
            var (seen, position) = ([String](), SessionPosition?.none)
            for _ in 0..<5 {
                let page = try await world.read { [position] in
                    try $0.sessions(of: user.id, in: world.home, after: position, limit: 1)
                }
                seen += page.map(\.id.rawValue)
                position = page.last.map { SessionPosition(createdAt: $0.createdAt, id: $0.id) } ?? position
            }
            try expectEqual(seen, ["d", "c", "a", "b"], "pages")
            try expect(
                try await world.read { try $0.sessions(of: user.id, in: world.other, after: nil, limit: 9).isEmpty },
                "elsewhere")
            let devices = try await world.read { try $0.devices(of: user.id, in: world.home, limit: 2) }
            try expectEqual(devices.compactMap(\.name), ["ended", "d"], "devices, also of what has ended")
        },
        ConformanceCase("a session's holder is found with their profile until either has ended") { world in
            var user = try Sample.user("ann", in: world.home)
            user.bannedUntil = Sample.at(4)
            let session = Sample.session("one", of: user)
            let profile = Profile(
                userID: user.id, directoryID: world.home, name: "Ann", picture: "https://example.com/a", locale: "en",
                updatedAt: Sample.at(7))
            try await world.write { [user] tx in
                try tx.insert(user)
                try tx.insert(session)
            }
            func holder(_ directory: DirectoryID = world.home) async throws -> SessionHolder? {
                try await world.read { try $0.holder(of: session.id, in: directory) }
            }
            var wanted = SessionHolder(
                account: AccountSummary(user), externalIdentifiers: user.externalIdentifiers, profile: nil,
                bannedUntil: Sample.at(4), notAfter: session.notAfter)
            try expectEqual(try await holder(), wanted, "without a profile")
            try await world.write { try $0.upsert(profile) }
            wanted.profile = profile
            try expectEqual(try await holder(), wanted, "with a profile")
            try expect(try await holder(world.other) == nil, "elsewhere")
            var gone = user
            gone.deletedAt = Sample.at(9)
            gone = try await world.write { [gone] in try $0.update(gone) }
            try expect(try await holder() == nil, "of a deleted user")
            gone.deletedAt = nil
            try await world.write { [gone] in try $0.update(gone) }
            try expectEqual(try await holder(), wanted, "of a restored user")
            _ = try await world.write { try $0.revoke(session.id, in: world.home, because: .signedOut, at: Sample.now) }
            try expect(try await holder() == nil, "of an ended session")
        },
        ConformanceCase("a session's standing says what its user was at, until it is revoked") { world in
            let user = try await world.addUser("ann")
            let session = Sample.session("one", of: user)
            try await world.write { try $0.insert(session) }
            func standing(_ id: SessionID, in directory: DirectoryID? = nil) async throws -> SessionStanding? {
                try await world.read { try $0.standing(of: id, in: directory ?? world.home) }
            }
            let first = SessionStanding(userVersion: user.version, endedCodes: 0)
            try expectEqual(try await standing(session.id), first, "first")
            let updated = try await world.write { tx in
                try tx.deleteAuthorizationCodes(of: user.id, in: world.home)
                return try tx.update(user)
            }
            let second = SessionStanding(userVersion: updated.version, endedCodes: 1)
            try expectEqual(try await standing(session.id), second, "after an update and the end of codes")
            try expect(first != second, "versions")
            try expect(try await standing(session.id, in: world.other) == nil, "elsewhere")
            try expect(try await standing(SessionID("none")) == nil, "none")
            try await world.write {
                _ = try $0.revoke(session.id, in: world.home, because: .signedOut, at: Sample.now)
            }
            try expect(try await standing(session.id) == nil, "revoked")
        },
        ConformanceCase("a family moves on from the generation it is at, and from no other") { world in
            let user = try await world.addUser("ann")
            let session = Sample.session("one", of: user)
            try await world.write { try $0.insert(session) }
            var next = session
            next.family = RefreshTokenFamily(
                generation: .max, liveHash: Sample.hash("next"), steps: Array(session.family.steps.suffix(1)))
            next.methods.append(AuthenticationMethod(.oneTimeCode, at: Sample.at(70)))
            next.lastActiveAt = Sample.at(71)
            let generation = session.family.generation
            try await world.write { [next] tx in
                try expect(try !tx.advance(next, from: generation - 1), "from an older one")
                try expect(try !tx.advance(next, from: generation + 1), "from a later one")
                var foreign = next
                foreign.directoryID = world.other
                try expect(try !tx.advance(foreign, from: generation), "elsewhere")
            }
            try expectSame(try await world.read { try $0.session(session.id, in: world.home) }, session, "unchanged")
            try expect(try await world.write { [next] in try $0.advance(next, from: generation) }, "from its own")
            try expectSame(try await world.read { try $0.session(session.id, in: world.home) }, next, "advanced")
        },
        ConformanceCase("of 50 calls that advance one generation at once, one does") { world in
            let user = try await world.addUser("ann")
            let session = Sample.session("one", of: user)
            try await world.write { try $0.insert(session) }
            let advanced = try await race(50) { index in
                var next = session
                next.family = RefreshTokenFamily(
                    generation: session.family.generation + 1, liveHash: Sample.hash("next \(index)"), steps: [])
                return try await world.write { [next] in try $0.advance(next, from: session.family.generation) }
            }
            try expectEqual(advanced.count { $0 }, 1, "advanced")
        },
        ConformanceCase("a session ends once, and does not advance after its end") { world in
            let user = try await world.addUser("ann")
            let session = Sample.session("one", of: user)
            try await world.write { try $0.insert(session) }
            try expect(
                try await world.write { try !$0.revoke(session.id, in: world.other, because: .banned, at: Sample.now) },
                "ended elsewhere")
            let ended = try await race(50) { _ in
                try await world.write { try $0.revoke(session.id, in: world.home, because: .replay, at: Sample.at(80)) }
            }
            try expectEqual(ended.count { $0 }, 1, "ended")
            try expect(
                try await world.write {
                    try !$0.revoke(session.id, in: world.home, because: .banned, at: Sample.at(90))
                },
                "ended again")
            var expected = session
            expected.revokedAt = Sample.at(80)
            expected.revocation = .replay
            try expectSame(try await world.read { try $0.session(session.id, in: world.home) }, expected, "ended")
            try expect(
                try await world.write { try !$0.advance(session, from: session.family.generation) }, "advanced after")
        },
        ConformanceCase("every reason for a session's end is kept") { world in
            let user = try await world.addUser("ann")
            for reason in SessionRevocation.allCases {
                let session = Sample.session(reason.rawValue, of: user)
                let found = try await world.write { tx in
                    try tx.insert(session)
                    _ = try tx.revoke(session.id, in: world.home, because: reason, at: Sample.now)
                    return try tx.session(session.id, in: world.home)?.revocation
                }
                try expectEqual(found, reason, "reason")
            }
        },
        ConformanceCase("all sessions of a user end at once, but for the spared one") { world in
            let user = try await world.addUser("ann")
            let stranger = try await world.addUser("bob")
            try await world.write { tx in
                for name in ["a", "b", "c"] { try tx.insert(Sample.session(name, of: user)) }
                try tx.insert(Sample.session("foreign", of: stranger))
            }
            let steps: [(DirectoryID, SessionID?, Int)] = [
                (world.other, nil, 0), (world.home, SessionID("b"), 2), (world.home, SessionID("b"), 0),
                (world.home, nil, 1), (world.home, nil, 0),
            ]
            for (directory, spared, wanted) in steps {
                let ended = try await world.write {
                    try $0.revokeSessions(
                        of: user.id, in: directory, except: spared, because: .passwordChanged, at: Sample.at(9))
                }
                try expectEqual(ended, wanted, "ended in \(directory) but \(String(describing: spared))")
            }
            try expectEqual(
                try await world.read { try $0.sessions(of: stranger.id, in: world.home).count }, 1, "another user's")
            let found = try await world.read { try $0.session(SessionID("b"), in: world.home) }
            try expectEqual(found?.revocation, .passwordChanged, "reason")
            try expectEqual(found?.revokedAt, Sample.at(9), "time")
        },
        ConformanceCase("R14.2 a user's sessions below a level end at once, but for the spared one") { world in
            let user = try await world.addUser("ann")
            let stranger = try await world.addUser("bob")
            try await world.write { tx in
                for (name, level) in [("a", AssuranceLevel.aal1), ("b", .aal1), ("c", .aal2)] {
                    var session = Sample.session(name, of: user)
                    session.assurance = level
                    try tx.insert(session)
                }
                try tx.insert(Sample.session("foreign", of: stranger))
            }
            let strangers = try await world.read {
                try $0.hasSession(of: stranger.id, below: .aal1, in: world.home, except: nil)
            }
            try expect(!strangers, "below the lowest level")
            for (spared, wanted) in [(SessionID("b"), 1), (nil, 1), (nil, 0)] as [(SessionID?, Int)] {
                let isThere = try await world.read {
                    try $0.hasSession(of: user.id, below: .aal2, in: world.home, except: spared)
                }
                try expectEqual(isThere, wanted > 0, "there but \(String(describing: spared))")
                let ended = try await world.write {
                    try $0.revokeSessions(
                        of: user.id, below: .aal2, in: world.home, except: spared, because: .replaced, at: Sample.at(9))
                }
                try expectEqual(ended, wanted, "ended but \(String(describing: spared))")
            }
            let left = try await world.read { try $0.session(SessionID("c"), in: world.home) }
            try expect(left?.revokedAt == nil, "one at the level")
            let other = try await world.read { try $0.session(SessionID("foreign"), in: world.home) }
            try expect(other?.revokedAt == nil, "another user's")
        },
        ConformanceCase("the purge takes sessions that ended before its day, so many at a time") { world in
            let user = try await world.addUser("ann")
            try await world.write { tx in
                for index in 0..<6 {
                    var session = Sample.session("\(index)", of: user)
                    session.notAfter = index < 3 ? Sample.at(Int64(index)) : nil
                    try tx.insert(session)
                }
                // Ended early: before its time was over, and long ago.
                _ = try tx.revoke(SessionID("3"), in: world.home, because: .signedOut, at: Sample.at(1))
                _ = try tx.revoke(SessionID("4"), in: world.home, because: .signedOut, at: Sample.at(2))
            }
            func purge(_ limit: Int) async throws -> Int {
                try await world.write { try $0.purgeSessions(endedBefore: Sample.at(2), limit: limit) }
            }
            try expectEqual(try await purge(2), 2, "first")
            try expectEqual(try await purge(2), 1, "rest")
            try expectEqual(try await purge(2), 0, "nothing")
            for (name, stays) in [("0", false), ("1", false), ("3", false), ("2", true), ("4", true), ("5", true)] {
                let found = try await world.read { try $0.session(SessionID(name), in: world.home) != nil }
                try expectEqual(found, stays, "session \(name)")
            }
        },
    ]
}

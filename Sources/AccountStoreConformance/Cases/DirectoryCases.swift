// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension StoreConformance {
    static let directories: [ConformanceCase] = [
        ConformanceCase("a Directory keeps every field") { world in
            var directory = Sample.directory("third")
            directory.settings.siteURL = "https://example.com/“ü”"
            directory.settings.redirectAllowList = ["https://*.example.com/**"]
            directory.settings.issuer = "https://issuer.example.com"
            directory.settings.mail.subjects = ["recovery": "{{code}}"]
            directory.settings.sessions.timebox = 0
            directory.settings.signUp.enabled = false
            directory.updatedAt = Sample.at(1)
            directory.version = 3
            try await world.write { [directory] in try $0.insert(directory) }
            for found in [
                try await world.read { try $0.directory(DirectoryID("third")) },
                try await world.read { try $0.directory(named: "third") },
            ] {
                try expectSame(found, directory, "directory")
                try expectEqual(found?.settings, directory.settings, "settings")
                try expectEqual(found?.tokenKey.reveal(), directory.tokenKey.reveal(), "token key")
            }
            try expect(try await world.read { try $0.directory(DirectoryID("none")) } == nil, "none")
            try expect(try await world.read { try $0.directory(named: "none") } == nil, "none of the name")
        },
        ConformanceCase("Directories are listed in order of their names") { world in
            try await world.write { tx in
                for name in ["zeta", "alpha"] { try tx.insert(Sample.directory(name)) }
            }
            let names = try await world.read { try $0.directories().map(\.name) }
            try expectEqual(names, ["alpha", "home", "other", "zeta"], "names")
        },
        ConformanceCase("a Directory's name is given once") { world in
            var twin = Sample.directory("home")
            twin.id = DirectoryID("twin")
            try await expectConflict(.duplicate("directory.name"), "insert") { [twin] in
                try await world.write { try $0.insert(twin) }
            }
            var renamed = Sample.directory("other")
            renamed.name = "home"
            try await expectConflict(.duplicate("directory.name"), "update") { [renamed] in
                try await world.write { try $0.update(renamed) }
            }
        },
        ConformanceCase("a Directory is updated from its latest version only") { world in
            var changed = Sample.directory("home")
            changed.name = "renamed"
            changed.settings.adminRoles = ["root"]
            changed.tokenKey = Secret(Sample.hash("other key"))
            changed.updatedAt = Sample.at(9)
            try await world.write { [changed] in try $0.update(changed) }
            var expected = changed
            expected.version += 1
            let found = try await world.read { try $0.directory(world.home) }
            try expectSame(found, expected, "directory")
            try expectEqual(found?.tokenKey.reveal(), changed.tokenKey.reveal(), "token key")
            try await expectStale("the old version again") { [changed] in
                try await world.write { try $0.update(changed) }
            }
            try await expectStale("a Directory that is not there") {
                try await world.write { try $0.update(Sample.directory("none")) }
            }
        },
        ConformanceCase("a Directory is deleted with all that belongs to it, and nothing else") { world in
            for directory in [world.home, world.other] { try await fill(directory, in: world) }
            try expect(try await world.write { try $0.deleteDirectory(world.home) }, "was there")
            try expect(try await world.write { try !$0.deleteDirectory(world.home) }, "is gone")
            try expectEqual(try await inventory(of: world.home, in: world), [], "what is left")
            try expectEqual(
                try await inventory(of: world.other, in: world),
                [
                    "directory", "user", "count", "identity", "session", "token", "code", "signing key", "client",
                    "resource server", "domain", "identity provider", "federation", "grant", "API key",
                    "API key by hash", "account key", "audit", "outbox", "group", "membership", "profile",
                    "activity", "terms", "agreement",
                ], "the other Directory")
        },
    ]

    /// One row of each kind, with identifiers that carry the Directory's name.
    static func fill(_ directory: DirectoryID, in world: World) async throws {
        let name = directory.rawValue
        let user = try Sample.user("user-" + name, in: directory)
        try await world.write { tx in
            try tx.insert(user)
            try tx.insert(Sample.identity("identity-" + name, of: user))
            try tx.insert(Sample.session("session-" + name, of: user))
            try tx.replace(Sample.token("token-" + name, of: user, .recovery))
            try tx.insert(Sample.code("code-" + name, of: user))
            try tx.insert(Sample.signingKey("kid", in: directory))
            try tx.insert(Sample.client("client-" + name, in: directory))
            try tx.insert(Sample.resourceServer("api-" + name, in: directory))
            try tx.insert(Sample.domain("domain-" + name, .prefix, in: directory))
            try tx.insert(Sample.identityProvider("provider-" + name, in: directory))
            try tx.insert(Sample.pendingFederation("federation-" + name, in: directory))
            try tx.put(Sample.grant(of: IdentityID("identity-" + name), in: directory, "token"))
            try tx.insert(Sample.apiKey("key-" + name, in: directory))
            try tx.insert(Sample.serviceAccountKey("account-key-" + name, in: directory))
            try tx.append(Sample.event("event-" + name, in: directory, user: user.id))
            try tx.enqueue(Sample.message("message-" + name, in: directory))
            try tx.insert(Sample.group("group-" + name, in: directory))
            _ = try tx.addMember(user.id, to: GroupID("group-" + name), in: directory, at: Sample.now)
            try tx.upsert(Profile(userID: user.id, directoryID: directory, name: name, updatedAt: Sample.now))
            try tx.insert(Sample.activity("activity-" + name, of: user, at: Sample.now))
            try tx.insert(Sample.terms("terms-" + name, "1", in: directory))
            try tx.insert(Sample.agreement(1, to: "terms-" + name, by: user))
        }
    }

    /// Which of the rows that ``fill(_:in:)`` made can be found by way of `directory`; those of `owner` where it is
    /// another.
    static func inventory(
        of directory: DirectoryID, owner: DirectoryID? = nil, in world: World
    ) async throws -> [String] {
        let name = (owner ?? directory).rawValue
        let user = UserID("user-" + name)
        return try await world.scan { tx in
            let found: [(String, Bool)] = [
                ("directory", try tx.directory(directory) != nil),
                ("user", try tx.user(user, in: directory) != nil),
                ("count", try tx.userCount(in: directory) == 1),
                ("identity", try !tx.identities(of: user, in: directory).isEmpty),
                ("session", try tx.session(SessionID("session-" + name), in: directory) != nil),
                ("token", try tx.oneTimeToken(linkHash: Sample.hash("link token-" + name), in: directory) != nil),
                ("code", try tx.authorizationCode(hash: Sample.hash("code code-" + name), in: directory) != nil),
                ("signing key", try !tx.signingKeys(in: directory).isEmpty),
                ("client", try !tx.clients(in: directory).isEmpty),
                ("resource server", try tx.resourceServer("api-" + name, in: directory) != nil),
                ("domain", try !tx.domains(in: directory).isEmpty),
                ("identity provider", try !tx.identityProviders(in: directory).isEmpty),
                (
                    "federation",
                    try tx.pendingFederation(stateHash: Sample.hash("state federation-" + name)) != nil
                ),
                ("grant", try tx.upstreamGrant(of: IdentityID("identity-" + name), in: directory) != nil),
                ("API key", try !tx.apiKeys(in: directory).isEmpty),
                ("API key by hash", try tx.apiKey(hash: Sample.hash("key-" + name)) != nil),
                ("account key", try !tx.serviceAccountKeys(in: directory).isEmpty),
                ("audit", try !tx.auditEvents(in: directory, actions: nil, user: nil, offset: 0, limit: 9).isEmpty),
                ("outbox", try !tx.outbox(in: directory, recipient: nil, limit: 9).isEmpty),
                ("group", try !tx.groups(in: directory).isEmpty),
                (
                    "membership",
                    try !tx.members(of: GroupID("group-" + name), in: directory, after: nil, limit: 9).isEmpty
                ),
                ("profile", try tx.profile(of: user, in: directory) != nil),
                (
                    "activity",
                    try !tx.activities(of: user, in: directory, matching: .init(), after: nil, limit: 9).isEmpty
                ),
                ("terms", try !tx.terms(in: directory).isEmpty),
                ("agreement", try tx.agreement(of: user, to: "terms-" + name, in: directory) != nil),
            ]
            return found.filter(\.1).map(\.0)
        }
    }
}

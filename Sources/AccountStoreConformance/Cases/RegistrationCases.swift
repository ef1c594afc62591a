// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension StoreConformance {
    static let registrations: [ConformanceCase] = [
        ConformanceCase(
            "R11.9 an initial access token keeps every field, and is found by its hash, and in its Directory"
        ) {
            world in
            let full = Sample.initialToken("full", in: world.home)
            let bare = InitialAccessToken(
                id: InitialAccessTokenID("bare"), directoryID: world.home, name: "“Σ”", hash: Sample.hash("bare"),
                grants: [], scopes: [], createdAt: Sample.at(2))
            let foreign = Sample.initialToken("foreign", in: world.other)
            try await world.write { tx in for token in [bare, full, foreign] { try tx.insert(token) } }
            for wanted in [full, bare] {
                let found = try await world.read { tx in
                    [
                        try tx.initialAccessToken(hash: wanted.hash),
                        try tx.initialAccessToken(wanted.id, in: world.home),
                        try tx.initialAccessToken(wanted.id, in: world.other),
                    ]
                }
                try expectEqual(found, [wanted, wanted, nil], "found")
            }
            try expectEqual(try await world.read { try $0.initialAccessTokens(in: world.home) }, [full, bare], "list")
            var (less, elsewhere) = (full, full)
            (less.scopes, less.name, less.hash) = (["a/b"], "another", Sample.hash("another"))
            (elsewhere.scopes, elsewhere.directoryID) = ([], world.other)
            try await world.write { [less, elsewhere] tx in
                for token in [less, elsewhere] { try tx.update(token) }
            }
            var narrowed = full
            narrowed.scopes = ["a/b"]
            try expectEqual(
                try await world.read { try $0.initialAccessTokens(in: world.home) }, [narrowed, bare], "scopes alone")
            let revoked = try await world.write { tx in
                [
                    try tx.revokeInitialAccessToken(bare.id, in: world.other, at: Sample.at(4)),
                    try tx.revokeInitialAccessToken(bare.id, in: world.home, at: Sample.at(5)),
                    try tx.revokeInitialAccessToken(bare.id, in: world.home, at: Sample.at(6)),
                ]
            }
            try expectEqual(revoked, [false, true, false], "revoked")
            try expectEqual(
                try await world.read { try $0.initialAccessToken(bare.id, in: world.home)?.revokedAt },
                .some(Sample.at(5)),
                "time")
            try expect(try await world.write { try !$0.useInitialAccessToken(bare.id) }, "used after its end")
        },
        ConformanceCase("R11.9 an initial access token is used as often as it is good for, however many ask at once") {
            world in
            var token = Sample.initialToken("three", in: world.home)
            (token.usesLeft, token.revokedAt) = (3, nil)
            let three = token
            (token.id, token.hash, token.usesLeft) = (InitialAccessTokenID("any"), Sample.hash("any"), nil)
            let any = token
            try await world.write { tx in for token in [three, any] { try tx.insert(token) } }
            for (id, wanted) in [(three.id, 3), (any.id, 20)] {
                let used = try await race(20) { _ in try await world.write { try $0.useInitialAccessToken(id) } }
                try expectEqual(used.count { $0 }, wanted, "uses")
            }
            try expectEqual(
                try await world.read { try $0.initialAccessToken(three.id, in: world.home)?.usesLeft }, .some(0), "left"
            )
        },
        ConformanceCase("R11.9 what a client has registered itself by is its own, and goes with it") { world in
            let registration = SelfRegistration(
                clientID: ClientID("app"), directoryID: world.home, accessHash: Sample.hash("access"),
                initialToken: InitialAccessTokenID("token"))
            var other = registration
            other.clientID = ClientID("other")
            (other.left.grants, other.left.scopes) = ([], ["openid"])
            try await world.write { [other] tx in
                for id in ["app", "other"] { try tx.insert(Sample.client(id, in: world.home)) }
                for registration in [registration, other] { try tx.insert(registration) }
            }
            func found(_ directory: DirectoryID) async throws -> SelfRegistration? {
                try await world.read { try $0.selfRegistration(of: ClientID("app"), in: directory) }
            }
            try expectEqual(try await found(world.home), .some(registration), "found")
            try expectEqual(try await found(world.other), nil, "elsewhere")
            var less = registration
            less.left.grants = [.code, .deviceCode]
            less.left.scopes = ["openid", "a/b"]
            less.left.redirectURIs = ["https://app.example/back", "com.example.app:/back"]
            less.left.signOutURIs = []
            try await world.write { [less] in try $0.update(less) }
            try expectEqual(try await found(world.home), .some(less), "what was left")
            try expectEqual(
                try await world.read { try $0.selfRegistration(of: ClientID("other"), in: world.home) }, .some(other),
                "another's")
            let all = try await world.read { tx in
                [try tx.selfRegistrations(in: world.home), try tx.selfRegistrations(in: world.other)].map(Set.init)
            }
            try expectEqual(all, [[less, other], []], "all, and elsewhere")
            _ = try await world.write { try $0.deleteClient(ClientID("app"), in: world.home) }
            try expectEqual(try await found(world.home), nil, "without its client")
        },
    ]
}

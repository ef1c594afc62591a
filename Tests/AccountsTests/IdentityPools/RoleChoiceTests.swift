// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

/// Which role an identity is given credentials for.
@Suite struct RoleChoiceTests {
    private static let source = LoginSource(.upstream("google"))

    private static func pool(_ mapping: RoleMapping? = nil, role: String? = "usual") -> IdentityPool {
        let start = Instant(seconds: 1)
        return IdentityPool(
            id: IdentityPoolID("p"), directoryID: DirectoryID("d"), name: "p",
            roles: .init(authenticated: role, guest: "guest"), roleMappings: mapping.map { [source: $0] } ?? [:],
            createdAt: start, updatedAt: start)
    }

    private static func choose(
        _ pool: IdentityPool, _ claims: JSONObject = [:], all: [String] = [], preferred: String? = nil,
        wanted: String? = nil, source: LoginSource = source
    ) -> RoleChoice.Outcome {
        RoleChoice.choose(
            in: pool,
            for: [.init(source: source, claims: claims, roles: .init(all: all, preferred: preferred))],
            isAuthenticated: true, wanted: wanted)
    }

    @Test("H-2 R12.7 without a mapping an identity has the pool's role, a guest that of guests, and no other is given")
    func usual() {
        #expect(Self.choose(Self.pool()) == .role("usual"))
        #expect(Self.choose(Self.pool(), wanted: "usual") == .role("usual"))
        #expect(Self.choose(Self.pool(), all: ["other"], wanted: "other") == .notTheirs)
        #expect(Self.choose(Self.pool(role: nil)) == .none)
        let guest = { RoleChoice.choose(in: Self.pool(), for: [], isAuthenticated: false, wanted: $0) }
        #expect(guest(nil) == .role("guest"))
        #expect(guest("usual") == .notTheirs)
    }

    @Test(
        "H-2 R12.7 the first rule that the claims meet says the role",
        arguments: [
            (.equals, "a", ["c": "a"], true), (.equals, "a", ["c": "A"], false), (.equals, "a", ["c": "ab"], false),
            (.equals, "a", ["c": ["b", "a"]], true), (.equals, "true", ["c": true], true),
            (.equals, "7", ["c": 7], true), (.equals, "a", [:], false), (.equals, "a", ["c": ["a": "a"]], false),
            (.contains, "b", ["c": "abc"], true), (.contains, "d", ["c": "abc"], false),
            (.contains, "abcd", ["c": "abc"], false), (.contains, "min", ["c": ["x", "admin"]], true),
            (.contains, "aab", ["c": "aaab"], true), (.contains, "abab", ["c": "abaabab"], true),
            (.contains, "abac", ["c": "ababab"], false), (.contains, "", ["c": "a"], true),
            (.startsWith, "ab", ["c": "abc"], true), (.startsWith, "bc", ["c": "abc"], false),
            (.notEqual, "a", ["c": "b"], true), (.notEqual, "a", ["c": "a"], false),
            (.notEqual, "a", ["c": ["b", "a"]], false), (.notEqual, "a", [:], false),
            (.notEqual, "a", ["c": []], false),
        ] as [(RoleMapping.Rule.Match, String, JSONObject, Bool)])
    func rules(_ match: RoleMapping.Rule.Match, _ value: String, _ claims: JSONObject, _ holds: Bool) {
        let rule = RoleMapping.Rule(claim: "c", match: match, value: value, role: "mine")
        let later = RoleMapping.Rule(claim: "iss", match: .equals, value: "i", role: "later")
        for (ambiguity, otherwise) in [(.deny, .denied), (nil, .denied), (.authenticatedRole, .role("usual"))]
            as [(RoleMapping.Ambiguity?, RoleChoice.Outcome)]
        {
            let pool = Self.pool(RoleMapping(.rules([rule]), ambiguity: ambiguity))
            #expect(Self.choose(pool, claims) == (holds ? .role("mine") : otherwise))
            let both = Self.pool(RoleMapping(.rules([rule, later]), ambiguity: ambiguity))
            #expect(Self.choose(both, claims.merging(["iss": "i"])) == .role(holds ? "mine" : "later"))
        }
    }

    @Test("H-2 R12.7 a token says the role: the preferred, the only one, or the one of its own that is asked for")
    func tokens() {
        let pool = Self.pool(RoleMapping(.token, ambiguity: .deny))
        #expect(Self.choose(pool, all: ["a", "b"], preferred: "b") == .role("b"))
        #expect(Self.choose(pool, all: ["a", "b"], preferred: "b", wanted: "a") == .role("a"))
        #expect(Self.choose(pool, all: ["a", "b"], preferred: "b", wanted: "usual") == .notTheirs)
        #expect(Self.choose(pool, all: ["a"]) == .role("a"))
        #expect(Self.choose(pool, all: ["a", "b"]) == .denied)
        #expect(Self.choose(pool) == .denied)
        let lenient = Self.pool(RoleMapping(.token, ambiguity: .authenticatedRole))
        #expect(Self.choose(lenient, all: ["a", "b"]) == .role("usual"))
        #expect(Self.choose(lenient) == .role("usual"))
    }

    @Test("R12.7 a mapping is that of the login's provider and client")
    func sources() {
        let users = LoginProvider.users(DirectoryID("d"))
        var pool = Self.pool()
        pool.roleMappings = [
            LoginSource(users, client: "one"): RoleMapping(.token, ambiguity: .deny)
        ]
        #expect(Self.choose(pool, source: LoginSource(users, client: "one")) == .denied)
        #expect(Self.choose(pool, source: LoginSource(users, client: "two")) == .role("usual"))
        #expect(Self.choose(pool, source: Self.source) == .role("usual"))
    }

    @Test("R12.7 tags are texts of claims, the usual ones for a Directory's own users alone")
    func tags() {
        let claims: JSONObject = ["sub": "s", "aud": "c", "n": 7, "list": ["x", "y"], "object": ["a": "b"]]
        let users = LoginProvider.users(DirectoryID("d"))
        #expect(
            PrincipalTags(usesDefaults: true, claims: ["t": "n"]).tags(of: users, claims)
                == ["username": "s", "client": "c"])
        #expect(PrincipalTags(usesDefaults: true, claims: ["t": "n"]).tags(of: .upstream("g"), claims) == ["t": "7"])
        #expect(
            PrincipalTags(usesDefaults: false, claims: ["a": "list", "b": "object", "c": "none"]).tags(
                of: users, claims)
                == ["a": "x"])
    }
}

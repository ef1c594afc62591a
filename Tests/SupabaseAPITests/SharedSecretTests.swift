// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import JOSE
import TestBench
import TestBenchHTTP
import Testing

@testable import SupabaseAPI

/// Tokens that other programs of the platform sign with the secret that all of its parts share.
@Suite("The platform's shared secret") struct SharedSecretTests {
    private static let secret = "a-shared-secret-of-more-than-32-bytes-for-tests"

    /// A project with that secret, and, where there is a list, with keys of its own for tokens.
    private static func bench(hasList: Bool = false, honours: Bool = true) async throws -> SupabaseBench {
        let bench = try await SupabaseBench(requiresAPIKey: false, honoursSharedSecret: honours)
        let list = hasList ? try ImportedKeys.List(Secret(try SelfHostedKeyTests.list())) : nil
        let keys = try #require(try ImportedKeys(secret: Secret(secret), list: list))
        try await bench.accounts.keys.adopt(keys, into: bench.accounts.directory, at: bench.accounts.now)
        return bench
    }

    private static func token(
        _ claims: JSONObject, secret: String = secret, keyID: String? = nil
    ) throws -> String {
        try JWS.sign(
            claims, with: SigningKey(secret: Secret(Array(secret.utf8)), algorithm: .hs256, keyID: keyID))
    }

    /// What an administrator's call with the token is answered.
    private static func administer(_ bench: SupabaseBench, _ token: String) async throws -> String {
        try await bench.send(.get, "/admin/users", token: token, key: "").outcome
    }

    @Test("R10.3 of a token of the operator's the role decides, whatever else it says", arguments: [false, true])
    func administrators(hasList: Bool) async throws {
        let bench = try await Self.bench(hasList: hasList)
        #expect(try await Self.administer(bench, Self.token(["sub": "1234567890", "role": "service_role"])) == "200 ")
        #expect(try await Self.administer(bench, Self.token(["role": "service_role"])) == "200 ")
        // The platform's own keys name a key that it does not publish.
        let named = try Self.token(["sub": "1", "role": "service_role"], keyID: "theirs")
        #expect(try await Self.administer(bench, named) == "200 ")
        for claims in [
            ["sub": "1234567890", "role": "authenticated"], ["role": "anon"], ["sub": "1"], [:],
        ] as [JSONObject] {
            let outcome = try await Self.administer(bench, Self.token(claims))
            #expect(outcome.hasPrefix("403 "), "\(claims): \(outcome)")
        }
    }

    @Test(
        "R10.3 a user's token of the operator's needs no session, and is good for that user", arguments: [false, true])
    func users(hasList: Bool) async throws {
        let bench = try await Self.bench(hasList: hasList)
        let id = try await bench.addUserBySecret("ada@example.com", Self.token(["role": "service_role"]))
        let claims: JSONObject = ["sub": .string(id), "role": "authenticated", "aud": "authenticated"]
        let token = try Self.token(claims)
        let user = try await bench.send(.get, "/user", token: token, key: "")
        #expect(user.status == 200 && user["id"]?.stringValue == id, "\(user.text)")
        let changed = try await bench.send(.put, "/user", ["data": ["a": 1]], token: token, key: "")
        #expect(changed.status == 200 && changed["user_metadata"]?.objectValue?["a"] == 1, "\(changed.text)")
        // Nothing says when the user was seen last: what asks for a fresh proof asks for it.
        let password = try await bench.send(
            .put, "/user", ["password": "Another-9-horse"], token: token, key: "")
        #expect(password.outcome == "400 reauthentication_needed")
        #expect(try await Self.administer(bench, token) == "403 not_admin")

        let session = try await bench.session(of: "ada@example.com")
        #expect(try await bench.send(.post, "/logout?scope=others", token: token, key: "").status == 204)
        #expect(try await bench.send(.get, "/user", token: session.access, key: "").outcome == "403 session_not_found")
    }

    @Test("R10.3 sessions that were opened under the secret alone go on when a key list comes beside it")
    func change() async throws {
        let bench = try await Self.bench()
        _ = try await bench.addUserBySecret("ada@example.com", Self.token(["role": "service_role"]))
        let before = try await bench.session(of: "ada@example.com")
        let list = try ImportedKeys.List(Secret(try SelfHostedKeyTests.list()))
        let keys = try #require(try ImportedKeys(secret: Secret(Self.secret), list: list))
        try await bench.accounts.keys.adopt(keys, into: bench.accounts.directory, at: bench.accounts.now)
        #expect(try await bench.send(.get, "/user", token: before.access, key: "").status == 200)
        let after = try await bench.refresh(before.refresh)
        let token = try #require(after["access_token"]?.stringValue)
        #expect(try ParsedJWS(parsing: token.utf8).header.algorithm == .es256)
        #expect(try await bench.send(.get, "/user", token: token, key: "").status == 200)
    }

    @Test("R10.1 what is expired, of later, of another audience or under another secret is nobody's")
    func refused() async throws {
        let bench = try await Self.bench()
        let id = try await bench.addUserBySecret("ada@example.com", Self.token(["role": "service_role"]))
        let now = bench.accounts.now.seconds
        let base: JSONObject = ["sub": .string(id), "role": "service_role"]
        for (name, value) in [
            ("exp", JSONValue.integer(now)), ("nbf", .integer(now + 60)), ("aud", "elsewhere"), ("session_id", "x"),
            ("session_id", 1),
        ] {
            let token = try Self.token(base.merging([name: value]))
            #expect(try await Self.administer(bench, token).hasPrefix("403 "), "\(name)")
            let user = try await bench.send(.get, "/user", token: token, key: "")
            #expect(user.status == 403, "\(name): \(user.text)")
        }
        let foreign = try Self.token(base, secret: Self.secret + "!")
        #expect(try await Self.administer(bench, foreign) == "403 bad_jwt")
        #expect(try await bench.send(.get, "/user", token: foreign, key: "").outcome == "403 bad_jwt")
        // A user who is banned or gone is so for whoever speaks for them.
        let token = try Self.token(["sub": .string(id), "role": "authenticated"])
        let service = try Self.token(["role": "service_role"])
        _ = try await bench.send(.put, "/admin/users/\(id)", ["ban_duration": "1h"], token: service, key: "")
        #expect(try await bench.send(.get, "/user", token: token, key: "").code == "user_banned")
        _ = try await bench.send(.delete, "/admin/users/\(id)", token: service, key: "")
        #expect(try await bench.send(.get, "/user", token: token, key: "").code == "user_not_found")
    }

    @Test("R10.1 where the operator gave no secret, no token without a session is anybody's")
    func ownMode() async throws {
        let bench = try await Self.bench(honours: false)
        for claims in [
            ["sub": "1234567890", "role": "service_role"],
            ["sub": .string(UserID(SystemRandomSource().uuid()).rawValue), "role": "authenticated"],
        ] as [JSONObject] {
            let token = try Self.token(claims)
            #expect(try await Self.administer(bench, token) == "403 bad_jwt")
            #expect(try await bench.send(.get, "/user", token: token, key: "").outcome == "403 bad_jwt")
        }
    }
}

extension SupabaseBench {
    /// A user with a confirmed address and a password, made by a program with this token.
    fileprivate func addUserBySecret(_ email: String, _ token: String) async throws -> String {
        let body: JSONObject = [
            "email": .string(email), "password": .string(Self.password), "email_confirm": true,
        ]
        let reply = try await send(.post, "/admin/users", body, token: token, key: "")
        return try #require(reply["id"]?.stringValue, "\(reply.text)")
    }
}

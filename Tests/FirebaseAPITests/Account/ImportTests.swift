// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Passwords
import Testing

@testable import FirebaseAPI

@Suite struct ImportTests {
    /// The vendor's published vector of its scrypt: `user1password`.
    private static let scrypt: JSONObject = [
        "hashAlgorithm": "SCRYPT", "rounds": 8, "memoryCost": 14, "saltSeparator": "Bw==",
        "signerKey": "jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==",
    ]
    private static let salt = "42xEC+ixf3L2lw=="
    private static let hash = "lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ=="

    private func send(
        _ bench: FirebaseBench, _ users: [JSONValue], _ more: JSONObject = [:], tenant: String? = nil
    ) async throws -> FirebaseBench.Reply {
        var body = more
        body["users"] = .array(users)
        return try await bench.administer((tenant.map { "/tenants/" + $0 } ?? "") + "/accounts:batchCreate", body)
    }

    private func errors(_ reply: FirebaseBench.Reply) -> [Int64: String] {
        let errors = reply["error"]?.arrayValue ?? []
        return Dictionary(
            errors.compactMap { error in
                guard let object = error.objectValue, let index = object["index"]?.integerValue else { return nil }
                return (index, object["message"]?.stringValue ?? "")
            }, uniquingKeysWith: { first, _ in first })
    }

    private func user(_ bench: FirebaseBench, _ id: String) async throws -> JSONObject? {
        try await bench.administer("/accounts:lookup", ["localId": [.string(id)]])["users"]?.arrayValue?.first?
            .objectValue
    }

    @Test("R10.5 an imported user is who they were, and signs in with the old password, whose hash becomes ours")
    func life() async throws {
        let bench = try await FirebaseBench()
        let reply = try await send(
            bench,
            [
                [
                    "localId": "Ab3-imported.uid", "email": "Ada@Example.com", "emailVerified": true,
                    "passwordHash": .string(Self.hash), "salt": .string(Self.salt), "displayName": "Ada",
                    "photoUrl": "https://example.com/a.png", "phoneNumber": "+15555550123",
                    "customAttributes": "{\"admin\":true}", "createdAt": "1500000000000",
                    "lastLoginAt": 1_600_000_000_000,
                    "providerUserInfo": [
                        [
                            "providerId": "google.com", "rawId": "g-1", "email": "ada@gmail.com",
                            "displayName": "Ada G.",
                        ],
                        ["providerId": "password", "rawId": "ada@example.com"],
                    ],
                ]
            ], Self.scrypt)
        #expect(reply.status == 200 && reply["error"] == nil, "\(reply.text)")
        #expect(reply["kind"] == "identitytoolkit#UploadAccountResponse")
        let made = try #require(try await user(bench, "Ab3-imported.uid"))
        #expect(made["email"] == "ada@example.com" && made["emailVerified"] == true && made["displayName"] == "Ada")
        #expect(made["createdAt"] == "1500000000000" && made["lastLoginAt"] == "1600000000000")
        #expect(made["customAttributes"] == "{\"admin\":true}" && made["phoneNumber"] == "+15555550123")
        let providers = made["providerUserInfo"]?.arrayValue?.compactMap { $0.objectValue?["providerId"]?.stringValue }
        #expect(Set(providers ?? []) == ["password", "phone", "google.com"])

        #expect(
            try await bench.signIn("ada@example.com", password: "user2password").code == "INVALID_LOGIN_CREDENTIALS")
        let signedIn = try await bench.signIn("ada@example.com", password: "user1password")
        #expect(signedIn["localId"] == "Ab3-imported.uid", "\(signedIn.text)")
        let id = bench.directory.id
        let stored = try await bench.ports.store.read { try $0.user(identifier: "Ab3-imported.uid", in: id) }
        #expect(stored?.passwordHash?.encoded.hasPrefix("$argon2id$") == true)
        #expect(try await bench.signIn("ada@example.com", password: "user1password").status == 200)
    }

    @Test(
        "R12.5 an imported identity has the one name that every dialect knows its provider by, and the platform's here")
    func providerNames() async throws {
        let bench = try await FirebaseBench()
        let names = ["google.com": "google", "apple.com": "apple", "oidc.acme": "oidc.acme"]
        let rows = names.keys.map { JSONValue.object(["providerId": .string($0), "rawId": .string("at-" + $0)]) }
        _ = try await send(bench, [["localId": "known", "providerUserInfo": .array(rows)]])
        let id = bench.directory.id
        for (theirs, ours) in names {
            let found = try await bench.ports.store.read {
                try $0.identity(provider: ours, subject: "at-" + theirs, in: id)
            }
            #expect(found != nil, "\(ours)")
            let by: JSONValue = [["providerId": .string(theirs), "rawId": .string("at-" + theirs)]]
            let reply = try await bench.administer("/accounts:lookup", ["federatedUserId": by])
            let user = reply["users"]?.arrayValue?.first?.objectValue
            #expect(user?["localId"] == "known", "\(reply.text)")
            let shown = user?["providerUserInfo"]?.arrayValue?.compactMap { $0.objectValue?["providerId"]?.stringValue }
            #expect(Set(shown ?? []) == Set(names.keys))
        }
        let reply = try await bench.administer(
            "/accounts:update", ["localId": "known", "deleteProvider": ["google.com", "oidc.acme"]])
        let left = reply["providerUserInfo"]?.arrayValue?.compactMap { $0.objectValue?["providerId"] }
        #expect(left == ["apple.com"], "\(reply.text)")
    }

    @Test("R10.5 a list shows hash and salt as they came to whom may see them, nothing of ours, and else none")
    func hashes() async throws {
        let bench = try await FirebaseBench()
        _ = try await send(
            bench,
            [
                ["localId": "brought", "passwordHash": .string(Self.hash), "salt": .string(Self.salt)],
                ["localId": "none"],
            ], Self.scrypt)
        let own = try await bench.addUser("own@example.com")
        func listed(_ token: String?) async throws -> [String: JSONObject] {
            let reply = try await bench.administer("/accounts:batchGet?maxResults=10", method: .get, token: token)
            let users = (reply["users"]?.arrayValue ?? []).compactMap(\.objectValue)
            return Dictionary(users.map { ($0["localId"]?.stringValue ?? "", $0) }) { first, _ in first }
        }
        let shown = try await listed(nil)
        #expect(shown["brought"]?["passwordHash"]?.stringValue == URLText.base64(Base64.decode(Self.hash) ?? []))
        #expect(shown["brought"]?["salt"] == "42xEC-ixf3L2lw==")
        #expect(shown[own]?["passwordHash"] == "" && shown[own]?["salt"] == "")
        #expect(shown["none"]?["passwordHash"] == nil && shown["none"]?["salt"] == nil)
        let narrow = try await APIKeyAdministration(bench.ports).create(
            .secret, name: "x", scopes: [APIKey.userScope], in: bench.directory, at: bench.now
        ).secret.reveal()
        let hidden = try await listed(narrow)
        #expect(hidden["brought"]?["passwordHash"]?.stringValue == UserInfo.redactedHash)
        #expect(hidden["brought"]?["salt"] == nil && hidden.count == 3)
    }

    @Test("R10.5 who can't be taken over is told by their place, and the others are")
    func faults() async throws {
        let bench = try await FirebaseBench()
        try await bench.addUser("taken@example.com")
        _ = try await send(
            bench, [["localId": "first", "providerUserInfo": [["providerId": "google.com", "rawId": "g-1"]]]])
        let reply = try await send(
            bench,
            [
                ["localId": "good", "email": "good@example.com"], ["email": "nobody@example.com"],
                ["localId": "a", "email": "not an address"], ["localId": "b", "phoneNumber": "0123"],
                ["localId": "c", "email": "taken@example.com"], ["localId": "first"],
                ["localId": "d", "providerUserInfo": [["providerId": "google.com", "rawId": "g-1"]]],
                ["localId": "e", "providerUserInfo": [["providerId": "google.com"]]],
                ["localId": "f", "customAttributes": "[]"], ["localId": "g", "customAttributes": "{\"iss\":1}"],
                ["localId": "h", "customAttributes": .string("{\"a\":\"\(String(repeating: "x", count: 1000))\"}")],
                ["localId": "i", "mfaInfo": [["phoneInfo": "+15555550100"]]], ["localId": "j", "tenantId": "other"],
                ["localId": "k", "rawPassword": "secret"], ["localId": "l", "email": "good@example.com"],
                ["localId": "last", "email": "last@example.com"],
            ])
        #expect(reply.status == 200, "\(reply.text)")
        let errors = errors(reply)
        #expect(errors.keys.sorted() == Array(1...14), "\(reply.text)")
        #expect(errors[1] == "localId is missing" && errors[2] == "email is invalid")
        #expect(errors[4] == "email exists in other account in database" && errors[14] == errors[4])
        #expect(errors[5] == "localId belongs to an existing account - can not overwrite.")
        #expect(errors[6] == "raw id exists in other account in database")
        #expect(errors[9] == "Custom claims provided include a reserved claim.")
        #expect(errors[10] == "Custom claims provided are too large.")
        #expect(errors[11] == "Second factor not supported.")
        for id in ["good", "last"] { #expect(try await user(bench, id) != nil, "\(id)") }
        for id in ["a", "c", "d", "l"] { #expect(try await user(bench, id) == nil, "\(id)") }
    }

    @Test(
        "R10.5 whom the store itself can't take is told by their place, and the others are taken over",
        arguments: [false, true])
    func untakeable(overwrites: Bool) async throws {
        let bench = try await FirebaseBench()
        let reply = try await send(
            bench,
            [
                ["localId": "a", "email": "a@example.com"],
                ["localId": "b", "providerUserInfo": [["providerId": "google.com", "rawId": "g\u{0}"]]],
                ["localId": "c", "email": "c@example.com"],
            ], ["allowOverwrite": .bool(overwrites)])
        #expect(reply.status == 200, "\(reply.text)")
        let errors = errors(reply)
        #expect(errors.keys.sorted() == [1] && errors[1]?.hasPrefix("user is invalid") == true, "\(reply.text)")
        for id in ["a", "c"] { #expect(try await user(bench, id) != nil, "\(id)") }
        #expect(try await user(bench, "b") == nil)
    }

    @Test("R10.5 a call that says nothing sensible as a whole is refused, and nobody is taken over")
    func wholeCalls() async throws {
        let bench = try await FirebaseBench()
        let ada: JSONValue = ["localId": "ada", "passwordHash": "AAAA"]
        let twice: [JSONValue] = [
            ["localId": "x", "email": "a@example.com"], ["localId": "y", "email": "A@example.com"],
        ]
        let rawTwice: [JSONValue] = ["x", "y"].map {
            ["localId": .string($0), "providerUserInfo": [["providerId": "google.com", "rawId": "g"]]]
        }
        let cases: [([JSONValue], JSONObject, String)] = [
            ([], [:], "MISSING_USER_ACCOUNT"), ([ada], [:], "INVALID_HASH_ALGORITHM"),
            ([ada], ["hashAlgorithm": "ROT13"], "INVALID_HASH_ALGORITHM"),
            ([ada], ["hashAlgorithm": "SHA256", "rounds": 8193], "INVALID_HASH_ROUNDS"),
            ([ada], ["hashAlgorithm": "HMAC_SHA256"], "INVALID_HASH_KEY"),
            ([ada], ["hashAlgorithm": "SCRYPT", "rounds": 8, "memoryCost": 15], "INVALID_HASH_MEMORY_COST"),
            ([ada], ["hashAlgorithm": "STANDARD_SCRYPT", "cpuMemCost": 1000], "INVALID_HASH_MEMORY_COST"),
            ([ada], ["hashAlgorithm": "ARGON2"], "INVALID_HASH_ALGORITHM"),
            (twice, ["sanityCheck": true], "DUPLICATE_EMAIL"), (rawTwice, ["sanityCheck": true], "DUPLICATE_RAW_ID"),
            ([["localId": "x"], ["localId": "x"]], [:], "DUPLICATE_LOCAL_ID"),
            (Array(repeating: ["localId": "x"], count: 1001), [:], "Request contains an invalid argument."),
        ]
        for (users, more, code) in cases {
            let reply = try await send(bench, users, more)
            #expect(reply.status == 400 && reply.code == code, "\(reply.text)")
        }
        for id in ["ada", "x", "y"] { #expect(try await user(bench, id) == nil) }
        let stranger = try await bench.send(
            .post, "/www.googleapis.com/identitytoolkit/v3/relyingparty/uploadAccount?key=\(bench.key)",
            body: "{\"users\":[{\"localId\":\"x\"}]}")
        #expect(stranger.status == 401, "\(stranger.text)")
    }

    @Test("R10.5 a user written over becomes the imported one, whoever used the account is out, and the owner is told")
    func overwriting() async throws {
        let bench = try await FirebaseBench()
        let id = try await bench.addUser("ada@example.com")
        let session = try await bench.signIn("ada@example.com")
        let row: JSONObject = [
            "localId": .string(id), "email": "ada@example.com", "emailVerified": true, "displayName": "New",
            "passwordHash": .string(Self.hash), "salt": .string(Self.salt), "disabled": false,
            "providerUserInfo": [["providerId": "google.com", "rawId": "g-1"]],
        ]
        #expect(errors(try await send(bench, [.object(row)], Self.scrypt)).count == 1)
        bench.advance(.seconds(2))
        var more = Self.scrypt
        more["allowOverwrite"] = true
        let reply = try await send(bench, [.object(row)], more)
        #expect(reply["error"] == nil, "\(reply.text)")
        #expect(try await bench.refresh(session["refreshToken"]?.stringValue ?? "").code == "TOKEN_EXPIRED")
        #expect(try await bench.signIn("ada@example.com").code == "INVALID_LOGIN_CREDENTIALS")
        #expect(try await bench.signIn("ada@example.com", password: "user1password")["displayName"] == "New")
        #expect(try await bench.mail("ada@example.com").kind == "password_changed")
        // Again, and without what it had: the hash is another now, the provider is gone.
        var bare: JSONObject = ["localId": .string(id), "email": "ada2@example.com"]
        #expect(try await send(bench, [.object(bare)], ["allowOverwrite": true])["error"] == nil)
        let after = try #require(try await user(bench, id))
        #expect(after["email"] == "ada2@example.com" && after["emailVerified"] == false)
        #expect(after["providerUserInfo"] == nil && after["displayName"] == nil && after["passwordHash"] == nil)
        try await bench.addUser("other@example.com")
        bare["email"] = "other@example.com"
        let refused = errors(try await send(bench, [.object(bare)], ["allowOverwrite": true]))
        #expect(refused[0] == "email exists in other account in database")
    }

    @Test("R10.5 a thousand users are one call, in a tenant of their own as well, whoever races it")
    func aThousand() async throws {
        let bench = try await FirebaseBench()
        let made = try await bench.administer(
            "/tenants", ["displayName": "North", "allowPasswordSignup": true], version: "v2")
        let tenant = try #require(made["name"]?.stringValue?.split(separator: "/").last.map(String.init))
        func rows(_ prefix: String) -> [JSONValue] {
            (0..<1000).map { ["localId": .string("\(prefix)\($0)"), "email": .string("u\($0)@example.com")] }
        }
        #expect(try await send(bench, rows("t"), tenant: tenant)["error"] == nil)
        // Both want the same addresses: each goes to one of them.
        async let first = send(bench, rows("a"))
        async let second = send(bench, rows("b"))
        let refused = try await (errors(first).count, errors(second).count)
        #expect(refused.0 + refused.1 == 1000)
        let id = bench.directory.id
        #expect(try await bench.ports.store.read { try $0.userCount(in: id) } == 1000)
    }
}

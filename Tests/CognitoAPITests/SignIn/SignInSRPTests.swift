// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import SRP
import Testing

@testable import CognitoAPI

@Suite("Cognito: signing in by SRP")
struct SignInSRPTests {
    static let wrong = SignInPasswordTests.wrong

    @Test(
        "C-2 D-3 a right password signs in by every name of the user",
        arguments: ["alice", "alice@example.com", "ALICE"])
    func right(name: String) async throws {
        let (_, client) = try await SignInPasswordTests.world()
        let reply = try await client.srp(name, CognitoBench.password)
        #expect(reply.result("AccessToken") != nil, "\(reply.refusal)")
        #expect(reply.result("IdToken") != nil)
        #expect(reply.result("RefreshToken") != nil)
    }

    @Test("D-3 the challenge has its five parameters, in digits without leading zeros")
    func challenge() async throws {
        let (bench, client) = try await SignInPasswordTests.world()
        let begun = try await client.begin("alice")
        #expect(
            Set(begun.parameters.names) == ["SALT", "SRP_B", "SECRET_BLOCK", "USERNAME", "USER_ID_FOR_SRP"])
        let user = try await bench.done(
            "AdminGetUser", ["UserPoolId": .string(client.pool), "Username": "alice"])
        #expect(begun["USER_ID_FOR_SRP"] == user.attribute("sub"))
        #expect(begun["USERNAME"] == begun["USER_ID_FOR_SRP"])
        for name in ["SALT", "SRP_B"] {
            #expect(begun[name].first != "0")
            #expect(begun[name].allSatisfy { $0.isHexDigit && !$0.isUppercase })
        }
        #expect(Base64.decode(begun["SECRET_BLOCK"]) != nil)
    }

    @Test(
        "R8.10 nothing of a challenge tells a name that nobody has from one that somebody has, however they were made")
    func oneForm() async throws {
        let (bench, client) = try await SignInPasswordTests.world()
        _ = try await bench.done(
            "AdminCreateUser",
            ["UserPoolId": .string(client.pool), "Username": "made", "MessageAction": "SUPPRESS"])
        for name in ["alice", "made", "nobody", "somebody@example.com"] {
            let begun = try await client.begin(name)
            let identity = Array(begun["USER_ID_FOR_SRP"].utf8)
            #expect(identity.count == 36 && identity[14] == UInt8(ascii: "4"), "\(name)")
            #expect("89ab".utf8.contains(identity[19]), "\(name)")
        }
    }

    @Test("G-1.3 an unknown user has a challenge of the same form, with the same salt and identity each time")
    func decoy() async throws {
        let (_, client) = try await SignInPasswordTests.world()
        let known = try await client.begin("alice")
        let first = try await client.begin("nobody")
        let second = try await client.begin("Nobody")
        let other = try await client.begin("somebody")
        #expect(first.parameters.names == known.parameters.names)
        for name in ["SALT", "USER_ID_FOR_SRP", "USERNAME"] {
            #expect(first[name] == second[name])
            #expect(first[name] != other[name])
        }
        #expect(first["SRP_B"] != second["SRP_B"])
        #expect(first["USER_ID_FOR_SRP"].utf8.count == known["USER_ID_FOR_SRP"].utf8.count)
        // Sealed, so its length is all that could be seen of it. (Public values may be a byte shorter than they could
        // be.)
        #expect(abs(first["SECRET_BLOCK"].utf8.count - known["SECRET_BLOCK"].utf8.count) <= 4)
        let reply = try await client.respond(
            "PASSWORD_VERIFIER", try client.responses(first, CognitoBench.password))
        #expect(reply.refusal == Self.wrong)
    }

    @Test("D-3 a wrong password does not use the challenge up, a right one does")
    func singleUse() async throws {
        let (_, client) = try await SignInPasswordTests.world()
        let begun = try await client.begin("alice")
        #expect(
            try await client.respond("PASSWORD_VERIFIER", client.responses(begun, "Wrong-horse-7")).refusal
                == Self.wrong)
        let right = try client.responses(begun, CognitoBench.password)
        #expect(try await client.respond("PASSWORD_VERIFIER", right).status == 200)
        #expect(try await client.respond("PASSWORD_VERIFIER", right).refusal == Self.wrong)
    }

    @Test("D-3 an answer late, early, forged, or for another name or client is refused")
    func refusals() async throws {
        let (bench, client) = try await SignInPasswordTests.world()
        try await SignInPasswordTests.addUser("bob", bench, client.pool)
        let begun = try await client.begin("alice")
        func refusal(_ changes: JSONObject, at time: Instant? = nil) async throws -> String {
            // A challenge of its own: a right answer would use it up.
            let right = try client.responses(try await client.begin("alice"), CognitoBench.password, at: time)
            return try await client.respond("PASSWORD_VERIFIER", right.merging(changes)).refusal
        }
        #expect(try await refusal([:], at: bench.now + .seconds(301)) == Self.wrong)
        #expect(try await refusal([:], at: bench.now - .seconds(301)) == Self.wrong)
        // The attempt would be counted for bob.
        #expect(try await refusal(["USERNAME": "bob"]) == Self.wrong)
        #expect(try await refusal(["PASSWORD_CLAIM_SIGNATURE": "AAAA"]) == Self.wrong)
        #expect(try await refusal(["PASSWORD_CLAIM_SIGNATURE": "not base64"]) == Self.wrong)
        #expect(try await refusal(["PASSWORD_CLAIM_SECRET_BLOCK": "b3BhcXVl"]) == Self.wrong)
        #expect(
            try await refusal(["TIMESTAMP": "2026-05-28T20:26:40Z"])
                == "InvalidParameterException: TIMESTAMP format should be EEE MMM d HH:mm:ss z yyyy in english.")
        let other = try await bench.makeClient(
            ["ExplicitAuthFlows": ["ALLOW_USER_SRP_AUTH"], "PreventUserExistenceErrors": "ENABLED"],
            pool: client.pool)
        var thief = client
        thief = SignInClient(bench: bench, pool: client.pool, id: other["ClientId"]?.stringValue ?? "")
        #expect(
            try await thief.respond("PASSWORD_VERIFIER", client.responses(begun, CognitoBench.password)).refusal
                == Self.wrong)
        bench.advance(by: .seconds(180))
        #expect(
            try await client.respond("PASSWORD_VERIFIER", client.responses(begun, CognitoBench.password)).refusal
                == Self.wrong)
    }

    @Test("D-3 an answer may name the user as they typed it")
    func alias() async throws {
        let (_, client) = try await SignInPasswordTests.world()
        let begun = try await client.begin("alice")
        let right = try client.responses(begun, CognitoBench.password)
        #expect(
            try await client.respond("PASSWORD_VERIFIER", right.merging(["USERNAME": "alice@example.com"])).status
                == 200)
    }

    @Test("D-3 a public value of a known secret, or none at all, is refused")
    func publicValues() async throws {
        let (_, client) = try await SignInPasswordTests.world()
        let prime = Hex.encode(SRPGroup.prime)
        for value in ["0", "00", prime, prime.uppercased(), "xyz", String(repeating: "f", count: 5000)] {
            let reply = try await client.initiate(
                "USER_SRP_AUTH", ["USERNAME": "alice", "SRP_A": .string(value)])
            #expect(reply.exception == "InvalidParameterException", "\(value.prefix(8))")
        }
    }

    @Test("D-3 a new password makes the old one useless by SRP too")
    func changed() async throws {
        let (bench, client) = try await SignInPasswordTests.world()
        let begun = try await client.begin("alice")
        _ = try await bench.done(
            "AdminSetUserPassword",
            [
                "UserPoolId": .string(client.pool), "Username": "alice", "Password": "Another-horse-8-staple",
                "Permanent": true,
            ])
        #expect(
            try await client.respond("PASSWORD_VERIFIER", client.responses(begun, CognitoBench.password)).refusal
                == Self.wrong)
        #expect(try await client.srp("alice", CognitoBench.password).refusal == Self.wrong)
        #expect(try await client.srp("alice", "Another-horse-8-staple").status == 200)
    }

    @Test(
        "D-3 times of claims, as clients write them",
        arguments: [
            ("Thu Jan 1 00:00:00 UTC 1970", 0), ("Tue Mar 3 04:05:06 UTC 2026", 1_772_510_706),
            ("Tue Mar 03 04:05:06 UTC 2026", 1_772_510_706), ("Thu Feb 29 23:59:59 UTC 2024", 1_709_251_199),
            ("Tue Mar 3 04:05:06 GMT 2026", nil), ("Tue Mar  3 04:05:06 UTC 2026", nil), ("", nil),
            ("Tue Mär 3 04:05:06 UTC 2026", nil), ("Thu Feb 30 00:00:00 UTC 2024", nil),
            ("Tue Mar 3 4:05:06 UTC 2026", nil), ("Tue Mar 3 04:05:06 UTC 20260", nil),
            ("Tue Mar 333 04:05:06 UTC 2026", nil),
        ] as [(String, Int64?)])
    func claimTime(text: String, seconds: Int64?) { #expect(ClaimTime.instant(text)?.seconds == seconds) }
}

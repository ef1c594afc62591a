// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Testing

@testable import CognitoAPI

@Suite("Cognito: whatever a stranger sends is answered")
struct SignInRobustnessTests {
    /// Texts near to what is read: pieces of right ones, in any order and number.
    static func texts(_ pieces: [String], count: Int, seed: UInt64) -> [String] {
        var state = seed
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        return (0..<count).map { _ in (0..<next(12)).map { _ in pieces[next(pieces.count)] }.joined() }
    }

    @Test("V16.5.4 no header, target, time or sealed text traps")
    func parsers() throws {
        let headers = [
            "AWS4-HMAC-SHA256 ", "Credential=", "a/20150830/r/s/aws4_request", ", ", ",", "=", ";", "/",
            "SignedHeaders=", "host", "Signature=", "00", " ", "é", "\u{0}",
        ]
        for text in Self.texts(headers, count: 3000, seed: 1) { _ = SignatureAuthorization(text) }
        let targets = ["/", ".", "..", "?", "&", "=", "%", "%2", "%2F", "a", "é", " ", "+", "//", "%zz"]
        for text in Self.texts(targets, count: 3000, seed: 2) {
            let canonical = CanonicalRequest(
                method: "POST", target: text, headers: [("host", [text, ""])], payloadHash: "")
            #expect(canonical.text.hasPrefix("POST\n/"))
        }
        let times = ["Tue", " ", "Mar", "3", "03", "04:05:06", ":", "UTC", "2026", "-1", "99999", "٣"]
        for text in Self.texts(times, count: 3000, seed: 3) { _ = ClaimTime.instant(text) }
    }

    @Test("V16.5.4 no challenge answer traps, and none succeeds")
    func answers() async throws {
        let (_, client) = try await SignInPasswordTests.world()
        let values = ["", "A", "AAAA", "b3BhcXVl", "=", "é", "Tue Mar 3 04:05:06 UTC 2026", "alice", "f", "0"]
        for (index, text) in Self.texts(values, count: 25, seed: 4).enumerated() {
            let reply = try await client.respond(
                "PASSWORD_VERIFIER",
                [
                    "USERNAME": .string(index % 2 == 0 ? "alice" : text),
                    "PASSWORD_CLAIM_SECRET_BLOCK": .string(text), "PASSWORD_CLAIM_SIGNATURE": .string(text),
                    "TIMESTAMP": .string(SignInClient.timestamp(CognitoBench.now)),
                ])
            #expect(reply.status == 400)
            let begun = try await client.initiate(
                "USER_SRP_AUTH", ["USERNAME": .string("u\(index)"), "SRP_A": .string(text)])
            #expect([200, 400].contains(begun.status))
            let session = try await client.respond(
                "NEW_PASSWORD_REQUIRED", ["USERNAME": "alice", "NEW_PASSWORD": .string(text)],
                session: text + String(repeating: "A", count: 20))
            #expect(session.status == 400)
        }
    }
}

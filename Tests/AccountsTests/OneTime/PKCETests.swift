// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Foundation
import Testing

@testable import Accounts

@Suite struct PKCETests {
    private let vectors: JSONObject

    init() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Vectors/pkce-rfc7636.json")
        vectors = try JSONObject(parsing: Array(try Data(contentsOf: file)))
    }

    @Test("RFC 7636, appendix B: the verifier opens its challenge")
    func appendixB() throws {
        let verifier = try #require(vectors["verifier"]?.stringValue)
        let challenge = try #require(vectors["challenge"]?.stringValue)
        #expect(PKCE.challenge(for: verifier) == challenge)
        #expect(PKCE.isVerifier(verifier))
        #expect(PKCE.isChallenge(challenge))
        #expect(PKCE.verify(verifier, against: challenge))
    }

    @Test("R49 a malformed verifier opens nothing, not even the challenge made from it")
    func malformedVerifiers() throws {
        let invalid = try #require(vectors["invalid_verifiers"]?.arrayValue)
        #expect(invalid.count == 7)
        for text in invalid.compactMap(\.stringValue) {
            #expect(!PKCE.isVerifier(text), "\(text)")
            #expect(!PKCE.verify(text, against: PKCE.challenge(for: text)), "\(text)")
        }
    }

    @Test("A verifier has 43 to 128 unreserved characters (RFC 7636, section 4.1)")
    func verifierLengths() {
        #expect(!PKCE.isVerifier(String(repeating: "a", count: 42)))
        #expect(PKCE.isVerifier(String(repeating: "-._~", count: 11)))
        #expect(PKCE.isVerifier(String(repeating: "a", count: 128)))
        #expect(!PKCE.isVerifier(String(repeating: "a", count: 129)))
    }

    @Test(
        "A challenge is the BASE64URL of 32 bytes, so `plain` ones are refused",
        arguments: [
            "", "abc", String(repeating: "a", count: 42), String(repeating: "a", count: 44),
            String(repeating: "~", count: 43), String(repeating: "+", count: 43),
            String(repeating: "A", count: 42) + "=",
        ])
    func notChallenges(text: String) {
        #expect(!PKCE.isChallenge(text))
    }

    @Test("One wrong character in the verifier is a mismatch")
    func oneCharacterOff() throws {
        let verifier = try #require(vectors["verifier"]?.stringValue)
        let challenge = try #require(vectors["challenge"]?.stringValue)
        for index in verifier.indices {
            var changed = verifier
            changed.replaceSubrange(index...index, with: changed[index] == "a" ? "b" : "a")
            #expect(!PKCE.verify(changed, against: challenge))
        }
    }

    @Test("A request without a challenge has none; one with a bad challenge is refused")
    func checked() throws {
        #expect(try PKCE.checked(nil) == nil)
        #expect(try PKCE.checked("") == nil)
        let challenge = try #require(vectors["challenge"]?.stringValue)
        #expect(try PKCE.checked(challenge) == challenge)
        #expect(throws: AuthError(.invalidRequest)) { try PKCE.checked("short") }
    }
}

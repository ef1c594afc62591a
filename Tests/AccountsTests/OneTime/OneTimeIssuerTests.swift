// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

@Suite struct OneTimeIssuerTests {
    @Test("The store and the audit log hold hashes; only the message holds the proof")
    func onlyHashes() async throws {
        let bench = try await ProofBench()
        let user = try await bench.confirmedUser("a@example.com")
        let proof = try await bench.proof(.recovery, for: user)
        #expect(proof.linkToken.utf8.count == 56)
        #expect(proof.code.utf8.count == 6)
        #expect("\(proof)" == "[redacted]")
        let token = try #require(try await bench.token(.recovery, of: user))
        #expect(token.linkHash == OneTimeToken.hash(link: proof.linkToken))
        #expect(token.codeHash.count == 32)
        #expect(token.codeHash != Array(proof.code.utf8))
        for event in try await bench.events() {
            #expect(!event.details.text.contains(proof.linkToken))
            #expect(!event.details.text.contains(proof.code))
        }
        let message = try #require(try await bench.messages(to: "a@example.com").first)
        #expect(message.code == proof.code && message.link == proof.link && message.tokenHash == proof.tokenHash)
        #expect(message.text.contains(proof.code) && message.text.contains(proof.linkToken))
        #expect(message.state == .pending && message.dueAt == bench.now)
    }

    @Test("A code's hash is bound to the user, the purpose and the Directory")
    func bound() {
        let key = Secret([UInt8](repeating: 1, count: 32))
        let one = OneTimeToken.hash(code: "123456", of: UserID("a"), purpose: .recovery, under: key)
        #expect(one == OneTimeToken.hash(code: "123456", of: UserID("a"), purpose: .recovery, under: key))
        #expect(one != OneTimeToken.hash(code: "123457", of: UserID("a"), purpose: .recovery, under: key))
        #expect(one != OneTimeToken.hash(code: "123456", of: UserID("b"), purpose: .recovery, under: key))
        #expect(one != OneTimeToken.hash(code: "123456", of: UserID("a"), purpose: .magicLink, under: key))
        let other = Secret([UInt8](repeating: 2, count: 32))
        #expect(one != OneTimeToken.hash(code: "123456", of: UserID("a"), purpose: .recovery, under: other))
    }

    @Test("G-12.6 a link leads where the configuration allows, else to the site")
    func redirects() async throws {
        let bench = try await ProofBench()
        let user = try await bench.confirmedUser("a@example.com")
        for (requested, expected) in [
            (nil, "https://app.example"), ("https://app.example/welcome", "https://app.example/welcome"),
            ("https://evil.test/", "https://app.example"), ("javascript:alert(1)", "https://app.example"),
            ("https://app.example/\r\nX: y", "https://app.example"),
        ] {
            let proof = try await bench.ports.write(bench.call()) { step in
                var user = user
                return try OneTimeIssuer(step).make(
                    .recovery, for: &user, recipient: .email(try EmailAddress("a@example.com")), redirectTo: requested,
                    codeChallenge: nil)
            }
            #expect(proof.redirectTo == expected)
            #expect(proof.link.hasPrefix("https://auth.example/verify?") && proof.link.hasSuffix("=" + expected))
        }
    }

    @Test("Codes that authenticate live ten minutes at most, links as long as their purpose says")
    func lifetimes() async throws {
        let bench = try await ProofBench()
        let user = try await bench.user(email: "a@example.com", phone: "+491701234567")
        let expected: [OneTimeToken.Purpose: TimeSpan] = [
            .signUpConfirmation: .hours(24), .invitation: .days(7), .magicLink: .hours(1), .recovery: .hours(1),
            .emailChangeCurrent: .hours(24), .emailChangeNew: .hours(24), .phoneSignIn: .minutes(10),
            .phoneChange: .minutes(10), .reauthentication: .minutes(10), .unlock: .hours(1), .export: .hours(1),
            .factorRecoveryStop: .days(3),
        ]
        for purpose in OneTimeToken.Purpose.allCases {
            _ = try await bench.proof(purpose, for: user)
            let token = try #require(try await bench.token(purpose, of: user))
            #expect(token.expiresAt - bench.now == expected[purpose])
            #expect(token.codeExpiresAt - bench.now == .minutes(10))
        }
    }

    @Test("A new proof takes the place of the older one of its purpose, and of no other")
    func replaces() async throws {
        let bench = try await ProofBench()
        let user = try await bench.confirmedUser("a@example.com")
        let old = try await bench.proof(.recovery, for: user)
        let other = try await bench.proof(.magicLink, for: user)
        _ = try await bench.proof(.recovery, for: user)
        let verify = VerifyProof(bench.ports)
        await #expect(throws: AuthError(.oneTimeTokenInvalid)) {
            try await verify(.link(token: old.linkToken), purposes: [.recovery], call: bench.call())
        }
        let outcome = try await verify(.link(token: other.linkToken), purposes: [.magicLink], call: bench.call())
        #expect(outcome.session != nil)
    }

    @Test("A mail cannot be given a second recipient or header through the site's name or the user's data")
    func noHeaderInjection() async throws {
        let bench = try await ProofBench { $0.mail.siteName = "Site\r\nBcc: evil@evil.test\u{1}" }
        let user = try await bench.user(email: "a@example.com") { $0.userMetadata = ["name": "x\r\nBcc: e@evil.test"] }
        for purpose in OneTimeToken.Purpose.allCases where purpose != .phoneSignIn && purpose != .phoneChange {
            _ = try await bench.proof(purpose, for: user)
        }
        for message in try await bench.messages() {
            #expect(message.subject.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
            #expect(message.recipient == "a@example.com")
        }
    }

    @Test("A text message carries the code and no link")
    func textMessage() async throws {
        let bench = try await ProofBench()
        let user = try await bench.user(phone: "+491701234567")
        let proof = try await bench.proof(.phoneSignIn, for: user)
        let message = try #require(try await bench.messages(to: "+491701234567").first)
        #expect(message.channel == .sms && message.html == nil && message.link == nil)
        #expect(message.text.contains(proof.code) && !message.text.contains("http"))
    }
}

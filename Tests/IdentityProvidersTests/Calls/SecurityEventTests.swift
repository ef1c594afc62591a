// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import JOSE
import Testing

@testable import IdentityProviders

@Suite("What providers tell of their own accord")
struct SecurityEventTests {
    let bench = ProviderBench()
    let risc = "https://schemas.openid.net/secevent/risc/event-type/"

    private func events(_ body: String, _ kind: IdentityProvider.Kind) async throws(AuthError) -> [UpstreamEvent] {
        try await bench.party.events(Array(body.utf8), at: ProviderBench.provider(kind), now: ProviderBench.now)
    }

    private func apple(_ changes: JSONObject = [:], type: String = "consent-revoked", key: SigningKey = TestKeys.rsa)
        throws -> String
    {
        let event: JSONObject = ["type": .string(type), "sub": "user-1", "event_time": 1_799_999_990_000]
        let claims: JSONObject = [
            "iss": "https://appleid.apple.com", "aud": "client-2", "iat": .integer(ProviderBench.now.seconds - 5),
            "exp": .integer(ProviderBench.now.seconds + 600), "jti": "j-1", "events": .string(event.text),
        ]
        return (["payload": .string(try JWS.sign(claims.merging(changes), with: key))] as JSONObject).text
    }

    private func google(_ changes: JSONObject = [:], event: String? = nil, key: SigningKey = TestKeys.rsa) throws
        -> String
    {
        let subject: JSONObject = [
            "subject_type": "iss-sub", "iss": "https://accounts.google.com/", "sub": "user-1",
        ]
        let claims: JSONObject = [
            "iss": "https://accounts.google.com/", "aud": "client-1", "iat": .integer(ProviderBench.now.seconds - 5),
            "jti": "j-2",
            "events": [event ?? risc + "account-disabled": ["subject": .object(subject), "reason": "hijacking"]],
        ]
        return try JWS.sign(claims.merging(changes), type: "secevent+jwt", with: key)
    }

    @Test("R12.1 Apple's notifications are read, with both of its words for a deleted account")
    func appleKinds() async throws {
        for (word, kind) in [
            ("consent-revoked", UpstreamEvent.Kind.consentRevoked), ("account-delete", .accountDeleted),
            ("account-deleted", .accountDeleted), ("email-disabled", .emailDisabled), ("email-enabled", .emailEnabled),
            ("something-new", .other),
        ] {
            let found = try await events(apple(type: word), .apple)
            let expected = UpstreamEvent(
                kind: kind, issuer: "https://appleid.apple.com", subject: "user-1", id: "j-1",
                at: Instant(seconds: 1_799_999_990))
            #expect(found == [expected])
        }
    }

    @Test("R12.1 Google's security events are read, which never expire")
    func googleKinds() async throws {
        let oauth = "https://schemas.openid.net/secevent/oauth/event-type/"
        for (word, kind) in [
            (risc + "sessions-revoked", UpstreamEvent.Kind.sessionsRevoked), (oauth + "tokens-revoked", .tokensRevoked),
            (oauth + "token-revoked", .tokensRevoked), (risc + "account-disabled", .accountDisabled),
            (risc + "account-enabled", .accountEnabled), (risc + "account-purged", .accountDeleted),
            (risc + "account-credential-change-required", .credentialChangeRequired),
        ] {
            let found = try await events(google(event: word), .google)
            #expect(found.map(\.kind) == [kind] && found.map(\.subject) == ["user-1"])
            #expect(found.map(\.issuer) == ["https://accounts.google.com"] && found.map(\.reason) == ["hijacking"])
        }
        #expect(try await events(google(event: "https://x.example"), .google).map(\.kind) == [.other])
        let test = try await events(
            google(["events": [risc + "verification": ["state": "the operator's"]] as JSONValue]), .google)
        #expect(test.map(\.kind) == [.verification] && test.first?.reason == "the operator's")
        let other: JSONObject = [
            "events": [risc + "sessions-revoked": ["subject": ["iss": "https://x.example", "sub": "1"]]]
        ]
        #expect(try await events(google(other), .google).map(\.kind) == [.other], "of another issuer's user")
    }

    @Test("R12.1 A notification that is another's, for another, too old, unsigned or an ID token is refused")
    func forged() async throws {
        let now = ProviderBench.now.seconds
        let wrong: [JSONObject] = [
            ["iss": "https://evil.example"], ["iss": .null], ["aud": "client-3"], ["aud": .null], ["jti": .null],
            ["jti": ""], ["iat": .null], ["iat": .integer(now + 61)], ["iat": .integer(now - 7 * 86_400)],
            ["exp": .integer(now - 60)], ["nbf": .integer(now + 61)], ["events": .null], ["events": "x"], ["events": 1],
        ]
        for changes in wrong {
            await #expect(throws: AuthError(.identityTokenInvalid), "\(changes.text)") {
                try await events(apple(changes), .apple)
            }
            await #expect(throws: AuthError(.identityTokenInvalid), "\(changes.text)") {
                try await events(google(changes), .google)
            }
        }
        let idToken = try JWS.sign(ProviderBench.claims(.google), with: TestKeys.rsa)
        let none = "\(Base64URL.encode(Array(#"{"alg":"none"}"#.utf8))).e30."
        for body in ["", "{}", "[]", #"{"payload":1}"#, idToken, none, String(repeating: "a", count: 40_000)] {
            await #expect(throws: AuthError(.identityTokenInvalid)) { try await events(body, .apple) }
            await #expect(throws: AuthError(.identityTokenInvalid)) { try await events(body, .google) }
        }
        for key in [TestKeys.foreign, TestKeys.es256] {
            await #expect(throws: AuthError(.identityTokenInvalid)) { try await events(apple(key: key), .apple) }
            await #expect(throws: AuthError(.identityTokenInvalid)) { try await events(google(key: key), .google) }
        }
        await #expect(throws: AuthError(.unsupported)) { try await events(google(), .github) }
    }

    @Test("R12.1 Every event of a statement is read, of whom each says or the statement does (RFC 9493, section 4)")
    func several() async throws {
        let about: JSONObject = ["iss": "https://accounts.google.com/", "sub": "user-1"]
        let set = try google([
            "sub_id": ["format": "iss_sub", "iss": "https://accounts.google.com/", "sub": "user-2"],
            "events": [
                risc + "account-credential-change-required": ["subject": .object(about)],
                risc + "sessions-revoked": [:],
            ] as JSONValue,
        ])
        let found = try await events(set, .google)
        #expect(found.map(\.kind) == [.credentialChangeRequired, .sessionsRevoked])
        #expect(found.map(\.subject) == ["user-1", "user-2"])
    }

    @Test("R12.1 An issuer whose name ends in a slash is heeded by that name, and no other is by it")
    func slash() async throws {
        var provider = ProviderBench.provider(.openID)
        let name = ProviderBench.issuer + "/"
        provider.issuer = name
        func statement(about issuer: String) throws -> [UInt8] {
            let subject: JSONObject = ["format": "iss_sub", "iss": .string(issuer), "sub": "user-1"]
            let changes: JSONObject = [
                "iss": .string(name), "events": [risc + "sessions-revoked": ["subject": .object(subject)]] as JSONValue,
            ]
            return Array(try google(changes).utf8)
        }
        let now = ProviderBench.now
        let found = try await bench.party.events(statement(about: name), at: provider, now: now)
        #expect(found.map(\.kind) == [.sessionsRevoked] && found.map(\.subject) == ["user-1"])
        #expect(found.map(\.issuer) == [name])
        for other in [ProviderBench.issuer, name + "/x", name + "/x/", "https://x.example/"] {
            let found = try await bench.party.events(statement(about: other), at: provider, now: now)
            #expect(found.map(\.kind) == [.other], "\(other)")
        }
    }

    @Test("R12.1 What is wrong with a statement is said, as far as its sender is to be told (RFC 8935, section 2.4)")
    func faults() async throws {
        let cases: [(String, UpstreamEvent.Fault?)] = [
            (try google(["iss": "https://evil.example"]), .issuer), (try google(["aud": "client-3"]), .audience),
            (try google(key: TestKeys.foreign), .signature),
            (String(try google().dropLast(8)) + "AAAAAAAA", .signature),
            (try google(["jti": .null]), nil), ("no token", nil),
        ]
        for (body, fault) in cases {
            do {
                _ = try await events(body, .google)
                Issue.record("taken: \(body)")
            } catch {
                #expect(error.code == .identityTokenInvalid && error.field == fault?.rawValue, "\(error)")
            }
        }
    }

    @Test("R12.1 Neither is an ID token, and neither opens anything as one")
    func confusion() async throws {
        let set = try google(["exp": .integer(ProviderBench.now.seconds + 60), "sub": "user-1", "nonce": "n-1"])
        #expect(await bench.judge(set, ProviderBench.provider(.google)).code == .identityTokenInvalid)
    }
}

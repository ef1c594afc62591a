// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import TestBench
import TestBenchHTTP
import Testing

@testable import DevelopmentIdentityProvider

/// What scripts get without a page.
@Suite struct ScriptTests {
    @Test(
        "R12.3 a script gets an ID token as a phone would, for whom it says, with the claims that it says",
        arguments: Vendor.allCases)
    func idToken(vendor: Vendor) async throws {
        let bench = UpstreamBench()
        let reply = try await bench.script(
            "/id-token",
            [
                "provider": .string(vendor.rawValue), "subject": "ada@example.com", "nonce": "abc",
                "claims": ["email_verified": "false", "extra": [1, 2]],
            ])
        #expect(reply.status == 200 && reply["access_token"]?.stringValue != nil)
        guard vendor != .gitHub else {
            #expect(reply["id_token"] == nil)
            let user = try await bench.get("/github/user", token: reply["access_token"]?.stringValue)
            #expect(user["id"] == 9_000_001)
            return
        }
        let claims = try await bench.claims(reply["id_token"]?.stringValue, of: vendor)
        #expect(claims["sub"]?.stringValue == Person.invented(at: vendor)[0].subject && claims["nonce"] == "abc")
        #expect(claims["email_verified"] == "false" && claims["extra"] == [1, 2])
        if vendor == .google { #expect(claims["azp"] == "latchkey-google-phone" && claims["aud"] == "latchkey-google") }
    }

    @Test("R12.3 a script makes anybody up, and any audience")
    func stranger() async throws {
        let bench = UpstreamBench()
        let reply = try await bench.script(
            "/id-token",
            [
                "provider": "google", "subject": "777", "audience": "another-app",
                "claims": ["email": "new@example.org", "email_verified": true, "name": "New Person", "exp": 5],
            ])
        let claims = try await bench.claims(reply["id_token"]?.stringValue, of: .google)
        #expect(claims["sub"] == "777" && claims["aud"] == "another-app" && claims["exp"] == 5)
        #expect(claims["email"] == "new@example.org" && claims["given_name"] == "New" && claims["nonce"] == nil)
    }

    @Test("R12.3 a script gets the notification that a vendor would send, and it is sent")
    func notification() async throws {
        let bench = UpstreamBench()
        let reply = try await bench.script(
            "/notification", ["provider": "google", "subject": "ada@example.com", "event": "sessions_revoked"])
        #expect(reply.status == 200 && reply["delivered"] == true)
        let claims = try await bench.claims(reply["notification"]?.stringValue, of: .google)
        #expect(claims["events"]?.objectValue?.names.first?.hasSuffix("sessions-revoked") == true)
        #expect(claims["aud"] == "latchkey-google")
        for body: JSONObject in [
            ["provider": "github", "subject": "9000001"], ["provider": "google", "subject": "1", "event": "other"],
            ["provider": "apple", "subject": "1", "event": "sessions_revoked"],
        ] { #expect(try await bench.script("/notification", body).status == 400, "\(body.text)") }
    }
}

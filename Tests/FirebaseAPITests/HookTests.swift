// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import JOSE
import TestBench
import Testing

@testable import FirebaseAPI

@Suite("Blocking functions") struct HookTests {
    private static let url = "https://functions.example/hook"

    private static func bench(_ name: String, _ receiver: HookReceiver) async throws -> FirebaseBench {
        let moment = try #require(FirebaseHookForm.hooks[name])
        return try await FirebaseBench(
            hooks: Hooks(blocking: [
                BlockingHook(
                    name: name, moment: moment, dialect: FirebaseDialect.name, directory: "default", url: url,
                    secrets: [],
                    caller: receiver)
            ]))
    }

    private static func signUp(_ bench: FirebaseBench) async throws -> FirebaseBench.Reply {
        try await bench.call(
            "signUp",
            [
                "email": "ada@example.com", "password": .string(FirebaseBench.password), "displayName": "Ada",
                "returnSecureToken": true,
            ])
    }

    private static func asked(_ received: HookReceiver.Received) throws -> JSONObject {
        let token = try #require(received.data["jwt"]?.stringValue)
        return try JSONObject(parsing: try ParsedJWS(parsing: token.utf8).payload)
    }

    @Test("R14.6 beforeCreate is shown the user in a token that the project's published key verifies, for its own URL")
    func beforeCreate() async throws {
        let receiver = HookReceiver { _ throws(HookCallFailure) in
            HookReply([
                "userRecord": [
                    "updateMask": "displayName,customClaims,emailVerified", "displayName": "Ada L.",
                    "customClaims": ["plan": "pro"], "emailVerified": true, "photoURL": "https://not.in/the.mask",
                ]
            ])
        }
        let bench = try await Self.bench("beforeCreate", receiver)
        let made = try await Self.signUp(bench)
        #expect(made.status == 200, "\(made.text)")
        let received = try #require(receiver.received.first)
        let claims = try Self.asked(received)
        #expect(claims["aud"]?.stringValue == Self.url && claims["event_type"]?.stringValue == "beforeCreate")
        #expect(claims["sign_in_method"]?.stringValue == "password")
        let record = try #require(claims["user_record"]?.objectValue)
        #expect(record["uid"] == made["localId"] && record["email"]?.stringValue == "ada@example.com")
        let token = try #require(received.data["jwt"]?.stringValue)
        let parsed = try ParsedJWS(parsing: token.utf8)
        let published = try await bench.keys.liveKeys(.compatibility, at: bench.now)
            .compactMap { try JWK(parsing: $0.privateJWK.reveal().utf8).publicKey }
        let verifiers = try VerificationKeySet(JWKSet(published))
        try parsed.verify(with: verifiers.key(for: parsed.header), allowing: [.rs256])

        let said = try FirebaseBench.claims(made["idToken"]?.stringValue)
        #expect(said["plan"]?.stringValue == "pro" && said["name"]?.stringValue == "Ada L.")
        #expect(said["email_verified"]?.boolValue == true && said["picture"] == nil)
    }

    @Test("R14.6 beforeSignIn gives claims to one session alone, and a function that says no keeps out, with its text")
    func beforeSignIn() async throws {
        let receiver = HookReceiver { received throws(HookCallFailure) in
            let record = (try? Self.asked(received))?["user_record"]?.objectValue
            guard record?["email"]?.stringValue != "eve@example.com" else {
                return HookReply(["error": ["status": "PERMISSION_DENIED", "message": "Not today"]], status: 403)
            }
            return HookReply(["userRecord": ["updateMask": "sessionClaims", "sessionClaims": ["shift": "late"]]])
        }
        let bench = try await Self.bench("beforeSignIn", receiver)
        _ = try await bench.addUser("ada@example.com")
        _ = try await bench.addUser("eve@example.com")
        let signedIn = try await bench.signIn("ada@example.com")
        #expect(try FirebaseBench.claims(signedIn["idToken"]?.stringValue)["shift"]?.stringValue == "late")
        let refused = try await bench.signIn("eve@example.com")
        #expect(refused.status == 400 && refused.code?.hasPrefix("BLOCKING_FUNCTION_ERROR_RESPONSE") == true)
        #expect(refused.text.contains("Not today"))
        // A wrong password is asked about by nobody.
        let count = receiver.received.count
        _ = try await bench.signIn("ada@example.com", password: "Wrong-horse-7-battery")
        #expect(receiver.received.count == count)
    }

    @Test(
        "R14.6 what is not a function's to change, or has another type, is no answer, and nobody is let in",
        arguments: [
            "{\"userRecord\":{\"updateMask\":\"customClaims\",\"customClaims\":{\"sub\":\"x\"}}}",
            "{\"userRecord\":{\"updateMask\":\"sessionClaims\",\"sessionClaims\":{\"firebase\":{}}}}",
            "{\"userRecord\":{\"updateMask\":\"uid\",\"uid\":\"x\"}}",
            "{\"userRecord\":{\"updateMask\":\"disabled\",\"disabled\":\"yes\"}}",
            "{\"userRecord\":{\"updateMask\":\"disabled\",\"disabled\":true}}", "[]", "{",
        ])
    func wrong(_ text: String) async throws {
        let receiver = HookReceiver { _ throws(HookCallFailure) in HookReply(status: 200, body: Array(text.utf8)) }
        let bench = try await Self.bench("beforeSignIn", receiver)
        _ = try await bench.addUser("ada@example.com")
        let reply = try await bench.signIn("ada@example.com")
        #expect(reply.status == 400 && reply["idToken"] == nil)
        let id = bench.directory.id
        let sessions = try await bench.ports.store.read { tx in
            try tx.user(email: EmailAddress("ada@example.com"), in: id).map { try tx.sessions(of: $0.id, in: id) } ?? []
        }
        #expect(sessions.isEmpty)
    }
}

// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import TestBench
import Testing

@testable import FirebaseAPI

/// What is no proof of anybody opens no session, and is refused in the platform's words.
@Suite struct BadProviderInputTests {
    @Test(
        "R12.5 a request that proves nothing is refused by what is wrong with it, and opens no session",
        arguments: [
            (["postBody": "providerId=google.com"], "INVALID_CREDENTIAL_OR_PROVIDER_ID"),
            (["postBody": "providerId=google.com&id_token="], "INVALID_CREDENTIAL_OR_PROVIDER_ID"),
            (["postBody": "providerId=google.com&id_token=a&id_token=b"], "INVALID_CREDENTIAL_OR_PROVIDER_ID"),
            (["postBody": "id_token=good"], "INVALID_CREDENTIAL_OR_PROVIDER_ID"),
            (["postBody": "providerId=google.com&id_token=forged"], "INVALID_IDP_RESPONSE"),
            (["postBody": "providerId=google.com&access_token=forged"], "INVALID_IDP_RESPONSE"),
            (["postBody": "providerId=google.com&id_token=nonce"], "MISSING_OR_INVALID_NONCE"),
            (["postBody": "providerId=apple.com&id_token=good"], "INVALID_IDP_RESPONSE"),
            (["postBody": "providerId=facebook.com&access_token=good"], "OPERATION_NOT_ALLOWED"),
            (["postBody": "providerId=oidc.none&id_token=good"], "OPERATION_NOT_ALLOWED"),
            (["postBody": "providerId=saml.one&SAMLResponse=x"], "OPERATION_NOT_ALLOWED"),
            (["postBody": "providerId=microsoft.com&id_token=good"], "OPERATION_NOT_ALLOWED"),
            (["postBody": "providerId=google.com&id_token=good", "idToken": "x"], "INVALID_ID_TOKEN"),
            (["postBody": "state=x&code=good"], "INVALID_IDP_RESPONSE"),
            (["postBody": "state=x&code=good", "sessionId": "x"], "INVALID_IDP_RESPONSE"),
            (["pendingToken": "x"], "INVALID_PENDING_TOKEN"), (["pendingIdToken": "x"], "INVALID_PENDING_TOKEN"),
            (["requestUri": ""], "MISSING_REQUEST_URI"), (["requestUri": "localhost"], "INVALID_REQUEST_URI"),
            (["postBody": ["providerId": "google.com"]], "Invalid value at 'postBody' (TYPE_STRING)"),
            (
                ["postBody": "providerId=google.com&id_token=good", "autoCreate": "maybe"],
                "Invalid value at 'autoCreate' (TYPE_BOOL)"
            ),
        ] as [(JSONObject, String)])
    func refused(change: JSONObject, code: String) async throws {
        let bench = try await FirebaseBench()
        try await bench.addProvider()
        try await bench.addProvider(.apple)
        try await bench.addProvider(.microsoft) { $0.isEnabled = false }
        try bench.vouch("good")
        bench.providers.refuse("nonce", with: .identityTokenInvalid, field: "nonce")
        var body: JSONObject = ["requestUri": "http://localhost", "returnSecureToken": true]
        for member in change.members { body[member.name] = member.value }
        for path in [
            "/v1/accounts:signInWithIdp", "/www.googleapis.com/identitytoolkit/v3/relyingparty/verifyAssertion",
        ] {
            let reply = try await bench.send(.post, path + "?key=" + bench.key, body: body.text)
            #expect(reply.status == 400 && reply.code == code, "\(body.text): \(reply.text)")
            #expect(reply["idToken"] == nil && reply["refreshToken"] == nil)
        }
        let users = try await bench.administer("/accounts:batchGet", method: .get)["users"]
        #expect(users == nil, "\(users.map { "\($0)" } ?? "")")
    }

    @Test("R12.5 who is disabled, and who may not have an account, comes by no provider either")
    func notLetIn() async throws {
        let bench = try await FirebaseBench()
        try await bench.addProvider()
        let id = try await bench.addUser("ada@example.com")
        try bench.vouch("link")
        #expect(try await bench.signInWithProvider("link").status == 200)
        _ = try await bench.administer("/accounts:update", ["localId": .string(id), "disableUser": true])
        try bench.vouch("again")
        #expect(try await bench.signInWithProvider("again").code == "USER_DISABLED")
        let closed = try await FirebaseBench { $0.signUp.enabled = false }
        try await closed.addProvider()
        try closed.vouch("new")
        #expect(try await closed.signInWithProvider("new").code == "ADMIN_ONLY_OPERATION")
    }

    @Test("R12.5 what was sealed for one project, or is older than its time, is no credential anywhere else or later")
    func pendingTokens() async throws {
        let bench = try await FirebaseBench()
        try await bench.addProvider(.facebook)
        try await bench.addUser("ada@example.com")
        try bench.vouch("f", provider: "facebook", vouched: false)
        let refused = try await bench.signInWithProvider("f", provider: "facebook.com", kind: "access_token")
        let pending = try #require(refused["pendingToken"], "\(refused.text)")
        let body: JSONObject = ["requestUri": "http://localhost", "pendingToken": pending]
        // By itself it is worth as much as what it stands for.
        #expect(try await bench.call("signInWithIdp", body)["needConfirmation"] == true)
        let made = try await bench.administer("/tenants", ["displayName": "North"], version: "v2")
        let tenant = made["name"]?.stringValue?.split(separator: "/").last.map(String.init) ?? ""
        var elsewhere = body
        elsewhere["tenantId"] = .string(tenant)
        #expect(try await bench.call("signInWithIdp", elsewhere).code == "INVALID_PENDING_TOKEN")
        bench.advance(.minutes(11))
        #expect(try await bench.call("signInWithIdp", body).code == "INVALID_PENDING_TOKEN")
    }
}

// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import TestBench
import Testing

@testable import FirebaseAPI

/// `accounts:signInWithIdp` with what a provider's own SDK gave the app.
@Suite struct ProviderSignInTests {
    @Test("R12.5 a newcomer gets an account, whose tokens say by whom they came, and is the same user the next time")
    func newcomer() async throws {
        let bench = try await FirebaseBench()
        try await bench.addProvider()
        try bench.vouch("first")
        let reply = try await bench.signInWithProvider("first&access_token=upstream")
        #expect(reply.status == 200 && reply["isNewUser"] == true, "\(reply.text)")
        #expect(reply["kind"] == "identitytoolkit#VerifyAssertionResponse" && reply["context"] == "")
        #expect(reply["providerId"] == "google.com" && reply["federatedId"] == "https://accounts.google.com/117")
        #expect(reply["email"] == "ada@example.com" && reply["emailVerified"] == true)
        #expect(reply["oauthIdToken"] == "first" && reply["oauthAccessToken"] == "upstream")
        for name in ["needConfirmation", "errorMessage", "mfaPendingCredential", "pendingToken", "tenantId"] {
            #expect(reply[name] == nil, "\(name)")
        }
        let claims = try FirebaseBench.claims(reply["idToken"]?.stringValue)
        let firebase = claims["firebase"]?.objectValue
        #expect(firebase?["sign_in_provider"] == "google.com" && claims["email_verified"] == true)
        #expect(firebase?["identities"] == ["google.com": ["117"], "email": ["ada@example.com"]])
        #expect(claims["name"] == "Ada Lovelace")
        let renewed = try await bench.refresh(reply["refreshToken"]?.stringValue ?? "")
        let later = try FirebaseBench.claims(renewed["id_token"]?.stringValue)
        #expect(later["firebase"]?.objectValue?["sign_in_provider"] == "google.com")
        let seen = try await bench.call("lookup", ["idToken": reply["idToken"] ?? ""])["users"]?.arrayValue?.first
        #expect(
            seen?.objectValue?["providerUserInfo"] == [
                [
                    "providerId": "google.com", "rawId": "117", "federatedId": "117", "email": "ada@example.com",
                    "displayName": "Ada Lovelace",
                ]
            ])

        try bench.vouch("second", email: "renamed@example.com")
        let again = try await bench.signInWithProvider("second")
        #expect(again["localId"] == reply["localId"] && again["isNewUser"] == nil, "\(again.text)")
        #expect(again["originalEmail"] == "ada@example.com" && again["email"] == "renamed@example.com")
    }

    @Test("R12.5 R12.2 an ID token signs in once, and one that nobody vouches for never")
    func replayed() async throws {
        let bench = try await FirebaseBench()
        try await bench.addProvider()
        try bench.vouch("token")
        #expect(try await bench.signInWithProvider("token").status == 200)
        for credential in ["token", "forged"] {
            let reply = try await bench.signInWithProvider(credential)
            #expect(reply.status == 400 && reply.code == "INVALID_IDP_RESPONSE", "\(reply.text)")
            #expect(reply["idToken"] == nil)
        }
    }

    @Test("R12.5 R46 a vouched address of a confirmed account is linked to it, which keeps its password")
    func confirmedAccount() async throws {
        let bench = try await FirebaseBench()
        try await bench.addProvider()
        let id = try await bench.addUser("ada@example.com")
        try bench.vouch("token")
        let reply = try await bench.signInWithProvider("token")
        #expect(reply["localId"]?.stringValue == id && reply["isNewUser"] == nil, "\(reply.text)")
        #expect(try await bench.providers(of: id) == ["password", "google.com"])
        #expect(try await bench.signIn("ada@example.com").status == 200)
    }

    @Test(
        "R12.5 R47 of an account whose address nobody has confirmed, whoever is vouched for gets all and leaves nothing"
    )
    func unconfirmedAccount() async throws {
        let bench = try await FirebaseBench()
        try await bench.addProvider()
        let squatter = try await bench.call(
            "signUp", ["email": "ada@example.com", "password": .string(FirebaseBench.password), "displayName": "Eve"])
        try bench.vouch("token")
        let reply = try await bench.signInWithProvider("token")
        let id = try #require(reply["localId"]?.stringValue, "\(reply.text)")
        #expect(reply["localId"] == squatter["localId"] && reply["emailVerified"] == true)
        #expect(try await bench.providers(of: id) == ["google.com"])
        #expect(try await bench.user(id)["displayName"] == "Ada Lovelace")
        #expect(try await bench.signIn("ada@example.com").code == "INVALID_LOGIN_CREDENTIALS")
        #expect(try await bench.refresh(squatter["refreshToken"]?.stringValue ?? "").code == "TOKEN_EXPIRED")
    }

    @Test(
        "R12.5 R46 an address that nobody vouches for opens no account that has it: the app may link once its user is in"
    )
    func confirmation() async throws {
        for isConcealed in [true, false] {
            let bench = try await FirebaseBench { $0.signUp.concealsEmails = isConcealed }
            try await bench.addProvider()
            try await bench.addProvider(.facebook)
            let id = try await bench.addUser("ada@example.com")
            try bench.vouch("g")
            _ = try await bench.signInWithProvider("g")
            try bench.vouch("f", subject: "f-1", provider: "facebook", vouched: false)
            let refused = try await bench.signInWithProvider("f", provider: "facebook.com", kind: "access_token")
            #expect(refused.status == 200 && refused["needConfirmation"] == true, "\(refused.text)")
            #expect(refused["verifiedProvider"] == (isConcealed ? nil : ["google.com"]))
            #expect(refused["email"] == "ada@example.com" && refused["emailVerified"] == false)
            for name in ["idToken", "refreshToken", "localId", "expiresIn"] { #expect(refused[name] == nil, "\(name)") }

            let pending = try #require(refused["pendingToken"])
            let session = try await bench.signIn("ada@example.com")
            let body: JSONObject = [
                "requestUri": "http://localhost", "pendingToken": pending, "idToken": session["idToken"] ?? "",
            ]
            let linked = try await bench.call("signInWithIdp", body)
            #expect(linked["localId"]?.stringValue == id && linked["idToken"] != nil, "\(linked.text)")
            #expect(Set(try await bench.providers(of: id)) == ["password", "google.com", "facebook.com"])
            // Another session takes the place of the one that linked.
            #expect(try await bench.refresh(session["refreshToken"]?.stringValue ?? "").code == "TOKEN_EXPIRED")
            let again: JSONObject = ["requestUri": "http://localhost", "pendingToken": pending]
            #expect(try await bench.call("signInWithIdp", again).code == "INVALID_PENDING_TOKEN")
        }
    }

    @Test(
        "R12.5 nobody's identity is taken from them, and the app that tried is told so with what to sign in by instead")
    func linkedElsewhere() async throws {
        let bench = try await FirebaseBench { $0.signUp.anonymousEnabled = true }
        try await bench.addProvider()
        try bench.vouch("first")
        let owner = try await bench.signInWithProvider("first")
        let anonymous = try await bench.call("signUp", [:])["idToken"] ?? ""
        try bench.vouch("second")
        let plain = try await bench.signInWithProvider("second", ["idToken": anonymous])
        #expect(plain.status == 400 && plain.code == "FEDERATED_USER_ID_ALREADY_LINKED", "\(plain.text)")
        let told = try await bench.signInWithProvider("second", ["idToken": anonymous, "returnIdpCredential": true])
        #expect(told.status == 200 && told["errorMessage"] == "FEDERATED_USER_ID_ALREADY_LINKED", "\(told.text)")
        #expect(told["oauthIdToken"] == "second" && told["idToken"] == nil && told["localId"] == nil)
        // As SDKs do with the credential of the error.
        let instead = try await bench.signInWithProvider("second")
        #expect(instead["localId"] == owner["localId"], "\(instead.text)")
        let spent: JSONObject = ["requestUri": "http://localhost", "pendingToken": told["pendingToken"] ?? ""]
        #expect(try await bench.call("signInWithIdp", spent).code == "INVALID_PENDING_TOKEN")
    }

    @Test("R12.5 an anonymous user who links keeps their identifier; another's address is refused")
    func upgraded() async throws {
        let bench = try await FirebaseBench { $0.signUp.anonymousEnabled = true }
        try await bench.addProvider()
        try await bench.addUser("bob@example.com")
        let anonymous = try await bench.call("signUp", [:])
        let token = anonymous["idToken"] ?? ""
        try bench.vouch("taken", subject: "2", email: "bob@example.com")
        #expect(try await bench.signInWithProvider("taken", ["idToken": token]).code == "EMAIL_EXISTS")
        try bench.vouch("own")
        let reply = try await bench.signInWithProvider("own", ["idToken": token])
        #expect(reply["localId"] == anonymous["localId"] && reply["isNewUser"] == nil, "\(reply.text)")
        let claims = try FirebaseBench.claims(reply["idToken"]?.stringValue)
        #expect(claims["provider_id"] == nil && claims["email"] == "ada@example.com")
        #expect(claims["firebase"]?.objectValue?["sign_in_provider"] == "google.com")
    }

    @Test("R12.5 who asks to be signed in only where there is an account makes none")
    func noAccount() async throws {
        let bench = try await FirebaseBench()
        try await bench.addProvider()
        try bench.vouch("token")
        #expect(try await bench.signInWithProvider("token", ["autoCreate": false]).code == "USER_NOT_FOUND")
        let reply = try await bench.signInWithProvider("token")
        #expect(reply["isNewUser"] == true, "\(reply.text)")
    }

    @Test("R12.5 the user takes a provider from their account again, while another way in is left")
    func unlinked() async throws {
        let bench = try await FirebaseBench()
        try await bench.addProvider()
        let id = try await bench.addUser("ada@example.com")
        try bench.vouch("token")
        let session = try await bench.signInWithProvider("token")
        let reply = try await bench.call(
            "update", ["idToken": session["idToken"] ?? "", "deleteProvider": ["google.com"]])
        #expect(reply.status == 200, "\(reply.text)")
        #expect(try await bench.providers(of: id) == ["password"])
        try bench.vouch("other")
        let again = try await bench.signInWithProvider("other")
        #expect(again["localId"]?.stringValue == id)
    }

    @Test("R12.5 the last provider of a user who has nothing else stays, and the client is told")
    func lastProvider() async throws {
        let bench = try await FirebaseBench()
        try await bench.addProvider { $0.emailOptional = true }
        try bench.vouch("token", email: nil)
        let session = try await bench.signInWithProvider("token")
        let reply = try await bench.call(
            "update", ["idToken": session["idToken"] ?? "", "deleteProvider": ["google.com"]])
        #expect(reply.status == 400 && reply.code == "OPERATION_NOT_ALLOWED", "\(reply.text)")
        let user = try await bench.user(session["localId"]?.stringValue ?? "")
        #expect(user["providerUserInfo"]?.arrayValue?.count == 1, "\(user.text)")
    }

    @Test("R12.5 a tenant has providers of its own")
    func tenants() async throws {
        let bench = try await FirebaseBench()
        try await bench.addProvider()
        let made = try await bench.administer("/tenants", ["displayName": "North"], version: "v2")
        let tenant = try #require(made["name"]?.stringValue?.split(separator: "/").last.map(String.init))
        try bench.vouch("token")
        let refused = try await bench.signInWithProvider("token", ["tenantId": .string(tenant)])
        #expect(refused.code == "OPERATION_NOT_ALLOWED", "\(refused.text)")
        let directory = try await bench.directories.directory(named: tenant, at: bench.now)
        try await bench.addProvider(in: try #require(directory).id)
        let reply = try await bench.signInWithProvider("token", ["tenantId": .string(tenant)])
        #expect(reply["tenantId"]?.stringValue == tenant, "\(reply.text)")
        let claims = try FirebaseBench.claims(reply["idToken"]?.stringValue)
        #expect(claims["firebase"]?.objectValue?["tenant"]?.stringValue == tenant)
    }
}

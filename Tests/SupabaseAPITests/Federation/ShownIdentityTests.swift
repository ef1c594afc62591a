// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import TestBenchHTTP
import Testing

@testable import SupabaseAPI

/// What users are shown to be known by.
@Suite struct ShownIdentityTests {
    /// The providers of a user's identities, and those that the metadata name.
    private func providers(_ user: JSONObject?) -> [String] {
        let identities = user?["identities"]?.arrayValue?.compactMap { $0.objectValue?["provider"]?.stringValue } ?? []
        let named = user?["app_metadata"]?.objectValue?["providers"]?.arrayValue?.compactMap(\.stringValue) ?? []
        #expect(identities.sorted() == named.sorted())
        return identities.sorted()
    }

    @Test("R12.4 who came by a provider is known by that alone, in the answer, the token, /user and to administrators")
    func provider() async throws {
        let bench = try await FederationBench()
        let session = try await bench.signIn()
        let access = try #require(session["access_token"]?.stringValue)
        #expect(providers(session["user"]?.objectValue) == ["google"])
        let claims = try SupabaseBench.claims(access)
        #expect(claims["app_metadata"] == ["provider": "google", "providers": ["google"]])
        let shown = try await bench.bench.get("/user", token: access)
        #expect(providers(shown.json) == ["google"] && shown["email"] == "ada@example.com")
        let id = try #require(shown["id"]?.stringValue)
        #expect(providers(try await bench.bench.administer(.get, "/admin/users/" + id).json) == ["google"])
        // It is their last way in, as it is on the platform.
        let identity = try #require(shown["identities"]?.arrayValue?.first?.objectValue?["identity_id"]?.stringValue)
        let deleted = try await bench.bench.send(.delete, "/user/identities/" + identity, token: access)
        #expect(deleted.outcome == "422 single_identity_not_deletable", "\(deleted.text)")
    }

    @Test(
        "R12.4 an address is shown as an identity beside it for whoever signed up, has a password, or came by a message"
    )
    func address() async throws {
        let bench = try await FederationBench()
        try await bench.bench.addUser("ada@example.com")
        let session = try await bench.signIn()
        #expect(providers(session["user"]?.objectValue) == ["email", "google"])
        // A password that is set afterwards.
        let bob: JSONObject = ["sub": "g-2", "email": "bob@example.com", "email_verified": true]
        let second = try await bench.signIn(bob)
        #expect(providers(second["user"]?.objectValue) == ["google"])
        let id = try #require(second["user"]?.objectValue?["id"]?.stringValue)
        let changed = try await bench.bench.administer(
            .put, "/admin/users/" + id, ["password": .string(SupabaseBench.password)])
        #expect(providers(changed.json) == ["email", "google"], "\(changed.text)")
    }
}

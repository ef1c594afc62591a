// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import TestBench
import TestBenchHTTP
import Testing

@testable import SupabaseAPI

@Suite("Linking and unlinking providers") struct LinkTests {
    private static let path = "/user/identities/authorize"

    private func bench() async throws -> (FederationBench, access: String) {
        let bench = try await FederationBench()
        try await bench.bench.addUser("bob@example.com")
        return (bench, try await bench.bench.session(of: "bob@example.com").access)
    }

    /// What the app is told to send the browser to.
    private func url(_ bench: FederationBench, _ access: String, _ query: String = "") async throws -> String {
        let reply = try await bench.bench.get(
            "\(Self.path)?provider=google&skip_http_redirect=true&\(FederationBench.pkce)\(query)", token: access)
        #expect(reply.status == 200, "\(reply.text)")
        let url = try #require(reply["url"]?.stringValue)
        #expect(url.hasPrefix("https://auth.example/auth/v1/authorize?link_ticket="))
        return String(url.dropFirst("https://auth.example/auth/v1".count))
    }

    @Test("R12.4 a signed-in user's app has the browser sent to a provider, whose word is theirs from then on")
    func link() async throws {
        let (bench, access) = try await bench()
        let path = try await url(bench, access, "&redirect_to=https%3A%2F%2Fapp.example%2Fin")
        let away = try bench.away(try await bench.bench.send(.get, path, key: ""))
        #expect(away.location.hasPrefix("https://google.example/authorize?"))
        let back = try await bench.comeBack(away)
        let location = try #require(back[header: "location"])
        #expect(location.hasPrefix("https://app.example/in?code="), "\(location)")
        let session = try await bench.exchange(FederationBench.pairs(location, after: "?")["code"] ?? "")
        let user = try #require(session["user"]?.objectValue, "\(session.text)")
        #expect(user["email"] == "bob@example.com" && user["identities"]?.arrayValue?.count == 2)
        #expect(try await bench.signIn()["user"]?.objectValue?["id"] == user["id"])
        // Without that parameter the app is led there itself.
        let led = try await bench.bench.get(Self.path + "?provider=google", token: access)
        #expect(led.status == 302 && led[header: "location"]?.contains("link_ticket=") == true)
        // Whoever is known already can't be linked once more.
        let again = try bench.away(try await bench.bench.send(.get, try await url(bench, access), key: ""))
        let refused = FederationBench.pairs(
            try #require(try await bench.comeBack(again)[header: "location"]), after: "?")
        #expect(refused["error_code"] == "identity_already_exists" && refused["error"] == "server_error")
    }

    @Test("R12.4 a ticket is good once, for its Directory, for a while, and for as long as its user stays signed in")
    func tickets() async throws {
        let (bench, access) = try await bench()
        func outcome(_ path: String) async throws -> String { try await bench.bench.send(.get, path, key: "").outcome }
        let path = try await url(bench, access)
        #expect(try await outcome(path) == "302 ")
        #expect(try await outcome(path) == "404 flow_state_not_found")
        #expect(try await outcome("/authorize?link_ticket=x") == "404 flow_state_not_found")
        #expect(try await outcome(String(try await url(bench, access).dropLast()) + "_") == "404 flow_state_not_found")
        let late = try await url(bench, access)
        bench.bench.accounts.advance(by: .seconds(301))
        #expect(try await outcome(late) == "422 flow_state_expired")
        let left = try await url(bench, access)
        _ = try await bench.bench.post("/logout", token: access)
        #expect(try await outcome(left) == "403 session_not_found")
    }

    @Test("R12.4 an identity is taken away again; not the last way in, not an address, and nobody else's")
    func unlink() async throws {
        let (bench, access) = try await bench()
        func delete(_ id: String) async throws -> String {
            try await bench.bench.send(.delete, "/user/identities/" + id, token: access).outcome
        }
        func identities() async throws -> [String: String] {
            let user = try await bench.bench.get("/user", token: access)
            let all = user["identities"]?.arrayValue?.compactMap(\.objectValue) ?? []
            return Dictionary(
                uniqueKeysWithValues: all.compactMap {
                    guard let provider = $0["provider"]?.stringValue, let id = $0["identity_id"]?.stringValue else {
                        return nil
                    }
                    return (provider, id)
                })
        }
        let email = try #require(try await identities()["email"])
        #expect(try await delete(email) == "422 single_identity_not_deletable")
        let token = ScriptedProviders.idToken(FederationBench.ada.merging(["aud": "ios"]))
        let linked = try await bench.bench.post(
            "/token?grant_type=id_token",
            ["id_token": .string(token), "provider": "google", "link_identity": true], token: access)
        #expect(linked.status == 200, "\(linked.text)")
        let google = try #require(try await identities()["google"])
        #expect(try await delete("x") == "404 validation_failed")
        #expect(try await delete(bench.bench.accounts.ports.random.uuid()) == "422 identity_not_found")
        #expect(try await delete(email) == "422 email_conflict_identity_not_deletable")
        // Somebody who could spare one.
        try await bench.bench.addUser("eve@example.com")
        let eve = try await bench.signIn(["sub": "g-8", "email": "eve@example.com", "email_verified": true])
        let stranger = try #require(eve["access_token"]?.stringValue)
        let other = try await bench.bench.send(.delete, "/user/identities/" + google, token: stranger)
        #expect(other.outcome == "422 identity_not_found", "\(other.text)")
        #expect(try await delete(google.uppercased()) == "200 ")
        #expect(try await identities().keys.sorted() == ["email"])
        // The session that it was taken away in goes on.
        #expect(try await bench.bench.get("/user", token: access).status == 200)
    }

    @Test("R12.4 linking by redirect is off until it is switched on, and what is wrong is said to the app")
    func off() async throws {
        let (bench, access) = try await bench()
        #expect(
            try await bench.bench.get(Self.path + "?provider=github", token: access).outcome == "400 validation_failed")
        #expect(try await bench.bench.get(Self.path + "?provider=google").outcome == "401 no_authorization")
        try await bench.bench.accounts.change { $0.federation.manualLinking = false }
        let uuid = "3f0e8a52-6f0c-4f0e-9a37-4a2f6a0c1b11"
        #expect(
            try await bench.bench.get(Self.path + "?provider=google", token: access).outcome
                == "404 manual_linking_disabled")
        #expect(
            try await bench.bench.send(.delete, "/user/identities/" + uuid, token: access).outcome
                == "404 manual_linking_disabled")
    }
}

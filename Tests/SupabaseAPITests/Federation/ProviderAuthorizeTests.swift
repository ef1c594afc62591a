// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import TestBench
import TestBenchHTTP
import Testing

@testable import SupabaseAPI

@Suite("Sending a browser to a provider") struct ProviderAuthorizeTests {
    @Test(
        "R12.4 /authorize leads to the provider with a state, a nonce and a challenge that are ours, and names the browser"
    )
    func leave() async throws {
        let bench = try await FederationBench()
        let away = try await bench.leave(
            "provider=Google&redirect_to=https%3A%2F%2Fapp.example%2Fin&scopes=calendar,drive+tasks&prompt=consent"
                + "&login_hint=ada%40example.com&access_type=offline&state=mine&nonce=mine&client_id=mine"
                + "&redirect_uri=https%3A%2F%2Fevil.example&code_challenge=\(FederationBench.challenge)"
                + "&code_challenge_method=S256&response_mode=fragment&request=x&request_uri=x")
        #expect(away.location.hasPrefix("https://google.example/authorize?"))
        #expect(away.query["redirect_uri"] == "https://auth.example/auth/v1/callback")
        #expect(away.query["client_id"] == "web" && away.query["scope"] == "calendar drive tasks")
        #expect(away.query["prompt"] == "consent" && away.query["login_hint"] == "ada@example.com")
        #expect(away.query["access_type"] == "offline")
        #expect(away.state.utf8.count >= 22 && away.state != "mine" && away.query["nonce"] != "mine")
        // The app's own challenge binds the app, and not us.
        #expect(away.query["code_challenge"] != FederationBench.challenge)
        for name in ["response_mode", "request", "request_uri", "redirect_to", "provider", "scopes"] {
            #expect(away.query[name] == nil, "\(name)")
        }
        #expect(away.cookie.hasPrefix("__Host-latchkey-traveller="))
        let again = try await bench.leave("provider=google", cookie: away.cookie)
        #expect(again.cookie == away.cookie && again.state != away.state)
    }

    @Test("R12.4 a provider of the operator's own is sent what they configured, and comes back where they said")
    func custom() async throws {
        let away = try await FederationBench().leave("provider=custom:acme&audience=other")
        #expect(away.location.hasPrefix("https://custom:acme.example/authorize?"))
        #expect(away.query["redirect_uri"] == "https://gateway.example/callback")
        #expect(away.query["audience"] == "other")
    }

    @Test(
        "R12.4 what is wrong with the request is said in the platform's words, and nobody is sent anywhere",
        arguments: [
            ("provider=github", "Unsupported provider: provider is not enabled"),
            ("provider=facebook", "Unsupported provider: provider is not enabled"),
            ("provider=myspace", "Unsupported provider: Provider myspace could not be found"),
            ("provider=custom:other", "Unsupported provider: custom provider custom:other not found"),
            ("", "Unsupported provider: Provider  could not be found"),
            (
                "provider=google&code_challenge=\(FederationBench.challenge)",
                "PKCE flow requires code_challenge_method and code_challenge"
            ),
            (
                "provider=google&code_challenge_method=s256",
                "PKCE flow requires code_challenge_method and code_challenge"
            ),
            (
                "provider=google&code_challenge_method=plain&code_challenge=\(FederationBench.challenge)",
                "code challenge method must be S256"
            ),
            (
                "provider=google&code_challenge_method=s256&code_challenge=x",
                "code challenge has to be BASE64URL of a SHA-256 digest"
            ),
            (
                "provider=google&invite_token=x",
                "invite_token is not supported: an invitation is accepted by its link"
            ),
            ("provider=google&x=" + String(repeating: "x", count: 600), "too many parameters for the provider"),
        ])
    func refused(query: String, message: String) async throws {
        let reply = try await FederationBench().bench.send(.get, "/authorize?" + query, key: "")
        #expect(reply.outcome == "400 validation_failed", "\(reply.text)")
        #expect(reply["msg"]?.stringValue == message)
        #expect(reply[header: "location"] == nil)
    }

    @Test("R12.4 the settings name the providers that are switched on, as the platform calls them")
    func settings() async throws {
        let reply = try await FederationBench().bench.get("/settings")
        let external = try #require(reply["external"]?.objectValue)
        #expect(external["google"] == true && external["apple"] == true && external["azure"] == true)
        #expect(external["github"] == false && external["facebook"] == false)
        #expect(external["microsoft"] == nil && external["custom:acme"] == nil)
    }
}

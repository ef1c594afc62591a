// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import TestBench
import TestBenchHTTP
import Testing

@testable import SupabaseAPI

@Suite("Coming back from a provider") struct ProviderCallbackTests {
    @Test("R12.4 G-2 by PKCE the app gets a code, redeems it once, and is given the provider's tokens with it")
    func code() async throws {
        let bench = try await FederationBench()
        let away = try await bench.leave(
            "provider=google&redirect_to=https%3A%2F%2Fapp.example%2Fin%3Fa%3D1&" + FederationBench.pkce)
        let back = try await bench.comeBack(away)
        #expect(back.status == 302)
        let location = try #require(back[header: "location"])
        #expect(location.hasPrefix("https://app.example/in?a=1&code=") && !location.contains("#"))
        let code = try #require(FederationBench.pairs(location, after: "?")["code"])
        let session = try await bench.exchange(code)
        #expect(session.status == 200, "\(session.text)")
        #expect(
            session["provider_token"] == "upstream-access" && session["provider_refresh_token"] == "upstream-refresh")
        let claims = try SupabaseBench.claims(session["access_token"]?.stringValue)
        #expect(claims["amr"]?.arrayValue?.first?.objectValue?["method"] == "oauth" && claims["aal"] == "aal1")
        #expect(claims["email"] == "ada@example.com")
        let refreshed = try await bench.bench.refresh(try #require(session["refresh_token"]?.stringValue))
        #expect(refreshed.status == 200 && refreshed["provider_token"] == nil)
        #expect(try await bench.exchange(code).outcome == "404 flow_state_not_found")
    }

    @Test("R12.4 without PKCE the session is in the fragment, and nothing of it in the query")
    func implicit() async throws {
        let bench = try await FederationBench()
        let back = try await bench.comeBack(try await bench.leave("provider=google"))
        let location = try #require(back[header: "location"])
        #expect(location.hasPrefix("https://app.example#access_token="))
        let fragment = FederationBench.pairs(location, after: "#")
        #expect(fragment["provider_token"] == "upstream-access" && fragment["token_type"] == "bearer")
        #expect(fragment["type"] == nil && fragment["sb"] == "" && fragment["expires_in"] == "3600")
        #expect(try await bench.bench.get("/user", token: fragment["access_token"]).status == 200)
    }

    @Test(
        "R12.4 what a provider says stands in the identity in the platform's form, and under what users write themselves"
    )
    func identity() async throws {
        let bench = try await FederationBench()
        let session = try await bench.signIn()
        let user = try #require(session["user"]?.objectValue)
        #expect(user["app_metadata"]?.objectValue?["providers"]?.arrayValue?.contains("google") == true)
        let identity = try #require(
            user["identities"]?.arrayValue?.compactMap(\.objectValue).first { $0["provider"] == "google" })
        #expect(identity["id"] == "g-1" && identity["email"] == "ada@example.com")
        #expect(UUIDText.accepts(identity["identity_id"]?.stringValue ?? ""))
        let data = try #require(identity["identity_data"]?.objectValue)
        let wanted: JSONObject = [
            "iss": "https://google.example", "sub": "g-1", "name": "Ada Lovelace", "full_name": "Ada Lovelace",
            "picture": "https://pictures.example/ada.png", "avatar_url": "https://pictures.example/ada.png",
            "email": "ada@example.com", "email_verified": true, "phone_verified": false, "provider_id": "g-1",
            "custom_claims": ["hd": "example.com"],
        ]
        #expect(data == wanted, "\(JSONValue.object(data).text)")
        let token = try #require(session["access_token"]?.stringValue)
        let metadata = try #require(try SupabaseBench.claims(token)["user_metadata"]?.objectValue)
        #expect(metadata["full_name"] == "Ada Lovelace" && metadata["avatar_url"] == data["avatar_url"])
        // What the user writes stays, whatever the provider says at the next sign-in.
        _ = try await bench.bench.put("/user", ["data": ["full_name": "Countess"]], token: token)
        let again = try await bench.signIn(FederationBench.ada.merging(["name": "A. King"]))
        let later = try #require(again["user"]?.objectValue?["user_metadata"]?.objectValue)
        #expect(later["full_name"] == "Countess")
        #expect(again["user"]?.objectValue?["id"] == user["id"])
    }

    @Test("R12.4 Apple's form comes back by POST, and the name of the first time stays")
    func form() async throws {
        let bench = try await FederationBench()
        let claims: JSONObject = [
            "sub": "a-1", "email": "ada@example.com", "email_verified": true, "is_private_email": "true",
            "auth_time": 1,
        ]
        func back(_ further: [(String, String)]) async throws -> String {
            let away = try await bench.leave("provider=apple&" + FederationBench.pkce)
            let form = RedirectTarget.encode(
                [("state", away.state), ("code", ScriptedProviders.text(claims))] + further)
            let reply = try await bench.postBack(form, cookie: away.cookie)
            #expect(reply.status == 303, "\(reply.text)")
            return try #require(FederationBench.pairs(reply[header: "location"] ?? "", after: "?")["code"])
        }
        let user = #"{"name":{"firstName":"Ada","lastName":"Lovelace"},"email":"other@example.com"}"#
        for further in [[("user", user)], []] {
            let session = try await bench.exchange(try await back(further))
            let identities = session["user"]?.objectValue?["identities"]?.arrayValue?.compactMap(\.objectValue)
            let data = identities?.first { $0["provider"] == "apple" }?["identity_data"]?.objectValue
            #expect(data?["full_name"] == "Ada Lovelace" && data?["email"] == "ada@example.com")
            #expect(data?["custom_claims"] == ["auth_time": 1, "is_private_email": true])
        }
    }

    @Test(
        "R12.4 R12.2 a state that is missing, malformed, unknown, used or another browser's leads to the site, and nowhere else"
    )
    func states() async throws {
        let bench = try await FederationBench()
        let evil = "&redirect_to=https%3A%2F%2Fevil.example"
        func refusal(_ state: String, cookie: String) async throws -> [String: String] {
            let code = ScriptedProviders.text(FederationBench.ada)
            let form = "state=\(state)&code=\(code)" + evil
            var found: [[String: String]] = []
            for reply in [
                try await bench.callback(form, cookie: cookie), try await bench.postBack(form, cookie: cookie),
            ] {
                #expect(reply.status == 303, "\(reply.text)")
                let location = try #require(reply[header: "location"])
                #expect(location.hasPrefix("https://app.example?error=invalid_request&"), "\(location)")
                found.append(FederationBench.pairs(location, after: "?"))
            }
            #expect(found[0] == found[1])
            return found[0]
        }
        let away = try await bench.leave("provider=google")
        let other = try await bench.leave("provider=google")
        #expect(try await refusal("", cookie: away.cookie)["error_code"] == "bad_oauth_callback")
        #expect(
            try await refusal("%3Cx%3E", cookie: away.cookie)["error_description"] == "OAuth state parameter is invalid"
        )
        #expect(try await refusal("unknown", cookie: away.cookie)["error_code"] == "bad_oauth_state")
        #expect(try await refusal(away.state, cookie: other.cookie)["error_code"] == "bad_oauth_state")
        #expect(try await refusal(away.state, cookie: "a=b")["error_code"] == "bad_oauth_state")
        #expect(try await bench.comeBack(away)[header: "location"]?.contains("#access_token=") == true)
        #expect(try await refusal(away.state, cookie: away.cookie)["error_code"] == "bad_oauth_state")
        bench.bench.accounts.advance(by: .seconds(301))
        #expect(
            try await refusal(other.state, cookie: other.cookie)["error_description"] == "OAuth state has expired")
    }

    @Test(
        "R12.4 what went wrong is said in query and fragment of the place that the request named",
        arguments: [
            ("error=access_denied&error_description=No+thanks", "access_denied", nil, "No thanks"),
            ("error=x%22%0D%0ASet-Cookie%3A+a&error_description=%3Cb%3E%22", "xSet-Cookie: a", nil, "<b>"),
            (
                "error=access_denied&code=eyJzdWIiOiJnLTEifQ", "invalid_request", "bad_oauth_callback",
                "OAuth callback with missing authorization code missing"
            ),
            (
                "", "invalid_request", "bad_oauth_callback",
                "OAuth callback with missing authorization code missing"
            ),
            ("code=refused", "server_error", "unexpected_failure", "Unable to exchange external code: refu"),
            ("code=down", "temporarily_unavailable", "unexpected_failure", "Unable to exchange external code: down"),
            (
                "code=forged", "server_error", "unexpected_failure",
                "Error getting user profile from external provider"
            ),
            (
                "code=eyJzdWIiOiJnLTEifQ", "server_error", "unexpected_failure",
                "Error getting user email from external provider"
            ),
        ] as [(String, String, String?, String)])
    func errors(answer: String, name: String, code: String?, message: String) async throws {
        let bench = try await FederationBench()
        for query in ["provider=google", "provider=google&" + FederationBench.pkce] {
            let away = try await bench.leave("\(query)&redirect_to=https%3A%2F%2Fapp.example%2Fin")
            let reply = try await bench.callback("state=\(away.state)&\(answer)", cookie: away.cookie)
            #expect(reply.status == 302)
            let location = try #require(reply[header: "location"])
            #expect(location.hasPrefix("https://app.example/in?error="), "\(location)")
            for mark in ["?", "#"] as [Character] {
                let pairs = FederationBench.pairs(location, after: mark)
                #expect(pairs["error"] == name && pairs["error_code"] == code, "\(location)")
                #expect(pairs["error_description"] == message, "\(location)")
                #expect((pairs["sb"] == "") == (mark == "#") && pairs["access_token"] == nil && pairs["code"] == nil)
            }
        }
    }

    @Test(
        "R12.4 R12.2 who may not come in is told so: no sign-ups, banned, an address that the provider does not vouch for"
    )
    func refusals() async throws {
        let bench = try await FederationBench()
        let id = try await bench.bench.addUser("bob@example.com")
        func refusal(_ claims: JSONObject) async throws -> [String: String] {
            let reply = try await bench.comeBack(try await bench.leave("provider=google"), claims)
            return FederationBench.pairs(try #require(reply[header: "location"]), after: "?")
        }
        let unvouched = try await refusal(["sub": "g-2", "email": "bob@example.com", "email_verified": false])
        #expect(unvouched["error"] == "access_denied")
        #expect(unvouched["error_code"] == "provider_email_needs_verification")
        #expect(try await bench.bench.get("/admin/users/\(id)").status == 401)
        _ = try await bench.bench.administer(.put, "/admin/users/" + id, ["ban_duration": "24h"])
        let banned = try await refusal(["sub": "g-2", "email": "bob@example.com", "email_verified": true])
        #expect(banned["error_code"] == "user_banned" && banned["error"] == "access_denied")
        try await bench.bench.accounts.change { $0.signUp.enabled = false }
        let closed = try await refusal(FederationBench.ada)
        #expect(closed["error_code"] == "signup_disabled" && closed["error"] == "access_denied")
    }

    @Test("R12.4 R46 a token does not say an address that a provider has only passed on")
    func passedOn() async throws {
        for value in [false, "true", 1, nil] as [JSONValue] {
            let bench = try await FederationBench()
            let session = try await bench.signIn([
                "sub": "g-3", "email": "ceo@example.com", "email_verified": value,
            ])
            #expect(session.status == 200, "\(session.text)")
            let claims = try SupabaseBench.claims(session["access_token"]?.stringValue)
            #expect(claims["email"] == "" && claims["user_metadata"]?.objectValue?["email_verified"] == false)
            #expect(session["user"]?.objectValue?["email_confirmed_at"] == nil)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import HTTPTypes
import TestBench
import TestBenchHTTP
import Testing

@testable import DevelopmentIdentityProvider

/// Each vendor as an app meets it: what comes back through the browser, and what the code is good for.
@Suite struct VendorDialectTests {
    @Test(
        "R12.3 a code is redeemed once for an ID token that the vendor's published key vouches for",
        arguments: [Vendor.google, .apple, .microsoft, .openID])
    func idTokens(vendor: Vendor) async throws {
        let bench = UpstreamBench()
        let code = try await bench.code(vendor)
        let reply = try await bench.redeem(code, at: vendor)
        #expect(reply.status == 200, "\(reply.text)")
        let claims = try await bench.claims(reply["id_token"]?.stringValue, of: vendor)
        let person = Person.invented(at: vendor)[0]
        #expect(claims["sub"]?.stringValue == person.subject)
        #expect(claims["aud"]?.stringValue == vendor.registration.clientID)
        #expect(claims["nonce"] == "n-1" && claims["email"] == "ada@example.com")
        #expect(claims["exp"]?.integerValue ?? 0 > bench.clock.now.seconds)
        if vendor != .microsoft {
            let access = reply["access_token"]?.stringValue ?? ""
            #expect(claims["at_hash"]?.stringValue == IDToken.hash(of: access))
        }
        #expect(try await bench.redeem(code, at: vendor).status == 400, "twice")
    }

    @Test("R12.3 Google: hd, azp, both spellings of its issuer, and a refresh token for whoever asks, once")
    func google() async throws {
        let bench = UpstreamBench()
        let offline = try await bench.press(
            .google, ["account": Person.invented(at: .google)[0].subject, "access_type": "offline"])
        let answer = UpstreamBench.answer(offline)
        #expect(answer["iss"] == "https://accounts.google.com" && answer["state"] == "st&te=1")
        #expect(answer["scope"] == "openid email profile" && answer["hd"] == "example.com")
        let reply = try await bench.redeem(answer["code"] ?? "", at: .google)
        let claims = try await bench.claims(reply["id_token"]?.stringValue, of: .google)
        #expect(claims["iss"] == "https://accounts.google.com" && claims["hd"] == "example.com")
        #expect(claims["azp"] == "latchkey-google" && claims["email_verified"] == true && claims["name"] == "Ada Lind")
        let refresh = try #require(reply["refresh_token"]?.stringValue)
        let again = try await bench.redeem(try await bench.code(.google, ["access_type": "offline"]), at: .google)
        #expect(again["refresh_token"] == nil)
        let renewed = try await bench.form(
            "/google/token",
            [
                "grant_type": "refresh_token", "refresh_token": refresh, "client_id": "latchkey-google",
                "client_secret": "secret-of-latchkey-google",
            ])
        #expect(renewed.status == 200 && renewed["refresh_token"] == nil)
        #expect(try await bench.claims(renewed["id_token"]?.stringValue, of: .google)["nonce"] == nil)
        let typed = try await bench.press(
            .google, ["subject": "42", "email": "x@gmail.com", "claims": #"{"iss":"accounts.google.com","hd":null}"#])
        let spelt = try await bench.redeem(UpstreamBench.answer(typed)["code"] ?? "", at: .google)
        #expect(try await bench.claims(spelt["id_token"]?.stringValue, of: .google)["iss"] == "accounts.google.com")
    }

    @Test("R12.3 Apple: the answer is posted, names come once and never in the token, and what is true is text")
    func apple() async throws {
        let bench = UpstreamBench()
        let person = Person.invented(at: .apple)[1]
        let first = try await bench.press(.apple, ["account": person.subject])
        #expect(first.status == 200 && first.headers[.location] == nil)
        #expect(first.text.contains(#"<form method="post" action="http://127.0.0.1:8080/callback">"#))
        let answer = UpstreamBench.answer(first)
        let user = try JSONObject(parsing: (answer["user"] ?? "").utf8)
        #expect(user["name"]?.objectValue?["firstName"] == "Bruno" && answer["state"] == "st&te=1")
        let reply = try await bench.redeem(answer["code"] ?? "", at: .apple)
        let claims = try await bench.claims(reply["id_token"]?.stringValue, of: .apple)
        #expect(claims["email_verified"] == "true" && claims["is_private_email"] == "true")
        #expect(claims["name"] == nil && claims["nonce_supported"] == true)
        #expect(reply["refresh_token"] != nil)
        let second = UpstreamBench.answer(try await bench.press(.apple, ["account": person.subject]))
        #expect(second["code"] != nil && second["user"] == nil)
        // Not without the form where more is asked for than an identifier.
        #expect(try await bench.authorize(.apple, ["response_mode": "query"]).status == 400)
        #expect(try await bench.authorize(.apple, ["response_mode": "query", "scope": "openid"]).status == 200)
        #expect(try await bench.get("/apple/userinfo", token: "x").status == 404)
    }

    @Test("R12.3 Apple: an app proves itself by a token of its team's key, and by nothing that differs in one thing")
    func appleSecret() async throws {
        let bench = UpstreamBench()
        let now = bench.clock.now.seconds
        let wrong: [JSONObject] = [
            ["iss": "OTHERTEAM1"], ["sub": "another"], ["aud": "https://example.com"], ["exp": .integer(now)],
            ["exp": .integer(now + 16_000_000)], ["iat": .null], ["exp": .null],
        ]
        for changes in wrong {
            let secret = try bench.secret(.apple, changes: changes)
            let reply = try await bench.redeem(try await bench.code(.apple), at: .apple, ["client_secret": secret])
            #expect(reply.status == 400 && reply["error"] == "invalid_client", "\(changes.text)")
        }
        for secret in ["", "x", "secret-of-latchkey-apple", "a.b.c"] {
            let reply = try await bench.redeem(try await bench.code(.apple), at: .apple, ["client_secret": secret])
            #expect(reply["error"] == "invalid_client", "\(secret)")
        }
        #expect(try await bench.redeem(try await bench.code(.apple), at: .apple).status == 200)
    }

    @Test("R12.3 Microsoft: the issuer is the account's directory, which alone may vouch for the domain of an address")
    func microsoft() async throws {
        let bench = UpstreamBench()
        for (index, isVouched) in [(0, true), (1, false)] {
            let person = Person.invented(at: .microsoft)[index]
            let reply = try await bench.redeem(
                try await bench.code(.microsoft, ["account": person.subject]), at: .microsoft)
            let claims = try await bench.claims(reply["id_token"]?.stringValue, of: .microsoft)
            #expect(claims["iss"]?.stringValue == "https://login.microsoftonline.com/\(person.tenant)/v2.0")
            #expect(claims["tid"]?.stringValue == person.tenant && (claims["xms_edov"] == true) == isVouched)
            #expect(claims["email_verified"] == nil && claims["ver"] == "2.0")
        }
        let personal = Person.invented(at: .microsoft)[1].subject
        let refused = try await bench.press(.microsoft, ["account": personal, "tenant": "organizations"])
        #expect(UpstreamBench.answer(refused)["error"] == "access_denied")
        let common = try await bench.get("/microsoft/common/v2.0/.well-known/openid-configuration")
        #expect(common["issuer"] == "https://login.microsoftonline.com/{tenantid}/v2.0")
        let own = try await bench.get("/microsoft/\(Person.organisation)/v2.0/.well-known/openid-configuration")
        #expect(own["issuer"]?.stringValue == "https://login.microsoftonline.com/\(Person.organisation)/v2.0")
        #expect(try await bench.get("/microsoft/nobodys/v2.0/.well-known/openid-configuration").status == 404)
        #expect(try await bench.get("/microsoft/keys").text.contains("{tenantid}"))
    }

    @Test("R12.3 GitHub: errors come with 200, numbers name people, and addresses are an API call of their own")
    func gitHub() async throws {
        let bench = UpstreamBench()
        let bad = try await bench.redeem("nothing", at: .gitHub, headers: [.accept: "application/json"])
        #expect(bad.status == 200 && bad["error"] == "bad_verification_code")
        let answer = UpstreamBench.answer(
            try await bench.press(.gitHub, ["account": Person.invented(at: .gitHub)[0].subject]))
        #expect(answer["code"] != nil && answer["iss"] == UpstreamBench.url + UpstreamBench.base + "/github")
        let form = try await bench.redeem(try await bench.code(.gitHub), at: .gitHub)
        #expect(form.text.contains("access_token=") && form.text.contains("token_type=bearer"))
        let reply = try await bench.redeem(
            try await bench.code(.gitHub), at: .gitHub, headers: [.accept: "application/json"])
        let token = try #require(reply["access_token"]?.stringValue)
        let user = try await bench.get("/github/user", token: token)
        #expect(user["id"] == 9_000_001 && user["email"] == .null && user["login"] == "ada")
        let emails = try JSONValue(parsing: try await bench.get("/github/user/emails", token: token).text.utf8)
        let primary = emails.arrayValue?.first?.objectValue
        #expect(primary?["email"] == "ada@example.com" && primary?["verified"] == true && primary?["primary"] == true)
        let own = "Basic " + Base64.encode(Array("latchkey-github:secret-of-latchkey-github".utf8))
        for (text, status) in [(token, 200), ("x", 404)] {
            let check = try await bench.http.send(
                .post, UpstreamBench.base + "/github/applications/latchkey-github/token",
                headers: [.authorization: own, .contentType: "application/json"],
                body: (["access_token": .string(text)] as JSONObject).serialized())
            #expect(check.status == status)
            #expect(status != 200 || check["user"]?.objectValue?["id"] == 9_000_001)
        }
        let narrow = try await bench.redeem(
            try await bench.code(.gitHub, ["scope": "read:user"]), at: .gitHub, headers: [.accept: "application/json"])
        #expect(
            try await bench.get("/github/user/emails", token: narrow["access_token"]?.stringValue).status == 404)
        #expect(try await bench.get("/github/user").status == 401)
        #expect(try await bench.get("/github/keys").status == 404)
    }

    @Test("R12.3 Facebook: whoever has the app's secret is told whose token it is, and a wrong proof opens nothing")
    func facebook() async throws {
        let bench = UpstreamBench()
        let back = try await bench.press(.facebook, ["account": Person.invented(at: .facebook)[0].subject])
        #expect(back.headers[.location]?.hasSuffix("#_=_") == true)
        let reply = try await bench.redeem(UpstreamBench.answer(back)["code"] ?? "", at: .facebook)
        let token = try #require(reply["access_token"]?.stringValue)
        let me = try await bench.get("/facebook/me?fields=id,name,email&access_token=\(token)")
        #expect(me["id"] == "10000000000001" && me["email"] == "ada@example.com" && me["email_verified"] == nil)
        let proof = try await bench.get("/facebook/me?access_token=\(token)&appsecret_proof=00")
        #expect(proof.status == 400 && proof["error"]?.objectValue?["type"] == "OAuthException")
        let own = "latchkey-facebook%7Csecret-of-latchkey-facebook"
        let data = try await bench.get("/facebook/debug_token?input_token=\(token)&access_token=\(own)")
        #expect(data["data"]?.objectValue?["app_id"] == "latchkey-facebook")
        let none = try await bench.get("/facebook/debug_token?input_token=x&access_token=\(own)")
        #expect(none["data"]?.objectValue?["is_valid"] == false)
        #expect(try await bench.get("/facebook/debug_token?input_token=\(token)&access_token=x").status == 400)
    }

    @Test("R12.3 any OpenID provider: discovery holds at its own issuer, and everything that it names is there")
    func discovery() async throws {
        let bench = UpstreamBench()
        for vendor in [Vendor.google, .apple, .microsoft, .openID] {
            let document = try await bench.get("/\(vendor.rawValue)/.well-known/openid-configuration")
            #expect(document.status == 200)
            if vendor == .openID {
                #expect(document["issuer"]?.stringValue == UpstreamBench.url + UpstreamBench.base + "/openid")
            }
            for name in ["authorization_endpoint", "jwks_uri", "userinfo_endpoint"] {
                guard let text = document[name]?.stringValue else { continue }
                let path = text.dropFirst(UpstreamBench.url.count)
                #expect(text.hasPrefix(UpstreamBench.url))
                #expect(try await bench.http.send(.get, String(path)).status != 404, "\(text)")
            }
            for name in ["token_endpoint", "revocation_endpoint"] {
                guard let text = document[name]?.stringValue else { continue }
                let path = String(text.dropFirst(UpstreamBench.url.count + UpstreamBench.base.count))
                #expect([400, 401].contains(try await bench.form(path, [:]).status), "\(text)")
            }
        }
    }
}

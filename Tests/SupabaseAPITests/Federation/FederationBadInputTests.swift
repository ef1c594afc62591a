// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import HTTPTypes
import TestBenchHTTP
import Testing

@testable import SupabaseAPI

/// Every operation of sign-in through providers with everything that an app, a provider or a stranger could get wrong.
@Suite struct FederationBadInputTests {
    private static let values = [
        "", "%20", "%00", "x", "null", "%5B%5D", "-1", "%25", "%", "%22%3Cscript%3E", "..%2F..%2Fetc", "google%00",
        "https%3A%2F%2Fevil.example", "%2F%2Fevil.example", "javascript%3Aalert(1)",
        "https%3A%2F%2Fapp.example.evil.example",
        "https%3A%2F%2Fapp.example%40evil.example%2F", "%0D%0ALocation%3A%20https%3A%2F%2Fevil.example", "%FF",
        "%E2%80%AE", String(repeating: "x", count: 5000), "eyJhbGciOiJub25lIn0.e30.",
    ]

    private static func bench() async throws -> FederationBench {
        try await FederationBench { $0.limits.tokenRefresh.count = 100_000 }
    }

    /// Neither a fault nor a session; and who is sent somewhere is sent to one of `places`.
    private func check(_ reply: HTTPBench.Reply, _ places: [String], _ what: String) {
        #expect(reply.status < 500, "\(what): \(reply.text.prefix(200))")
        #expect(reply["access_token"] == nil, "\(what)")
        guard let location = reply.headers[.location] else { return }
        #expect(places.contains(where: location.hasPrefix), "\(what): \(location)")
        #expect(!location.contains("access_token=") && !location.contains("?code="), "\(what): \(location)")
        #expect(location.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "\(what): \(location)")
    }

    private static func without(_ name: String, _ query: String) -> String {
        query.split(separator: "&").filter { !$0.hasPrefix(name + "=") }.joined(separator: "&")
    }

    @Test("R12.4 R11.5 no parameter of /authorize, however wrong, leads elsewhere than to the provider, or is a fault")
    func authorize() async throws {
        let bench = try await Self.bench()
        let good = "provider=google&redirect_to=https%3A%2F%2Fapp.example%2Fin&" + FederationBench.pkce
        let names = [
            "provider", "redirect_to", "scopes", "code_challenge", "code_challenge_method", "invite_token", "prompt",
            "login_hint", "skip_http_redirect", "link_ticket", "state", "nonce", "client_id", "redirect_uri", "other",
        ]
        for name in names {
            for value in Self.values {
                let query = "\(Self.without(name, good))&\(name)=\(value)"
                let reply = try await bench.bench.send(.get, "/authorize?" + query, key: "")
                check(reply, ["https://google.example/authorize?"], "\(name)=\(value.prefix(40))")
                // Whatever place was asked for, only one that is allowed is gone on to.
                guard name == "redirect_to", reply.status == 302 else { continue }
                let back = try await bench.callback(
                    "state=\(try bench.away(reply).state)&error=access_denied", cookie: try bench.away(reply).cookie)
                check(back, ["https://app.example?error=", "https://app.example/in?error="], "\(value) and back")
            }
            let twice = try await bench.bench.send(.get, "/authorize?\(good)&\(name)=a&\(name)=b", key: "")
            #expect(twice.outcome == "400 validation_failed", "\(name) twice: \(twice.outcome)")
        }
    }

    @Test("R12.4 R11.5 nothing that a browser brings to /callback, however wrong, signs anybody in or leads elsewhere")
    func callback() async throws {
        let bench = try await Self.bench()
        let site = ["https://app.example?error=", "https://app.example/in?error="]
        for name in ["state", "code", "error", "error_description", "iss", "user"] {
            for value in Self.values {
                for isForm in [false, true] {
                    let away = try await bench.leave("provider=google&redirect_to=https%3A%2F%2Fapp.example%2Fin")
                    let good = "state=\(away.state)&code=forged"
                    let text = "\(Self.without(name, good))&\(name)=\(value)"
                    let reply =
                        isForm
                        ? try await bench.postBack(text, cookie: away.cookie)
                        : try await bench.callback(text, cookie: away.cookie)
                    check(reply, site, "\(name)=\(value.prefix(40)) \(isForm)")
                }
            }
            let away = try await bench.leave("provider=google")
            let twice = try await bench.callback(
                "state=\(away.state)&code=forged&\(name)=a&\(name)=b", cookie: away.cookie)
            #expect(twice.outcome == "400 validation_failed", "\(name) twice: \(twice.outcome)")
        }
        // Cookies of all sorts are no browser that was sent away.
        let away = try await bench.leave("provider=google")
        for cookie in ["", "=", "__Host-latchkey-traveller=", "__Host-latchkey-traveller=x", away.cookie + "x", ";;"] {
            let code = ScriptedProviders.text(FederationBench.ada)
            let reply = try await bench.callback("state=\(away.state)&code=\(code)", cookie: cookie)
            check(reply, ["https://app.example?error="], cookie)
        }
        // And both a code and a no are neither.
        let code = ScriptedProviders.text(FederationBench.ada)
        check(
            try await bench.callback("state=\(away.state)&code=\(code)&error=x", cookie: away.cookie), site, "both")
    }

    private static let json: [JSONValue] = [
        .null, true, 0, -1, "", "x", [], [:], ["x"], ["x": "y"], .string(String(repeating: "x", count: 100_000)),
        "\u{0}", "eyJhbGciOiJub25lIn0.e30.", ".", "..", "a.b.c", "google", "custom:", "custom:acme", "apple", "azure",
        "keycloak", "https://accounts.google.com",
    ]

    @Test("R12.4 R11.5 no member of an ID token's grant, however wrong, signs anybody in or is a fault")
    func idToken() async throws {
        let bench = try await Self.bench()
        var number: Int64 = 0
        func token() -> JSONValue {
            number += 1
            let nonce = Hex.encode(Array(repeating: 1, count: 32))
            let claims: JSONObject = [
                "aud": "ios", "iss": "https://accounts.google.com", "nonce": .string(nonce), "jti": .integer(number),
            ]
            return .string(ScriptedProviders.idToken(FederationBench.ada.merging(claims)))
        }
        for name in ["provider", "id_token", "nonce", "access_token", "client_id", "issuer", "link_identity"] {
            for value in Self.json {
                var body: JSONObject = ["id_token": token(), "provider": "google", "nonce": "another"]
                body[name] = value
                let reply = try await bench.bench.post("/token?grant_type=id_token", body)
                #expect((400...499).contains(reply.status), "\(name): \(reply.status) \(reply.text.prefix(200))")
                #expect(reply["access_token"] == nil, "\(name)")
            }
        }
        for body in ["", "[]", "null", "x", "{", "{\"id_token\":\"a\",\"id_token\":\"b\",\"provider\":\"google\"}"] {
            let reply = try await bench.bench.send(.post, "/token?grant_type=id_token", raw: body)
            #expect((400...499).contains(reply.status), "\(body): \(reply.text)")
        }
    }

    @Test("R12.4 R11.5 no parameter of linking and unlinking, however wrong, links, leads elsewhere or is a fault")
    func identities() async throws {
        let bench = try await Self.bench()
        try await bench.bench.addUser("bob@example.com")
        let access = try await bench.bench.session(of: "bob@example.com").access
        let good = "provider=google&" + FederationBench.pkce
        for name in [
            "provider", "redirect_to", "scopes", "code_challenge", "code_challenge_method", "skip_http_redirect",
            "link_ticket", "other",
        ] {
            for value in Self.values {
                let reply = try await bench.bench.get(
                    "/user/identities/authorize?\(Self.without(name, good))&\(name)=\(value)", token: access)
                check(
                    reply, ["https://auth.example/auth/v1/authorize?link_ticket="], "\(name)=\(value.prefix(40))")
            }
        }
        for value in Self.values where !value.isEmpty && value != "%" {
            let reply = try await bench.bench.send(.delete, "/user/identities/" + value, token: access)
            #expect((400...499).contains(reply.status), "\(value.prefix(40)): \(reply.status) \(reply.text)")
        }
        for bearer in ["", "x", "eyJhbGciOiJub25lIn0.e30."] {
            for path in ["/user/identities/authorize?provider=google", "/user/identities/x"] {
                let method: HTTPRequest.Method = path.contains("?") ? .get : .delete
                let reply = try await bench.bench.send(method, path, token: bearer)
                #expect([401, 403].contains(reply.status) && reply.headers[.location] == nil, "\(reply.text)")
            }
        }
        let user = try await bench.bench.get("/user", token: access)
        #expect(user["identities"]?.arrayValue?.count == 1)
    }
}

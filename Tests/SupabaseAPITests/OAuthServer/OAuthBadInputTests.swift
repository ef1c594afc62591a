// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import TestBenchHTTP
import Testing

@testable import SupabaseAPI

/// Every operation of the OAuth server with everything that a client or a stranger could get wrong.
@Suite struct OAuthBadInputTests {
    private static let values = [
        "", "%20", "%00", "x", "null", "%5B%5D", "-1", "%25", "%22%3Cscript%3E", "..%2F..%2Fetc",
        "https%3A%2F%2Fevil.example",
        "%0D%0ALocation%3A%20https%3A%2F%2Fevil.example", "%FF", "%E2%80%AE", String(repeating: "x", count: 5000),
        "eyJhbGciOiJub25lIn0.e30.",
    ]

    private func check(_ reply: HTTPBench.Reply, _ what: String) {
        #expect(reply.status < 500, "\(what): \(reply.text.prefix(200))")
        #expect(reply["access_token"] == nil, "\(what)")
        if let location = reply.headers[.location] {
            let isOwn = [OAuthBench.redirectURI + "?error=", "https://app.example/oauth/consent?authorization_id="]
                .contains(where: location.hasPrefix)
            #expect(isOwn, "\(what): \(location)")
        }
    }

    @Test("R11.7 R11.5 no parameter of the authorization request, however wrong, leads elsewhere or to a fault")
    func authorize() async throws {
        let bench = try await OAuthBench()
        let names = [
            "client_id", "redirect_uri", "response_type", "scope", "state", "nonce", "resource", "code_challenge",
            "code_challenge_method",
        ]
        let good = RedirectTarget.encode([
            ("client_id", bench.client), ("redirect_uri", OAuthBench.redirectURI), ("scope", "email"),
            ("code_challenge", OAuthBench.challenge), ("code_challenge_method", "S256"),
        ])
        for name in names {
            let rest = good.split(separator: "&").filter { !$0.hasPrefix(name + "=") }.joined(separator: "&")
            for value in Self.values {
                check(
                    try await bench.bench.send(.get, "/oauth/authorize?\(rest)&\(name)=\(value)", key: ""),
                    "\(name)=\(value.prefix(40))")
            }
            let twice = try await bench.bench.send(.get, "/oauth/authorize?\(good)&\(name)=a&\(name)=b", key: "")
            #expect(twice.outcome == "400 validation_failed", "\(name) twice")
        }
    }

    @Test("R11.7 R11.5 no parameter of the token request, however wrong, buys a token or is a fault")
    func token() async throws {
        let bench = try await OAuthBench()
        let form = ["content-type": "application/x-www-form-urlencoded"]
        let good = RedirectTarget.encode([
            ("grant_type", "authorization_code"), ("code", "x"), ("code_verifier", OAuthBench.verifier),
            ("client_id", bench.client), ("client_secret", bench.secret),
        ])
        for name in [
            "grant_type", "code", "refresh_token", "redirect_uri", "client_id", "client_secret", "code_verifier",
            "resource",
        ] {
            let rest = good.split(separator: "&").filter { !$0.hasPrefix(name + "=") }.joined(separator: "&")
            for value in Self.values {
                check(
                    try await bench.bench.send(
                        .post, "/oauth/token", raw: "\(rest)&\(name)=\(value)", key: "", headers: form),
                    "\(name)=\(value.prefix(40))")
            }
            let twice = try await bench.bench.send(
                .post, "/oauth/token", raw: "\(good)&\(name)=a&\(name)=b", key: "", headers: form)
            #expect(twice.status == 400 && twice["access_token"] == nil, "\(name) twice")
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import HTTPTypes
import JOSE
import TestBench
import TestBenchHTTP
import Testing

@testable import OpenIDProvider

/// Signed requests (RFC 9101; OpenID Connect Core, section 6).
@Suite struct RequestObjectTests {
    @Test("R11.9 RFC 9101, sections 5 and 6.3: only what is signed counts, whatever is said beside it")
    func signed() async throws {
        let bench = try await ProviderBench()
        let signer = try await RequestSigner(bench)
        let browser = try await bench.signedIn()
        let reply = try await browser.authorize(
            signer.form(
                signer.object(["claims": ["id_token": ["email": .null]]]),
                [
                    ("scope", "openid phone"), ("state", "other"), ("nonce", "other"), ("response_type", "token"),
                    ("redirect_uri", "https://evil.example"), ("response_mode", "fragment"), ("prompt", "login"),
                ]))
        #expect(reply.location?.hasPrefix(ProviderBench.redirectURI + "?") == true, "\(reply.status) \(reply.text)")
        #expect(reply.answer["state"] == "s t&=ä")
        let tokens = try await bench.post(
            "/oauth2/token",
            try signer.assertion("1") + [
                ("grant_type", "authorization_code"), ("code", reply.answer["code"] ?? ""),
                ("redirect_uri", ProviderBench.redirectURI), ("code_verifier", ProviderBench.verifier),
            ])
        #expect(tokens["scope"] == "openid email", "\(tokens.text)")
        let claims = try await bench.claims(tokens["id_token"]?.stringValue)
        #expect(claims["nonce"] == "n-1" && claims["email"] == "ada@example.com")
    }

    @Test("R11.9 RFC 9101, section 6.3: what stands outside takes the place of nothing that is missing inside")
    func outside() async throws {
        let bench = try await ProviderBench()
        let signer = try await RequestSigner(bench)
        let browser = try await bench.signedIn()
        let page = try await browser.authorize(
            signer.form(signer.object(["redirect_uri": nil]), [("redirect_uri", ProviderBench.redirectURI)]))
        #expect(page.status == 400 && page.location == nil)
        for (name, value, error) in [
            ("response_type", "code", "invalid_request"), ("scope", "openid", "invalid_scope"),
            ("code_challenge", PKCE.challenge(for: ProviderBench.verifier), "invalid_request"),
        ] {
            let reply = try await browser.authorize(signer.form(signer.object([name: nil]), [(name, value)]))
            #expect(reply.answer["error"] == error && reply.answer["code"] == nil, "\(name) \(reply.text)")
        }
        // A place that is not the client's is none for being signed.
        let evil = try await browser.authorize(signer.form(signer.object(["redirect_uri": "https://evil.example"])))
        #expect(evil.status == 400 && evil.location == nil)
    }

    @Test("R11.9 RFC 9126, section 3, and RFC 9101, section 5: a pushed request may be signed too")
    func pushed() async throws {
        let bench = try await ProviderBench()
        let signer = try await RequestSigner(bench)
        let reply = try await bench.post(
            "/oauth2/par", signer.form(nil, [("state", "other")] + signer.assertion("1")))
        #expect(reply.status == 201, "\(reply.text)")
        let named = [
            ("client_id", signer.client.id.rawValue), ("request_uri", reply["request_uri"]?.stringValue ?? ""),
        ]
        let browser = try await bench.signedIn()
        // Both at once are neither.
        let both = try await browser.authorize(named + [("request", try signer.object())])
        #expect(both.status == 400 && both.location == nil && both.text.contains("request"))
        let answer = try await browser.authorize(named)
        #expect(answer.answer["state"] == "s t&=ä" && answer.answer["code"] != nil, "\(answer.text)")
    }

    @Test("R11.9 OpenID Connect Core, section 6.2: an object that would have to be fetched is refused, and not fetched")
    func named() async throws {
        let bench = try await ProviderBench()
        let signer = try await RequestSigner(bench)
        let reply = try await bench.signedIn().authorize(
            bench.request(signer.client, ["request_uri": "https://app.example/request.jwt"]))
        #expect(reply.answer["error"] == "request_uri_not_supported")
        let inside = try await bench.signedIn().authorize(
            signer.form(signer.object(["request_uri": "https://app.example/request.jwt"])))
        #expect(inside.status == 400 && inside.location == nil)
    }

    @Test("R11.9 OpenID Connect Core, section 6.1: a client without keys can sign none, and is told so")
    func keyless() async throws {
        let bench = try await ProviderBench()
        let signer = try await RequestSigner(bench)
        let reply = try await bench.signedIn().authorize(bench.request(nil, ["request": try signer.object()]))
        #expect(reply.answer["error"] == "request_not_supported")
    }

    @Test("R11.9 RFC 9101, section 10.5: of a client that signs all it asks for, what is not signed is refused")
    func required() async throws {
        let bench = try await ProviderBench()
        let signer = try await RequestSigner(bench) { $0.authorization.requiresSignedRequests = true }
        let browser = try await bench.signedIn()
        #expect(try await browser.authorize(signer.form()).answer["code"] != nil)
        let reply = try await browser.authorize(bench.request(signer.client))
        #expect(reply.answer["error"] == "invalid_request" && reply.answer["code"] == nil, "\(reply.text)")
        let named = [("client_id", signer.client.id.rawValue)]
        let pushed = try await bench.post(
            "/oauth2/par", bench.request(signer.client) + signer.assertion("1"))
        #expect(pushed.outcome == "400 invalid_request", "\(pushed.text)")
        let signed = try await bench.post("/oauth2/par", signer.form(nil, signer.assertion("2")))
        let uri = try #require(signed["request_uri"]?.stringValue, "\(signed.text)")
        #expect(try await browser.authorize(named + [("request_uri", uri)]).answer["code"] != nil)
        // Given twice it is none, and an empty one is none either.
        for form in [
            try signer.form(nil, [("request", signer.object())]),
            named + [("request", "")] + bench.request(signer.client),
        ] {
            #expect(try await browser.authorize(form).answer["code"] == nil)
        }
    }

    @Test("R11.9 OpenID Connect Registration, section 2: requests are signed by what the client has registered alone")
    func algorithm() async throws {
        let bench = try await ProviderBench()
        let other = try SigningKey.generate(.ps256, keyID: "k2")
        let published = try #require(other.publicJWK?.publicObject)
        let signer = try await RequestSigner(bench) {
            if case .array(let keys) = $0.authorization.keys?["keys"] {
                $0.authorization.keys = ["keys": .array(keys + [.object(published)])]
            }
            $0.authorization.requestAlgorithm = .ps256
        }
        let browser = try await bench.signedIn()
        #expect(try await browser.authorize(signer.form(signer.object(with: other))).answer["code"] != nil)
        let page = try await browser.authorize(signer.form())
        #expect(page.status == 400 && page.location == nil && page.text.contains("invalid_request_object"))
        // Assertions may be by either key.
        let reply = try await bench.post(
            "/oauth2/par", signer.form(signer.object(with: other), signer.assertion("1")))
        #expect(reply.status == 201, "\(reply.text)")
    }

    @Test("R11.9 a form of another site's leads to the same signed request, once it comes with the browser's cookies")
    func posted() async throws {
        let bench = try await ProviderBench()
        let signer = try await RequestSigner(bench)
        let form = try signer.form()
        let reply = try await bench.post("/oauth2/authorize", form)
        #expect(reply.location == "/oauth2/authorize?" + HTTPBench.encoded(form))
        // The link gives the browser its name; what is posted with that is answered here.
        let browser = try await bench.signedIn()
        #expect(try await browser.authorize(form).answer["code"] != nil)
        #expect(try await browser.post("/oauth2/authorize", form).answer["code"] != nil)
    }
}

extension RequestObjectTests {
    /// What is wrong with an object, and the object.
    private static func bad(_ signer: RequestSigner) async throws -> [(String, String)] {
        let now = signer.bench.now.seconds
        let stranger = try SigningKey.generate(.es256, keyID: "k1")
        let other = try await RequestSigner(signer.bench)
        let good = try signer.object()
        let parts = good.split(separator: ".").map(String.init)
        let changed = Base64URL.encode(signer.claims.merging(["scope": "openid phone"]).serialized())
        let unsigned = Base64URL.encode(Array(#"{"alg":"none"}"#.utf8))
        let symmetric = Base64URL.encode(Array(#"{"alg":"HS256"}"#.utf8))
        let changes: [(String, [String: JSONValue?])] = [
            ("no client_id", ["client_id": nil]),
            ("another client_id", ["client_id": .string(other.client.id.rawValue)]),
            ("no iss", ["iss": nil]), ("another iss", ["iss": .string(other.client.id.rawValue)]),
            ("no aud", ["aud": nil]), ("another aud", ["aud": "https://other.example"]),
            ("the endpoint as aud", ["aud": .string(ProviderBench.url + "/oauth2/authorize")]),
            ("others beside us as aud", ["aud": [.string(ProviderBench.url), "https://other.example"]]),
            ("no exp", ["exp": nil]), ("expired", ["exp": .integer(now - 31)]),
            ("good for a day", ["exp": .integer(now + 86_400)]), ("a text as exp", ["exp": "soon"]),
            ("not yet good", ["nbf": .integer(now + 60)]), ("of tomorrow", ["iat": .integer(now + 86_400)]),
            // It would be an assertion of the client's too (section 10.8).
            ("a sub", ["sub": .string(signer.client.id.rawValue)]),
            ("another object in it", ["request": .string(good)]), ("a name of another", ["request_uri": "urn:x"]),
        ]
        return try changes.map { ($0, try signer.object($1)) } + [
            ("none", "\(unsigned).\(parts[1])."), ("none, with a signature", "\(unsigned).\(parts[1]).\(parts[2])"),
            ("by a secret", "\(symmetric).\(parts[1]).\(parts[2])"), ("cut off", String(good.dropLast(5))),
            ("two parts", "\(parts[0]).\(parts[1])"), ("encrypted", good + ".AA.AA"), ("nothing in it", "..."),
            ("by a stranger", try signer.object(with: stranger)),
            ("by another client", try other.object()), ("of another type", try signer.object(type: "at+jwt")),
            ("an assertion", try signer.assertion("x")[0].1),
            ("no JSON", try JWS.sign(Array("x".utf8), with: signer.key)),
            ("a list", try JWS.sign(Array("[]".utf8), with: signer.key)),
            (
                "changed",
                "\(parts[0]).\(changed).\(parts[2])"
            ),
        ]
    }

    @Test("R11.9 R11.5 RFC 9101, sections 4, 6 and 7: an object with anything wrong is a page, and leads nowhere")
    func refusals() async throws {
        let bench = try await ProviderBench()
        try await bench.accounts.change { $0.limits.tokenRefresh = .init(count: 100_000, seconds: 60) }
        let signer = try await RequestSigner(bench)
        let browser = try await bench.signedIn()
        for (index, (what, object)) in try await Self.bad(signer).enumerated() {
            // Not even to a place that stands beside it, which nobody has signed.
            let page = try await browser.authorize(
                signer.form(object, [("redirect_uri", ProviderBench.redirectURI), ("response_type", "code")]))
            #expect(page.status == 400 && page.location == nil && page.answer["code"] == nil, "\(what): \(page.text)")
            let reply = try await bench.post("/oauth2/par", signer.form(object, signer.assertion("\(index)")))
            #expect(reply.outcome == "400 invalid_request_object", "\(what): \(reply.text)")
        }
        #expect(try await browser.authorize(signer.form(signer.object(type: nil))).answer["code"] != nil)
        #expect(try await browser.authorize(signer.form(signer.object(type: "JWT"))).answer["code"] != nil)
        let list: JSONValue = [.string(ProviderBench.url)]
        #expect(try await browser.authorize(signer.form(signer.object(["aud": list]))).answer["code"] != nil)
    }

    @Test("R11.9 R11.5 what a signed parameter says wrongly is the error that an unsigned one has")
    func values() async throws {
        let bench = try await ProviderBench()
        let signer = try await RequestSigner(bench)
        let browser = try await bench.signedIn()
        let cases: [([String: JSONValue?], String)] = [
            (["response_type": "token"], "unsupported_response_type"),
            (["response_type": ["code"]], "unsupported_response_type"),
            (["scope": ["openid"]], "invalid_scope"), (["max_age": "soon"], "invalid_request"),
            (["max_age": -1], "invalid_request"), (["max_age": true], "invalid_request"),
            (["claims": "{"], "invalid_request"), (["claims": ["userinfo": 1]], "invalid_request"),
            (["prompt": "none login"], "invalid_request"), (["resource": ["https://other.example"]], "invalid_target"),
            (["resource": [1, 2]], "invalid_target"), (["registration": [:]], "registration_not_supported"),
            (["code_challenge_method": "plain"], "invalid_request"),
        ]
        for (changes, error) in cases {
            let reply = try await browser.authorize(signer.form(signer.object(changes)))
            #expect(reply.answer["error"] == error && reply.answer["state"] == "s t&=ä", "\(changes) \(reply.text)")
        }
        // Two of one resource, and what nobody knows, are none.
        let fine: [String: JSONValue?] = [
            "resource": ["https://api.example", "https://api.example/v2"], "unheard_of": ["a": [1]], "display": .null,
        ]
        #expect(try await browser.authorize(signer.form(signer.object(fine))).answer["code"] != nil)
    }
}

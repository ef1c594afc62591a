// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import TestBench
import TestBenchHTTP
import Testing

@testable import DevelopmentIdentityProvider

/// What is sent to the provider by mistake, or by somebody else.
@Suite struct BadProviderInputTests {
    private static let long = String(repeating: "x", count: 6_000)

    @Test(
        "R12.3 no endpoint answers bad input with a failure of the server's, a token, or a redirect elsewhere",
        arguments: Vendor.allCases)
    func everyRoute(vendor: Vendor) async throws {
        let bench = UpstreamBench()
        let foreign = try await bench.redeem(try await bench.code(.google), at: .google)["access_token"]?.stringValue
        let queries = [
            "", "?client_id=", "?client_id=a&client_id=b", "?%zz", "?a=%ff", "?state=%0d%0aSet-Cookie:x",
            "?client_id=latchkey-\(vendor.rawValue)&redirect_uri=https://evil.test/", "?language=\(Self.long)",
            "?access_token=\(foreign ?? "")", "?access_token=%00", "?a=" + Self.long + Self.long,
        ]
        let bodies = [
            "", "%", "a=b&a=c", "client_id=x&client_secret=y", "{}", "\u{0}", "grant_type=authorization_code&code=x",
            "token=x&client_id=latchkey-\(vendor.rawValue)", "a=" + Self.long + Self.long, "[1]", #"{"provider":5}"#,
            #"{"provider":"\#(vendor.rawValue)","subject":{}}"#, #"{"provider":"\#(vendor.rawValue)","subject":""}"#,
            #"{"provider":"\#(vendor.rawValue)","subject":"a b","claims":{"email":1}}"#,
            #"{"provider":"\#(vendor.rawValue)","subject":"5","claims":[]}"#,
            #"{"provider":"\#(vendor.rawValue)","subject":"5","nonce":5}"#,
            #"{"provider":"\#(vendor.rawValue)","subject":"5","claims":{"x":"\#(Self.long)"}}"#,
        ]
        for route in Route.all {
            let path =
                UpstreamBench.base
                + route.path.replacing("{provider}", with: vendor.rawValue).replacing("{tenant}", with: "x%00y")
                .replacing("{client}", with: "latchkey-\(vendor.rawValue)")
            for query in queries {
                for type in ["application/x-www-form-urlencoded", "application/json", "text/plain"] {
                    for body in route.content == .none || !query.isEmpty ? [""] : bodies {
                        let reply = try await bench.http.send(
                            route.method, path + query, headers: [.contentType: type], body: Array(body.utf8))
                        let what = "\(route.method) \(path)\(query.prefix(60)) \(body.prefix(60))"
                        #expect(reply.status < 500, "\(what): \(reply.text)")
                        #expect(reply.headers[.location] == nil, "\(what)")
                        #expect(!reply.text.contains("id_token\":"), "\(what)")
                        #expect(!reply.text.contains(Self.long), "\(what)")
                    }
                }
            }
        }
    }

    @Test(
        "R12.3 RFC 6749 4.1.2.1: to a redirect URI that is not of this machine nothing is sent",
        arguments: [
            "https://evil.test/", "http://127.0.0.1.evil.test/", "http://127.0.0.1@evil.test/", "//evil.test",
            "javascript:alert(1)", "http://localhost\\@evil.test/", "http://localhost#@evil.test/",
            "http://evil.test:80/?http://localhost", "https:evil.test", "http:///evil.test", "http://",
            "http://localhost%2eevil.test/", "com.example.app:/callback", "http://127.0.0.1:8080.evil.test/",
            "http://localhost:8080\"><script>",
        ])
    func redirects(uri: String) async throws {
        let bench = UpstreamBench()
        for reply in [
            try await bench.authorize(.openID, ["redirect_uri": uri]),
            try await bench.authorize(.openID, ["redirect_uri": uri, "prompt": "none"]),
            try await bench.press(.openID, ["redirect_uri": uri, "answer": "cancel"]),
            try await bench.press(.openID, ["redirect_uri": uri, "subject": "a"]),
            try await bench.press(.apple, ["redirect_uri": uri, "subject": "a"]),
        ] {
            #expect(reply.status == 400 && reply.headers[.location] == nil)
            #expect(!reply.text.contains("<form") && !reply.text.contains("<script>"))
        }
        for own in ["http://localhost:3000/cb?a=b", "http://[::1]:1/", "http://phone.test/x", "https://app.localhost"] {
            #expect(try await bench.authorize(.openID, ["redirect_uri": own]).status == 200, "\(own)")
        }
    }

    @Test("R12.3 what the app asks for in a wrong way it is told, with its state")
    func toldToTheApp() async throws {
        let bench = UpstreamBench()
        let cases: [([String: String?], String)] = [
            (["response_type": "token"], "unsupported_response_type"),
            (["response_mode": "fragment"], "invalid_request"), (["code_challenge": "short"], "invalid_request"),
            (["code_challenge_method": nil as String?], "invalid_request"),
            (["code_challenge_method": "plain"], "invalid_request"), (["scope": "email"], "invalid_scope"),
        ]
        for (changes, error) in cases {
            let answer = UpstreamBench.answer(try await bench.authorize(.openID, changes))
            #expect(answer["error"] == error && answer["state"] == "st&te=1" && answer["code"] == nil, "\(changes)")
        }
    }

    @Test("R12.3 a code is worth nothing with one thing wrong, and is spent by the attempt", arguments: Vendor.allCases)
    func codes(vendor: Vendor) async throws {
        let bench = UpstreamBench()
        let wrong: [[String: String?]] = [
            ["code_verifier": nil], ["code_verifier": String(repeating: "w", count: 43)], ["code_verifier": "v"],
            ["redirect_uri": "http://127.0.0.1:8080/other"], ["code": "x"],
        ]
        for changes in wrong {
            let code = try await bench.code(vendor)
            let reply = try await bench.redeem(code, at: vendor, changes, headers: [.accept: "application/json"])
            #expect(reply["error"] != nil && reply["access_token"] == nil, "\(changes)")
            if changes["code"] == nil {
                let again = try await bench.redeem(code, at: vendor, headers: [.accept: "application/json"])
                #expect(again["access_token"] == nil, "\(changes)")
            }
        }
        let unasked = try await bench.code(vendor, ["code_challenge": nil, "code_challenge_method": nil])
        let reply = try await bench.redeem(unasked, at: vendor, headers: [.accept: "application/json"])
        #expect(reply["access_token"] == nil, "a verifier that nobody asked for")
        for other in Vendor.allCases where other != vendor {
            let foreign = try await bench.redeem(
                try await bench.code(other), at: vendor, headers: [.accept: "application/json"])
            #expect(foreign["access_token"] == nil, "\(other)")
        }
        let secret = try await bench.redeem(
            try await bench.code(vendor), at: vendor, ["client_secret": "x"], headers: [.accept: "application/json"])
        #expect(secret["error"] != nil && secret["access_token"] == nil)
    }

    @Test("R12.3 a form that another site's page sent is not heard")
    func foreignForms() async throws {
        let bench = UpstreamBench()
        let fields = UpstreamBench.parameters(.openID, ["subject": "a"])
        for headers: HTTPFields in [
            [.origin: "https://evil.test"], [.init("Sec-Fetch-Site") ?? .origin: "cross-site"],
        ] {
            let reply = try await bench.form("/openid/authorize", fields, headers: headers)
            #expect(reply.status == 403 && reply.headers[.location] == nil)
            let revoke = try await bench.form("/revoke", ["provider": "google", "subject": "1"], headers: headers)
            #expect(revoke.status == 403)
        }
    }

    @Test("R12.3 what is shown of somebody is text")
    func escaping() async throws {
        let bench = UpstreamBench()
        let name = #""><img src=x onerror=1>"#
        _ = try await bench.press(.openID, ["subject": #""><img>"#, "name": name, "email": name])
        for reply in [try await bench.authorize(.openID, ["state": name, "language": "de"]), try await bench.get("")] {
            #expect(reply.status == 200 && !reply.text.contains("<img"))
        }
        let posted = try await bench.press(.apple, ["subject": "x", "name": name, "state": name])
        #expect(posted.status == 200 && !posted.text.contains("<img"))
    }
}

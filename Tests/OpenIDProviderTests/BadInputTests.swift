// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import TestBench
import TestBenchHTTP
import Testing

@testable import OpenIDProvider

/// Every endpoint with everything that a client or a stranger could get wrong in its parameters.
@Suite struct BadInputTests {
    /// An operation, and a call of it that is good.
    private struct Subject: Sendable {
        var path: String
        var form: [(String, String)]
        var headers: HTTPFields = [:]
        var isPost = true
        var isPage = false
    }

    private static let long = String(repeating: "x", count: 3000)
    private static let values = [
        "", " ", "\u{0}", "x", "null", "[]", "{}", "-1", "%", "'\"<script>", "../../etc/passwd",
        "https://evil.example/",
        "\r\nLocation: https://evil.example", "e\u{301}\u{301}\u{301}", "\u{202E}", "🦊", long,
        "eyJhbGciOiJub25lIn0.eyJpc3MiOiJodHRwczovL2lkLmV4YW1wbGUifQ.", "a.b.c",
        String(repeating: "{\"a\":", count: 400),
    ]

    private static func subjects(_ bench: ProviderBench) async throws -> [Subject] {
        let tokens = try await bench.tokens()
        let access = tokens["access_token"]?.stringValue ?? ""
        let key = try ProofKey(bench).thumbprint
        let device = try await ProviderBench.addClient("Device", .publicClient, to: bench.accounts) {
            $0.authorization.grants = [.deviceCode]
        }
        let server = try await ProviderBench.addClient("Server", .secretBasic, to: bench.accounts) {
            $0.authorization.grants = [.tokenExchange]
        }
        return [
            Subject(
                path: "/oauth2/authorize", form: bench.request(nil, ["dpop_jkt": key]), isPost: false, isPage: true),
            Subject(path: "/oauth2/authorize", form: bench.request(), isPage: true),
            Subject(path: "/oauth2/authorize/continue", form: [("request", "x")], isPost: false, isPage: true),
            Subject(path: "/oauth2/par", form: bench.request(), headers: bench.basic),
            Subject(
                path: "/oauth2/authorize", form: try await RequestSigner(bench).form(), isPost: false, isPage: true),
            Subject(
                path: "/oauth2/token",
                form: [
                    ("grant_type", "authorization_code"), ("code", "x"), ("redirect_uri", ProviderBench.redirectURI),
                    ("code_verifier", ProviderBench.verifier), ("scope", "openid"), ("resource", "https://api.example"),
                ], headers: bench.basic),
            Subject(
                path: "/oauth2/token",
                form: [
                    ("grant_type", "refresh_token"), ("refresh_token", "x"), ("client_id", bench.app.id.rawValue),
                    ("client_secret", ""), ("client_assertion", ""), ("client_assertion_type", ""),
                ]),
            Subject(
                path: "/oauth2/token", form: [("grant_type", "client_credentials"), ("scope", "notes/read")],
                headers: bench.basic),
            Subject(
                path: "/oauth2/device_authorization",
                form: [("scope", "openid"), ("client_id", device.id.rawValue)]),
            Subject(
                path: "/oauth2/token",
                form: [
                    ("grant_type", DeviceFlowTests.grant), ("device_code", "x"), ("client_id", device.id.rawValue),
                ]),
            Subject(
                path: "/oauth2/token",
                form: [
                    ("grant_type", TokenExchangeTests.grant), ("subject_token", access), ("scope", "email"),
                    ("subject_token_type", "urn:ietf:params:oauth:token-type:access_token"),
                    ("requested_token_type", "urn:ietf:params:oauth:token-type:access_token"),
                ], headers: ProviderBench.basic(server.id.rawValue, server.secrets.first?.text?.reveal() ?? "")),
            Subject(path: "/oauth2/userInfo", form: [("access_token", access)]),
            Subject(path: "/oauth2/userInfo", form: [("x", "")], headers: ProviderBench.bearer(access), isPost: false),
            Subject(
                path: "/oauth2/revoke", form: [("token", "x"), ("token_type_hint", "access_token")],
                headers: bench.basic),
            Subject(
                path: "/oauth2/introspect", form: [("token", access), ("token_type_hint", "access_token")],
                headers: bench.basic),
            Subject(
                path: "/oauth2/logout",
                form: [
                    ("id_token_hint", tokens["id_token"]?.stringValue ?? ""), ("client_id", bench.web.id.rawValue),
                    ("post_logout_redirect_uri", ProviderBench.signOutURI), ("state", "s"), ("ui_locales", "de"),
                    ("logout_hint", "x"),
                ], isPost: false, isPage: true),
        ]
    }

    /// What must hold of every answer, whatever was asked.
    private func check(_ reply: HTTPBench.Reply, _ subject: Subject, _ what: String) {
        let note = "\(subject.path) \(what): \(reply.status) \(reply.text.prefix(200)) \(reply.location ?? "")"
        #expect(reply.status < 500, "\(note)")
        if let location = reply.location {
            let places = [
                "https://app.example/", "http://127.0.0.1/back", "/account/", "/oauth2/authorize?", "/oauth2/logout?",
            ]
            #expect(subject.isPage && places.contains(where: location.hasPrefix), "\(note)")
            #expect(!location.contains("\r") && !location.contains("\n"), "\(note)")
        }
        if reply.status >= 400, reply.status != 405 {
            if subject.isPage {
                #expect(reply.headers[.contentType] == "text/html; charset=utf-8", "\(note)")
                #expect(!reply.text.contains("<script"), "\(note)")
            } else {
                #expect(reply.error != nil && reply["error_description"]?.stringValue != nil, "\(note)")
                #expect(reply.headers[.cacheControl] == "no-store", "\(note)")
            }
        }
        if reply.status == 401 { #expect(reply.headers[.wwwAuthenticate] != nil, "\(note)") }
    }

    private func send(_ bench: ProviderBench, _ subject: Subject, _ form: [(String, String)], cookie: String? = nil)
        async throws -> HTTPBench.Reply
    {
        var headers = subject.headers
        headers[.cookie] = cookie
        guard subject.isPost else {
            return try await bench.get(subject.path + "?" + HTTPBench.encoded(form), headers: headers)
        }
        return try await bench.post(subject.path, form, headers: headers)
    }

    @Test(
        "R11.4 what the server can't do is said on a page where a person reads it, and in the standard's form elsewhere"
    )
    func ownFaults() async throws {
        let bench = try await ProviderBench()
        for (path, type) in [
            ("/oauth2/authorize", "text/html; charset=utf-8"), ("/oauth2/logout", "text/html; charset=utf-8"),
            ("/oauth2/userInfo", "application/json"),
        ] {
            let failing = HTTPBench(
                clock: bench.accounts.clock, surfaces: bench.provider.surfaces, errors: bench.provider.errors
            ) { router, _ in
                router.get(RouterPath(path)) { _, _ -> Response in throw AuthError(.unavailable) }
            }
            let reply = try await failing.send(.get, path)
            #expect(reply.status == 503 && reply.headers[.contentType]?.hasPrefix(type) == true, "\(reply.text)")
        }
    }

    @Test("R11.5 each parameter of each endpoint missing, wrong, repeated and over-long: the standard's own error")
    func parameters() async throws {
        let bench = try await ProviderBench()
        try await bench.accounts.change { $0.limits = .none }
        let cookie = try await bench.signedIn().cookie
        for subject in try await Self.subjects(bench) {
            for (name, value) in subject.form {
                let others = subject.form.filter { $0.0 != name }
                check(try await send(bench, subject, others, cookie: cookie), subject, "without \(name)")
                for wrong in Self.values {
                    let reply = try await send(bench, subject, others + [(name, wrong)], cookie: cookie)
                    check(reply, subject, "\(name)=\(wrong.prefix(40))")
                }
                let twice = try await send(bench, subject, subject.form + [(name, value)], cookie: cookie)
                check(twice, subject, "\(name) twice")
                #expect(twice.status != 200 && twice.answer["code"] == nil, "\(subject.path) \(name)")
            }
        }
    }

    @Test("R11.5 what is no form, no query and no text of ours is refused, and methods that are not taken are named")
    func forms() async throws {
        let bench = try await ProviderBench()
        try await bench.accounts.change { $0.limits = .none }
        for subject in try await Self.subjects(bench) {
            for query in ["%", "a=%zz", "a=%ff", "=&=&&", "a" + String(repeating: "&b=c", count: 3000), "[]"] {
                let reply: HTTPBench.Reply
                if subject.isPost {
                    var headers = subject.headers
                    headers[.contentType] = "application/x-www-form-urlencoded"
                    reply = try await bench.raw(.post, subject.path, headers: headers, body: Array(query.utf8))
                } else {
                    reply = try await bench.get(subject.path + "?" + query, headers: subject.headers)
                }
                check(reply, subject, String(query.prefix(10)))
            }
            guard subject.isPost else { continue }
            for type in ["application/json", "text/plain", "multipart/form-data; boundary=x"] {
                var headers = subject.headers
                headers[.contentType] = type
                let reply = try await bench.raw(.post, subject.path, headers: headers, body: Array("{}".utf8))
                check(reply, subject, type)
                #expect(reply.status >= 400 && reply.status != 404, "\(subject.path) \(type)")
            }
            let big = [UInt8](repeating: UInt8(ascii: "a"), count: 2 << 20)
            var headers = subject.headers
            headers[.contentType] = "application/x-www-form-urlencoded"
            check(try await bench.raw(.post, subject.path, headers: headers, body: big), subject, "2 MiB")
        }
        for path in [
            "/oauth2/token", "/oauth2/par", "/oauth2/revoke", "/oauth2/introspect", "/oauth2/device_authorization",
        ] {
            let reply = try await bench.get(path)
            #expect(reply.status == 405 && reply[header: "allow"]?.contains("POST") == true, "\(path)")
        }
        #expect(try await bench.get("/oauth2/nowhere").status == 404)
    }

    @Test(
        "R11.5 R11.8 RFC 9449: what stands where a proof belongs is refused where one is looked at, and is no fault of ours"
    )
    func proofs() async throws {
        let bench = try await ProviderBench()
        try await bench.accounts.change { $0.limits = .none }
        let key = try ProofKey(bench)
        let proofs = Self.values + [try key.proof("DELETE"), try key.proof() + "." + key.proof()]
        for subject in try await Self.subjects(bench) {
            for proof in proofs {
                var subject = subject
                subject.headers[.dpop] = proof
                let reply = try await send(bench, subject, subject.form)
                check(reply, subject, "DPoP: \(proof.prefix(20))")
                guard subject.path == "/oauth2/token" || subject.path == "/oauth2/par" else { continue }
                #expect(reply.status == 400 || reply.status == 401, "\(subject.path) \(proof.prefix(20))")
                #expect(reply["access_token"] == nil && reply["request_uri"] == nil)
            }
            for token in Self.values {
                var subject = subject
                subject.headers[.authorization] = "DPoP " + token
                let reply = try await send(bench, subject, subject.form)
                check(reply, subject, "Authorization: DPoP \(token.prefix(20))")
            }
        }
    }

    @Test("R11.5 another user's, another Directory's and made-up cookies sign nobody in")
    func cookies() async throws {
        let bench = try await ProviderBench()
        let browser = try await bench.signedIn()
        let cookie = try #require(browser.cookie)
        // A refresh token of a client's session is of another dialect, and no browser's.
        let refresh = try #require(try await bench.tokens(browser)["refresh_token"]?.stringValue)
        let name = try #require(cookie.split(separator: "=").first)
        for value in [
            "", "x", refresh, String(cookie.dropFirst(name.count + 1).dropLast(4)) + "AAAA",
            String(repeating: "x", count: 9000),
        ] {
            let reply = try await bench.get(
                "/oauth2/authorize?" + HTTPBench.encoded(bench.request(nil, ["prompt": "none"])),
                headers: [.cookie: "\(name)=\(value)"])
            #expect(reply.answer["error"] == "login_required", "\(value.prefix(20))")
        }
        // And what the cookie holds is no client's refresh token.
        let value = cookie.split(separator: ";").first { $0.contains("session") }?.split(separator: "=").last ?? ""
        #expect(!value.isEmpty)
        #expect(try await bench.refresh(String(value)).outcome == "400 invalid_grant")
        #expect(try await bench.introspect(String(value)) == ["active": false])
    }
}

extension DirectorySettings.Limits {
    /// As good as none, for a test of something else.
    fileprivate static var none: Self {
        var limits = Self()
        let rate = DirectorySettings.Rate(count: 100_000, seconds: 60)
        (limits.tokenRefresh, limits.signIn, limits.verify) = (rate, rate, rate)
        return limits
    }
}

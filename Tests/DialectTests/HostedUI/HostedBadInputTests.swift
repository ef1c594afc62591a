// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import HTTPTypes
import TestBench
import TestBenchHTTP
import Testing

/// Every endpoint of the hosted UI with everything that a client or a stranger could get wrong in its parameters.
@Suite struct HostedBadInputTests {
    /// An operation, and a call of it that is good.
    private struct Subject: Sendable {
        var path: String
        var form: [(String, String)]
        var headers: HTTPFields = [:]
        var isPost = false
    }

    private static let values = [
        "", " ", "\u{0}", "x", "null", "[]", "-1", "%", "'\"<script>", "../../etc/passwd", "https://evil.example/",
        "//evil.example", "\r\nLocation: https://evil.example", "e\u{301}\u{301}", "\u{202E}", "🦊",
        String(repeating: "x", count: 3000), "eyJhbGciOiJub25lIn0.eyJpc3MiOiJ4In0.", "a.b.c",
    ]

    private static func subjects(_ bench: HostedBench) async throws -> [Subject] {
        let access = try await bench.tokens().text("access_token") ?? ""
        let pages = ["/oauth2/authorize", "/login", "/signup", "/forgotPassword", "/confirmUser", "/confirm"]
        return pages.map { Subject(path: $0, form: bench.request(nil, ["lang": "de", "login_hint": "ada"])) } + [
            Subject(path: "/logout", form: [("client_id", bench.web), ("logout_uri", HostedBench.signOutURI)]),
            Subject(path: "/logout", form: bench.request()),
            Subject(path: "/error", form: [("error", "invalid_scope")]),
            Subject(
                path: "/oauth2/idpresponse",
                form: [("state", "x"), ("code", "y"), ("iss", "https://accounts.google.com"), ("user", "{}")]),
            Subject(
                path: "/oauth2/token",
                form: [
                    ("grant_type", "authorization_code"), ("code", "x"), ("redirect_uri", HostedBench.redirectURI),
                    ("code_verifier", HostedBench.verifier), ("client_id", bench.web),
                ], headers: bench.basic, isPost: true),
            Subject(
                path: "/oauth2/token",
                form: [
                    ("grant_type", "refresh_token"), ("refresh_token", "x"), ("client_id", bench.app),
                    ("scope", "openid"),
                ], isPost: true),
            Subject(
                path: "/oauth2/token", form: [("grant_type", "client_credentials"), ("scope", "notes/read")],
                headers: bench.basic, isPost: true),
            Subject(path: "/oauth2/userInfo", form: [("x", "y")], headers: HostedBench.bearer(access)),
            Subject(
                path: "/oauth2/revoke", form: [("token", "x"), ("token_type_hint", "refresh_token")],
                headers: bench.basic, isPost: true),
        ]
    }

    private func check(_ reply: HTTPBench.Reply, _ what: String) {
        let note = "\(what): \(reply.status) \(reply.text.prefix(200)) \(reply.location ?? "")"
        #expect(reply.status < 500, "\(note)")
        #expect(!reply.text.contains("<script>"), "\(note)")
        if let location = reply.location {
            let places = ["https://app.example/", "/account/", "/login?"]
            #expect(places.contains(where: location.hasPrefix), "\(note)")
            #expect(!location.contains("\r") && !location.contains("\n"), "\(note)")
        }
    }

    private func send(
        _ bench: HostedBench, _ subject: Subject, _ form: [(String, String)], cookie: String?
    ) async throws -> HTTPBench.Reply {
        var headers = subject.headers
        headers[.cookie] = cookie
        guard !subject.isPost else { return try await bench.post(subject.path, form, headers: headers) }
        return try await bench.send(.get, subject.path + "?" + HTTPBench.encoded(form), headers: headers)
    }

    @Test(
        "R11.6 R11.5 each parameter of each endpoint missing, wrong, repeated and over-long: never a 5xx, nor elsewhere"
    )
    func parameters() async throws {
        let bench = try await HostedBench()
        let rate = DirectorySettings.Rate(count: 100_000, seconds: 60)
        try await bench.accounts.change {
            ($0.limits.tokenRefresh, $0.limits.signIn, $0.limits.verify) = (rate, rate, rate)
        }
        for subject in try await Self.subjects(bench) {
            // Nobody's: with a session, /logout would end it for all that follows.
            let cookie = subject.path == "/logout" ? nil : try await bench.signedIn().cookie
            for (name, value) in subject.form {
                let others = subject.form.filter { $0.0 != name }
                check(try await send(bench, subject, others, cookie: cookie), "\(subject.path) without \(name)")
                for wrong in Self.values {
                    let reply = try await send(bench, subject, others + [(name, wrong)], cookie: cookie)
                    check(reply, "\(subject.path) \(name)=\(wrong.prefix(40))")
                }
                let twice = try await send(bench, subject, subject.form + [(name, value)], cookie: cookie)
                check(twice, "\(subject.path) \(name) twice")
                #expect(twice.answer["code"] == nil, "\(subject.path) \(name) twice")
            }
        }
    }

    @Test("R11.6 R11.5 what is no query and no form is refused, by a page where a person reads it")
    func forms() async throws {
        let bench = try await HostedBench()
        for subject in try await Self.subjects(bench) {
            for query in ["%", "a=%zz", "a=%ff", "=&=&&", "a" + String(repeating: "&b=c", count: 3000)] {
                var headers = subject.headers
                let reply: HTTPBench.Reply
                if subject.isPost {
                    headers[.contentType] = "application/x-www-form-urlencoded"
                    reply = try await bench.send(.post, subject.path, headers: headers, body: Array(query.utf8))
                } else {
                    reply = try await bench.send(.get, subject.path + "?" + query, headers: headers)
                }
                check(reply, "\(subject.path) \(query.prefix(10))")
                #expect(
                    reply.status >= 400 || subject.path == "/oauth2/userInfo", "\(subject.path) \(query.prefix(10))")
            }
        }
        #expect(try await bench.post("/logout", []).status == 405)
        #expect(try await bench.post("/login", []).status == 405)
    }

    @Test("R11.6 R11.5 another browser's request, and a refresh token in the place of a cookie, sign nobody in")
    func foreign() async throws {
        let bench = try await HostedBench()
        let browser = HostedBrowser(bench)
        let first = try await browser.get("/login", bench.request())
        let request = try #require(first.answer["request"])
        let other = try await bench.signedIn()
        let stolen = try await other.get("/oauth2/authorize/continue", [("request", request)])
        #expect(stolen.status == 410 && stolen.location == nil)
        let refresh = try await bench.tokens(other).text("refresh_token") ?? ""
        let name = try #require(
            other.cookie?.split(separator: ";").first { $0.contains("session") }?.split(separator: "=").first)
        var headers = HTTPFields()
        headers[.cookie] = "\(name)=\(refresh)"
        let silent = bench.request(nil, ["prompt": "none", "identity_provider": nil])
        let reply = try await bench.send(.get, "/oauth2/authorize?" + HTTPBench.encoded(silent), headers: headers)
        #expect(reply.answer["error"] == "login_required")
    }
}

// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import HummingbirdTesting
import HummingbirdTokenAuth
import Testing
import TokenVerifier

@Suite("Exempt paths")
struct ExemptPathTests {
    private func bench(_ exempt: ExemptPaths = ["/health", "/docs/**", "/K", "/a//b", "*", "", "/%6de"]) throws
        -> APIBench
    {
        let bench = try APIBench(options: [.caseInsensitive])
        bench.router.add(
            middleware: TokenAuthMiddleware(
                try bench.verifier(), kinds: [.access], exempt: exempt, metrics: bench.metrics))
        bench.addRoutes()
        return bench
    }

    @Test(
        "an exempt path is open, whatever its query",
        arguments: ["/health", "/health/", "/health?a=/me", "/health?", "/docs/intro", "/docs/a?b=c", "/K"])
    func open(path: String) async throws {
        #expect(try await bench().get(path).status == .ok)
    }

    @Test("on an exempt path credentials are not looked at, and there is no identity")
    func identity() async throws {
        let bench = try bench()
        #expect(try await bench.get("/health", .bearer("nonsense")).text == "open")
        #expect(try await bench.get("/health", .bearer(try bench.token())).text == "open")
    }

    @Test(
        "R80 nothing else is",
        arguments: [
            "/me", "//me", "/me/", "//health", "/health//", "/health/..", "/health/../me", "/health/%2e%2e/me",
            "/health/.", "/./health", "/health;", "/health;/../me", "/me;/health", "/health%2f", "/health%2f..%2fme",
            "/%68ealth", "/health%00", "/HEALTH", "/Health", "/healthz", "/health/x", "/me?/health", "/me?x=/health",
            "/me#/health", "/health#", "/health\\..\\me", "/docs", "/docs/", "/docs//", "/docs//me", "/docs/../me",
            "/docs/..", "/docs/%2e%2e/me", "/docs/..;/me", "/docs/a/../../me", "/DOCS/a", "/docs/a%2f..%2f..%2fme",
            "/docsx", "/\u{212A}", "/k", "/a//b", "/a/b", "/", "*", "http://x/health", "x://health/me", "/m\u{65}",
        ])
    func closed(path: String) async throws {
        let answer = try await bench().get(path)
        #expect(answer.status == .unauthorized)
    }

    @Test("R80 no header makes a path exempt")
    func headers() async throws {
        let names = [
            "X-Forwarded-Uri", "X-Original-URL", "X-Rewrite-URL", "X-Forwarded-Path", "X-Forwarded-User",
            "X_Forwarded_User", "X-HTTP-Method-Override", "x-middleware-subrequest",
        ]
        for name in names {
            var headers = HTTPFields()
            headers[try #require(HTTPField.Name(name))] = "/health"
            #expect(try await bench().get("/me", headers).status == .unauthorized)
        }
    }

    @Test("R80 over a socket, too", arguments: ["//health", "/health/../me", "/health%2f", "/HEALTH", "/me?/health"])
    func live(path: String) async throws {
        let answer = try await bench().test(.live) { try await $0.execute(uri: path, method: .get) }
        #expect(answer.status == .unauthorized)
    }

    @Test("without entries nothing is exempt")
    func none() async throws {
        #expect(try await bench([]).get("/health").status == .unauthorized)
        #expect(try await bench(["/**"]).get("/health").status == .unauthorized)
    }
}

// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import CognitoAPI
import FirebaseAPI
import HTTPTypes
import Hummingbird
import OpenIDProvider
import ServerKit
import TestBench
import TestBenchHTTP
import Testing

/// What is wrong with the server, where a person reads it.
@Suite struct PageErrorTests {
    @Test("R11.4 R11.6 an outage is a page where people are, with a time to come back at, and no program's answer")
    func outage() async throws {
        let bench = try await HostedBench()
        let firebase = FirebaseDialect(
            accounts: bench.accounts.flows, tokens: OwnTokens(bench.accounts.keys),
            settings: .init(url: ServerURL(HostedBench.url)))
        let paths = [
            "/login", "/signup", "/confirm", "/confirmUser", "/forgotPassword", "/logout", "/error",
            "/oauth2/authorize", "/oauth2/logout", "/__/auth/action",
        ]
        let surfaces = bench.provider.surfaces + bench.cognito.surfaces + firebase.surfaces
        for (code, status) in [(AuthErrorCode.unavailable, 503), (.internalFailure, 500)] {
            let http = HTTPBench(clock: bench.accounts.clock, surfaces: surfaces, errors: bench.cognito.errors) {
                router, _ in
                for path in paths { router.get(RouterPath(path)) { _, _ -> Response in throw AuthError(code) } }
            }
            for path in paths {
                let reply = try await http.send(.get, path, headers: [.acceptLanguage: "de"])
                #expect(reply.status == status, "\(path)")
                #expect(reply.headers[.contentType] == "text/html; charset=utf-8", "\(path) \(reply.text)")
                #expect(reply.text.contains(#"<html lang="de">"#) && reply.text.contains("Fehler"), "\(path)")
            }
        }
    }

    @Test("R11.5 R11.6 what is sent to the hosted UI by another method is a page, with the methods that there are")
    func method() async throws {
        let bench = try await HostedBench()
        for path in ["/login", "/signup", "/forgotPassword", "/logout", "/error"] {
            let reply = try await bench.post(path, [("client_id", bench.web)])
            #expect(reply.status == 405 && reply.headers[.allow] == "GET", "\(path) \(reply.headers)")
            #expect(reply.headers[.contentType] == "text/html; charset=utf-8", "\(path)")
        }
    }
}

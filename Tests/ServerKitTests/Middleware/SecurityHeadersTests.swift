// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@testable import ServerKit

@Suite("Security headers")
struct SecurityHeadersTests {
    private func bench(isHTTPS: Bool = false) -> ServerBench {
        let bench = ServerBench(isHTTPS: isHTTPS)
        bench.on(.get, "/beta/x")
        bench.on(.get, "/beta/keys") { _, _ in
            Response(status: .ok, headers: [.cacheControl: "public, max-age=600", .referrerPolicy: "origin"])
        }
        return bench
    }

    @Test(
        "V14.3.2 V3.4.4 V3.4.5 V3.4.6 every answer is not stored, sniffed, framed or leaked as a referrer",
        arguments: [
            (HTTPRequest.Method.get, "/beta/x"), (.get, "/beta/none"), (.put, "/beta/x"), (.options, "/beta/x"),
            (.get, "//beta/x"), (.head, "/none"),
        ])
    func present(method: HTTPRequest.Method, path: String) async throws {
        let headers = try await bench().response(method, path).headers
        #expect(headers[.cacheControl] == "no-store")
        #expect(headers[.contentTypeOptions] == "nosniff")
        #expect(headers[.referrerPolicy] == "no-referrer")
        #expect(headers[.contentSecurityPolicy] == "default-src 'none'; frame-ancestors 'none'")
        #expect(headers[.strictTransportSecurity] == nil)
        #expect(headers[.server] == nil)
    }

    @Test("a preflight has them too")
    func preflight() async throws {
        let headers = try await bench().response(
            .options, "/beta/x", [.origin: "https://x.test", .accessControlRequestMethod: "GET"]
        ).headers
        #expect(headers[.contentTypeOptions] == "nosniff")
    }

    @Test("V3.4.1 clients that come by https are told to keep doing so for a year, subdomains included")
    func transport() async throws {
        let headers = try await bench(isHTTPS: true).response(.get, "/beta/none").headers
        #expect(headers[.strictTransportSecurity] == "max-age=31536000; includeSubDomains")
    }

    @Test("a handler's own value stands, and the others are still added")
    func ownValues() async throws {
        let headers = try await bench().response(.get, "/beta/keys").headers
        #expect(headers[values: .cacheControl] == ["public, max-age=600"])
        #expect(headers[values: .referrerPolicy] == ["origin"])
        #expect(headers[.contentTypeOptions] == "nosniff")
    }
}

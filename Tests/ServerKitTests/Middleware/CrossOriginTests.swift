// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@testable import ServerKit

@Suite("Cross-origin requests")
struct CrossOriginTests {
    private let page = "https://app.example.com"

    private func bench(_ origins: [String]) -> ServerBench {
        let bench = ServerBench(origins: origins)
        bench.on(.get, "/beta/x")
        bench.on(.get, "/beta/vary") { _, _ in
            Response(status: .ok, headers: [.vary: "Accept-Language"])
        }
        return bench
    }

    @Test("V3.4.2 every origin may read where all are allowed, and never with credentials")
    func open() async throws {
        let response = try await bench(["*"]).response(.get, "/beta/x", [.origin: page])
        #expect(response.headers[.accessControlAllowOrigin] == "*")
        #expect(response.headers[.accessControlAllowCredentials] == nil)
        #expect(response.headers[.accessControlExposeHeaders]?.contains("Retry-After") == true)
        #expect(response.headers[.accessControlExposeHeaders]?.contains("X-Page") == true)
        #expect(response.headers[.vary] == nil)
    }

    @Test("V3.4.2 an allowed origin is named, and caches are told that the answer depends on it")
    func listed() async throws {
        let response = try await bench([page]).response(.get, "/beta/x", [.origin: page])
        #expect(response.headers[.accessControlAllowOrigin] == page)
        #expect(response.headers[.vary] == "Origin")
    }

    @Test(
        "V3.4.2 an origin that only looks like an allowed one gets nothing",
        arguments: [
            "null", "https://app.example.com.evil.net", "https://evil-app.example.com", "http://app.example.com",
            "https://app.example.com:8443", "https://APP.example.com", "https://app.example.com/", "",
            "https://app.example.com, https://evil.net", "*",
        ])
    func alike(origin: String) async throws {
        let bench = bench([page])
        for method in [HTTPRequest.Method.get, .options] {
            let response = try await bench.response(
                method, "/beta/x", [.origin: origin, .accessControlRequestMethod: "GET"])
            #expect(response.headers[.accessControlAllowOrigin] == nil)
            #expect(response.headers[.accessControlAllowMethods] == nil)
            #expect(response.headers[.vary] == "Origin")
        }
    }

    @Test("V3.4.2 an origin that is canonically equivalent to an allowed one is another")
    func equivalent() async throws {
        let bench = bench(["https://caf\u{E9}.example"])
        for (origin, isAllowed) in [("https://caf\u{E9}.example", true), ("https://cafe\u{301}.example", false)] {
            let response = try await bench.response(.get, "/beta/x", [.origin: origin])
            #expect((response.headers[.accessControlAllowOrigin] != nil) == isAllowed)
        }
    }

    @Test("where no origin is allowed none is")
    func none() async throws {
        let response = try await bench([]).response(.get, "/beta/x", [.origin: page])
        #expect(response.status == .ok)
        #expect(response.headers[.accessControlAllowOrigin] == nil)
    }

    @Test("a handler's own Vary stands beside it")
    func vary() async throws {
        let response = try await bench([page]).response(.get, "/beta/vary", [.origin: page])
        #expect(response.headers[values: .vary] == ["Accept-Language", "Origin"])
    }

    @Test("a preflight is answered for any path without asking a handler, and may be kept a day")
    func preflight() async throws {
        let bench = bench([page])
        for path in ["/beta/x", "/beta/none"] {
            let response = try await bench.response(
                .options, path, [.origin: page, .accessControlRequestMethod: "DELETE"])
            #expect(response.status == .noContent)
            #expect(response.headers[.accessControlAllowOrigin] == page)
            #expect(response.headers[.accessControlAllowMethods]?.contains("DELETE") == true)
            #expect(response.headers[.accessControlMaxAge] == "86400")
            #expect(response.headers[.accessControlAllowHeaders] == nil)
            #expect(response.headers[.allow] == nil)
        }
    }

    @Test(
        "R10.6 a page may send whatever header it asks for, as SDKs and apps each have their own, without credentials")
    func requestHeaders() async throws {
        let asked = "authorization,cache-control, x-amz-target,x-none-has-heard-of"
        let response = try await bench(["*"]).response(
            .options, "/beta/x",
            [.origin: page, .accessControlRequestMethod: "POST", .accessControlRequestHeaders: asked])
        #expect(
            response.headers[.accessControlAllowHeaders]
                == "authorization, cache-control, x-amz-target, x-none-has-heard-of")
        #expect(response.headers[.accessControlAllowCredentials] == nil)
    }

    @Test("R10.6 what is no name of a header is not repeated, nor a list without end")
    func hostileRequestHeaders() async throws {
        func allowed(_ asked: String) async throws -> String? {
            try await bench(["*"]).response(
                .options, "/beta/x",
                [.origin: page, .accessControlRequestMethod: "POST", .accessControlRequestHeaders: asked]
            ).headers[.accessControlAllowHeaders]
        }
        #expect(try await allowed("x-a, <b>, x;y, \"c\", , x-d") == "x-a, x-d")
        #expect(try await allowed(",,") == nil)
        let long = try await allowed((0..<1000).map { "x-\($0)" }.joined(separator: ","))
        #expect(long?.split(separator: ",").count == 64)
    }

    @Test("R10.6 what an origin that is not allowed asks for is not repeated to it")
    func foreignRequestHeaders() async throws {
        let response = try await bench([page]).response(
            .options, "/beta/x",
            [
                .origin: "https://evil.example", .accessControlRequestMethod: "POST",
                .accessControlRequestHeaders: "authorization",
            ])
        #expect(response.headers[.accessControlAllowHeaders] == nil)
    }

    @Test("an OPTIONS that asks for no method is no preflight")
    func bareOptions() async throws {
        let response = try await bench(["*"]).response(.options, "/beta/x", [.origin: page])
        #expect(response.headers[.allow] == "GET")
        #expect(response.headers[.accessControlAllowMethods] == nil)
        #expect(response.headers[.accessControlAllowOrigin] == "*")
    }

    @Test("an error can be read across origins too")
    func errors() async throws {
        let response = try await bench([page]).response(.get, "/beta/none", [.origin: page])
        #expect(response.status == .notFound)
        #expect(response.headers[.accessControlAllowOrigin] == page)
    }

    @Test("R8.14 no other origin may read what is closed to them, nor ask whether it may")
    func closed() async throws {
        let bench = ServerBench(closed: ["/beta/own"])
        bench.on(.get, "/beta/own/x")
        bench.on(.get, "/beta/owner")
        for method in [HTTPRequest.Method.get, .options] {
            let headers: HTTPFields = [.origin: page, .accessControlRequestMethod: "GET"]
            // The last one is below it by its octets, although the slash is part of a letter with a mark.
            for path in ["/beta/own", "/beta/own/", "/beta/own/x", "/beta/own/\u{301}x"] {
                let response = try await bench.response(method, path, headers)
                #expect(response.headers[.accessControlAllowOrigin] == nil)
                #expect(response.headers[.accessControlAllowMethods] == nil)
            }
            #expect(try await bench.response(method, "/beta/owner", headers).headers[.accessControlAllowOrigin] == "*")
        }
    }

    @Test("a request without an origin is told nothing of them")
    func sameOrigin() async throws {
        let response = try await bench(["*"]).response(.get, "/beta/x")
        #expect(response.headers[.accessControlAllowOrigin] == nil)
        #expect(response.headers[.accessControlExposeHeaders] == nil)
    }
}

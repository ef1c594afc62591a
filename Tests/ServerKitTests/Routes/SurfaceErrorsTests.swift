// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@testable import ServerKit

@Suite("Errors of every surface")
struct SurfaceErrorsTests {
    private struct Leak: Error {
        var text = "SELECT * FROM users WHERE password = 'hunter2'"
    }

    private let bench = ServerBench()

    init() {
        bench.on(.get, "/alpha/v1/users/{id}")
        bench.on(.post, "/alpha/v1/users/{id}")
        bench.on(.delete, "/alpha/v1/users/me")
        bench.on(.head, "/alpha/v1/users/{id}")
    }

    private func thrown(_ error: any Error, by path: String = "/alpha/v1/throw") async throws -> TestResponse {
        bench.on(.post, path) { _, _ in throw error }
        return try await bench.response(.post, path)
    }

    @Test(
        "an unknown path is a 404 in the form of the surface it would belong to",
        arguments: [
            ("/alpha/v1/none", "/alpha/v1"), ("/alpha/v1", "/alpha/v1"), ("/alpha/v1/admin/x", "/alpha/v1/admin"),
            ("/alpha/v1/administrator", "/alpha/v1"), ("/beta/x?y=1", "/beta"), ("/betamax", "fallback"),
            ("/", "fallback"), ("/alpha", "fallback"), ("/ALPHA/v1/x", "fallback"),
        ])
    func unknownPath(path: String, dialect: String) async throws {
        let response = try await bench.response(.get, path)
        #expect(response.status == .notFound)
        #expect(response.object == ["dialect": .string(dialect), "code": "not_found"])
    }

    @Test("a wrong method is a 405 that lists the right ones once, of templates and literals together")
    func wrongMethod() async throws {
        let response = try await bench.response(.put, "/alpha/v1/users/7")
        #expect(response.status == .methodNotAllowed)
        #expect(response.headers[.allow] == "GET, POST, HEAD")
        #expect(response.object?["dialect"] == "/alpha/v1")
        let both = try await bench.response(.patch, "/alpha/v1/users/me")
        #expect(both.headers[.allow] == "GET, POST, HEAD, DELETE")
    }

    @Test(
        "a method that a surface does not have is refused in nobody's words, one that nobody knows as well",
        arguments: ["TRACE", "CONNECT", "PATCH", "BREW"])
    func othersMethod(name: String) async throws {
        let method = try #require(HTTPRequest.Method(name))
        bench.on(.get, "/")
        bench.on(.post, "/") { _, _ in throw AuthError(.invalidRequest) }
        let own = try await bench.response(.post, "/")
        #expect(own.object == ["dialect": "root", "code": "invalid_request"])
        let other = try await bench.response(method, "/")
        #expect(other.status == .methodNotAllowed && other.headers[.allow] == "GET, POST")
        #expect(other.object == ["dialect": "fallback", "code": "method_not_allowed"])
    }

    @Test("a bare OPTIONS lists the methods of a known path, and knows no other")
    func options() async throws {
        let known = try await bench.response(.options, "/alpha/v1/users/7")
        #expect(known.status == .noContent)
        #expect(known.headers[.allow] == "GET, POST, HEAD")
        #expect(known.text.isEmpty)
        #expect(try await bench.response(.options, "/alpha/v1/none").status == .notFound)
    }

    @Test("an answer to HEAD has no content, whoever made it, and the length of what GET would send")
    func head() async throws {
        let found = try await bench.response(.head, "/alpha/v1/users/7")
        #expect(found.status == .ok)
        #expect(found.text.isEmpty)
        #expect(found.headers[.contentLength] == "7")
        let missing = try await bench.response(.head, "/alpha/v1/none")
        #expect(missing.status == .notFound)
        #expect(missing.text.isEmpty)
    }

    @Test("a connection stays in step after HEAD: the next answer is the next request's")
    func headOnTheWire() async throws {
        try await bench.test(.live) { client in
            for _ in 0..<3 {
                let missing = try await client.execute(uri: "/alpha/v1/none", method: .head)
                #expect(missing.status == .notFound)
                let found = try await client.execute(uri: "/alpha/v1/users/7", method: .get)
                #expect(found.status == .ok)
                #expect(found.text == "content")
            }
        }
    }

    @Test("an error of the domain is said in the surface's form")
    func domainError() async throws {
        let response = try await thrown(AuthError(.invalidCredentials, reason: "user 17 has no password"))
        #expect(response.status == .badRequest)
        #expect(response.object == ["dialect": "/alpha/v1", "code": "invalid_credentials"])
    }

    @Test("a 429 says when to come back, rounded up to whole seconds")
    func rateLimited() async throws {
        let response = try await thrown(AuthError(.rateLimited, retryAfter: .milliseconds(1001)))
        #expect(response.status == .tooManyRequests)
        #expect(response.headers[.retryAfter] == "2")
    }

    @Test("a body that is too large is a 413 in the surface's form")
    func tooLarge() async throws {
        bench.on(.post, "/alpha/v1/read") { request, _ in
            _ = try await RequestReading.object(of: request)
            return Response(status: .ok)
        }
        let body = String(repeating: " ", count: RequestReading.bodyLimit + 1)
        let response = try await bench.response(.post, "/alpha/v1/read", body: body)
        #expect(response.status == .contentTooLarge)
        #expect(response.object?["dialect"] == "/alpha/v1")
        #expect(try await thrown(HTTPError(.contentTooLarge)).status == .contentTooLarge)
    }

    @Test("V16.5.1 an unexpected error is a 500 that says nothing of it, to the client or to the log but its type")
    func unexpected() async throws {
        let response = try await thrown(Leak())
        #expect(response.status == .internalServerError)
        #expect(response.object == ["dialect": "/alpha/v1", "code": "internal_failure"])
        #expect(!"\(response.headers)".contains("hunter2"))
        #expect(bench.log.text.contains("\"type\":\"Leak\""))
        #expect(!bench.log.text.contains("hunter2"))
        #expect(!bench.log.text.contains("SELECT"))
    }

    @Test("an error of the framework is the client's fault below 500, and the server's from there, in the same form")
    func framework() async throws {
        let bad = try await thrown(HTTPError(.badRequest, message: "hunter2"))
        #expect(bad.status == .badRequest)
        #expect(bad.object?["code"] == "invalid_request")
        #expect(!bad.text.contains("hunter2"))
        let broken = try await thrown(HTTPError(.badGateway, message: "hunter2"), by: "/alpha/v1/gateway")
        #expect(broken.object == ["dialect": "/alpha/v1", "code": "internal_failure"])
    }

    @Test("a 404 that a handler throws stays one, though its path is known")
    func handlersNotFound() async throws {
        #expect(try await thrown(HTTPError(.notFound)).status == .notFound)
    }

    @Test("what was cancelled is a 503, not a fault")
    func cancelled() async throws {
        #expect(try await thrown(CancellationError()).status == .serviceUnavailable)
        #expect(!bench.log.text.contains("unexpected error"))
    }

    @Test("R80 a path that two readers could read as two is a 404 before any handler")
    func ambiguousPath() async throws {
        for path in ["//alpha/v1/users/7", "/alpha/v1/users/7#x", "/alpha/v1/x/../users/7", "/alpha/v1/users/%2e%2e"] {
            #expect(try await bench.response(.get, path).status == .notFound, "\(path)")
        }
        #expect(try await bench.response(.get, "/alpha/v1/users/7/").status == .ok)
        #expect(try await bench.response(.get, "/alpha/v1/users/7?next=http://x//../%2f").status == .ok)
    }

    @Test("every answer, also an error, has its request's identifier")
    func requestID() async throws {
        for path in ["/alpha/v1/users/7", "/none", "/alpha/v1/../x"] {
            let response = try await bench.response(.get, path, [.requestID: "forged"])
            #expect(response.headers[values: .requestID] == ["abababababababab"])
        }
    }
}

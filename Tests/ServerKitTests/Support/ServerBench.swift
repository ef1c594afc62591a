// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import ServerKit

/// A server put together as the product does it, with two dialects that say little.
struct ServerBench {
    let log = LogCapture()
    let metrics = MetricsRegistry()
    let routes = KnownRoutes()
    let router = PathRouter()
    var limits = ServerLimits()

    init(hops: Int = 0, origins: [String] = ["*"], closed: [String] = [], isHTTPS: Bool = false) {
        let clock: @Sendable () -> Instant = { Instant(seconds: 1_700_000_000) }
        router.add(
            middleware: RequestSetup(clock: clock, random: FixedRandom(), proxies: TrustedProxies(hops: hops)))
        router.add(middleware: AccessLog(clock: clock, metrics: metrics, log: log.requests()))
        router.add(middleware: SecurityHeaders(isHTTPS: isHTTPS))
        router.add(middleware: CrossOrigin(origins: origins, exposed: ["X-Page"], closed: closed))
        var surfaces = ["/alpha/v1", "/alpha/v1/admin", "/beta"].map {
            Surface(prefix: $0, renderer: PlainRenderer(dialect: $0))
        }
        surfaces.append(Surface(prefix: "/", renderer: PlainRenderer(dialect: "root"), methods: [.post]))
        router.add(
            middleware: SurfaceErrors(
                surfaces: surfaces, routes: routes, fallback: PlainRenderer(dialect: "fallback")))
    }

    func on(
        _ method: HTTPRequest.Method, _ template: String,
        _ answer: @escaping @Sendable (Request, LatchkeyRequestContext) async throws -> Response = { _, _ in
            Response(status: .ok, body: .init(byteBuffer: ByteBuffer(string: "content")))
        }
    ) {
        routes.add(method, template)
        router.on(RouterPath(template), method: method, use: answer)
    }

    func test<Value>(
        _ setup: TestingSetup = .router, _ steps: @Sendable (any TestClientProtocol) async throws -> Value
    ) async throws -> Value {
        let application = limits.application(
            responder: router.buildResponder(), host: "127.0.0.1", port: 0, metrics: metrics, logger: log.json())
        return try await application.test(setup, steps)
    }

    /// One request's answer.
    func response(
        _ method: HTTPRequest.Method, _ uri: String, _ headers: HTTPFields = [:], body: String? = nil
    ) async throws -> TestResponse {
        try await test { client in
            try await client.execute(
                uri: uri, method: method, headers: headers, body: body.map { ByteBuffer(string: $0) })
        }
    }
}

extension TestResponse {
    var text: String { String(buffer: body) }
    var object: JSONObject? { try? JSONObject(parsing: text.utf8) }
}

// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import ServerKit
import TestBench

/// A dialect's routes with what the server puts around them. A call goes in and comes out as its client would send and
/// read it.
public struct HTTPBench: Sendable {
    private let responder: PathResponder

    /// - Parameters:
    ///   - proxies: how many write `X-Forwarded-For`.
    ///   - counting: what limits count callers by.
    public init(
        _ dialect: some Dialect, clock: TestClock, proxies: Int = 0, counting: ClientCounting = .byAddress()
    ) {
        self.init(
            clock: clock, proxies: proxies, counting: counting, surfaces: dialect.surfaces, errors: dialect.errors
        ) {
            dialect.addRoutes(to: $0, routes: $1)
        }
    }

    /// - Parameters:
    ///   - proxies: how many write `X-Forwarded-For`.
    ///   - surfaces: where errors are said in whose form.
    ///   - add: adds the dialect's routes.
    public init(
        clock: TestClock, proxies: Int = 0, counting: ClientCounting = .byAddress(), surfaces: [Surface],
        errors: any ErrorRenderer,
        add: (PathRouter, KnownRoutes) -> Void
    ) {
        let router = PathRouter()
        let routes = KnownRoutes()
        router.add(
            middleware: RequestSetup(
                clock: { clock.now }, random: SystemRandomSource(),
                callers: CallerOrigin(proxies: TrustedProxies(hops: proxies), counting: counting)))
        router.add(middleware: SurfaceErrors(surfaces: surfaces, routes: routes, fallback: errors))
        add(router, routes)
        responder = router.buildResponder()
    }

    public struct Reply: Sendable {
        public var status: Int
        public var headers: HTTPFields
        public var text: String

        /// Empty where the body is no JSON object.
        public var json: JSONObject { (try? JSONObject(parsing: text.utf8)) ?? [:] }
        /// Without what people are told of an error in their language, which no vendor's answers have (G-15.7).
        public var ofVendor: JSONObject {
            var json = json
            for name in ["message_key", "localized_message", "messageKey", "localizedMessage"] { json[name] = nil }
            return json
        }
        public subscript(name: String) -> JSONValue? { json[name] }
        public subscript(header name: String) -> String? { HTTPField.Name(name).flatMap { headers[$0] } }
    }

    public func send(
        _ method: HTTPRequest.Method, _ uri: String, headers: HTTPFields = [:], body: [UInt8]? = nil
    ) async throws -> Reply {
        let answer = try await Application(responder: responder).test(.router) {
            try await $0.execute(
                uri: uri, method: method, headers: headers, body: body.map { ByteBuffer(bytes: $0) })
        }
        return Reply(status: answer.status.code, headers: answer.headers, text: String(buffer: answer.body))
    }
}

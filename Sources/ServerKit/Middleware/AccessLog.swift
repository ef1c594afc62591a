// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import Hummingbird

/// One log line and one measurement a request: method, route template, status and duration. Never the path itself (it
/// may hold a token) or the query.
public struct AccessLog: RouterMiddleware {
    public typealias Context = LatchkeyRequestContext

    private let clock: @Sendable () -> Instant
    private let metrics: MetricsRegistry
    private let log: RequestLog

    public init(clock: @escaping @Sendable () -> Instant, metrics: MetricsRegistry, log: RequestLog) {
        self.clock = clock
        self.metrics = metrics
        self.log = log
    }

    public func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        let response = try await next(request, context)
        let duration = clock() - context.now
        let route = context.routeTemplate ?? "none"
        let status = response.status.code
        let method = Self.known(request.method)
        metrics.observe(
            "http_request_duration_seconds", seconds: Double(max(0, duration.microseconds)) / 1_000_000,
            labels: [("method", method), ("route", route), ("status", "\(status / 100)xx")])
        log.write(
            RequestLog.Line(
                method: method, route: route, status: status, client: context.client.truncated ?? "unknown",
                request: context.requestID, microseconds: duration.microseconds))
        return response
    }

    /// A method may be any token; a label may not.
    private static func known(_ method: HTTPRequest.Method) -> String {
        switch method {
        case .get, .head, .post, .put, .patch, .delete, .options: method.rawValue
        default: "other"
        }
    }
}

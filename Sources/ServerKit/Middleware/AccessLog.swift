// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import Hummingbird
import Logging

/// One log line and one measurement a request: method, route template, status and duration. Never the path itself (it
/// may hold a token) or the query.
public struct AccessLog: RouterMiddleware {
    public typealias Context = LatchkeyRequestContext

    private let clock: @Sendable () -> Instant
    private let metrics: MetricsRegistry
    private let level: Logger.Level

    public init(
        clock: @escaping @Sendable () -> Instant, metrics: MetricsRegistry, level: Logger.Level = .info
    ) {
        self.clock = clock
        self.metrics = metrics
        self.level = level
    }

    public func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        let response = try await next(request, context)
        let duration = clock() - context.now
        let route = context.routeTemplate ?? "none"
        let status = response.status.code
        metrics.observe(
            "http_request_duration_seconds", seconds: Double(max(0, duration.microseconds)) / 1_000_000,
            labels: [("method", Self.known(request.method)), ("route", route), ("status", "\(status / 100)xx")])
        if context.logger.logLevel <= level {
            context.logger.log(
                level: level, "request",
                metadata: [
                    "method": .string(Self.known(request.method)), "route": .string(route),
                    "status": .stringConvertible(status), "client": .string(context.client.truncated ?? "unknown"),
                    "microseconds": .stringConvertible(duration.microseconds),
                ])
        }
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

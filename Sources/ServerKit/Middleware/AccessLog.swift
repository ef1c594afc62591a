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
    private let places = Places()

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
            Double(max(0, duration.microseconds)) / 1_000_000,
            at: places.place(of: Measured(method: method, route: route, hundreds: status / 100)))
        log.write(
            RequestLog.Line(
                method: method, route: route, status: status, client: context.client.truncated ?? "unknown",
                request: context.requestID, microseconds: duration.microseconds))
        return response
    }

    private struct Measured: Hashable {
        var method: String
        var route: String
        var hundreds: Int

        var place: MetricsRegistry.Place {
            MetricsRegistry.Place(
                "http_request_duration_seconds",
                labels: [("method", method), ("route", route), ("status", "\(hundreds)xx")])
        }
    }

    /// Where each kind of answer is counted, put in words once. There are only so many methods, templates and hundreds.
    private final class Places: Sendable {
        private let known = Mutex<[Measured: MetricsRegistry.Place]>([:])

        func place(of measured: Measured) -> MetricsRegistry.Place {
            known.withLock { known in
                if let place = known[measured] { return place }
                let place = measured.place
                known[measured] = place
                return place
            }
        }
    }

    /// A method may be any token; a label may not.
    private static func known(_ method: HTTPRequest.Method) -> String {
        switch method {
        case .get, .head, .post, .put, .patch, .delete, .options: method.rawValue
        default: "other"
        }
    }
}

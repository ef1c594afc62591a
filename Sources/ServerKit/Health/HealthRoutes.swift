// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import Hummingbird

/// `/health/live`: the process runs. `/health/ready`: it serves, and what it depends on answers.
public struct HealthRoutes: Sendable {
    public typealias Check = HealthCheck

    private let readiness: Readiness
    private let checks: [HealthCheck]

    public init(readiness: Readiness, checks: [HealthCheck]) {
        self.readiness = readiness
        self.checks = checks
    }

    /// Both take `GET` and, as some load balancers ask, `HEAD`.
    public func add(to router: some RouterMethods<LatchkeyRequestContext>, routes: KnownRoutes) {
        for method in [HTTPRequest.Method.get, .head] {
            routes.add(method, "/health/live")
            routes.add(method, "/health/ready")
            router.on("/health/live", method: method) { _, _ in Self.answer(.ok, ["status": "ok"]) }
            router.on("/health/ready", method: method) { _, _ in await ready() }
        }
    }

    private func ready() async -> Response {
        switch readiness.state {
        case .starting: return Self.answer(.serviceUnavailable, ["status": "starting"])
        case .draining: return Self.answer(.serviceUnavailable, ["status": "draining"])
        case .degraded(let reason):
            return Self.answer(.serviceUnavailable, ["status": "degraded", "reason": .string(reason)])
        case .ready: break
        }
        var failing: [JSONValue] = []
        for check in checks where await !check.passes() { failing.append(.string(check.name)) }
        guard failing.isEmpty else {
            return Self.answer(.serviceUnavailable, ["status": "degraded", "failing": .array(failing)])
        }
        return Self.answer(.ok, ["status": "ok"])
    }

    private static func answer(_ status: HTTPResponse.Status, _ body: JSONObject) -> Response {
        var headers = HTTPFields()
        headers[.contentType] = "application/json"
        return Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: body.serialized())))
    }
}

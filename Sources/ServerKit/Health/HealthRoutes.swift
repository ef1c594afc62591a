// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import Hummingbird

/// `/health/live`: the process runs. `/health/ready`: it serves, and what it depends on answers.
public struct HealthRoutes: Sendable {
    /// Something the server can't work without.
    public struct Check: Sendable {
        public var name: String
        public var run: @Sendable () async throws -> Void

        public init(_ name: String, run: @escaping @Sendable () async throws -> Void) {
            self.name = name
            self.run = run
        }
    }

    private let readiness: Readiness
    private let checks: [Check]

    public init(readiness: Readiness, checks: [Check]) {
        self.readiness = readiness
        self.checks = checks
    }

    public func add(to router: Router<LatchkeyRequestContext>, routes: KnownRoutes) {
        routes.add(.get, "/health/live")
        routes.add(.get, "/health/ready")
        router.get("/health/live") { _, _ in Self.answer(.ok, ["status": "ok"]) }
        router.get("/health/ready") { _, _ in await ready() }
    }

    private func ready() async -> Response {
        guard readiness.state == .ready else {
            return Self.answer(.serviceUnavailable, ["status": readiness.state == .starting ? "starting" : "draining"])
        }
        var failing: [JSONValue] = []
        for check in checks {
            do {
                try await check.run()
            } catch {
                failing.append(.string(check.name))
            }
        }
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

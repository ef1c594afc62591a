// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import Logging

/// `/metrics` on a port of its own, which the operator keeps from the outside.
public enum MetricsEndpoint {
    public static func application(
        _ metrics: MetricsRegistry, host: String, port: Int, logger: Logger
    ) -> some ApplicationProtocol {
        let router = Router()
        router.get("/metrics") { _, _ in
            var headers = HTTPFields()
            headers[.contentType] = "text/plain; version=0.0.4; charset=utf-8"
            return Response(
                status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(string: metrics.text())))
        }
        var limits = ServerLimits()
        // A few programs ask, now and then.
        limits.connections = 64
        limits.connectionsPerClient = 16
        return limits.application(
            responder: router.buildResponder(), host: host, port: port, metrics: metrics, logger: logger)
    }
}

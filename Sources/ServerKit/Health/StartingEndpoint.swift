// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// Says that the process lives while it can't serve yet, for long: whoever watches over it would end it otherwise, and
/// begin anew.
///
/// `/health/live` is answered with 200, everything else with 503 and when to come back.
public enum StartingEndpoint {
    /// - Parameters:
    ///   - live: other paths that are asked whether the process lives.
    ///   - onRunning: called once it listens, with the port.
    public static func application(
        host: String, port: Int, live: Set<String> = [], logger: Logger,
        onRunning: @escaping @Sendable (Int) -> Void
    ) -> some ApplicationProtocol {
        let live = live.union(["/health/live"])
        let responder = CallbackResponder<BasicRequestContext> { request, _ in
            let isLive = live.contains(request.uri.path) && [.get, .head].contains(request.method)
            var headers = HTTPFields()
            headers[.contentType] = "application/json"
            // The connection would go to nobody once this makes place for the server.
            headers[.connection] = "close"
            if !isLive { headers[.retryAfter] = "5" }
            let body: JSONObject = ["status": isLive ? "ok" : "starting"]
            let response = Response(
                status: isLive ? .ok : .serviceUnavailable, headers: headers,
                body: .init(byteBuffer: ByteBuffer(bytes: body.serialized())))
            return request.method == .head ? response.createHeadResponse() : response
        }
        var limits = ServerLimits()
        limits.connections = 256
        // A gateway makes all of them.
        limits.connectionsPerClient = nil
        return limits.application(
            responder: responder, host: host, port: port, metrics: MetricsRegistry(), logger: logger,
            onServerRunning: { onRunning($0.localAddress?.port ?? port) })
    }
}

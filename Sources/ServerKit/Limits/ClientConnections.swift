// SPDX-License-Identifier: Apache-2.0

import Logging
import Synchronization

/// How many connections each client address has open.
final class ClientConnections: Sendable {
    private struct Count {
        var open = 0
        /// Whether the log knows: one line for a client that keeps trying, however often it does.
        var isReported = false
    }

    private let limit: Int
    private let metrics: MetricsRegistry
    private let logger: Logger
    private let counts = Mutex<[String: Count]>([:])

    init(limit: Int, metrics: MetricsRegistry, logger: Logger) {
        self.limit = limit
        self.metrics = metrics
        self.logger = logger
    }

    /// Counts a connection, unless its client has as many as it may; then that is noted. Each that was counted is given
    /// back by ``close(_:)``.
    func open(_ client: ClientAddress) -> Bool {
        let refusal: (isNew: Bool, Void)? = counts.withLock { counts in
            var count = counts[client.limitKey] ?? Count()
            defer { counts[client.limitKey] = count }
            guard count.open >= limit else {
                count.open += 1
                return nil
            }
            defer { count.isReported = true }
            return (!count.isReported, ())
        }
        guard let refusal else { return true }
        metrics.add("connections_refused_total", labels: [("reason", "client")])
        if refusal.isNew {
            logger.notice(
                "connection refused",
                metadata: ["refusal": "client_connections", "client": .string(client.truncated ?? "unknown")])
        }
        return false
    }

    func close(_ client: ClientAddress) {
        counts.withLock { counts in
            guard var count = counts.removeValue(forKey: client.limitKey), count.open > 1 else { return }
            count.open -= 1
            counts[client.limitKey] = count
        }
    }

    /// Clients that have any.
    var clients: Int { counts.withLock { $0.count } }
}

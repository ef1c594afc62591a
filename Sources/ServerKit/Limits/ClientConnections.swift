// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Logging
import NIOCore

/// The connections that are open, and how many each client address has. One more than there may be takes the place of
/// the one that has rested longest: of the same client's, or of all.
final class ClientConnections: Sendable {
    private struct State {
        var table: ConnectionTable
        var channels: [(any Channel)?] = []
        /// Clients that the log knows of: one line for each that keeps on, however often it does.
        var reported: Set<String> = []

        mutating func keep(_ channel: any Channel, at place: ConnectionTable.Place) {
            if place == channels.count { channels.append(channel) } else { channels[place] = channel }
        }
    }

    private let metrics: MetricsRegistry
    private let logger: Logger
    private let state: Mutex<State>

    /// - Parameters:
    ///   - limit: of all connections.
    ///   - limitOfClient: of those of one client.
    init(limit: Int, limitOfClient: Int, metrics: MetricsRegistry, logger: Logger) {
        state = Mutex(State(table: ConnectionTable(limit: limit, limitOfClient: limitOfClient)))
        self.metrics = metrics
        self.logger = logger
    }

    /// Counts a connection, and closes another for it where that must be.
    ///
    /// - Returns: its place, which is given back by ``close(_:of:)``; `nil` where its client has as many as it may, and
    ///   all of them are at work.
    func open(_ channel: any Channel, of client: ClientAddress) -> ConnectionTable.Place? {
        let (opening, victim, isNew) = state.withLock { state in
            let opening = state.table.open(client.limitKey)
            var victim: (any Channel)?
            switch opening {
            case .refused: break
            case .open(let place): state.keep(channel, at: place)
            case .inPlaceOf(let given, let place, _):
                victim = state.channels[given]
                state.keep(channel, at: place)
            }
            let isNew: Bool =
                switch opening {
                case .open, .inPlaceOf(_, _, .all): false
                case .refused, .inPlaceOf(_, _, .client): state.reported.insert(client.limitKey).inserted
                }
            return (opening, victim, isNew)
        }
        victim?.close(promise: nil)
        if isNew {
            logger.notice(
                "as many connections as one client may have",
                metadata: ["refusal": "client_connections", "client": .string(client.truncated ?? "unknown")])
        }
        switch opening {
        case .open(let place): return place
        case .inPlaceOf(_, let place, let reason):
            metrics.add("connections_given_up_total", labels: [("for", reason.rawValue)])
            return place
        case .refused:
            metrics.add("connections_refused_total", labels: [("reason", "client")])
            return nil
        }
    }

    /// - Returns: whether the connection goes on: `false` for one that gave way to another.
    func work(_ place: ConnectionTable.Place) -> Bool { state.withLock { $0.table.work(place) } }

    func rest(_ place: ConnectionTable.Place) { state.withLock { $0.table.rest(place) } }

    func close(_ place: ConnectionTable.Place, of client: ClientAddress) {
        state.withLock { state in
            state.table.close(place)
            state.channels[place] = nil
            if state.table.hasRoom(client.limitKey) { state.reported.remove(client.limitKey) }
        }
    }

    /// Clients that have any.
    var clients: Int { state.withLock { $0.table.clientCount } }
}

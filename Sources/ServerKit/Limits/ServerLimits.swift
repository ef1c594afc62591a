// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

/// What a connection may ask of the server before anything is known about it, and how many there may be.
public struct ServerLimits: Sendable {
    /// Of the request line and all header fields together. Beyond it, as beyond the two limits that follow, the answer
    /// is 400 and the connection is closed.
    public var headerBytes = 64 << 10
    /// Of the request line, and of any one field.
    public var headerFieldBytes = 16 << 10
    public var headerFields = 100
    /// A new connection without a whole header after this long is closed, however steadily it trickles in.
    public var headerSeconds: Int64 = 10
    /// A connection on which nothing moves for this long is closed. A header that trickles in is nothing.
    public var idleSeconds: Int64 = 60
    /// A request whose body is not whole this long after its header is dropped with its connection, however steadily it
    /// trickles in.
    public var bodySeconds: Int64 = 30
    /// A connection whose client takes nothing of an answer for this long, twice at most, is closed. One that takes it
    /// slowly is not.
    public var answerSeconds: Int64 = 60
    /// For one more the one is closed that has rested longest; where all are at work, it waits.
    public var connections = 10_000
    /// Of one client address (/64 of IPv6): for one more the one of them is closed that has rested longest, or the new
    /// one itself. `nil` where a proxy makes all of them.
    public var connectionsPerClient: Int? = 500

    public init() {}

    /// An HTTP/1.1 server within these limits.
    ///
    /// - Parameters:
    ///   - port: 0 for a free one.
    ///   - metrics: counts the connections that were refused.
    ///   - refusals: what is said to those for whose passwords there is no place; `nil` where nothing hashes.
    ///   - clock: of the `Date` of answers (RFC 9110, section 6.6.1).
    ///   - onServerRunning: called once the server listens.
    public func application<Responder: HTTPResponder>(
        responder: Responder, host: String, port: Int, metrics: MetricsRegistry, logger: Logger,
        refusals: EarlyRefusals? = nil, clock: @escaping @Sendable () -> Instant = SystemClock().now,
        onServerRunning: @escaping @Sendable (any Channel) async -> Void = { _ in }
    ) -> Application<Responder> where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
        let clients = ClientConnections(
            limit: connections, limitOfClient: connectionsPerClient ?? .max, metrics: metrics, logger: logger)
        let channel = RequestChannel(
            limits: self, clients: clients, refusals: refusals,
            answering: Self.answering(by: responder, CurrentDate(clock), logger))
        // The library's own way to the responder goes by a stream and a writer that each connection would keep.
        let builder = HTTPServerBuilder { _ in channel }
        return Application(
            responder: responder, server: builder,
            configuration: ApplicationConfiguration(
                address: .hostname(host, port: port), serverName: nil, backlog: 1024,
                // One more, so that it is seen who would come.
                availableConnectionsDelegate: MaximumAvailableConnections(connections + 1)),
            onServerRunning: { channel in
                AcceptPause.add(to: channel, metrics: metrics, logger: logger)
                await onServerRunning(channel)
            }, logger: logger)
    }

    private static func answering<Responder: HTTPResponder>(
        by responder: Responder, _ date: CurrentDate, _ logger: Logger
    ) -> RequestExchange.Answering where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
        { request, channel in
            let source = ApplicationRequestContextSource(channel: channel, logger: logger)
            var response: Response
            do {
                response = try await responder.respond(to: request, context: Responder.Context(source: source))
            } catch let error as HTTPParserError {
                throw error
            } catch {
                logger.debug("a request has failed", metadata: ["error": .string("\(type(of: error))")])
                response = Response(status: .internalServerError)
            }
            response.headers[.date] = date.text
            return response
        }
    }
}

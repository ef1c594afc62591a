// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTPTypes

@testable import ServerKit

/// Connections to a server with so many places for hashes, in which the test answers what comes through.
final class GateBench {
    struct Words: RefusalRenderer {
        let fields: [HTTPField.Name] = [.acceptLanguage]

        func refusal(_ error: AuthError, to headers: HTTPFields) -> Refusal {
            var fields: HTTPFields = [.contentType: "text/plain"]
            if let wait = error.retryAfter { fields.setRetryAfter(wait) }
            return Refusal(
                error.code == .rateLimited ? .tooManyRequests : .serviceUnavailable, fields,
                Array("\(error.code.rawValue) \(headers[.acceptLanguage] ?? "")".utf8))
        }
    }

    static let target = HTTPField.Name("X-Target") ?? .trailer
    static let routes = [
        HashingRoute(.post, "/sign-in", .always, Words()),
        HashingRoute(.post, "/directories/{directory}/sign-in", .always, Words()),
        HashingRoute(.post, "/token", .when(.query("grant_type", ["password"])), Words()),
        HashingRoute(.post, "/", target: (target, "Begin"), .when(.anyMember(["PASSWORD"])), Words()),
    ].compactMap(\.self)

    let log = LogCapture()
    let metrics = MetricsRegistry()
    let places: HashingPlaces
    let refusals: EarlyRefusals
    private let clock = Clock()

    init(places count: Int, hops: Int = 0) {
        places = HashingPlaces(count)
        refusals = EarlyRefusals(
            places: places, routes: Self.routes, callers: CallerOrigin(proxies: TrustedProxies(hops: hops)),
            isConnectionClients: hops == 0, crossOrigin: CrossOrigin(origins: ["*"]),
            security: SecurityHeaders(isHTTPS: false), clock: { [clock] in clock.now }, metrics: metrics,
            logger: log.json())
    }

    func advance(_ span: TimeSpan) { clock.advance(span) }

    private final class Clock: Sendable {
        private let time = Mutex(Instant(seconds: 784_111_777))
        var now: Instant { time.withLock { $0 } }
        func advance(_ span: TimeSpan) { time.withLock { $0 = $0 + span } }
    }

    func connection(_ address: String = "192.0.2.1") throws -> Connection { try Connection(self, from: address) }

    /// One connection, whose other end and whose server the test is.
    final class Connection {
        /// What is asked for of the socket.
        private final class Reads: ChannelOutboundHandler {
            typealias OutboundIn = HTTPResponsePart
            private(set) var count = 0

            func read(context: ChannelHandlerContext) {
                count += 1
                context.read()
            }
        }

        let channel: EmbeddedChannel
        let held: HeldPlaces
        private let asked = Reads()
        /// How many requests have come through to their end.
        private(set) var ended = 0

        init(_ bench: GateBench, from address: String) throws {
            held = HeldPlaces(bench.places)
            channel = EmbeddedChannel()
            channel.remoteAddress = try SocketAddress(ipAddress: address, port: 1)
            try channel.pipeline.syncOperations.addHandler(asked)
            try channel.pipeline.syncOperations.addHandler(HashingGate(bench.refusals, held))
            try channel.connect(to: SocketAddress(ipAddress: address, port: 1)).wait()
            channel.remoteAddress = try SocketAddress(ipAddress: address, port: 1)
        }

        deinit { _ = try? channel.finish(acceptAlreadyClosed: true) }

        func head(_ path: String, _ fields: HTTPFields = [:], method: HTTPRequest.Method = .post) throws {
            try channel.writeInbound(
                HTTPRequestPart.head(
                    HTTPRequest(method: method, scheme: "http", authority: "a", path: path, headerFields: fields)))
        }

        func body(_ text: String) throws { try channel.writeInbound(HTTPRequestPart.body(ByteBuffer(string: text))) }
        func end() throws { try channel.writeInbound(HTTPRequestPart.end(nil)) }

        /// Whether what the server would read is read.
        func reads() -> Bool {
            let before = asked.count
            channel.pipeline.read()
            return asked.count > before
        }

        /// A whole request.
        func ask(
            _ path: String, _ fields: HTTPFields = [:], body text: String = "{}", method: HTTPRequest.Method = .post
        ) throws {
            try head(path, fields, method: method)
            try body(text)
            try end()
        }

        /// The paths of requests that have come through since the last time.
        func arrived() throws -> [String] {
            var paths: [String] = []
            while let part = try channel.readInbound(as: HTTPRequestPart.self) {
                switch part {
                case .head(let request): paths.append(request.path ?? "")
                case .body: break
                case .end: ended += 1
                }
            }
            return paths
        }

        /// The server's answer to the first request that it has not answered.
        func serve() throws {
            try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok)))
            try channel.writeOutbound(HTTPResponsePart.end(nil))
        }

        struct Answer: Equatable {
            var status: Int
            var fields: HTTPFields
            var text = ""
        }

        /// What the client has been sent since the last time.
        func answers() throws -> [Answer] {
            var answers: [Answer] = []
            while let part = try channel.readOutbound(as: HTTPResponsePart.self) {
                switch part {
                case .head(let head): answers.append(Answer(status: head.status.code, fields: head.headerFields))
                case .body(let buffer): answers[answers.count - 1].text += String(buffer: buffer)
                case .end: break
                }
            }
            return answers
        }
    }
}

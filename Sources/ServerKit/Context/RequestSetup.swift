// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import Hummingbird
import Logging

/// The first thing that happens to a request: it is given its time, its identifier and its client's address. And the
/// last: an answer to `HEAD` loses its content (RFC 9110, section 9.3.2), whoever made it; the HTTP server would send
/// it, and the client would read it as the beginning of its next answer.
public struct RequestSetup: RouterMiddleware {
    public typealias Context = LatchkeyRequestContext

    private let clock: @Sendable () -> Instant
    private let random: any RandomSource
    private let callers: CallerOrigin

    public init(clock: @escaping @Sendable () -> Instant, random: any RandomSource, callers: CallerOrigin) {
        self.clock = clock
        self.random = random
        self.callers = callers
    }

    public init(clock: @escaping @Sendable () -> Instant, random: any RandomSource, proxies: TrustedProxies) {
        self.init(clock: clock, random: random, callers: CallerOrigin(proxies: proxies))
    }

    public func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        var context = context
        let requestID = Hex.encode(random.bytes(8))
        context.logger[metadataKey: "request"] = .string(requestID)
        let peer = context.peer.flatMap { ClientAddress($0) } ?? .unknown
        let (client, origin) = callers.of(request.headers, peer: peer, logger: context.logger)
        context.arrival = LatchkeyRequestContext.Arrival(
            on: context.channel, at: clock(), requestID: requestID, client: client, origin: origin)
        var response = try await ClientWatch.$current.withValue(ClientWatch(context.channel)) { [context] in
            try await next(request, context)
        }
        response.headers[.requestID] = requestID
        return request.method == .head ? response.createHeadResponse() : response
    }
}

extension HTTPField.Name {
    static let forwardedFor = HTTPField.Name("X-Forwarded-For") ?? .forwarded
    static let requestID = HTTPField.Name("X-Request-Id") ?? .trailer
    /// RFC 7239, section 4.
    static let forwarded = HTTPField.Name("Forwarded") ?? .trailer
}

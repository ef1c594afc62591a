// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import HummingbirdCore
import NIOCore

/// What a connection may ask of the server before anything is known about it.
public struct ServerLimits: Sendable {
    /// Of the request line and all header fields together. Beyond it, as beyond the two limits that follow, the answer
    /// is 400 and the connection is closed.
    public var headerBytes = 64 << 10
    /// Of the request line, and of any one field.
    public var headerFieldBytes = 16 << 10
    public var headerFields = 100
    /// A connection on which nothing moves for this long is closed. A header that trickles in is nothing.
    public var idleSeconds: Int64 = 60
    /// A request whose body is not whole this long after its header is dropped with its connection, however steadily it
    /// trickles in.
    public var bodySeconds: Int64 = 30
    public var connections = 10_000

    public init() {}

    /// The server's HTTP/1.1 pipeline with these limits.
    public func builder() -> HTTPServerBuilder {
        let bodyLimit = TimeAmount.seconds(bodySeconds)
        return .http1(
            configuration: HTTP1Channel.Configuration(
                additionalChannelHandlers: [RequestDeadline(bodyLimit)], idleTimeout: .seconds(idleSeconds),
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: headerFieldBytes, maxHeaderListSize: headerBytes,
                    maxHeaderFieldCount: headerFields)))
    }
}

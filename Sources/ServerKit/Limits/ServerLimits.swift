// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import HummingbirdCore
import NIOCore

/// What a connection may ask of the server before anything is known about it.
public struct ServerLimits: Sendable {
    public var headerBytes = 64 << 10
    public var headerFieldBytes = 16 << 10
    public var headerFields = 100
    /// A connection on which nothing moves for this long is closed.
    public var idleSeconds: Int64 = 60
    public var connections = 10_000

    public init() {}

    /// The server's HTTP/1.1 pipeline with these limits.
    public func builder() -> HTTPServerBuilder {
        .http1(
            configuration: HTTP1Channel.Configuration(
                idleTimeout: .seconds(idleSeconds),
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: headerFieldBytes, maxHeaderListSize: headerBytes,
                    maxHeaderFieldCount: headerFields)))
    }
}

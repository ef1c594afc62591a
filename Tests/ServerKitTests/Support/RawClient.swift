// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HummingbirdTesting
import NIOCore
import NIOPosix
import ServerKit
import Testing

/// A client that sends what it likes, and keeps what comes back until the connection ends.
final class RawClient: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer

    private let received = Mutex(ByteBuffer())

    func channelRead(context _: ChannelHandlerContext, data: NIOAny) {
        var buffer = unwrapInboundIn(data)
        received.withLock { _ = $0.writeBuffer(&buffer) }
    }

    /// All that comes back.
    ///
    /// - Parameters:
    ///   - pieces: one after the other.
    ///   - ends: whether the client closes its side once it has sent them, as it may while it waits.
    static func talk(
        _ client: any TestClientProtocol, _ pieces: [String], ends: Bool = true
    ) async throws -> String {
        let own = RawClient()
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelInitializer { $0.pipeline.addHandlers([own, EndAnswer()] as [any ChannelHandler & Sendable]) }
            .connect(host: "127.0.0.1", port: try #require(client.port)).get()
        for piece in pieces { try await channel.writeAndFlush(ByteBuffer(string: piece)).get() }
        if ends { try await channel.close(mode: .output).get() }
        try await channel.closeFuture.get()
        return own.received.withLock { String(buffer: $0) }
    }

    /// Closes the connection once the server has ended its side.
    private final class EndAnswer: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if case .inputClosed? = event as? ChannelEvent { context.close(promise: nil) }
        }
    }
}

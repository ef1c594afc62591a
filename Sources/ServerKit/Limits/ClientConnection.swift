// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Closes a connection whose client has too many; gives its place back when it ends.
///
/// It stands in the connection's own pipeline, since the listening socket's knows no addresses.
final class ClientConnection: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Any

    private let connections: ClientConnections
    private var client: ClientAddress?

    init(_ connections: ClientConnections) {
        self.connections = connections
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { open(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        open(context)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        close()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        close()
    }

    private func open(_ context: ChannelHandlerContext) {
        guard client == nil else { return }
        let client = context.channel.remoteAddress.flatMap { ClientAddress($0) } ?? .unknown
        if connections.open(client) { self.client = client } else { context.close(promise: nil) }
    }

    private func close() {
        if let client { connections.close(client) }
        client = nil
    }
}

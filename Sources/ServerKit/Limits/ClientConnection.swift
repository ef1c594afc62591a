// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTPTypes

/// Counts its connection as its client's, says when it is at work and when it rests, and closes it where there is no
/// place for it.
///
/// It stands in the connection's own pipeline, since the listening socket's knows no addresses.
final class ClientConnection: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let connections: ClientConnections
    private var counted: (place: ConnectionTable.Place, client: ClientAddress)?
    /// Requests that have not been answered.
    private var requests = 0
    private var hasGivenWay = false

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

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if hasGivenWay { return }
        if case .head = unwrapInboundIn(data) {
            if requests == 0, let counted, !connections.work(counted.place) {
                // It is being closed. Nobody has begun with the request, so that whoever sent it may send it again.
                hasGivenWay = true
                return
            }
            requests += 1
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data), requests > 0 {
            requests -= 1
            if requests == 0, let counted { connections.rest(counted.place) }
        }
        context.write(data, promise: promise)
    }

    func channelInactive(context: ChannelHandlerContext) {
        close()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        close()
    }

    private func open(_ context: ChannelHandlerContext) {
        guard counted == nil else { return }
        let client = context.channel.remoteAddress.flatMap { ClientAddress($0) } ?? .unknown
        if let place = connections.open(context.channel, of: client) {
            counted = (place, client)
        } else {
            context.close(promise: nil)
        }
    }

    private func close() {
        if let counted { connections.close(counted.place, of: counted.client) }
        counted = nil
    }
}

// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTPTypes

/// Closes a new connection whose first header has not arrived whole within a time, and any whose request has not. The idle
/// timeout does not do that: it is long, and one byte of a body a minute keeps a connection from being idle.
final class RequestDeadline: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart

    private let header: TimeAmount
    private let body: TimeAmount
    private var deadline: Scheduled<Void>?

    /// - Parameters:
    ///   - header: from the connection to its first header.
    ///   - body: from a header to the end of its request.
    init(header: TimeAmount, body: TimeAmount) {
        self.header = header
        self.body = body
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { start(header, context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        start(header, context)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head: start(body, context)
        case .body: break
        case .end: stop()
        }
        context.fireChannelRead(data)
    }

    func channelInactive(context: ChannelHandlerContext) {
        stop()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        stop()
    }

    private func start(_ limit: TimeAmount, _ context: ChannelHandlerContext) {
        let channel = context.channel
        deadline?.cancel()
        deadline = context.eventLoop.scheduleTask(in: limit) { channel.close(promise: nil) }
    }

    private func stop() {
        deadline?.cancel()
        deadline = nil
    }
}

// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTPTypes

/// Closes a new connection whose first header has not arrived whole within a time, and any whose request has not. The
/// idle timeout does not do that: it is long, and one byte of a body a minute keeps a connection from being idle.
final class RequestDeadline: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart

    private enum Stage {
        case header
        case body
        case whole
    }

    private let header: TimeAmount
    private let body: TimeAmount
    private var stage = Stage.whole
    /// Of the stage that it was begun in. Where most requests are whole as soon as they come, none is begun for them:
    /// the loop looks for one that is to be ended among those of all its connections.
    private var deadline: (stage: Stage, close: Scheduled<Void>)?

    /// - Parameters:
    ///   - header: from the connection to its first header.
    ///   - body: from a header to the end of its request.
    init(header: TimeAmount, body: TimeAmount) {
        self.header = header
        self.body = body
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { open(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        open(context)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head:
            stage = .body
            // Of an earlier request's body, whose end has come.
            if deadline?.stage == .body { stop() }
        case .body: break
        case .end: stage = .whole
        }
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        switch stage {
        case .body: if deadline?.stage != .body { start(body, context) }
        case .whole: if deadline?.stage == .body { stop() }
        case .header: break
        }
        context.fireChannelReadComplete()
    }

    func channelInactive(context: ChannelHandlerContext) {
        stop()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        stop()
    }

    private func open(_ context: ChannelHandlerContext) {
        guard deadline == nil else { return }
        stage = .header
        start(header, context)
    }

    /// The header's time runs on where it has come whole with its request, and ends nothing then.
    private func start(_ limit: TimeAmount, _ context: ChannelHandlerContext) {
        stop()
        let own = NIOLoopBound((handler: self, channel: context.channel), eventLoop: context.eventLoop)
        deadline = (
            stage,
            context.eventLoop.scheduleTask(in: limit) {
                let (handler, channel) = own.value
                guard let ended = handler.deadline?.stage, handler.stage == ended else {
                    return handler.deadline = nil
                }
                channel.close(promise: nil)
            }
        )
    }

    private func stop() {
        deadline?.close.cancel()
        deadline = nil
    }
}

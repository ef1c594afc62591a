// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Closes a connection whose client takes nothing of what it has asked for: whatever an answer holds, a place among
/// exports, a page of rows, is held until then. One that takes little by little is left alone, and one that nothing is
/// written to.
///
/// It stands beside the socket, where what is written and what is gone are counted in the same bytes.
final class AnswerDeadline: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private let limit: TimeAmount
    /// Bytes since the connection was made.
    private var written = 0
    /// How many of them the client's system had taken when they were last looked at.
    private var taken = 0
    private var look: Scheduled<Void>?

    /// - Parameter limit: without progress. It is looked at once in that time: what stops is closed before twice the
    ///   time.
    init(_ limit: TimeAmount) {
        self.limit = limit
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if look == nil {
            taken = written - waiting(context)
            schedule(context)
        }
        written += unwrapOutboundIn(data).readableBytes
        context.write(data, promise: promise)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        look?.cancel()
        look = nil
    }

    private func schedule(_ context: ChannelHandlerContext) {
        let own = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        look = context.eventLoop.scheduleTask(in: limit) { own.value.handler.judge(own.value.context) }
    }

    private func judge(_ context: ChannelHandlerContext) {
        look = nil
        let waiting = waiting(context)
        // The next write looks anew: a connection that is idle costs no timer.
        guard waiting > 0 else { return }
        let gone = written - waiting
        guard gone > taken else { return context.channel.close(promise: nil) }
        taken = gone
        schedule(context)
    }

    /// What the socket has not taken yet.
    private func waiting(_ context: ChannelHandlerContext) -> Int {
        (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }
}

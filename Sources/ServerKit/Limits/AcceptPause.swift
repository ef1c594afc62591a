// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import NIOCore

/// Stops accepting for a second where the process has no descriptor or memory left for another connection.
///
/// The event loop asks for a waiting connection as long as it is told that there is one. Accepting it fails, it goes on
/// waiting, and the loop would spin: what keeps later reads back (NIO's `AcceptBackoffHandler`) does not take back the
/// one that is asked for already. Without interest in reading the loop sleeps.
final class AcceptPause: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = Any
    typealias OutboundIn = Any

    /// Stands first in the pipeline of a listening socket.
    static func add(to listener: any Channel, metrics: MetricsRegistry, logger: Logger) {
        listener.eventLoop.execute {
            try? listener.pipeline.syncOperations.addHandler(
                AcceptPause(metrics: metrics, logger: logger), position: .first)
        }
    }

    private static let length = TimeAmount.seconds(1)
    private let metrics: MetricsRegistry
    private let logger: Logger
    private var end: Scheduled<Void>?

    init(metrics: MetricsRegistry, logger: Logger) {
        self.metrics = metrics
        self.logger = logger
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch (error as? IOError)?.errnoCode {
        case EMFILE, ENFILE, ENOBUFS, ENOMEM: pause(context, error)
        // The client was gone before it was accepted: nobody else should wait for that.
        case ECONNABORTED: break
        default: context.fireErrorCaught(error)
        }
    }

    /// What is read when the pause ends is read then.
    func read(context: ChannelHandlerContext) {
        if end == nil { context.read() }
    }

    func channelInactive(context: ChannelHandlerContext) {
        stop()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        stop()
    }

    private func pause(_ context: ChannelHandlerContext, _ error: any Error) {
        guard end == nil, let options = context.channel.syncOptions else { return }
        metrics.add("connections_refused_total", labels: [("reason", "descriptors")])
        logger.error("can't accept connections, waiting a second", metadata: ["reason": .string("\(error)")])
        try? options.setOption(.autoRead, value: false)
        end = context.eventLoop.assumeIsolated().scheduleTask(in: Self.length) {
            self.end = nil
            try? options.setOption(.autoRead, value: true)
        }
    }

    private func stop() {
        end?.cancel()
        end = nil
    }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import NIOCore

/// Stops accepting for a second where the process has no descriptor or memory left for another connection, and lets go
/// of some descriptors that were held for that, which the rest of the process may need meanwhile. It accepts again once
/// there are as many to hold.
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
    private var spares = SpareDescriptors(16)
    private var end: Scheduled<Void>?

    init(metrics: MetricsRegistry, logger: Logger) {
        self.metrics = metrics
        self.logger = logger
    }

    func handlerAdded(context _: ChannelHandlerContext) {
        _ = spares.acquire()
    }

    /// The last connection that could be accepted took the last descriptor, although nothing has failed yet.
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        context.fireChannelRead(data)
        if end == nil, !SpareDescriptors.isAnyFree { pause(context.channel, "no descriptors left") }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch (error as? IOError)?.errnoCode {
        case EMFILE, ENFILE, ENOBUFS, ENOMEM: if end == nil { pause(context.channel, "\(error)") }
        // The client was gone before it was accepted: nobody else should wait for that.
        case ECONNABORTED: break
        default: context.fireErrorCaught(error)
        }
    }

    /// What is asked for in a pause is asked for when it ends.
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

    private func pause(_ channel: any Channel, _ reason: String) {
        spares.release()
        metrics.add("connections_refused_total", labels: [("reason", "descriptors")])
        logger.error("can't accept connections, waiting a second", metadata: ["reason": .string(reason)])
        try? channel.syncOptions?.setOption(.autoRead, value: false)
        end = channel.eventLoop.assumeIsolated().scheduleTask(in: Self.length) {
            guard self.spares.acquire() else { return self.pause(channel, "too few descriptors left") }
            self.end = nil
            try? channel.syncOptions?.setOption(.autoRead, value: true)
        }
    }

    private func stop() {
        end?.cancel()
        end = nil
        spares.release()
    }
}

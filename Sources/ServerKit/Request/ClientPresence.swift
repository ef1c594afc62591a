// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Tells whoever asked when the client goes away: it closes its connection, or its side of it, which looks alike.
final class ClientPresence: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Any

    private var askers: [Int: @Sendable () -> Void] = [:]
    private var count = 0
    private var hasGone = false

    /// On the connection's event loop.
    func add(_ asker: @escaping @Sendable () -> Void) -> Int {
        count += 1
        if hasGone { asker() } else { askers[count] = asker }
        return count
    }

    /// On the connection's event loop.
    func remove(_ asker: Int) { askers[asker] = nil }

    func channelInactive(context: ChannelHandlerContext) {
        tell()
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, event == .inputClosed { tell() }
        context.fireUserInboundEventTriggered(event)
    }

    private func tell() {
        hasGone = true
        for asker in askers.values { asker() }
        askers = [:]
    }
}

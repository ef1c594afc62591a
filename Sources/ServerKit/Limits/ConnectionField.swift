// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1

/// Has the server and the decoder agree on which request is a connection's last: `Connection` is `close` in that one,
/// and missing in all others. What follows the last one is nobody's.
///
/// Two readers of that field who take it for different things leave requests behind that one has read and the other
/// does not answer. The decoder's word counts (RFC 9112, section 9.3), and one of HTTP/1.0 is its connection's last. So
/// is one that asks for another protocol: it is answered in this one, but the decoder reads nothing behind it.
final class ConnectionField: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    private enum Stage {
        case open
        /// The last request, of which not all has come.
        case last
        case over
    }

    private var stage = Stage.open

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch (stage, unwrapInboundIn(data)) {
        case (.over, _): return
        case (_, .head(var head)):
            let isLast = Self.isLast(head)
            if isLast { stage = .last }
            guard isLast || head.headers.contains(name: "connection") else { break }
            head.headers.remove(name: "connection")
            if isLast { head.headers.add(name: "connection", value: "close") }
            // Nobody of that version waits to be asked (RFC 9110, section 10.1.1).
            if Self.isOld(head.version) { head.headers.remove(name: "expect") }
            return context.fireChannelRead(wrapInboundOut(.head(head)))
        case (.last, .end): stage = .over
        case (_, .body), (.open, .end): break
        }
        context.fireChannelRead(data)
    }

    private static func isLast(_ head: HTTPRequestHead) -> Bool {
        !head.isKeepAlive || isOld(head.version) || head.method == .CONNECT || head.headers.contains(name: "upgrade")
    }

    private static func isOld(_ version: HTTPVersion) -> Bool { (version.major, version.minor) < (1, 1) }
}

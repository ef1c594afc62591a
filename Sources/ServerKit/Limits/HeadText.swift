// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import NIOCore
import NIOHTTP1

/// Refuses a request with a header field of more combining marks in a row than any language writes
/// (``StreamSafeText``), as one that can't be read: 400, and the connection is closed.
///
/// Before anybody reads the head: to compare a field with a word takes the square of its marks, and much of that is
/// done on an event loop, where other connections wait for it. Names and the target are ASCII to the decoder.
final class HeadText: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    private var hasRefused = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasRefused else { return }
        if case .head(let head) = unwrapInboundIn(data), !head.headers.allSatisfy({ StreamSafeText.accepts($0.value) })
        {
            hasRefused = true
            // Answered as ``HostField`` has it.
            context.fireErrorCaught(HTTPParserError.invalidHeaderToken)
            return
        }
        context.fireChannelRead(data)
    }
}

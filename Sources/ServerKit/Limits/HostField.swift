// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1

/// Refuses a request without `Host`, with several, or with one that is no host, as one that can't be read: 400, and the
/// connection is closed (RFC 9112, section 3.2; RFC 9110, section 4.2.1, for an empty one). Two readers of such a
/// request could take it for requests to two hosts.
///
/// HTTP/1.0 knows no `Host`: a request of that version may come without, as the checks of some load balancers do.
final class HostField: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    private var hasRefused = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasRefused else { return }
        if case .head(let head) = unwrapInboundIn(data), !Self.accepts(head) {
            hasRefused = true
            // The server answers it as it does every request that can't be read, after those before it.
            context.fireErrorCaught(HTTPParserError.invalidHeaderToken)
            return
        }
        context.fireChannelRead(data)
    }

    private static func accepts(_ head: HTTPRequestHead) -> Bool {
        let hosts = head.headers["host"]
        guard let host = hosts.first else { return head.version.major == 1 && head.version.minor == 0 }
        return hosts.count == 1 && !host.isEmpty && host.utf8.allSatisfy(isHostByte)
    }

    /// Of `uri-host [ ":" port ]` (RFC 3986, section 3.2.2).
    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~%!$&'()*+,;=:[]".utf8.contains(byte)
        }
    }
}

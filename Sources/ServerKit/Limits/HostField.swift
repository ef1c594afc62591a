// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1

/// Refuses a request without `Host`, with several, or with one that is no host, as one that can't be read: 400, and the
/// connection is closed (RFC 9112, section 3.2; RFC 9110, section 4.2.1, for an empty one). Two readers of such a
/// request could take it for requests to two hosts.
///
/// So they could where the target is a whole URL of another host. The target's is what counts then (RFC 9112,
/// section 3.2.2), and a client sends the same in both (RFC 9110, section 7.2): where they differ, whoever passed the
/// request on has read one of them, and nobody here knows which.
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
        guard let host = hosts.first else {
            // A target that names one needs the field beside it: what comes after this reads the field alone.
            return head.version.major == 1 && head.version.minor == 0 && authority(of: head) == nil
        }
        return hosts.count == 1 && !host.isEmpty && host.utf8.allSatisfy(isHostByte)
            && authority(of: head).map { isSame($0, host.utf8) } ?? true
    }

    /// Of a target that is a whole URL (RFC 9112, section 3.2.2); `nil` for the other forms.
    private static func authority(of head: HTTPRequestHead) -> Substring.UTF8View? {
        let target = head.uri.utf8
        // `CONNECT` has `host:port`, and is answered as any method that nothing is done by.
        guard let first = target.first, first != UInt8(ascii: "/"), first != UInt8(ascii: "*"), head.method != .CONNECT
        else { return nil }
        guard let colon = target.firstIndex(of: UInt8(ascii: ":")), target[colon...].starts(with: "://".utf8) else {
            // Of no form that there is: no field is the same as none.
            return target.prefix(0)
        }
        return target[target.index(colon, offsetBy: 3)...].prefix { byte in
            byte != UInt8(ascii: "/") && byte != UInt8(ascii: "?") && byte != UInt8(ascii: "#")
        }
    }

    /// In any case (RFC 3986, section 3.2.2). One with the name of a user is no `Host`'s (RFC 9110, section 4.2.4).
    private static func isSame(_ authority: Substring.UTF8View, _ host: String.UTF8View) -> Bool {
        authority.elementsEqual(host) { lowercase($0) == lowercase($1) }
    }

    private static func lowercase(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
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

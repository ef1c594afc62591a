// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// Requests and answers in the types that all versions of HTTP share, as the library's own handler has them.
///
/// That one has Foundation take each target apart as a URL and put it together again, to find out whether a server is
/// named in it. None is in one that begins with a slash (RFC 9112, section 3.2.1), as nearly all do: it is the path as
/// it stands.
final class RequestCodec: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            do {
                context.fireChannelRead(wrapInboundOut(.head(try Self.request(head))))
            } catch {
                context.fireErrorCaught(error)
            }
        case .body(let buffer): context.fireChannelRead(wrapInboundOut(.body(buffer)))
        case .end(let trailers):
            context.fireChannelRead(wrapInboundOut(.end(trailers.map { HTTPFields($0, splitCookie: false) })))
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let part: HTTPServerResponsePart =
            switch unwrapOutboundIn(data) {
            case .head(let response): .head(HTTPResponseHead(response))
            case .body(let buffer): .body(.byteBuffer(buffer))
            case .end(let trailers): .end(trailers.map { HTTPHeaders($0) })
            }
        context.write(wrapOutboundOut(part), promise: promise)
    }

    /// - Throws: for a method or target that can't be told in those types.
    static func request(_ head: HTTPRequestHead) throws -> HTTPRequest {
        guard head.uri.utf8.first == UInt8(ascii: "/") else {
            return try HTTPRequest(head, secure: false, splitCookie: false)
        }
        return HTTPRequest(
            method: try HTTPRequest.Method(head.method), scheme: "http", authority: head.headers.first(name: "host"),
            path: head.uri, headerFields: HTTPFields(head.headers, splitCookie: false))
    }
}

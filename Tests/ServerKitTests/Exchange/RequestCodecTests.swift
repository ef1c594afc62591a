// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import Testing

@testable import ServerKit

@Suite("Requests and answers in the types of all versions of HTTP")
struct RequestCodecTests {
    private let own = EmbeddedChannel(handler: RequestCodec())
    private let library = EmbeddedChannel(handler: HTTP1ToHTTPServerCodec(secure: false))

    /// What both make of a part that comes.
    private func read(_ part: HTTPServerRequestPart) throws -> (own: HTTPRequestPart?, library: HTTPRequestPart?) {
        func read(_ channel: EmbeddedChannel) throws -> HTTPRequestPart? {
            try channel.writeInbound(part)
            return try channel.readInbound()
        }
        return (try read(own), try read(library))
    }

    @Test(
        "R9.16 a target is read as the library reads it: what begins with a slash as it stands, of others what is behind the server",
        arguments: [
            "/", "/v1/me", "/auth/v1/token?grant_type=refresh_token", "//a.example/b", "/a:b", "/http://a.example/b",
            "/b?c=http://a.example/d", "/%zz", "/a b", "/a#b", "/bücher", "/?", "/a\u{7F}", "*", "", "?a", "a/b",
            "http://a.example/b?c=d", "http://a.example", "HTTP://a.example?b", "https://a.example/", "a.example:443",
            "mailto:a", "http:/b",
        ])
    func targets(target: String) throws {
        for method in [HTTPMethod.GET, .POST, .CONNECT, .RAW(value: "OTHER")] {
            let fields = HTTPHeaders([("hOsT", "b.example"), ("Content-Type", "a/b")])
            let head = HTTPRequestHead(version: .http1_1, method: method, uri: target, headers: fields)
            let (own, library) = try read(.head(head))
            #expect(own == library)
            guard case .head(let request) = own else { Issue.record("no head"); return }
            // An octet that no field may have becomes a blank.
            if target.hasPrefix("/"), !target.utf8.contains(0x7F) { #expect(request.path == target) }
            #expect(request.authority == "b.example" && request.headerFields == [.contentType: "a/b"])
        }
    }

    @Test("fields are those that the library reads: the first host is the authority, and no name that is none is one")
    func fields() throws {
        for fields in [
            [], [("Host", "a"), ("host", "b")], [("A", "1"), ("a", "2"), ("Host", "")], [("a b", "c"), ("d", "e")],
            [("Cookie", "a=b; c=d"), ("Cookie", "e=f"), ("Host", "a:1")],
        ] {
            let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/", headers: HTTPHeaders(fields))
            let (own, library) = try read(.head(head))
            #expect(own == library && own != nil)
        }
    }

    @Test("a method that is none is an error, for both")
    func method() throws {
        let head = HTTPRequestHead(version: .http1_1, method: .RAW(value: "a b"), uri: "/")
        #expect(throws: HTTP1TypeConversionError.invalidMethod) {
            try own.writeInbound(HTTPServerRequestPart.head(head))
        }
        #expect(throws: HTTP1TypeConversionError.invalidMethod) {
            try library.writeInbound(HTTPServerRequestPart.head(head))
        }
    }

    @Test("bodies, trailers and answers are what the library makes of them")
    func parts() throws {
        let trailers = HTTPHeaders([("A", "1"), ("b c", "2")])
        for part in [HTTPServerRequestPart.body(ByteBuffer(string: "ab")), .end(nil), .end(trailers)] {
            let (own, library) = try read(part)
            #expect(own == library && own != nil)
        }
        let answer = HTTPResponse(
            status: .init(code: 299, reasonPhrase: "Odd"), headerFields: [.contentType: "a/b", .setCookie: "a=b"])
        for part in [
            HTTPResponsePart.head(answer), .body(ByteBuffer(string: "ab")), .end(nil), .end([.contentType: "a"]),
        ] {
            try own.writeOutbound(part)
            try library.writeOutbound(part)
            let sent = try own.readOutbound(as: HTTPServerResponsePart.self)
            #expect(try sent == library.readOutbound(as: HTTPServerResponsePart.self) && sent != nil)
        }
    }
}

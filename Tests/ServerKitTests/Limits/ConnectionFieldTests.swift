// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import ServerKit

@Suite("Which request is a connection's last")
struct ConnectionFieldTests {
    /// What comes through of two requests: the paths, and what each says of the connection.
    private func read(_ fields: String, version: String = "1.1") throws -> [String] {
        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandlers(
            [ByteToMessageHandler(HTTPRequestDecoder()), ConnectionField()] as [any ChannelHandler])
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        let first = "POST /1 HTTP/\(version)\r\nHost: a\r\nContent-Length: 2\r\n\(fields)\r\nab"
        _ = try? channel.writeInbound(ByteBuffer(string: first + "GET /2 HTTP/1.1\r\nHost: a\r\n\r\n"))
        var heads: [String] = []
        var ends = 0
        while let part = try channel.readInbound(as: HTTPServerRequestPart.self) {
            switch part {
            case .head(let head): heads.append(head.uri + " " + head.headers["connection"].joined(separator: "|"))
            case .body(let body): #expect(String(buffer: body) == "ab")
            case .end: ends += 1
            }
        }
        #expect(ends == heads.count)
        return heads
    }

    @Test(
        "R9.16 after one that ends the connection nothing is read, in whichever words it says so",
        arguments: [
            "Connection: close\r\n", "Connection: Close\r\n", "Connection: keep-alive, close\r\n",
            "Connection: te\r\nConnection: close\r\n", "Connection: close,te\r\n",
            "Connection: Upgrade\r\nUpgrade: h2c\r\n", "Connection: upgrade, HTTP2-Settings\r\nUpgrade: foo\r\n",
            "Upgrade: foo\r\n",
        ])
    func last(fields: String) throws {
        #expect(try read(fields) == ["/1 close"])
    }

    @Test(
        "R9.16 a word that only looks like it ends nothing, for decoder and server alike",
        arguments: [
            "", "Connection: keep-alive\r\n", "Connection: x close\r\n", "Connection: keep-alive close\r\n",
            "Connection: x\tclose\r\n", "Connection: closed\r\n", "Connection: \"close\"\r\n",
        ])
    func others(fields: String) throws {
        #expect(try read(fields) == ["/1 ", "/2 "])
    }

    @Test("R9.16 one of HTTP/1.0 is its connection's last", arguments: ["", "Connection: keep-alive\r\n"])
    func old(fields: String) throws {
        #expect(try read(fields, version: "1.0") == ["/1 close"])
    }
}

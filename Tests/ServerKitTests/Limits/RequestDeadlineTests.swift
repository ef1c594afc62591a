// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import ServerKit

@Suite("A request that trickles in")
struct RequestDeadlineTests {
    private let channel = EmbeddedChannel(handler: RequestDeadline(header: .seconds(10), body: .seconds(30)))
    private let head = HTTPRequestPart.head(
        HTTPRequest(method: .post, scheme: "http", authority: "a", path: "/"))

    init() throws {
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    private func byte() throws { try channel.writeInbound(HTTPRequestPart.body(ByteBuffer(bytes: [0x61]))) }

    @Test("R86 a body that is not whole after its time closes the connection, however steadily it comes")
    func slow() throws {
        try channel.writeInbound(head)
        for _ in 0..<29 {
            channel.embeddedEventLoop.advanceTime(by: .seconds(1))
            try byte()
            #expect(channel.isActive)
        }
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!channel.isActive)
    }

    @Test("What is whole in time is left alone, and the next request has its own time")
    func keptAlive() throws {
        for _ in 0..<3 {
            try channel.writeInbound(head)
            channel.embeddedEventLoop.advanceTime(by: .seconds(29))
            try byte()
            try channel.writeInbound(HTTPRequestPart.end(nil))
            channel.embeddedEventLoop.advanceTime(by: .hours(1))
            #expect(channel.isActive)
        }
        try channel.writeInbound(head)
        channel.embeddedEventLoop.advanceTime(by: .seconds(30))
        #expect(!channel.isActive)
    }

    @Test("R8.4 a new connection without a whole header after its time is closed")
    func noHeader() throws {
        channel.embeddedEventLoop.advanceTime(by: .seconds(9))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!channel.isActive)
    }

    @Test("Every part reaches the server")
    func parts() throws {
        try channel.writeInbound(head)
        try byte()
        try channel.writeInbound(HTTPRequestPart.end(nil))
        var count = 0
        while try channel.readInbound(as: HTTPRequestPart.self) != nil { count += 1 }
        #expect(count == 3)
        #expect(try channel.finish().isClean)
    }
}

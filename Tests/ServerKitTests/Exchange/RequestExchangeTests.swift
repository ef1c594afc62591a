// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPTypes
import Testing

@testable import ServerKit

@Suite("Requests of one connection", .timeLimit(.minutes(5)))
struct RequestExchangeTests {
    private func get(_ path: String, _ fields: String = "") -> String {
        "GET /beta/\(path) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n"
    }

    private func post(_ path: String, _ body: String, length: Int? = nil) -> String {
        "POST /beta/\(path) HTTP/1.1\r\nHost: a\r\nContent-Length: \(length ?? body.utf8.count)\r\n\r\n\(body)"
    }

    /// Status and last line of each answer.
    private func answers(_ text: String) -> [String] {
        text.components("HTTP/1.1 ").dropFirst().map { answer in
            answer.prefix(3) + " " + (answer.components("\r\n\r\n").last ?? "")
        }
    }

    private func talk(_ pieces: String..., ends: Bool = true) async throws -> [String] {
        let bench = ServerBench()
        bench.on(.get, "/beta/{name}") { request, _ in
            await Task.yield()
            return Response(status: .ok, body: .init(byteBuffer: ByteBuffer(string: request.uri.path)))
        }
        bench.on(.post, "/beta/length") { request, _ in
            let bytes = try await RequestReading.bytes(of: request)
            return Response(status: .ok, body: .init(byteBuffer: ByteBuffer(string: "\(bytes.count)")))
        }
        bench.on(.post, "/beta/unread") { _, _ in Response(status: .accepted) }
        return try await bench.test(.live) { answers(try await RawClient.talk($0, pieces, ends: ends)) }
    }

    @Test("R9.16 requests sent at once are answered one after the other, each once and in their order")
    func pipelined() async throws {
        let all = (0..<200).map { get("\($0)") }.joined()
        #expect(try await talk(all) == (0..<200).map { "200 /beta/\($0)" })
    }

    @Test("R9.16 wherever a request is cut into pieces, it is one request")
    func pieces() async throws {
        let text = post("length", "0123456789") + get("x")
        for place in stride(from: 1, to: text.utf8.count, by: 7) {
            let first = String(decoding: text.utf8.prefix(place), as: UTF8.self)
            let rest = String(decoding: text.utf8.dropFirst(place), as: UTF8.self)
            #expect(try await talk(first, rest) == ["200 10", "200 /beta/x"], "\(place)")
        }
    }

    @Test("R9.16 a body that nobody reads is passed over, and the request after it is another")
    func unread() async throws {
        let body = get("smuggled") + String(repeating: "a", count: 900_000)
        #expect(try await talk(post("unread", body), get("x")) == ["202 ", "200 /beta/x"])
        #expect(try await talk(post("length", body), get("x")) == ["200 \(body.utf8.count)", "200 /beta/x"])
    }

    @Test("R86 what can't be read is refused once, after the answers to what came before, and nothing follows")
    func unreadable() async throws {
        #expect(try await talk(get("x") + "nonsense\r\n\r\n" + get("y"), ends: false) == ["200 /beta/x", "400 "])
        #expect(try await talk("nonsense\r\n\r\n", ends: false) == ["400 "])
        let head = "POST /beta/length HTTP/1.1\r\nHost: a\r\n"
        let both = head + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        #expect(try await talk(both + get("x"), ends: false) == ["400 "])
        // Of this one the header has come: what reads it says so.
        let chunks = head + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nnonsense\r\n"
        let answer = try await talk(chunks + get("x"), ends: false)
        #expect(answer.count == 1 && answer[0].hasPrefix("400 "))
        // And of this one the end never comes.
        let cut = try await talk(post("length", "abc", length: 10))
        #expect(cut.count == 1 && cut[0].hasPrefix("400 "))
    }

    @Test(
        "A client that wants no further answer gets none",
        arguments: ["close", "Close", "keep-alive, close", "close,te"])
    func last(option: String) async throws {
        #expect(
            try await talk(get("x", "Connection: \(option)\r\n") + get("y"), ends: false) == ["200 /beta/x"])
    }

    @Test("R9.16 a word that only looks like it ends nothing", arguments: ["x close", "keep-alive close", "x\tclose"])
    func notLast(option: String) async throws {
        #expect(
            try await talk(get("x", "Connection: \(option)\r\n") + get("y")) == ["200 /beta/x", "200 /beta/y"])
    }

    @Test(
        "R9.16 who asks for another protocol, or speaks an older one, is answered in this, is told that it was the last, and is read no more",
        arguments: [
            "GET /beta/x HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n\r\n",
            "GET /beta/x HTTP/1.0\r\n\r\n", "GET /beta/x HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
        ])
    func otherProtocols(request: String) async throws {
        let bench = ServerBench()
        bench.on(.get, "/beta/x") { _, _ in Response(status: .ok, body: .init(byteBuffer: ByteBuffer(string: "x"))) }
        let text = try await bench.test(.live) {
            try await RawClient.talk($0, [request + String(repeating: "\u{0}", count: 100)], ends: false)
        }
        #expect(answers(text) == ["200 x"])
        #expect(text.lowercased().contains("connection: close\r\n"))
    }

    @Test("RFC 9110, section 10.1.1: who waits to be asked for a body is asked for it")
    func asked() async throws {
        let head = "POST /beta/length HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 10\r\n\r\n"
        #expect(try await talk(head, "0123456789").last == "200 10")
        #expect(try await talk(head + "0123456789" + get("x")) == ["200 10", "200 /beta/x"])
    }

    @Test("A client that has ended its side gets the whole answer, however long it is")
    func halfClosed() async throws {
        let bench = ServerBench()
        let size = 24 << 20
        bench.on(.get, "/beta/long") { _, _ in
            Response(status: .ok, body: .init(byteBuffer: ByteBuffer(repeating: 0x61, count: size)))
        }
        bench.on(.get, "/beta/parts") { _, _ in
            Response(
                status: .ok,
                body: ResponseBody(contentLength: size) { writer in
                    for _ in 0..<24 { try await writer.write(ByteBuffer(repeating: 0x61, count: 1 << 20)) }
                    try await writer.finish(nil)
                })
        }
        for path in ["long", "parts"] {
            let text = try await bench.test(.live) { try await RawClient.talk($0, [get(path)]) }
            #expect(text.utf8.count > size && text.utf8.suffix(size).allSatisfy { $0 == 0x61 })
        }
    }

    @Test("R9.16 an answer that breaks off ends the connection, so that it is not taken for a whole one")
    func brokenOff() async throws {
        let bench = ServerBench()
        bench.on(.get, "/beta/broken") { _, _ in
            Response(
                status: .ok,
                body: ResponseBody { writer in
                    try await writer.write(ByteBuffer(string: "half"))
                    throw AuthError(.userNotFound)
                })
        }
        bench.on(.get, "/beta/endless") { _, _ in
            Response(status: .ok, body: ResponseBody { try await $0.write(ByteBuffer(string: "half")) })
        }
        for path in ["broken", "endless"] {
            let text = try await bench.test(.live) {
                try await RawClient.talk($0, [get(path) + get("x")], ends: false)
            }
            #expect(text.contains("half") && !text.contains("\r\n0\r\n\r\n") && text.components("HTTP/1.1 ").count == 2)
        }
    }
}

@Suite("How much is read of a connection")
struct ReadAheadTests {
    /// What is asked for of the socket.
    private final class Reads: ChannelOutboundHandler, Sendable {
        typealias OutboundIn = HTTPResponsePart
        let count = Mutex(0)

        func read(context: ChannelHandlerContext) {
            count.withLock { $0 += 1 }
            context.read()
        }
    }

    private let reads = Reads()
    private let channel = NIOAsyncTestingChannel()
    private let begun: AsyncStream<Request>
    private let beginning: AsyncStream<Request>.Continuation
    private let turns: AsyncStream<Void>
    private let turn: AsyncStream<Void>.Continuation

    init() {
        (begun, beginning) = AsyncStream.makeStream()
        (turns, turn) = AsyncStream.makeStream()
    }

    private func open() async throws -> EventLoopFuture<Void> {
        let ended = channel.eventLoop.makePromise(of: Void.self)
        let gate = Turns(turns)
        try await channel.eventLoop.submit { [channel, reads, beginning] in
            try channel.pipeline.syncOperations.addHandler(reads)
            try channel.pipeline.syncOperations.addHandler(
                RequestExchange(
                    { request, _ in
                        beginning.yield(request)
                        await gate.next()
                        return Response(status: .ok)
                    }, ended: ended))
        }.get()
        try await channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).get()
        return ended.futureResult
    }

    private actor Turns {
        private var iterator: AsyncStream<Void>.Iterator
        init(_ turns: AsyncStream<Void>) { iterator = turns.makeAsyncIterator() }
        func next() async {
            var own = iterator
            _ = await own.next(isolation: self)
            iterator = own
        }
    }

    private func head(_ path: String) async throws {
        try await channel.writeInbound(
            HTTPRequestPart.head(HTTPRequest(method: .post, scheme: "http", authority: "a", path: path)))
    }

    /// Of those that the socket's owner asks for, how many come through.
    private func isRead() async throws -> Bool {
        try await channel.eventLoop.submit { [channel, reads] in
            let before = reads.count.withLock { $0 }
            channel.pipeline.read()
            return reads.count.withLock { $0 } > before
        }.get()
    }

    @Test("R9.16 of a body no more is read than is taken, and all of it once its request is answered")
    func body() async throws {
        _ = try await open()
        var requests = begun.makeAsyncIterator()
        try await head("/")
        #expect(await requests.next() != nil)
        #expect(try await isRead())
        var parts = 0
        while try await isRead(), parts < 1000 {
            try await channel.writeInbound(HTTPRequestPart.body(ByteBuffer(repeating: 0x61, count: 65_536)))
            parts += 1
        }
        #expect(parts < 20)
        turn.yield()
        _ = try await channel.waitForOutboundWrite(as: HTTPResponsePart.self)
        _ = try await channel.waitForOutboundWrite(as: HTTPResponsePart.self)
        #expect(try await isRead())
        try await channel.writeInbound(HTTPRequestPart.end(nil))
        try await head("/next")
        #expect(await requests.next()?.uri.path == "/next")
        turn.yield()
        try await channel.close().get()
    }

    @Test("R9.16 what is sent before its turn waits, and nothing is read beyond it, nor begun for who takes no answers")
    func ahead() async throws {
        _ = try await open()
        var requests = begun.makeAsyncIterator()
        for path in ["/1", "/2", "/3"] {
            try await head(path)
            try await channel.writeInbound(HTTPRequestPart.end(nil))
        }
        #expect(await requests.next()?.uri.path == "/1")
        #expect(try await !isRead())
        channel.isWritable = false
        turn.yield()
        _ = try await channel.waitForOutboundWrite(as: HTTPResponsePart.self)
        _ = try await channel.waitForOutboundWrite(as: HTTPResponsePart.self)
        #expect(try await !isRead())
        channel.isWritable = true
        try await channel.eventLoop.submit { [channel] in channel.pipeline.fireChannelWritabilityChanged() }.get()
        for path in ["/2", "/3"] {
            #expect(await requests.next()?.uri.path == path)
            turn.yield()
        }
        for _ in 0..<4 { _ = try await channel.waitForOutboundWrite(as: HTTPResponsePart.self) }
        #expect(try await isRead())
        try await channel.close().get()
    }

    @Test("R9.16 behind a connection's last request nothing is read, while it is answered and afterwards")
    func behindTheLast() async throws {
        _ = try await open()
        var requests = begun.makeAsyncIterator()
        try await channel.writeInbound(
            HTTPRequestPart.head(
                HTTPRequest(
                    method: .post, scheme: "http", authority: "a", path: "/", headerFields: [.connection: "close"])))
        #expect(try await isRead())
        try await channel.writeInbound(HTTPRequestPart.end(nil))
        #expect(await requests.next() != nil)
        #expect(try await !isRead())
        turn.yield()
        let answer = try await channel.waitForOutboundWrite(as: HTTPResponsePart.self)
        guard case .head(let head) = answer else { return #expect(Bool(false), "no head") }
        #expect(head.headerFields[.connection] == "close")
        _ = try await channel.waitForOutboundWrite(as: HTTPResponsePart.self)
        #expect(try await !isRead())
        // Its own side is closed already.
        try? await channel.close().get()
    }

    @Test("R9.16 a connection is over when it is closed and what was begun for it is done")
    func over() async throws {
        let ended = try await open()
        var requests = begun.makeAsyncIterator()
        let isOver = Mutex(false)
        ended.whenComplete { _ in isOver.withLock { $0 = true } }
        try await head("/")
        #expect(await requests.next() != nil)
        try await channel.close().get()
        try await channel.eventLoop.submit {}.get()
        #expect(!isOver.withLock { $0 })
        turn.yield()
        try await ended.get()
    }
}

extension String {
    fileprivate func components(_ separator: String) -> [String] {
        var rest = self[...]
        var parts: [String] = []
        while let range = rest.firstRange(of: separator) {
            parts.append(String(rest[..<range.lowerBound]))
            rest = rest[range.upperBound...]
        }
        return parts + [String(rest)]
    }
}

// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import HummingbirdTesting
import NIOCore
import NIOEmbedded
import NIOPosix
import Testing

@testable import ServerKit

@Suite("A client that stops reading", .timeLimit(.minutes(5)))
struct AnswerDeadlineTests {
    private let channel = EmbeddedChannel(handler: AnswerDeadline(.seconds(60)))
    private let piece = IOData.byteBuffer(ByteBuffer(repeating: 0x61, count: 1000))

    init() throws {
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    private func wait(_ seconds: Int64) { channel.embeddedEventLoop.advanceTime(by: .seconds(seconds)) }

    @Test(
        "R14.3 an answer of which nothing is taken for its time closes the connection, whatever is written to it besides"
    )
    func stopped() throws {
        channel.write(piece, promise: nil)
        wait(59)
        channel.write(piece, promise: nil)
        #expect(channel.isActive)
        wait(1)
        #expect(!channel.isActive)
    }

    @Test("What is taken little by little is left alone, and stops counting where it stops")
    func slow() throws {
        for _ in 0..<100 {
            channel.write(piece, promise: nil)
            wait(29)
            channel.flush()
            channel.write(piece, promise: nil)
            wait(29)
            #expect(channel.isActive)
        }
        wait(120)
        #expect(!channel.isActive)
    }

    @Test("A connection that nothing is owed to stays as long as it likes, and looks at nothing")
    func idle() throws {
        channel.writeAndFlush(piece, promise: nil)
        wait(3600)
        #expect(channel.isActive)
        // The next answer has its own time, from its own beginning.
        channel.write(piece, promise: nil)
        wait(59)
        #expect(channel.isActive)
        wait(1)
        #expect(!channel.isActive)
    }

    @Test("R14.3 over a socket: whatever an answer holds is let go of when its client takes no more of it")
    func socket() async throws {
        var bench = ServerBench()
        bench.limits.answerSeconds = 1
        let (ends, ended) = AsyncStream<Bool>.makeStream()
        bench.on(.get, "/beta/file") { _, _ in
            Response(
                status: .ok,
                body: ResponseBody { writer in
                    do {
                        // Without end: more than the two systems keep between them.
                        while true { try await writer.write(ByteBuffer(repeating: 0x61, count: 256 << 10)) }
                    } catch {
                        ended.yield(true)
                        throw error
                    }
                })
        }
        let isLetGo = try await bench.test(.live) { client in
            let stuck = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .channelOption(.autoRead, value: false)
                .connect(host: "127.0.0.1", port: try #require(client.port)).get()
            try await stuck.writeAndFlush(ByteBuffer(string: "GET /beta/file HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"))
            let isLetGo = await ends.first { _ in true }
            try? await stuck.close().get()
            return isLetGo
        }
        #expect(isLetGo == true)
    }
}

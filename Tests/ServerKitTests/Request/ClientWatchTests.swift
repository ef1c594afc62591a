// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import NIOEmbedded
import NIOPosix
import Testing

@testable import ServerKit

@Suite("A client that goes away", .timeLimit(.minutes(5)))
struct ClientWatchTests {
    /// A failure ends too: the time limit cancels the test, and with it every wait in it.
    @Test("R9.15 what a client waits for is cancelled when it closes its connection", arguments: [false, true])
    func goes(half: Bool) async throws {
        let bench = ServerBench()
        let (events, happened) = AsyncStream<String>.makeStream()
        bench.on(.get, "/beta/list") { _, _ in
            try await ClientWatch.whileClientWaits {
                happened.yield("begun")
                // Ends with the task alone: nothing is ever sent.
                let (silence, source) = AsyncStream<Void>.makeStream()
                for await _ in silence {}
                source.finish()
                happened.yield("cancelled")
                throw CancellationError()
            }
        }
        try await bench.test(.live) { client in
            let leaver = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .connect(host: "127.0.0.1", port: try #require(client.port)).get()
            try await leaver.writeAndFlush(ByteBuffer(string: "GET /beta/list HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"))
            var said: [String] = []
            for await event in events {
                said.append(event)
                if event == "cancelled" { break }
                try await leaver.close(mode: half ? .output : .all).get()
            }
            try? await leaver.close().get()
            #expect(said == ["begun", "cancelled"])
        }
    }

    @Test("R9.15 without a connection the work is done as it is, and its failure is the caller's")
    func router() async throws {
        let watch = ClientWatch(NIOAsyncTestingChannel())
        await #expect(throws: AuthError(.userNotFound)) {
            try await watch.run { throw AuthError(.userNotFound) }
        }
        await #expect(throws: AuthError(.userNotFound)) {
            try await ClientWatch.whileClientWaits { throw AuthError(.userNotFound) }
        }
        let values = (try await watch.run { 1 }, try await ClientWatch.whileClientWaits { 2 })
        #expect(values == (1, 2))
    }

    @Test("R9.15 each who asks is told once, who asks too late at once, and who asks no more not at all")
    func presence() throws {
        let handler = ClientPresence()
        let channel = EmbeddedChannel(handler: handler)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        let told = Mutex<[Int]>([])
        func ask(_ number: Int) -> Int { handler.add { told.withLock { $0.append(number) } } }
        let first = ask(1)
        _ = ask(2)
        handler.remove(first)
        channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(told.withLock { $0 } == [2])
        _ = ask(3)
        _ = try channel.finish()
        #expect(told.withLock { $0 } == [2, 3])
    }
}

// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import ServerKit

@Suite("A client that goes away", .timeLimit(.minutes(5)))
struct ClientWatchTests {
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

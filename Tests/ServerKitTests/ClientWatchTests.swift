// SPDX-License-Identifier: Apache-2.0

import AccountModel
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
    /// A store whose scans last until they are cancelled.
    private final class EndlessStore: AccountStoring {
        let (begun, hasBegun) = AsyncStream<Void>.makeStream()
        let (ended, hasEnded) = AsyncStream<Void>.makeStream()

        func read<Value: Sendable>(_: @Sendable @escaping (any StoreReading) throws -> Value) async throws -> Value {
            throw AuthError(.unavailable)
        }

        func scan<Value: Sendable>(
            in _: DirectoryID?, _: @Sendable @escaping (any StoreScanning) throws -> Value
        ) async throws -> Value {
            let (never, _) = AsyncStream<Void>.makeStream()
            hasBegun.yield()
            // Ends when the task is cancelled.
            for await _ in never {}
            hasEnded.yield()
            throw CancellationError()
        }

        func write<Value: Sendable>(_: @Sendable @escaping (any StoreWriting) throws -> Value) async throws -> Value {
            throw AuthError(.unavailable)
        }
    }

    @Test("R9.15 the scan for a client that closes its connection is cancelled", arguments: [false, true])
    func goes(half: Bool) async throws {
        let bench = ServerBench()
        let store = EndlessStore()
        let attended = AttendedStore(store)
        bench.on(.get, "/beta/list") { _, _ in
            try await attended.scan(in: nil) { _ in Response(status: .ok) }
        }
        try await bench.test(.live) { client in
            let leaver = TestClient(host: "127.0.0.1", port: try #require(client.port))
            leaver.connect()
            let answer = Task { try await leaver.get("/beta/list") }
            for await _ in store.begun { break }
            let channel = try await leaver.channelPromise.futureResult.get()
            try await channel.close(mode: half ? .output : .all).get()
            for await _ in store.ended { break }
            try await leaver.shutdown()
            _ = await answer.result
        }
    }

    @Test("R9.15 without a connection a scan is made as it is, and its failure is the caller's")
    func router() async throws {
        struct Failing: AccountStoring {
            func read<Value: Sendable>(
                _: @Sendable @escaping (any StoreReading) throws -> Value
            ) async throws -> Value { throw AuthError(.unavailable) }
            func scan<Value: Sendable>(
                in _: DirectoryID?, _: @Sendable @escaping (any StoreScanning) throws -> Value
            ) async throws -> Value { throw AuthError(.userNotFound) }
            func write<Value: Sendable>(
                _: @Sendable @escaping (any StoreWriting) throws -> Value
            ) async throws -> Value { throw AuthError(.unavailable) }
        }
        let store = AttendedStore(Failing())
        await #expect(throws: AuthError(.userNotFound)) { try await store.scan(in: nil) { _ in 1 } }
        let watch = ClientWatch(NIOAsyncTestingChannel())
        await #expect(throws: AuthError(.userNotFound)) {
            try await watch.run { try await store.scan(in: nil) { _ in 1 } }
        }
        #expect(try await watch.run { 1 } == 1)
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

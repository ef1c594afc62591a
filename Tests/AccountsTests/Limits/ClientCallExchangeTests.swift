// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

/// Two servers that count a client's calls each for itself, and tell each other of it.
@Suite("Calls of clients that several servers count")
struct ClientCallExchangeTests {
    private static let rule = RateLimitRule(name: "sign-in", count: 40, period: .seconds(400))

    private struct Server {
        let limiter = RateLimiter(isShared: true)
        let exchange: ClientCallExchange
        let key: String

        init(_ store: any AccountStoring, _ directory: Directory, _ origin: String = "203.0.113.5") {
            exchange = ClientCallExchange(limiter, store: store)
            key = CountedClient(directory: directory.id, origin: origin).text
        }

        /// How many of so many calls are let through.
        func calls(_ count: Int, at now: Instant) -> Int {
            (0..<count).count { _ in limiter.take(ClientCallExchangeTests.rule, key: key, now: now) == .allowed }
        }
    }

    private let now = TwoProcesses.now

    private func servers() async throws -> (TwoProcesses, Server, Server) {
        let world = try await TwoProcesses()
        return (
            world, Server(world.ports[0].store, world.directory), Server(world.ports[1].store, world.directory)
        )
    }

    @Test("R9.8 a client that is told no at one server is soon told no at the other")
    func shared() async throws {
        let (_, one, other) = try await servers()
        #expect(one.calls(99, at: now) == 40)
        #expect(try await one.exchange.pass(at: now) == 1)
        // A quarter is let through before the other asks, and one call by which it does.
        #expect(other.calls(11, at: now) == 11)
        #expect(try await other.exchange.pass(at: now) == 1)
        #expect(other.calls(1, at: now) == 0)
        // All is forgotten as one limit is: no later than its period.
        #expect(one.calls(1, at: now + .seconds(10)) == 1)
        #expect(other.calls(99, at: now + .seconds(400)) == 40)
    }

    @Test("R9.8 calls that alternate between two servers are let through little more than the limit says")
    func alternating() async throws {
        let (_, one, other) = try await servers()
        var allowed = 0
        for _ in 0..<20 {
            for server in [one, other] {
                allowed += server.calls(3, at: now)
                try await server.exchange.pass(at: now)
            }
        }
        #expect((40...50).contains(allowed), "\(allowed)")
        #expect(one.calls(9, at: now) == 0 && other.calls(9, at: now) == 0)
    }

    @Test("R9.8 whoever calls little costs the store nothing, and neither does whoever was told of and has gone")
    func quiet() async throws {
        let (_, one, _) = try await servers()
        #expect(one.calls(10, at: now) == 10)
        #expect(try await one.exchange.pass(at: now) == 0)
        #expect(one.calls(1, at: now) == 1)
        #expect(try await one.exchange.pass(at: now) == 1)
        for _ in 0..<3 { #expect(try await one.exchange.pass(at: now) == 0) }
        let alone = RateLimiter()
        for _ in 0..<40 { _ = alone.take(Self.rule, key: one.key, now: now) }
        #expect(alone.takeUsages().isEmpty, "one that is not shared keeps no list")
    }

    @Test("R9.8 what could not be told while the store was away is told with the next pass")
    func away() async throws {
        let world = try await TwoProcesses()
        let store = FailingStore(world.ports[0].store)
        let one = Server(store, world.directory)
        let other = Server(world.ports[1].store, world.directory)
        store.isDown = true
        #expect(one.calls(30, at: now) == 30)
        for _ in 0..<3 {
            await #expect(throws: AuthError(.unavailable)) { try await one.exchange.pass(at: now) }
        }
        store.isDown = false
        #expect(try await one.exchange.pass(at: now) == 1)
        #expect(other.calls(11, at: now) == 11)
        try await other.exchange.pass(at: now)
        #expect(other.calls(1, at: now) == 0)
    }

    @Test("R9.8 clients, limits and Directories are told apart, and of a Directory that has gone nothing is told")
    func apart() async throws {
        let (world, one, other) = try await servers()
        let neighbour = Server(world.ports[1].store, world.directory, "203.0.113.6")
        #expect(one.calls(40, at: now) == 40)
        try await one.exchange.pass(at: now)
        #expect(neighbour.calls(11, at: now) == 11)
        try await neighbour.exchange.pass(at: now)
        #expect(neighbour.calls(99, at: now) == 29)
        let rule = RateLimitRule(name: "sign-up", count: 40, period: .seconds(400))
        let taken = (0..<40).count { _ in other.limiter.take(rule, key: other.key, now: now) == .allowed }
        try await other.exchange.pass(at: now)
        #expect(taken == 40)
        #expect(other.calls(11, at: now) == 11)
        _ = try await world.ports[0].store.write { try $0.deleteDirectory(world.directory.id) }
        #expect(try await other.exchange.pass(at: now) == 0)
    }
}

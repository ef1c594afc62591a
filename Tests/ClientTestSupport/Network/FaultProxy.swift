// SPDX-License-Identifier: Apache-2.0

import ClientSession
import Foundation
import TestSupport

/// Stands between clients and a server on the loopback address, and passes everything on until a storm begins: then
/// what happens to each request is drawn from the storm's seed (``NetworkFault``).
///
/// A connection carries one request, as its answer says.
public final class FaultProxy: Sendable {
    struct State: Sendable {
        var seed: UInt64?
        var numbers: [String: Int] = [:]
        var record: [String] = []
        var refreshes = 0
        /// How many answers have gone back, whole or in part.
        var answered = 0
    }

    public let port: Int
    /// Where the server is to listen.
    public let serverPort: Int
    private let listening: LoopbackConnection
    private let state = Guarded(State())
    /// How many requests are on their way, of this weather or an earlier one.
    private let underWay = Guarded(0)

    /// That of the suite that a test is in.
    @TaskLocal public static var current: FaultProxy?

    public init() throws {
        let (listening, port) = try LoopbackConnection.listening()
        let serverPort = try LoopbackConnection.keptPort()
        (self.listening, self.port, self.serverPort) = (listening, port, serverPort)
        let (state, underWay) = (state, underWay)
        Thread.detachNewThread {
            while let client = listening.accept() {
                underWay.withLock { $0 += 1 }
                Thread.detachNewThread {
                    ProxiedExchange(client: client, serverPort: serverPort, state: state).pass()
                    underWay.withLock { $0 -= 1 }
                }
            }
            // Here alone: once it is closed, its number may be another's.
            listening.close()
        }
    }

    deinit { listening.finish() }

    public var url: String { "http://127.0.0.1:\(port)" }
    /// What came in the present storm, and what became of it.
    public var record: [String] { state.value.record }
    /// How many requests for new tokens came since the last change of weather.
    public var refreshes: Int { state.value.refreshes }

    /// Returns when nothing is on its way any more: no request of before comes after one of later.
    public func untilQuiet() async throws {
        try await eventually("no request is on its way") { underWay.value == 0 }
    }

    /// From now on the network is bad.
    public func storm(seed: UInt64) { state.withLock { $0 = State(seed: seed) } }
    /// From now on everything arrives.
    public func calm() { state.withLock { $0 = State() } }
}

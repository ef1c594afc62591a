// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Opens the connections of a pool. Where the server has let nobody in, those who ask within the next moment hear the
/// same and do not knock: a server that has no connection left, or is just starting, is not kept from it by all who
/// wait for it.
final class PostgresDoor: Sendable {
    /// Longer than a refusal takes, and shorter than anybody notices.
    private static let pause: Duration = .milliseconds(100)

    private struct State {
        var refusal: (error: any Error, until: ContinuousClock.Instant)?
    }

    private let clock = ContinuousClock()
    private let state = Mutex(State())
    private let connect: @Sendable () throws -> PostgresConnection

    init(_ connect: @escaping @Sendable () throws -> PostgresConnection) {
        self.connect = connect
    }

    func open() throws -> PostgresConnection {
        let refusal = state.withLock { [clock] state in state.refusal.flatMap { $0.until > clock.now ? $0.error : nil }
        }
        if let refusal { throw refusal }
        do {
            let connection = try connect()
            state.withLock { $0.refusal = nil }
            return connection
        } catch {
            state.withLock { [clock] in $0.refusal = (error, clock.now + Self.pause) }
            throw error
        }
    }
}

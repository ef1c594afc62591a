// SPDX-License-Identifier: Apache-2.0

import Accounts
import AuthTypes
import Logging
import ServiceLifecycle

/// Tells the other servers over the database, once a second, of clients that call much, and hears of them.
struct ClientCallService: Service {
    let exchange: ClientCallExchange
    let clock: @Sendable () -> Instant
    let logger: Logger

    func run() async throws {
        var isAway = false
        while !Task.isShuttingDownGracefully, !Task.isCancelled {
            do {
                try await exchange.pass(at: clock())
                isAway = false
            } catch {
                // Said once; what was counted is told later, and counts here meanwhile.
                if !isAway { logger.warning("calls can't be told of", metadata: ["error": .string("\(error)")]) }
                isAway = true
            }
            try? await cancelWhenGracefulShutdown { try await Task.sleep(for: .seconds(1)) }
        }
    }
}

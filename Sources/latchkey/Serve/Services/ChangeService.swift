// SPDX-License-Identifier: Apache-2.0

import AccountStore
import Accounts
import Logging
import ServiceLifecycle

/// Has the server read again what another process has changed of what it keeps copies of: as soon as the database says
/// so, and at least once a second.
struct ChangeService: Service {
    static let interval = Duration.seconds(1)

    let signals: any ChangeSignals
    let changes: ChangeFollower
    let logger: Logger

    func run() async throws {
        defer { signals.close() }
        var isAway = false
        for await _ in signals.signals.cancelOnGracefulShutdown() {
            do {
                try await changes.look()
                isAway = false
            } catch {
                // Said once: what the server has goes on, and every request will say more.
                if !isAway { logger.warning("changes can't be looked at", metadata: ["error": .string("\(error)")]) }
                isAway = true
            }
        }
    }
}

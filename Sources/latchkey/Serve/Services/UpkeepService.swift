// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStore
import Accounts
import AuthTypes
import Logging
import ServerKit
import ServiceLifecycle

/// Deletes accounts whose time of grace is over, tells whose wait for lost factors is, and removes what has had its
/// time: at once, and every ten minutes, where no other process does.
struct UpkeepService: Service {
    let upkeep: Upkeep
    let isOnDuty: @Sendable () async -> Bool
    let clock: @Sendable () -> Instant
    let metrics: MetricsRegistry
    let logger: Logger

    static func duties(_ ports: AccountPorts, links: any VerificationLinks, of store: any AccountDatabase) -> Upkeep {
        Upkeep([
            .init("deletions") { try await DueDeletions(ports, links: links).pass(at: $0) },
            .init("factor recoveries") { try await DueFactorRecoveries(ports, links: links).pass(at: $0) },
            .init("purge") { try await Reaper(store: store).pass(at: $0).total },
            .init("mirror") { _ in
                if let fault = try await store.mirrorFault() { throw AuthError(.unavailable, reason: fault) }
                return 0
            },
            // What was deleted is in the log still; where somebody reads there, the next pass has another try.
            .init("log") { _ in
                _ = try await store.emptyLog()
                return 0
            },
        ])
    }

    func run() async throws {
        while !Task.isShuttingDownGracefully, !Task.isCancelled {
            guard await isOnDuty() else {
                // Whoever has the duty may be gone by then.
                try? await cancelWhenGracefulShutdown { try await Task.sleep(for: .seconds(60)) }
                continue
            }
            guard let outcomes = try? await upkeep.pass(by: clock) else { return }
            for outcome in outcomes { note(outcome) }
            try? await cancelWhenGracefulShutdown { try await Task.sleep(for: .seconds(600)) }
        }
    }

    private func note(_ outcome: Upkeep.Outcome) {
        switch outcome.result {
        case .success(0): break
        case .success(let count):
            logger.info(
                "upkeep done", metadata: ["duty": .string(outcome.duty), "count": .stringConvertible(count)])
        case .failure(let error):
            metrics.add("upkeep_failures_total", labels: [("duty", outcome.duty)])
            logger.warning(
                "upkeep failed", metadata: ["duty": .string(outcome.duty), "error": .string("\(error)")])
        }
    }
}

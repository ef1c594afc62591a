// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStore
import Accounts
import AuthTypes
import Logging
import ServerKit
import ServiceLifecycle

/// Sends the outbox: a pass as soon as something is due, and at least once a second, so that a message written by
/// another process goes out too. Ends with the server, after what is under way.
struct OutboxService: Service {
    let worker: OutboxWorker
    let clock: @Sendable () -> Instant

    func run() async throws {
        while !Task.isShuttingDownGracefully, !Task.isCancelled {
            let next = await worker.deliverDue(by: clock) { !Task.isShuttingDownGracefully }
            let wait = next.map { min(max($0 - clock(), .milliseconds(50)), .seconds(1)) } ?? .seconds(1)
            try? await cancelWhenGracefulShutdown {
                try await Task.sleep(for: .microseconds(wait.microseconds))
            }
        }
    }
}

/// Asks identity providers whether their grants still stand: those that are due, once a minute, where no other process
/// does.
struct GrantCheckService: Service {
    let check: CheckGrants
    let isOnDuty: @Sendable () async -> Bool
    let clock: @Sendable () -> Instant
    let logger: Logger

    func run() async throws {
        while !Task.isShuttingDownGracefully, !Task.isCancelled {
            do {
                guard await isOnDuty() else {
                    try? await cancelWhenGracefulShutdown { try await Task.sleep(for: .seconds(60)) }
                    continue
                }
                let report = try await check(at: clock())
                if report != CheckGrants.Report() {
                    logger.info(
                        "grants of identity providers checked",
                        metadata: [
                            "standing": .stringConvertible(report.standing), "ended": .stringConvertible(report.ended),
                            "unanswered": .stringConvertible(report.unanswered),
                        ])
                }
            } catch is CancellationError {
                return
            } catch {
                logger.warning("check of grants failed", metadata: ["error": .string("\(error)")])
            }
            try? await cancelWhenGracefulShutdown { try await Task.sleep(for: .seconds(60)) }
        }
    }
}

/// Tells the world that the server is leaving before it stops: readiness goes first, and only after a delay the
/// listener. Whoever sends it requests by its readiness has that long to notice.
struct DrainService: Service {
    let readiness: Readiness
    let delay: TimeSpan
    let logger: Logger

    /// Returns when the next service, which listens, may stop.
    func run() async throws {
        try await gracefulShutdown()
        readiness.become(.draining)
        if delay > .zero {
            logger.notice("stopping: no longer ready", metadata: ["seconds": .stringConvertible(delay.seconds)])
            try await Task.sleep(for: .microseconds(delay.microseconds))
        }
        logger.notice("stopping: finishing requests under way")
    }
}

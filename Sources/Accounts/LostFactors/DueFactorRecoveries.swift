// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Mail

/// Tells the owners of accounts whose second factors a sign-in removes from now on, off every request's path, by
/// whoever runs the program. Nothing waits for it: that the time is over is seen by the clock
/// (``FactorRecovery/isRipe(at:)``).
public struct DueFactorRecoveries: Sendable {
    /// How many are read at once.
    private static let batch = 50

    private let ports: AccountPorts
    private let links: any VerificationLinks

    /// - Parameter links: of the mails that tell of it.
    public init(_ ports: AccountPorts, links: any VerificationLinks) {
        self.ports = ports
        self.links = links
    }

    /// Tells each owner once. One that fails keeps none of its batch from being told.
    ///
    /// - Returns: how many.
    /// - Throws: `CancellationError`; what the first of those that failed threw.
    @discardableResult
    public func pass(at now: Instant) async throws -> Int {
        var (count, failures) = (0, [AuthError]())
        while true {
            try Task.checkCancellation()
            let due = try await ports.store.read { try $0.factorRecoveries(dueAt: now, limit: Self.batch) }
            for recovery in due {
                do { count += try await tell(recovery, at: now) ? 1 : 0 } catch let error as AuthError {
                    failures.append(error)
                }
            }
            // What has failed is due still, and would be read again.
            if let failure = failures.first { throw failure }
            guard due.count == Self.batch else { return count }
        }
    }

    /// Whether somebody was told: it may have been stopped meanwhile, or done, or nobody may come back by it any more.
    private func tell(_ recovery: FactorRecovery, at now: Instant) async throws -> Bool {
        let (id, place) = (recovery.userID, recovery.directoryID)
        let found = try await ports.store.read { tx in
            let user = try tx.user(id, in: place)
            return (
                directory: try tx.directory(place),
                language: try user?.preferredLanguage(tx.profile(of: id, in: place)) ?? .en
            )
        }
        guard let directory = found.directory else { return false }
        let call = CallContext(
            directory: directory, now: now, device: DeviceMetadata(),
            language: found.language, links: links, actor: .user(id))
        return try await ports.write(call) { step in
            guard var current = try step.tx.factorRecovery(of: id, in: place), current.toldAt == nil,
                current.dueAt <= now
            else { return false }
            current.toldAt = now
            try step.tx.put(current)
            guard current.isRipe(at: now), step.settings.factors.recoveryWait > 0,
                let user = try step.tx.user(id, in: place), call.refusal(of: user) == nil
            else { return false }
            let factors = try step.tx.factors(of: id, in: place).secondFactors
            try RecoveryNotice(step).tell(.factorRecoveryReady, user, factors, at: current.endsAt)
            return true
        }
    }
}

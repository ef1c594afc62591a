// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Mail

/// What ends a recovery of second factors (ADR 0075): a sign-in once the wait is over, by which they go, or somebody
/// who has them after all.
struct FactorRecoveryEnd {
    private let step: FlowStep

    init(_ step: FlowStep) {
        self.step = step
    }

    /// Removes the user's second factors and backup codes where the wait is over and they sign in by a first factor:
    /// once, whoever else signs in at the same moment. Every session ends and whatever could open one, since any of it
    /// may be of whoever has the factors.
    ///
    /// - Parameters:
    ///   - user: with what is written of them by it, whatever else the caller has to write.
    ///   - level: of what they have shown. Who shows two factors, as a passkey that verifies its user is, has not lost
    ///     them.
    ///   - mayGoOn: whether nothing that is asked before a second factor keeps them out.
    func signIn(of user: inout User, at level: AssuranceLevel, mayGoOn: () throws -> Bool) throws {
        guard step.settings.factors.recoveryWait > 0,
            let recovery = try step.tx.factorRecovery(of: user.id, in: step.directory)
        else { return }
        if level >= .aal2 { return try stop(of: user, because: "sign_in") }
        guard recovery.isRipe(at: step.now), try Self.isLet(user, step.settings, step.tx), try mayGoOn(),
            try step.tx.deleteFactorRecovery(of: user.id, in: step.directory)
        else { return }
        let factors = try step.tx.factors(of: user.id, in: step.directory).secondFactors
        for factor in factors { _ = try step.tx.deleteFactor(factor.id, in: step.directory) }
        _ = try step.tx.deleteBackupCodes(of: user.id, in: step.directory)
        // One that stood in for a factor must not stand in for the next: it may be the one that was lost.
        try step.tx.deleteRememberedDevices(of: user.id, in: step.directory)
        try AccountEnding(step).endAll(of: user, because: .replaced)
        var stored = try step.tx.liveUser(user.id, in: step.directory)
        stored.revokeTokens(at: step.now)
        stored.dropPendingChanges()
        stored.updatedAt = step.now
        stored = try step.tx.update(stored)
        (user.version, user.tokensValidSince) = (stored.version, stored.tokensValidSince)
        user.dropPendingChanges()
        try step.record(
            .factorsRecovered, user,
            details: [
                "factors": .integer(Int64(factors.count(where: \.isVerified))),
                "requested_at": .string(recovery.requestedAt.rfc3339),
            ])
        try RecoveryNotice(step).tell(.factorRecoveryDone, user, factors)
    }

    /// Whether the Directory lets the user's factors go without an operator.
    static func isLet(_ user: User, _ settings: DirectorySettings, _ tx: any GroupReading) throws -> Bool {
        guard settings.factors.recoveryWait > 0 else { return false }
        let excluded = settings.factors.recoveryExcludedGroups
        return try excluded.isEmpty
            || !tx.groups(of: user.id, in: user.directoryID).contains { excluded.contains($0.name) }
    }

    /// Stops what is under way, if anything is: whoever has shown a factor has not lost all of them. The owner is told.
    func stop(of user: User, because reason: String) throws {
        guard try step.stopFactorRecovery(of: user.id, because: reason) else { return }
        let factors = try step.tx.factors(of: user.id, in: step.directory).secondFactors
        try RecoveryNotice(step).tell(.factorRecoveryStopped, user, factors)
    }
}

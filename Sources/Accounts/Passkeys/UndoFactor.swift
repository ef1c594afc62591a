// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Takes a factor or a passkey away that its owner has not added, by the link of the mail that told of it, and lets
/// them choose a new password: whoever added it was signed in as them (OWASP ASVS 5.0, 6.3.7; ADR 0073).
public struct UndoFactor: Sendable {
    /// What the link is about.
    public struct Addition: Sendable {
        public var factor: Factor
        public var user: User
    }

    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// What ``callAsFunction(_:call:)`` would take away; changes nothing. `nil` for a link that is of no use.
    public func find(_ token: String, call: CallContext) async throws -> Addition? {
        guard let ticket = FactorUndoTicket(token, call) else { return nil }
        return try await ports.store.read { tx in
            guard try !tx.isSpent(ticket.nonce, in: call.directory.id) else { return nil }
            return try Self.addition(ticket, call, tx)
        }
    }

    /// The link is spent. With the factor go the backup codes that were made since, every remembered device, every
    /// session, whatever could open one and every change of address or number that is still to be confirmed: nothing of
    /// them is the owner's for certain.
    ///
    /// - Returns: what a new password can be set by, as by a recovery: see ``ResetPassword``.
    /// - Throws: ``AuthErrorCode/oneTimeTokenInvalid``, ``AuthErrorCode/userBanned``.
    public func callAsFunction(_ token: String, call: CallContext) async throws -> IssuedProof {
        guard let ticket = FactorUndoTicket(token, call) else { throw AuthError(.oneTimeTokenInvalid) }
        return try await ports.write(call) { step in
            guard let addition = try Self.addition(ticket, call, step.tx), let email = addition.user.email,
                try step.tx.spend(ticket.nonce, in: step.directory, until: ticket.expiresAt)
            else { throw AuthError(.oneTimeTokenInvalid) }
            var user = addition.user
            try call.requireUsable(user)
            if addition.factor.isPasskey {
                try UserPasskeys.remove(addition.factor, of: user, step)
            } else {
                try FactorRemoval(step).remove(addition.factor, of: user)
            }
            if let codes = try step.tx.backupCodes(of: user.id, in: step.directory), codes.createdAt >= ticket.since {
                try step.tx.deleteBackupCodes(of: user.id, in: step.directory)
                try step.record(.backupCodesRemoved, user)
            }
            // One that was remembered meanwhile may stand in for the factors that are left.
            try step.tx.deleteRememberedDevices(of: user.id, in: step.directory)
            user.revokeTokens(at: step.now)
            user.dropPendingChanges()
            try AccountEnding(step).endAll(of: user, because: .replaced)
            let proof = try OneTimeIssuer(step).make(
                .recovery, for: &user, recipient: .email(email), redirectTo: nil, codeChallenge: nil)
            try step.tx.update(user)
            return proof
        }
    }

    /// `nil` where the factor is there no more or is another, and where the mailbox is not the user's any more.
    private static func addition(
        _ ticket: FactorUndoTicket, _ call: CallContext, _ tx: any StoreReading
    ) throws -> Addition? {
        guard let factor = try tx.factor(ticket.factor, in: call.directory.id), factor.userID == ticket.user,
            factor.verifiedAt == ticket.since, let user = try tx.user(ticket.user, in: call.directory.id),
            user.deletedAt == nil, let email = user.email, user.emailVerifiedAt != nil, ticket.went(to: email)
        else { return nil }
        return Addition(factor: factor, user: user)
    }
}

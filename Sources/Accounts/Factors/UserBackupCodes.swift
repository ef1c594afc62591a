// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Factors
import Mail

/// The codes that a user keeps for the day on which their other factors are lost.
public struct UserBackupCodes: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// The user's codes, of which only hashes are kept; `nil` where there are none.
    public func find(of user: UserID, call: CallContext) async throws -> BackupCodes? {
        try await ports.store.read { try $0.backupCodes(of: user, in: call.directory.id) }
    }

    /// Makes ten, in place of those there were.
    ///
    /// - Returns: the codes as they are to be written down: nobody can see them again.
    /// - Throws: ``AuthErrorCode/insufficientAssurance``, ``AuthErrorCode/noOtherFactor``,
    ///   ``AuthErrorCode/factorDisabled``, ``AuthErrorCode/invalidRequest`` for a long name; what a session that has
    ///   ended throws.
    public func make(
        named name: String? = nil, for authenticated: AuthenticatedUser, call: CallContext
    ) async throws -> (set: BackupCodes, codes: [Secret<String>]) {
        try FactorNames.require(name)
        guard call.settings.factors.backupCodes == .on else {
            throw AuthError(.factorDisabled, field: "backup_codes")
        }
        return try await ports.write(call) { step in
            let user = try authenticated.usable(call, step.tx)
            try AssuranceRule(step).require(authenticated)
            guard try FactorStanding(of: user, step.settings, step.tx).isSet else { throw AuthError(.noOtherFactor) }
            let codes = (0..<BackupCode.count).map { _ in BackupCode.draw(by: step.random) }
            let set = BackupCodes(
                id: step.random.identifier(), directoryID: step.directory, userID: user.id, name: name,
                createdAt: step.now,
                codes: codes.map { code in
                    BackupCodes.Code(
                        hash: BackupCodes.hash(
                            BackupCode.normalized(code.reveal()) ?? "", of: user.id,
                            under: step.call.directory.tokenKey))
                })
            try step.tx.replace(set)
            try step.record(.backupCodesMade, user)
            try OwnerNotice(step).tell(.backupCodesMade, of: user)
            return (set, codes)
        }
    }

    /// - Returns: the codes that there were.
    /// - Throws: ``AuthErrorCode/insufficientAssurance``, ``AuthErrorCode/factorNotFound`` where there are none; what a
    ///   session that has ended throws.
    public func remove(of authenticated: AuthenticatedUser, call: CallContext) async throws -> BackupCodes {
        try await ports.write(call) { step in
            let user = try authenticated.usable(call, step.tx)
            try AssuranceRule(step).require(authenticated)
            guard let codes = try step.tx.backupCodes(of: user.id, in: step.directory) else {
                throw AuthError(.factorNotFound)
            }
            try step.tx.deleteBackupCodes(of: user.id, in: step.directory)
            try step.record(.backupCodesRemoved, user)
            try FactorSessions(step).lower(of: user)
            return codes
        }
    }
}

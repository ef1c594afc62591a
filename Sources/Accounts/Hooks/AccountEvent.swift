// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What programs of the operator's are told of an account once it is durable: each kind is an action of the audit log,
/// and none is told that is not written there.
public enum AccountEvent: String, Sendable, CaseIterable {
    case userCreated = "user.created"
    case userInvited = "user.invited"
    case userUpdated = "user.updated"
    case userBanned = "user.banned"
    case userUnbanned = "user.unbanned"
    case userLocked = "user.locked"
    case userUnlocked = "user.unlocked"
    case emailChanged = "user.email_changed"
    case phoneChanged = "user.phone_changed"
    case passwordChanged = "user.password_changed"
    case deletionRequested = "user.deletion_requested"
    case deletionCancelled = "user.deletion_cancelled"
    case userDeleted = "user.deleted"
    case exportRequested = "user.export_requested"
    case identityLinked = "identity.linked"
    case identityUnlinked = "identity.unlinked"
    case identityRevoked = "identity.revoked"
    case factorAdded = "factor.added"
    case factorRemoved = "factor.removed"
    case backupCodesMade = "backup_codes.made"
    case passkeyAdded = "passkey.added"
    case passkeyRemoved = "passkey.removed"
    case sessionCreated = "session.created"
    case sessionEnded = "session.ended"
    case tokenReplayed = "session.token_replayed"
    /// Who has lost every second factor waits for them to be removed (ADR 0075); it was stopped; they were removed.
    case recoveryRequested = "factor_recovery.requested"
    case recoveryStopped = "factor_recovery.stopped"
    case recoveryDone = "factor_recovery.done"

    /// The event of an action; `nil` for one that nobody outside is told of.
    init?(_ action: AuditEvent.Action) {
        switch action {
        case .signedUp, .invitationAccepted: self = .userCreated
        case .invited: self = .userInvited
        case .userModified, .profileChanged: self = .userUpdated
        case .userBanned: self = .userBanned
        case .userUnbanned: self = .userUnbanned
        case .accountLocked: self = .userLocked
        case .accountUnlocked: self = .userUnlocked
        case .emailChanged: self = .emailChanged
        case .phoneChanged: self = .phoneChanged
        case .passwordChanged: self = .passwordChanged
        case .deletionRequested: self = .deletionRequested
        case .deletionCancelled: self = .deletionCancelled
        case .userDeleted: self = .userDeleted
        case .exportRequested: self = .exportRequested
        case .identityLinked: self = .identityLinked
        case .identityUnlinked: self = .identityUnlinked
        case .identityRevoked: self = .identityRevoked
        case .factorVerified: self = .factorAdded
        case .factorRemoved: self = .factorRemoved
        case .backupCodesMade: self = .backupCodesMade
        case .passkeyAdded: self = .passkeyAdded
        case .passkeyRemoved: self = .passkeyRemoved
        case .signedIn, .clientSignedIn: self = .sessionCreated
        case .signedOut, .sessionRevoked: self = .sessionEnded
        case .refreshTokenReplayed: self = .tokenReplayed
        case .factorRecoveryRequested: self = .recoveryRequested
        case .factorRecoveryStopped: self = .recoveryStopped
        case .factorsRecovered: self = .recoveryDone
        default: return nil
        }
    }

    /// What is told of the details in the log: identifiers of things and names of kinds.
    static let details: Set<String> = [
        "session", "browser_session", "client", "method", "provider", "factor", "type", "by", "due", "verified", "soft",
        "fields",
    ]
}

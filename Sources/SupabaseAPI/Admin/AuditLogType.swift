// SPDX-License-Identifier: Apache-2.0

import AccountModel

/// The kinds into which the platform sorts what its audit log records: the `log_type` of an entry.
enum AuditLogType: String, CaseIterable {
    case account
    case team
    case token
    case user

    init(_ action: AuditEvent.Action) {
        switch action {
        case .signedIn, .signInFailed, .signedOut, .invitationAccepted, .authenticationFailed: self = .account
        case .signedUp, .invited, .userDeleted, .groupChanged, .clientChanged, .resourceServerChanged,
            .domainChanged, .keyChanged, .backupRestored:
            self = .team
        case .sessionRevoked, .refreshTokenReplayed, .tokenExchanged: self = .token
        default: self = .user
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What a spent proof changes in its user's account.
struct ProofEffects: Sendable {
    private let ports: AccountPorts

    init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// Whether the address or number that the message went to is still the one it was about.
    static func isCurrent(_ token: OneTimeToken, for user: User) -> Bool {
        switch token.purpose {
        case .signUpConfirmation, .invitation, .magicLink, .recovery, .phoneSignIn:
            user.email?.rawValue == token.recipient || user.phone?.e164 == token.recipient
        case .emailChangeCurrent: user.pendingEmail != nil && user.email?.rawValue == token.recipient
        case .emailChangeNew: user.pendingEmail?.rawValue == token.recipient
        case .phoneChange: user.pendingPhone?.e164 == token.recipient
        case .reauthentication: false
        }
    }

    /// Applies the proof and returns the user as now stored; `nil` when a change of address waits for its other half.
    func apply(_ token: OneTimeToken, to user: User, call: CallContext, in tx: any StoreWriting) throws -> User? {
        var user = user
        user.updatedAt = call.now
        switch token.purpose {
        case .emailChangeCurrent, .emailChangeNew: return try changeEmail(of: user, by: token, call: call, in: tx)
        case .phoneChange: return try changePhone(of: user, call: call, in: tx)
        default: return try confirm(user, by: token, call: call, in: tx)
        }
    }

    private func confirm(
        _ stored: User, by token: OneTimeToken, call: CallContext, in tx: any StoreWriting
    ) throws -> User {
        var user = stored
        let isPhone = user.phone?.e164 == token.recipient
        guard (isPhone ? user.phoneVerifiedAt : user.emailVerifiedAt) == nil else { return user }
        let wasUnproven = user.emailVerifiedAt == nil && user.phoneVerifiedAt == nil
        switch token.purpose {
        case .signUpConfirmation, .invitation:
            let signUp = try token.signUp.flatMap { try tx.signUpAttempt($0, in: call.directory.id) }
            if wasUnproven, let signUp { try signUp.settle(on: &user, at: call.now, in: tx) }
        default:
            if wasUnproven { try disown(&user, call: call, in: tx) }
        }
        if isPhone { user.phoneVerifiedAt = call.now } else { user.emailVerifiedAt = call.now }
        user.isAnonymous = false
        // Whatever else would confirm the account for the first time is now moot.
        try tx.deleteOneTimeTokens(
            of: user.id, in: call.directory.id, purposes: [.signUpConfirmation, .invitation])
        try tx.deleteSignUpAttempts(of: user.id, in: call.directory.id)
        _ = try LocalIdentities(random: ports.random, now: call.now).align(&user, in: tx)
        let provider: JSONValue = .string(isPhone ? LocalIdentities.phone : LocalIdentities.email)
        let action: AuditEvent.Action = token.purpose == .invitation ? .invitationAccepted : .signedUp
        try OwnerNotice(ports).tell(stored, became: user, call: call, in: tx)
        try audit(action, user, details: ["provider": provider], call: call, in: tx)
        return try tx.update(user)
    }

    /// Takes from a never confirmed account what whoever registered it may have left there to come back by: its
    /// password, its sessions, its pending changes. Now that the mailbox's owner asked for a link of their own, nothing
    /// says that the two are one person.
    private func disown(_ user: inout User, call: CallContext, in tx: any StoreWriting) throws {
        user.passwordHash = nil
        user.revokeTokens(at: call.now)
        user.dropPendingChanges()
        try AccountEnding(now: call.now).endAll(of: user, because: .passwordChanged, in: tx)
    }

    private func changeEmail(
        of stored: User, by token: OneTimeToken, call: CallContext, in tx: any StoreWriting
    ) throws -> User? {
        var user = stored
        // The wanted address must always agree, and so must the present one where the Directory wants it. Neither
        // automatic confirmation nor anything else stands in for one of them.
        let suffices =
            user.pendingEmailHalfConfirmed
            || token.purpose == .emailChangeNew && (user.email == nil || !call.settings.oneTime.secureEmailChange)
        guard suffices, let wanted = user.pendingEmail else {
            user.pendingEmailHalfConfirmed = true
            let half: JSONObject = ["confirmed": .string(token.purpose.rawValue)]
            try audit(.emailChangeRequested, user, details: half, call: call, in: tx)
            try tx.update(user)
            return nil
        }
        user.email = wanted
        user.emailVerifiedAt = call.now
        user.pendingEmail = nil
        user.pendingEmailHalfConfirmed = false
        user.isAnonymous = false
        user.revokeTokens(at: call.now)
        // Every proof under way went to the former address, or is about a change that is now done.
        try AccountEnding(now: call.now).endProofs(of: user, in: tx)
        _ = try LocalIdentities(random: ports.random, now: call.now).align(&user, in: tx)
        try audit(.emailChanged, user, details: [:], call: call, in: tx)
        try OwnerNotice(ports).tell(stored, became: user, call: call, in: tx)
        return try tx.update(user)
    }

    private func changePhone(of stored: User, call: CallContext, in tx: any StoreWriting) throws -> User {
        var user = stored
        user.phone = user.pendingPhone
        user.phoneVerifiedAt = call.now
        user.pendingPhone = nil
        user.isAnonymous = false
        try tx.deleteOneTimeTokens(of: user.id, in: call.directory.id, purposes: [.phoneSignIn, .phoneChange])
        _ = try LocalIdentities(random: ports.random, now: call.now).align(&user, in: tx)
        try audit(.phoneChanged, user, details: [:], call: call, in: tx)
        try OwnerNotice(ports).tell(stored, became: user, call: call, in: tx)
        return try tx.update(user)
    }

    private func audit(
        _ action: AuditEvent.Action, _ user: User, details: JSONObject, call: CallContext, in tx: any StoreWriting
    ) throws {
        try tx.append(
            AuditEvent(action, user: user.id, email: user.email, details: details, call: call, random: ports.random))
    }
}

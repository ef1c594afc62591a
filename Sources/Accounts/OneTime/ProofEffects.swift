// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What a spent proof changes in its user's account.
struct ProofEffects {
    private let step: FlowStep

    init(_ step: FlowStep) {
        self.step = step
    }

    /// Whether the address or number that the message went to is still the one it was about.
    static func isCurrent(_ token: OneTimeToken, for user: User) -> Bool {
        switch token.purpose {
        case .signUpConfirmation, .invitation, .magicLink, .recovery, .unlock, .export, .phoneSignIn:
            user.email?.rawValue == token.recipient || user.phone?.e164 == token.recipient
        case .emailChangeCurrent: user.pendingEmail != nil && user.email?.rawValue == token.recipient
        case .emailChangeNew: user.pendingEmail?.rawValue == token.recipient
        case .phoneChange: user.pendingPhone?.e164 == token.recipient
        case .reauthentication: false
        // Whoever was told may stop it, wherever their address has gone since.
        case .factorRecoveryStop: true
        }
    }

    /// Applies the proof.
    ///
    /// - Parameter beforePassword: whether the caller replaces the password in the same transaction, by which all that
    ///   is another's ends.
    /// - Returns: the user as now stored, and whether a change of address waits for its other half.
    func apply(
        _ token: OneTimeToken, to user: User, beforePassword: Bool = false
    ) throws -> (user: User, isHalfConfirmed: Bool) {
        let before = user
        var user = user
        user.updatedAt = step.now
        let applied: (user: User, isHalfConfirmed: Bool)
        switch token.purpose {
        case .emailChangeCurrent, .emailChangeNew: applied = try changeEmail(of: user, by: token)
        case .phoneChange: applied = (try changePhone(of: user), false)
        default: applied = (try confirm(user, by: token, beforePassword: beforePassword), false)
        }
        if !applied.isHalfConfirmed { try AgreementLog.note(token, by: applied.user, before: before, step) }
        return applied
    }

    private func confirm(_ stored: User, by token: OneTimeToken, beforePassword: Bool) throws -> User {
        var user = stored
        let isPhone = user.phone?.e164 == token.recipient
        guard (isPhone ? user.phoneVerifiedAt : user.emailVerifiedAt) == nil else { return user }
        let wasUnproven = user.emailVerifiedAt == nil && user.phoneVerifiedAt == nil
        switch token.purpose {
        case .signUpConfirmation, .invitation:
            let signUp = try token.signUp.flatMap { try step.tx.signUpAttempt($0, in: step.directory) }
            if wasUnproven, let signUp { try signUp.settle(on: &user, step) }
        default:
            // Takes from a never confirmed account what whoever registered it may have left there to come back by: its
            // password, its sessions, its pending changes, its identities. Now that the mailbox's owner asked for a link of their own,
            // nothing says that the two are one person.
            if wasUnproven {
                let takeover = AccountTakeover(step, by: .proof(token.purpose))
                try beforePassword ? takeover.endIdentities(of: &user) : takeover.apply(to: &user)
            }
        }
        // What a program has said of a sign-up is said of whoever has proved to be the one who signed up.
        if wasUnproven, token.isDisabled { user.bannedUntil = User.forever }
        if isPhone { user.phoneVerifiedAt = step.now } else { user.emailVerifiedAt = step.now }
        try AddressClaims(step).requireUnique(user)
        user.isAnonymous = false
        // Whatever else would confirm the account for the first time is now moot.
        try step.tx.deleteOneTimeTokens(
            of: user.id, in: step.directory, purposes: [.signUpConfirmation, .invitation])
        try step.tx.deleteSignUpAttempts(of: user.id, in: step.directory)
        try LocalIdentities(step).align(&user)
        let provider: JSONValue = .string(isPhone ? LocalIdentities.phone : LocalIdentities.email)
        let action: AuditEvent.Action = token.purpose == .invitation ? .invitationAccepted : .signedUp
        try OwnerNotice(step).tell(stored, became: user)
        try step.record(action, user, details: ["provider": provider])
        step.followConfirmation(of: user, from: stored)
        return try step.tx.update(user)
    }

    private func changeEmail(
        of stored: User, by token: OneTimeToken
    ) throws -> (user: User, isHalfConfirmed: Bool) {
        var user = stored
        // The wanted address must always agree, and so must the present one where the Directory wants it. Neither
        // automatic confirmation nor anything else stands in for one of them.
        let suffices =
            user.pendingEmailHalfConfirmed
            || token.purpose == .emailChangeNew && (user.email == nil || !step.settings.oneTime.secureEmailChange)
        guard suffices, let wanted = user.pendingEmail else {
            user.pendingEmailHalfConfirmed = true
            let half: JSONObject = ["confirmed": .string(token.purpose.rawValue)]
            try step.record(.emailChangeRequested, user, details: half)
            return (try step.tx.update(user), true)
        }
        try AccountLinking(step).free(.email(wanted), for: user)
        user.email = wanted
        user.emailVerifiedAt = step.now
        user.pendingEmail = nil
        user.pendingEmailHalfConfirmed = false
        try AddressClaims(step).requireUnique(user)
        user.isAnonymous = false
        user.revokeTokens(at: step.now)
        // Every proof under way went to the former address, or is about a change that is now done.
        try AccountEnding(step).endProofs(of: user)
        try LocalIdentities(step).align(&user)
        try step.record(.emailChanged, user)
        step.followConfirmation(of: user, from: stored)
        try OwnerNotice(step).tell(stored, became: user)
        return (try step.tx.update(user), false)
    }

    private func changePhone(of stored: User) throws -> User {
        var user = stored
        if let wanted = user.pendingPhone { try AccountLinking(step).free(.phone(wanted), for: user) }
        user.phone = user.pendingPhone
        user.phoneVerifiedAt = step.now
        user.pendingPhone = nil
        try AddressClaims(step).requireUnique(user)
        user.isAnonymous = false
        try step.tx.deleteOneTimeTokens(of: user.id, in: step.directory, purposes: [.phoneSignIn, .phoneChange])
        try LocalIdentities(step).align(&user)
        try step.record(.phoneChanged, user)
        step.followConfirmation(of: user, from: stored)
        try OwnerNotice(step).tell(stored, became: user)
        return try step.tx.update(user)
    }
}

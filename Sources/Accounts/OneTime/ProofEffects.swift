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
    /// - Parameters:
    ///   - beforePassword: whether the caller replaces the password in the same transaction, by which all that is
    ///     another's ends.
    ///   - isSignedIn: whether the caller has a session of the user's, and so is the one who proved what is proved of
    ///     them.
    /// - Returns: the user as now stored, which may be another, whom the proof has opened; and whether a change of
    ///   address waits for its other half.
    func apply(
        _ token: OneTimeToken, to user: User, beforePassword: Bool = false, isSignedIn: Bool = false
    ) throws -> (user: User, isHalfConfirmed: Bool) {
        let before = user
        var user = user
        user.updatedAt = step.now
        let applied: (user: User, isHalfConfirmed: Bool)
        switch token.purpose {
        case .emailChangeCurrent, .emailChangeNew: applied = try changeEmail(of: user, by: token)
        case .phoneChange: applied = (try changePhone(of: user), false)
        default:
            let confirmed = try confirm(user, by: token, beforePassword: beforePassword, isSignedIn: isSignedIn)
            applied = (confirmed, false)
        }
        if !applied.isHalfConfirmed { try AgreementLog.note(token, by: applied.user, before: before, step) }
        return applied
    }

    private func confirm(
        _ found: User, by token: OneTimeToken, beforePassword: Bool, isSignedIn: Bool
    ) throws -> User {
        let isPhone = found.phone?.e164 == token.recipient
        guard (isPhone ? found.phoneVerifiedAt : found.emailVerifiedAt) == nil else { return found }
        // Asked before anything is ended, with which it would go.
        let signUp = try token.signUp.flatMap { try step.tx.signUpAttempt($0, in: step.directory) }
        var (stored, isDisabled) = (found, token.isDisabled)
        // What an account shares is no name of it: whoever had a message sent there named the account otherwise.
        let isName = isPhone ? !found.sharesPhone : !found.sharesEmail
        if found.isProved, isName, found.origin == .signUp, !token.isHolders, !isSignedIn {
            (stored, isDisabled) = try AccountLinking(step).part(token.recipient, from: found)
        }
        var user = stored
        let isOpened = !stored.isProved
        if isOpened {
            if let signUp {
                try signUp.settle(on: &user, proving: isPhone ? .phone : .email, step)
            } else if !isHolders(token, of: user) {
                // Takes from an account that nobody has proved what whoever opened it may have left there to come back
                // by. Nothing says that they and the mailbox's owner are one person.
                let takeover = AccountTakeover(step, by: .proof(token.purpose), proving: isPhone ? .phone : .email)
                try beforePassword ? takeover.endOthers(of: &user) : takeover.apply(to: &user)
            }
        }
        // What a program has said of a sign-up is said of whoever has proved to be the one who signed up.
        if isOpened, isDisabled { user.bannedUntil = User.forever }
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

    /// Whether the proof confirms the account as it is: by its holder's word, or an operator's who made it.
    private func isHolders(_ token: OneTimeToken, of user: User) -> Bool {
        switch token.purpose {
        case .signUpConfirmation, .invitation: token.isHolders || user.origin != .signUp
        default: false
        }
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

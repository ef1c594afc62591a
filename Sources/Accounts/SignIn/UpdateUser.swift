// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Mail
import Passwords

/// What a user changes about their own account; what is `nil` stays.
public struct UserChanges: Sendable {
    public var email: EmailAddress?
    public var phone: PhoneNumber?
    public var password: Secret<String>?
    /// Laid over the metadata there is; a null removes a member.
    public var userMetadata: JSONObject?
    /// The same for what the call's dialect keeps of the user.
    public var attributes: JSONObject?
    /// The code that proves a fresh reauthentication.
    public var nonce: String?
    public var currentPassword: Secret<String>?
    public var redirectTo: String?
    public var codeChallenge: String?

    public init() {}
}

/// Changes a signed-in user's account at their own wish.
public struct UpdateUser: Sendable {
    /// A session this young counts as a fresh authentication for a new password (the rule that clients know).
    static let freshness = Span.hours(24)
    /// The same for a new address or number: as long as an access token lives by default, so that one which was stolen
    /// from an older session gains no lasting way in.
    static let addressFreshness = Span.hours(1)

    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// Applies all of the changes or none.
    ///
    /// A changed password ends every other session and every link and code under way. A new email address or number
    /// counts once it is confirmed; until then it is only pending.
    ///
    /// - Throws: ``AuthErrorCode/weakPassword``, ``AuthErrorCode/samePassword``,
    ///   ``AuthErrorCode/reauthenticationNeeded``, ``AuthErrorCode/reauthenticationInvalid``,
    ///   ``AuthErrorCode/currentPasswordRequired``, ``AuthErrorCode/currentPasswordInvalid``,
    ///   ``AuthErrorCode/emailExists`` and ``AuthErrorCode/phoneExists`` where the address would count at once;
    ///   ``AuthErrorCode/userNotFound``, ``AuthErrorCode/userBanned``, ``AuthErrorCode/sessionNotFound`` and
    ///   ``AuthErrorCode/conflict`` for what happened to the account while the password was being hashed;
    ///   ``AuthErrorCode/rateLimited`` after too many wrong passwords; ``AuthErrorCode/mailRateLimited`` and
    ///   ``AuthErrorCode/messageRateLimited`` while no message can be sent to a new address or number.
    public func callAsFunction(
        _ changes: UserChanges, of authenticated: AuthenticatedUser, call: CallContext
    ) async throws -> UserRecord {
        // Judged first, so that a malformed one is refused whether or not the address it comes with is free.
        _ = try PKCE.checked(changes.codeChallenge)
        let user = authenticated.user
        if let email = changes.email, email != user.email {
            try await ports.limits.requireRoom(forUnprovedBy: .mail, call: call, store: ports.store)
        }
        if let phone = changes.phone, phone != user.phone {
            try await ports.limits.requireRoom(forUnprovedBy: .sms, call: call, store: ports.store)
        }
        // Both the current password and a new one that is the same say what the password is.
        let judges = user.passwordHash != nil && (changes.password != nil || changes.currentPassword != nil)
        guard judges else { return try await apply(changes, of: authenticated, isProved: false, nil, call) }
        return try await ports.limits.guessing(at: user.id, call: call, store: ports.store) {
            try await judge(changes, of: authenticated, $0, call)
        }
    }

    private func judge(
        _ changes: UserChanges, of authenticated: AuthenticatedUser, _ guess: Guess, _ call: CallContext
    ) async throws -> UserRecord {
        var isProved = false
        do {
            isProved = try await provesPassword(changes, authenticated, call)
            return try await apply(changes, of: authenticated, isProved: isProved, guess, call)
        } catch let error as AuthError where !isProved && !Self.unjudged.contains(error.code) {
            try await ports.store.write { try guess.countWrong(in: $0) }
            throw error
        }
    }

    /// What is refused before any password was compared.
    private static let unjudged: Set<AuthErrorCode> = [
        .weakPassword, .reauthenticationNeeded, .currentPasswordRequired, .invalidRequest, .overloaded, .unavailable,
    ]

    /// Counts the messages that the change has caused.
    private func count(_ user: User, after before: User, _ step: FlowStep) throws {
        let limits = step.ports.limits
        if let email = user.pendingEmail, user.sent.emailChange != before.sent.emailChange {
            for message in OneTimeIssuer.emailChangeMessages(to: email, of: user, call: step.call) {
                try limits.sent(message, .mail, call: step.call, in: step.tx)
            }
        }
        if let phone = user.pendingPhone, user.sent.phoneChange != before.sent.phoneChange {
            try limits.sent(
                SentMessage(recipient: .phone(phone), isProven: false), .sms, call: step.call, in: step.tx)
        }
    }

    private func apply(
        _ changes: UserChanges, of authenticated: AuthenticatedUser, isProved: Bool, _ guess: Guess?,
        _ call: CallContext
    ) async throws -> UserRecord {
        let new = try await newPassword(changes, authenticated, isProved: isProved, call)
        let outcome: Result<UserRecord, AuthError> = try await ports.write(call) { step in
            try guess?.requireRoom(in: step.tx)
            var user = try authenticated.usable(call, step.tx)
            guard !isProved && new == nil || user.passwordHash == authenticated.user.passwordHash else {
                // A judgement on a password does not hold for the one after it.
                throw AuthError(.conflict, reason: "the password was changed meanwhile", field: "password")
            }
            let before = user
            if !isProved, let refusal = try reauthentication(changes, authenticated, user, step) {
                return .failure(refusal)
            }
            if let new { try changePassword(of: &user, to: new, authenticated, step) }
            try user.write(metadata: changes.userMetadata, attributes: changes.attributes, call: call)
            try changeEmail(of: &user, changes, step)
            try changePhone(of: &user, changes, step)
            user.updatedAt = call.now
            user = try step.tx.update(user)
            try count(user, after: authenticated.user, step)
            try OwnerNotice(step).tell(before, became: user, passwordChanged: new != nil)
            try step.record(.userModified, user)
            return .success(try UserRecord(user, step.tx))
        }
        return try outcome.get()
    }

    // MARK: Password

    /// Whether the call shows the current password with what it changes of the ways in. Costs a comparison.
    private func provesPassword(
        _ changes: UserChanges, _ authenticated: AuthenticatedUser, _ call: CallContext
    ) async throws -> Bool {
        guard let current = changes.currentPassword, let stored = authenticated.user.passwordHash,
            changes.password != nil || changes.email != nil || changes.phone != nil
        else { return false }
        guard case .match = try await ports.passwords.verify(current, against: stored) else {
            throw AuthError(.currentPasswordInvalid)
        }
        return true
    }

    /// Judges and hashes the new password outside any transaction.
    private func newPassword(
        _ changes: UserChanges, _ authenticated: AuthenticatedUser, isProved: Bool, _ call: CallContext
    ) async throws -> NewPassword? {
        guard let password = changes.password else { return nil }
        let user = authenticated.user
        try call.requireAcceptable(password, email: changes.email ?? user.email)
        if user.isAnonymous, changes.email == nil, changes.phone == nil, user.pendingEmail == nil {
            throw AuthError(.invalidRequest, reason: "an anonymous user has nothing to sign in by", field: "password")
        }
        if !isProved, needsNonce(changes, authenticated, user, call), changes.nonce == nil {
            throw AuthError(.reauthenticationNeeded)
        }
        if let stored = user.passwordHash {
            let recovers = authenticated.session.methods.contains { $0.name == .recovery || $0.name == .oneTimeCode }
            guard isProved || recovers || !call.settings.password.changeNeedsCurrentPassword else {
                throw AuthError(.currentPasswordRequired)
            }
            guard try await ports.passwords.verify(password, against: stored) == .mismatch else {
                throw AuthError(.samePassword)
            }
        }
        return try await NewPassword(password, for: user.id, call: call, ports: ports)
    }

    /// What decides who may sign in is not for whoever found an old session open, or holds a token of one: a new
    /// password, a new number, and a new address that the present one has no say in. Who has no way in yet has nothing
    /// that could be taken from them.
    private func needsNonce(
        _ changes: UserChanges, _ authenticated: AuthenticatedUser, _ user: User, _ call: CallContext
    ) -> Bool {
        let age = call.now.age(of: authenticated.session.createdAt)
        if changes.password != nil, call.settings.password.changeNeedsReauthentication, age > Self.freshness {
            return true
        }
        let isProved = user.emailVerifiedAt != nil || user.phoneVerifiedAt != nil
        guard call.settings.oneTime.addressChangeNeedsReauthentication, age > Self.addressFreshness,
            isProved || user.passwordHash != nil
        else { return false }
        if let phone = changes.phone, phone != user.phone { return true }
        guard let email = changes.email, email != user.email else { return false }
        return user.emailVerifiedAt == nil || !call.settings.oneTime.secureEmailChange
    }

    /// `nil` when the change may go on. A wrong code is counted, so a refusal must be committed.
    private func reauthentication(
        _ changes: UserChanges, _ authenticated: AuthenticatedUser, _ user: User, _ step: FlowStep
    ) throws -> AuthError? {
        guard needsNonce(changes, authenticated, user, step.call) else { return nil }
        guard let nonce = changes.nonce else { return AuthError(.reauthenticationNeeded) }
        let isRight = try OneTimeCodeCheck(step).spend(nonce, purpose: .reauthentication, of: user)
        return isRight ? nil : AuthError(.reauthenticationInvalid)
    }

    private func changePassword(
        of user: inout User, to new: NewPassword, _ authenticated: AuthenticatedUser, _ step: FlowStep
    ) throws {
        try new.set(on: &user, step)
        user.revokeTokens(at: step.now)
        // An anonymous user who is giving themselves an address and a password does both, in whichever order.
        if !user.isAnonymous {
            user.dropPendingChanges()
            try AccountEnding(step).endProofs(of: user)
        }
        try step.tx.revokeSessions(
            of: user.id, in: user.directoryID, except: authenticated.session.id, because: .passwordChanged,
            at: step.now)
        try step.record(.passwordChanged, user)
    }

    // MARK: Addresses

    private func changeEmail(of user: inout User, _ changes: UserChanges, _ step: FlowStep) throws {
        guard let email = changes.email, email != user.email else { return }
        let owner = try step.tx.user(email: email, in: step.directory)
        if user.isAnonymous, step.settings.signUp.emailAutoConfirm {
            guard owner == nil else { throw AuthError(.emailExists, field: "email") }
            user.email = email
            user.emailVerifiedAt = step.now
            try becomeKnown(&user, step)
            return
        }
        try step.record(.emailChangeRequested, user)
        if user.pendingEmail == email, isUnderWay(user.sent.emailChange, step.call) { return }
        guard let owner else {
            try OneTimeIssuer(step).sendEmailChange(
                to: email, of: &user, redirectTo: changes.redirectTo, codeChallenge: changes.codeChallenge)
            return
        }
        try concealEmailChange(to: email, of: &user, owner: owner, changes, step)
    }

    /// Whether the same request has just been answered: a double tap, or a proxy that tried again.
    private func isUnderWay(_ sent: Instant?, _ call: CallContext) -> Bool {
        sent.map { call.now.age(of: $0) < .seconds(call.settings.oneTime.resendInterval) } ?? false
    }

    /// The caller is told, and finds in their own mailbox, what they would for a free address; its owner learns of the
    /// attempt. Without a proof for the wanted address the change can't be completed.
    private func concealEmailChange(
        to email: EmailAddress, of user: inout User, owner: User, _ changes: UserChanges, _ step: FlowStep
    ) throws {
        let issuer = OneTimeIssuer(step)
        user.pendingEmail = email
        user.pendingEmailHalfConfirmed = false
        user.sent.emailChange = step.now
        try step.tx.deleteOneTimeTokens(
            of: user.id, in: user.directoryID, purposes: [.emailChangeCurrent, .emailChangeNew])
        if let current = user.email, step.settings.oneTime.secureEmailChange {
            try issuer.send(
                .emailChangeCurrent, to: &user, recipient: .email(current), redirectTo: changes.redirectTo,
                codeChallenge: changes.codeChallenge)
        }
        try issuer.rehearse(.emailChangeNew, recipient: .email(email), redirectTo: changes.redirectTo)
        try OwnerNotice(step).tellOfAttempt(at: email, of: owner)
    }

    private func changePhone(of user: inout User, _ changes: UserChanges, _ step: FlowStep) throws {
        guard let phone = changes.phone, phone != user.phone else { return }
        let isTaken = try step.tx.user(phone: phone, in: step.directory) != nil
        if step.settings.signUp.phoneAutoConfirm {
            guard !isTaken else { throw AuthError(.phoneExists, field: "phone") }
            user.phone = phone
            user.phoneVerifiedAt = step.now
            try becomeKnown(&user, step)
            return
        }
        if user.pendingPhone == phone, isUnderWay(user.sent.phoneChange, step.call) { return }
        user.pendingPhone = phone
        guard !isTaken else {
            // As with an email address: the same answer, and no code that could be typed.
            user.sent.phoneChange = step.now
            try step.tx.deleteOneTimeTokens(of: user.id, in: user.directoryID, purposes: [.phoneChange])
            try OneTimeIssuer(step).rehearse(.phoneChange, recipient: .phone(phone), redirectTo: nil)
            return
        }
        try OneTimeIssuer(step).send(
            .phoneChange, to: &user, recipient: .phone(phone), redirectTo: nil, codeChallenge: nil)
    }

    private func becomeKnown(_ user: inout User, _ step: FlowStep) throws {
        user.isAnonymous = false
        try LocalIdentities(step).align(&user)
    }
}

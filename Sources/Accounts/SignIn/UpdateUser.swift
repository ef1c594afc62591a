// SPDX-License-Identifier: Apache-2.0

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
    /// The code that proves a fresh reauthentication.
    public var nonce: String?
    public var currentPassword: Secret<String>?
    public var redirectTo: String?
    public var codeChallenge: String?

    public init() {}
}

/// Changes a signed-in user's account at their own wish.
public struct UpdateUser: Sendable {
    /// A session this young counts as a fresh authentication.
    static let freshness = Span.hours(24)

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
    ///   ``AuthErrorCode/emailExists`` and ``AuthErrorCode/phoneExists`` where the address would count at once.
    public func callAsFunction(
        _ changes: UserChanges, of authenticated: AuthenticatedUser, call: CallContext
    ) async throws -> UserRecord {
        let hash = try await newHash(changes, authenticated, call)
        let ports = ports
        let outcome: Result<UserRecord, AuthError>
        do {
            outcome = try await ports.store.write { tx in
                guard var user = try tx.user(authenticated.user.id, in: call.directory.id), user.deletedAt == nil else {
                    return .failure(AuthError(.userNotFound))
                }
                if hash != nil, let refusal = try reauthentication(changes, authenticated, user, call, tx) {
                    return .failure(refusal)
                }
                if let hash { try changePassword(of: &user, to: hash, authenticated, call, tx) }
                if let metadata = changes.userMetadata { user.userMetadata = user.userMetadata.merging(metadata) }
                try changeEmail(of: &user, changes, call, tx)
                try changePhone(of: &user, changes, call, tx)
                user.updatedAt = call.now
                user = try tx.update(user)
                try audit(.userModified, user, call, tx)
                return .success(
                    UserRecord(user: user, identities: try tx.identities(of: user.id, in: user.directoryID)))
            }
        } catch let conflict as StoreConflict {
            throw AuthError(taken: conflict)
        }
        return try outcome.get()
    }

    // MARK: Password

    /// Judges and hashes the new password outside any transaction.
    private func newHash(
        _ changes: UserChanges, _ authenticated: AuthenticatedUser, _ call: CallContext
    ) async throws -> PasswordHash? {
        guard let password = changes.password else { return nil }
        let user = authenticated.user
        try call.requireAcceptable(password, email: changes.email ?? user.email)
        if user.isAnonymous, changes.email == nil, changes.phone == nil, user.pendingEmail == nil {
            throw AuthError(.invalidRequest, reason: "an anonymous user has nothing to sign in by", field: "password")
        }
        if needsNonce(authenticated, call), changes.nonce == nil { throw AuthError(.reauthenticationNeeded) }
        if let stored = user.passwordHash {
            let recovers = authenticated.session.methods.contains { $0.name == .recovery || $0.name == .oneTimeCode }
            if call.settings.password.changeNeedsCurrentPassword, !recovers {
                guard let current = changes.currentPassword else { throw AuthError(.currentPasswordRequired) }
                guard case .match = try await ports.passwords.verify(current, against: stored) else {
                    throw AuthError(.currentPasswordInvalid)
                }
            }
            guard try await ports.passwords.verify(password, against: stored) == .mismatch else {
                throw AuthError(.samePassword)
            }
        }
        return try await ports.passwords.hash(password)
    }

    private func needsNonce(_ authenticated: AuthenticatedUser, _ call: CallContext) -> Bool {
        call.settings.password.changeNeedsReauthentication
            && call.now - authenticated.session.createdAt > Self.freshness
    }

    /// `nil` when the change may go on. A wrong code is counted, so a refusal must be committed.
    private func reauthentication(
        _ changes: UserChanges, _ authenticated: AuthenticatedUser, _ user: User, _ call: CallContext,
        _ tx: any StoreWriting
    ) throws -> AuthError? {
        guard needsNonce(authenticated, call) else { return nil }
        guard let nonce = changes.nonce else { return AuthError(.reauthenticationNeeded) }
        let isRight = try OneTimeCodeCheck(ports).spend(nonce, purpose: .reauthentication, of: user, call: call, in: tx)
        return isRight ? nil : AuthError(.reauthenticationInvalid)
    }

    private func changePassword(
        of user: inout User, to hash: PasswordHash, _ authenticated: AuthenticatedUser, _ call: CallContext,
        _ tx: any StoreWriting
    ) throws {
        user.passwordHash = hash
        try AccountEnding(now: call.now).endProofs(of: user, in: tx)
        try tx.revokeSessions(
            of: user.id, in: user.directoryID, except: authenticated.session.id, because: .passwordChanged,
            at: call.now)
        if let email = user.email, user.emailVerifiedAt != nil {
            try tx.enqueue(ports.messages.notice(.passwordChanged, to: email, user: user, call: call))
        }
        try audit(.passwordChanged, user, call, tx)
    }

    // MARK: Addresses

    private func changeEmail(
        of user: inout User, _ changes: UserChanges, _ call: CallContext, _ tx: any StoreWriting
    ) throws {
        guard let email = changes.email, email != user.email else { return }
        let owner = try tx.user(email: email, in: call.directory.id)
        if user.isAnonymous, call.settings.signUp.emailAutoConfirm {
            guard owner == nil else { throw AuthError(.emailExists, field: "email") }
            user.email = email
            user.emailVerifiedAt = call.now
            try becomeKnown(&user, call, tx)
            return
        }
        try audit(.emailChangeRequested, user, call, tx)
        guard let owner else {
            try OneTimeIssuer(ports).sendEmailChange(
                to: email, of: &user, redirectTo: changes.redirectTo, codeChallenge: changes.codeChallenge, call: call,
                in: tx)
            return
        }
        // The caller is told what anybody is told; the address's owner learns of the attempt.
        user.pendingEmail = email
        user.pendingEmailHalfConfirmed = false
        user.sent.emailChange = call.now
        try tx.deleteOneTimeTokens(
            of: user.id, in: user.directoryID, purposes: [.emailChangeCurrent, .emailChangeNew])
        try tx.enqueue(ports.messages.notice(.accountExists, to: email, user: owner, call: call))
    }

    private func changePhone(
        of user: inout User, _ changes: UserChanges, _ call: CallContext, _ tx: any StoreWriting
    ) throws {
        guard let phone = changes.phone, phone != user.phone else { return }
        guard try tx.user(phone: phone, in: call.directory.id) == nil else {
            throw AuthError(.phoneExists, field: "phone")
        }
        if call.settings.signUp.phoneAutoConfirm {
            user.phone = phone
            user.phoneVerifiedAt = call.now
            try becomeKnown(&user, call, tx)
            return
        }
        user.pendingPhone = phone
        try OneTimeIssuer(ports).send(
            .phoneChange, to: &user, recipient: .phone(phone), redirectTo: nil, codeChallenge: nil, call: call, in: tx)
    }

    private func becomeKnown(_ user: inout User, _ call: CallContext, _ tx: any StoreWriting) throws {
        user.isAnonymous = false
        _ = try LocalIdentities(random: ports.random, now: call.now).align(&user, in: tx)
    }

    private func audit(
        _ action: AuditEvent.Action, _ user: User, _ call: CallContext, _ tx: any StoreWriting
    ) throws {
        try tx.append(
            AuditEvent(action, user: user.id, email: user.email, details: [:], call: call, random: ports.random))
    }
}

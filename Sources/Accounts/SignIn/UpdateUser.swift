// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Changes a signed-in user's account at their own wish.
public struct UpdateUser: Sendable {
    let ports: AccountPorts

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
    ///   ``AuthErrorCode/messageRateLimited`` while no message can be sent to a new address or number, and
    ///   ``AuthErrorCode/textMessagesUnavailable`` where none ever can.
    public func callAsFunction(
        _ changes: UserChanges, of authenticated: AuthenticatedUser, call: CallContext
    ) async throws -> UserRecord {
        // Judged first, so that a malformed one is refused whether or not the address it comes with is free.
        _ = try PKCE.checked(changes.codeChallenge)
        try await call.requireKnownTerms(ports.store)
        let user = authenticated.user
        if let email = changes.email, email != user.email, changes.sendsToEmail {
            try await ports.limits.requireRoom(forUnprovedBy: .mail, call: call, store: ports.store)
        }
        if let phone = changes.phone, phone != user.phone, changes.sendsToPhone {
            if !call.settings.signUp.phoneAutoConfirm { try ports.requireReach(.phone(phone), call: call) }
            try await ports.limits.requireRoom(forUnprovedBy: .sms, call: call, store: ports.store)
        }
        // Both the current password and a new one that is the same say what the password is.
        let judges = user.passwordHash != nil && (changes.password != nil || changes.currentPassword != nil)
        guard judges else { return try await apply(changes, of: authenticated, isProved: false, nil, call).get() }
        // What is refused whatever the password is comes before it is compared.
        if changes.isOfWaysIn(of: user) { try await ports.requireAssurance(authenticated, call: call) }
        var described = user
        try described.write(metadata: changes.userMetadata, attributes: changes.attributes, call: call)
        if changes.email != nil || changes.phone != nil {
            try await ports.store.read { [limits = ports.limits] tx in
                let stored = try tx.user(user.id, in: user.directoryID) ?? user
                try AddressChange.requireRoom(for: changes, of: stored, limits: limits, call: call, in: tx)
            }
        }
        return try await ports.guessing(at: user.id, in: authenticated.session?.id, call: call) {
            try await judge(changes, of: authenticated, $0, call)
        }
    }

    private func judge(
        _ changes: UserChanges, of authenticated: AuthenticatedUser, _ guess: PasswordGuess, _ call: CallContext
    ) async throws -> UserRecord {
        if let shown = changes.currentPassword ?? changes.password {
            let isByCode = changes.currentPassword == nil && changes.nonce != nil
            try await guess.requireOpen(
                shown, else: isByCode ? .reauthenticationInvalid : .currentPasswordInvalid, ports: ports, call: call)
        }
        var isProved = false
        let outcome: Result<UserRecord, AuthError>
        do {
            isProved = try await provesPassword(changes, authenticated)
            outcome = try await apply(changes, of: authenticated, isProved: isProved, guess, call)
        } catch let error as AuthError where !isProved && !Self.unjudged.contains(error.code) {
            // What refused it has undone its transaction, or come before it. Whatever it was, it may have told what the
            // password is or is not: what the caller can have refused at will counts as any wrong one.
            guard !Self.othersDoing.contains(error.code) else {
                try await ports.store.write { try guess.countWrong(in: $0) }
                throw error
            }
            let judgement = try await ports.write(call) { try guess.judge(false, else: error.code, $0) }
            if case .refused(let refusal, _) = judgement, refusal.code != error.code { throw refusal }
            throw error
        }
        return try outcome.get()
    }

    /// What is refused before any password was compared.
    private static let unjudged: Set<AuthErrorCode> = [
        .weakPassword, .reauthenticationNeeded, .currentPasswordRequired, .invalidRequest, .overloaded, .unavailable,
    ]

    /// What others have done, and no wrong password: what has come over the account meanwhile, a program's or an app's
    /// table's refusal, a fault of the server's own. Counted towards the limits, and locks nothing: an app that tries
    /// again would lock its user out.
    private static let othersDoing: Set<AuthErrorCode> = [
        .conflict, .sessionNotFound, .userBanned, .userNotFound, .changeRefused, .hookRefused, .hookFailed,
        .internalFailure,
    ]

    /// What a user takes from their own account leaves them a way back into it.
    ///
    /// - Throws: ``AuthErrorCode/lastWayIn``.
    private static func requireWayBack(into user: User, _ changes: UserChanges, _ step: FlowStep) throws {
        guard !changes.removes.isEmpty else { return }
        let identities = try LocalIdentities.all(of: user, step.tx)
        guard WaysToSignIn(user, identities).areLeft || user.isAnonymous else { throw AuthError(.lastWayIn) }
    }

    /// A change whose messages the Directory's brake has no room for. It says nothing of the password.
    private struct Unsent: Error {
        let exhaustion: MessageExhaustion
    }

    /// - Returns: a refusal that is to be kept, and with it the guess; what is thrown has left nothing.
    private func apply(
        _ changes: UserChanges, of authenticated: AuthenticatedUser, isProved: Bool, _ guess: PasswordGuess?,
        _ call: CallContext
    ) async throws -> Result<UserRecord, AuthError> {
        do {
            return try await write(changes, of: authenticated, isProved: isProved, guess, call)
        } catch let unsent as Unsent {
            // That the new password is not the present one shows all the same, and it stays that: counted, and locks
            // nothing.
            if !isProved, let guess { try await ports.store.write { try guess.countWrong(in: $0) } }
            return .failure(ports.limits.refusal(unsent.exhaustion, call: call))
        }
    }

    private func write(
        _ changes: UserChanges, of authenticated: AuthenticatedUser, isProved: Bool, _ guess: PasswordGuess?,
        _ call: CallContext
    ) async throws -> Result<UserRecord, AuthError> {
        let new = try await newPassword(changes, authenticated, isProved: isProved, call)
        return try await ports.write(call) { step in
            if isProved, let guess {
                switch try guess.judge(true, else: .currentPasswordInvalid, step) {
                case .refused(let error, _): return .failure(error)
                case .right(let standing): try Lockouts(step).succeed(standing)
                }
            }
            try guess?.requireRoom(in: step.tx)
            var user = try authenticated.usable(call, step.tx)
            guard !isProved && new == nil || user.passwordHash == authenticated.user.passwordHash else {
                // A judgement on a password does not hold for the one after it.
                throw AuthError(.conflict, reason: "the password was changed meanwhile", field: "password")
            }
            if changes.isOfWaysIn(of: user) { try AssuranceRule(step).require(authenticated) }
            let before = user
            let reauthentication = Reauthentication(authenticated, call: call)
            if !isProved, let refusal = try reauthentication.refusal(of: changes, of: user, step) {
                guard !Self.unjudged.contains(refusal.code), let guess,
                    case .refused(let error, _) = try guess.judge(false, else: refusal.code, step)
                else { return .failure(refusal) }
                return .failure(error)
            }
            if let new {
                try PasswordReplacement(step, by: .session(authenticated.session?.id)).apply(.new(new), to: &user)
            }
            let removal = PartRemoval(step, by: .session(authenticated.session?.id))
            try removal.apply(changes.removes, to: &user)
            try user.write(metadata: changes.userMetadata, attributes: changes.attributes, call: call)
            let change = AddressChange(changes, step)
            try change.dropFormer(of: &user, by: removal)
            let messages = try change.email(of: &user) + change.phone(of: &user)
            try Self.requireWayBack(into: user, changes, step)
            user.updatedAt = call.now
            user = try step.tx.update(user)
            step.followConfirmation(of: user, from: before)
            do {
                for message in messages { try step.ports.limits.require(message, call: call, in: step.tx) }
            } catch let exhaustion as MessageExhaustion {
                throw Unsent(exhaustion: exhaustion)
            }
            try OwnerNotice(step).tell(before, became: user)
            try step.record(.userModified, user)
            return .success(try UserRecord(user, step.tx))
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Passwords

/// Signs a user in by a password.
///
/// Every attempt costs the same comparisons, whoever it is about: one with a hash of today's form, and one with each other
/// form that the Directory still holds. What is wrong with an account (banned,
/// unconfirmed, a temporary password) is said only to somebody who knows its password.
public struct PasswordSignIn: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// - Throws: ``AuthErrorCode/emailSignInDisabled``, ``AuthErrorCode/phoneSignInDisabled``,
    ///   ``AuthErrorCode/invalidCredentials``; after a right password ``AuthErrorCode/userBanned``,
    ///   ``AuthErrorCode/temporaryPasswordExpired``, ``AuthErrorCode/passwordChangeRequired``,
    ///   ``AuthErrorCode/emailNotVerified`` or ``AuthErrorCode/phoneNotVerified``; ``AuthErrorCode/rateLimited`` after
    ///   too many wrong ones, ``AuthErrorCode/overloaded``.
    public func callAsFunction(
        _ identifier: SignInIdentifier, password: Secret<String>, call: CallContext
    ) async throws -> IssuedSession {
        try await attempt(identifier, password: password, call: call).session()
    }

    /// As ``callAsFunction(_:password:call:)``, for dialects that let the user replace a temporary password at once.
    public func attempt(
        _ identifier: SignInIdentifier, password: Secret<String>, call: CallContext
    ) async throws -> SignInOutcome {
        try call.requireEnabled(identifier)
        let (found, held) = try await ports.store.read { tx in
            (
                try tx.judged(try tx.user(known: identifier, in: call.directory.id), call),
                try tx.passwordForms(in: call.directory.id, limit: ForeignHashes.maximum + 1)
                    .compactMap { PasswordHash(madeUpOf: $0) }
            )
        }
        let attempt = try await ports.limits.guessing(
            at: identifier.subject(found, in: call.directory), call: call, store: ports.store
        ) { try await judge(found, held, identifier, password, $0, call) }
        switch attempt.outcome {
        case .issued(let issued):
            await complete(issued.user, with: password, rehash: attempt.verdict == .match(rehash: true), call)
            return .session(issued)
        case .mustChange(let user): return .passwordChangeRequired(user)
        case .refused(let error): throw error
        case .hashReplaced: throw AuthError(.invalidCredentials)
        }
    }

    // A refusal is written down in the same number of transactions as a success, so it leaves as a value.
    private enum Outcome: Sendable {
        case issued(IssuedSession)
        case refused(AuthError)
        case mustChange(UserRecord)
        /// The password was right for a hash that is no longer the user's.
        case hashReplaced(User)
    }

    private func judge(
        _ found: User?, _ held: [PasswordHash], _ identifier: SignInIdentifier, _ password: Secret<String>,
        _ guess: Guess, _ call: CallContext
    ) async throws -> (outcome: Outcome, verdict: PasswordVerdict) {
        let first = try await judge(found, held, identifier, password, guess, call, isLast: false)
        guard case .hashReplaced(let current) = first.outcome else { return first }
        // An imported hash that another sign-in gave today's form at this moment: the same password is still right.
        // Whoever comes here has proved the older hash's, so the second comparison tells a stranger nothing.
        return try await judge(current, held, identifier, password, guess, call, isLast: true)
    }

    private func judge(
        _ found: User?, _ held: [PasswordHash], _ identifier: SignInIdentifier, _ password: Secret<String>,
        _ guess: Guess, _ call: CallContext, isLast: Bool
    ) async throws -> (outcome: Outcome, verdict: PasswordVerdict) {
        let verdict = try await ports.passwords.verify(password, against: found?.passwordHash, among: held)
        let outcome: Outcome = try await ports.write(call) { step in
            switch verdict {
            case .match: try guess.requireRoom(in: step.tx)
            case .mismatch: try guess.countWrong(in: step.tx)
            }
            guard case .match = verdict, let found,
                let user = try step.tx.judged(try step.tx.user(found.id, in: step.directory), call),
                user.deletedAt == nil, user.passwordHash == found.passwordHash || !isLast && user.passwordHash != nil
            else {
                return .refused(try refuse(AuthError(.invalidCredentials), of: found?.id, identifier, step))
            }
            guard user.passwordHash == found.passwordHash else { return .hashReplaced(user) }
            let issuer = SessionIssuer(step)
            if let refusal = issuer.refusal(of: user, by: .password, identifier: identifier) {
                let error = try refuse(refusal, of: user.id, identifier, step)
                guard error.code == .passwordChangeRequired else { return .refused(error) }
                return .mustChange(try UserRecord(user, step.tx))
            }
            return .issued(try issuer.issue(for: user, by: .password, identifier: identifier))
        }
        return (outcome, verdict)
    }

    private func refuse(
        _ error: AuthError, of user: UserID?, _ identifier: SignInIdentifier, _ step: FlowStep
    ) throws -> AuthError {
        try step.record(
            .signInFailed, user: user, email: identifier.email,
            details: ["method": "password", "reason": .string(error.code.rawValue)])
        return error
    }

    /// Gives an imported or older hash today's form, and a user without an SRP verifier theirs. Losing this race, or
    /// finding the pool full, costs nothing: the next sign-in tries again.
    private func complete(_ user: User, with password: Secret<String>, rehash: Bool, _ call: CallContext) async {
        let needsVerifier = call.settings.password.srpEnabled && user.srpVerifier == nil
        guard rehash || needsVerifier else { return }
        let hash = rehash ? try? await ports.passwords.hash(password) : nil
        guard hash != nil || needsVerifier else { return }
        let verifier =
            needsVerifier
            ? try? SRPVerifier(of: password, for: user.id, in: call.directory, random: ports.random)
            : user.srpVerifier
        try? await ports.store.write { tx in
            guard var current = try tx.user(user.id, in: call.directory.id), current.deletedAt == nil,
                current.passwordHash == user.passwordHash
            else { return }
            // The password stays the same, so what belongs to it does too.
            let temporary = current.temporaryPassword
            if let hash { current.passwordHash = hash }
            current.srpVerifier = verifier
            current.temporaryPassword = temporary
            try tx.update(current)
        }
    }
}

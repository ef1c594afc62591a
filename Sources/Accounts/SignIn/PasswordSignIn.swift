// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Passwords

/// Signs a user in by a password.
///
/// Every attempt costs the same comparisons, whoever it is about: one with a hash of today's form, and one with each
/// other form that the Directory still holds. What is wrong with an account (banned, unconfirmed, a temporary password)
/// is said only to somebody who knows its password.
public struct PasswordSignIn: Sendable {
    /// The same for a right password and a wrong one: under a lock nothing may tell them apart.
    private static let purpose = "sign in by password"

    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// - Throws: ``AuthErrorCode/emailSignInDisabled``, ``AuthErrorCode/phoneSignInDisabled``,
    ///   ``AuthErrorCode/invalidCredentials``, also for a right password while too many wrong ones have locked it, and
    ///   ``AuthErrorCode/accountLocked`` where the Directory says so; after a right password
    ///   ``AuthErrorCode/userBanned``, ``AuthErrorCode/temporaryPasswordExpired``, ``AuthErrorCode/emailNotVerified``
    ///   or ``AuthErrorCode/phoneNotVerified``; ``AuthErrorCode/rateLimited`` after too many wrong ones,
    ///   ``AuthErrorCode/overloaded``.
    public func callAsFunction(
        _ identifier: SignInIdentifier, password: Secret<String>, call: CallContext
    ) async throws -> SignInStep {
        try call.requireEnabled(identifier)
        let (found, held) = try await ports.look(for: Self.purpose, call: call) { tx in
            (
                try tx.judged(try tx.user(known: identifier, in: call.directory.id), call),
                try tx.passwordForms(in: call.directory.id, limit: ForeignHashes.maximum + 1)
                    .compactMap { PasswordHash(madeUpOf: $0) }
            )
        }
        // Who may be brought along is looked for elsewhere, which is not to be done twice, nor beyond the limits.
        let isHopeful = found != nil || !MigrateUser(ports).isAsked(call)
        let attempt = try await ports.guessing(
            at: identifier.subject(found, in: call.directory), as: identifier, for: Self.purpose,
            isHopeful: isHopeful, call: call
        ) { guess in
            let found = try await migrated(found, identifier, password, guess, call)
            return try await judge(found, held, identifier, password, guess, call)
        }
        switch attempt.outcome {
        case .concluded(let conclusion):
            let next = try conclusion.get()
            // Not for who is about to choose another.
            if next.pendingStep != .newPassword {
                await complete(next.user, with: password, rehash: attempt.verdict == .match(rehash: true), call)
            }
            return next
        case .hashReplaced: throw AuthError(.invalidCredentials)
        }
    }

    /// Whom nobody here is called like may be brought along. Not while there is a lock, and as an attempt that counts:
    /// the program is nobody's to guess at.
    private func migrated(
        _ found: User?, _ identifier: SignInIdentifier, _ password: Secret<String>, _ guess: PasswordGuess,
        _ call: CallContext
    ) async throws -> User? {
        let migration = MigrateUser(ports)
        guard found == nil, migration.isAsked(call) else { return found }
        try await guess.requireOpen(password, else: .invalidCredentials, ports: ports, call: call)
        return try await migration(identifier, password: password, call: call)
    }

    private enum Outcome: Sendable {
        case concluded(Result<SignInStep, AuthError>)
        /// The password was right for a hash that is no longer the user's.
        case hashReplaced(User)
    }

    private func judge(
        _ found: User?, _ held: [PasswordHash], _ identifier: SignInIdentifier, _ password: Secret<String>,
        _ guess: PasswordGuess, _ call: CallContext
    ) async throws -> (outcome: Outcome, verdict: PasswordVerdict) {
        let first = try await judge(found, held, identifier, password, guess, call, isLast: false)
        guard case .hashReplaced(let current) = first.outcome else { return first }
        // An imported hash that another sign-in gave today's form at this moment: the same password is still right.
        // Whoever comes here has proved the older hash's, so the second comparison tells a stranger nothing.
        return try await judge(current, held, identifier, password, guess, call, isLast: true)
    }

    private func judge(
        _ found: User?, _ held: [PasswordHash], _ identifier: SignInIdentifier, _ password: Secret<String>,
        _ guess: PasswordGuess, _ call: CallContext, isLast: Bool
    ) async throws -> (outcome: Outcome, verdict: PasswordVerdict) {
        let verdict = try await ports.passwords.verify(password, against: found?.passwordHash, among: held)
        let outcome: Outcome = try await ports.writeBriefly(call) { step in
            let attempt = SignInAttempt(step, by: "password", email: identifier.email)
            let standing: LockoutStanding
            switch try guess.judge(verdict != .mismatch, step) {
            case .refused(let error, let reason):
                // Under a lock nothing was compared.
                if reason != .accountLocked, let refusal = try attempt.heard(false, of: found) {
                    return .concluded(.failure(refusal))
                }
                return .concluded(.failure(try attempt.refuse(error, reason: reason, user: found?.id)))
            case .right(let open): standing = open
            }
            let stored = try found.flatMap { try step.tx.user($0.id, in: step.directory) }
            guard let found, let user = try step.tx.judged(stored, call), user.deletedAt == nil,
                user.passwordHash == found.passwordHash || !isLast && user.passwordHash != nil
            else { return .concluded(.failure(try attempt.refuse(.invalidCredentials, user: found?.id))) }
            guard user.passwordHash == found.passwordHash else { return .hashReplaced(user) }
            if let refusal = try attempt.heard(true, of: user) { return .concluded(.failure(refusal)) }
            try Lockouts(step).succeed(standing)
            let proof = SignInProof(.password, at: call.now, identifier: identifier)
            return .concluded(try attempt.conclude(proof, of: user, user.standing(to: stored)))
        }
        return (outcome, verdict)
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

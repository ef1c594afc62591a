// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Passwords

/// Signs a user in by a password.
///
/// Every attempt costs exactly one comparison, whoever it is about, and what is wrong with an account (banned,
/// unconfirmed) is said only to somebody who knows its password.
public struct PasswordSignIn: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// - Throws: ``AuthErrorCode/emailSignInDisabled``, ``AuthErrorCode/phoneSignInDisabled``,
    ///   ``AuthErrorCode/invalidCredentials``; after a right password ``AuthErrorCode/userBanned``,
    ///   ``AuthErrorCode/emailNotVerified`` or ``AuthErrorCode/phoneNotVerified``; ``AuthErrorCode/overloaded``.
    public func callAsFunction(
        _ identifier: SignInIdentifier, password: Secret<String>, call: CallContext
    ) async throws -> IssuedSession {
        switch identifier {
        case .email: guard call.settings.signUp.emailEnabled else { throw AuthError(.emailSignInDisabled) }
        case .phone: guard call.settings.signUp.phoneEnabled else { throw AuthError(.phoneSignInDisabled) }
        }
        let found = try await ports.store.read { try Self.find(identifier, call, $0) }
        var attempt = try await judge(found, identifier, password, call, isLast: false)
        if case .hashReplaced(let current) = attempt.outcome {
            // An imported hash that another sign-in gave today's form at this moment: the same password is still right.
            // Whoever comes here has proved the older hash's, so the second comparison tells a stranger nothing.
            attempt = try await judge(current, identifier, password, call, isLast: true)
        }
        switch attempt.outcome {
        case .issued(let issued):
            if attempt.verdict == .match(rehash: true) { try? await rehash(password, of: issued.user, call) }
            return issued
        case .refused(let error): throw error
        case .hashReplaced: throw AuthError(.invalidCredentials)
        }
    }

    // A refusal is written down in the same number of transactions as a success, so it leaves as a value.
    private enum Outcome: Sendable {
        case issued(IssuedSession)
        case refused(AuthError)
        /// The password was right for a hash that is no longer the user's.
        case hashReplaced(User)
    }

    private func judge(
        _ found: User?, _ identifier: SignInIdentifier, _ password: Secret<String>, _ call: CallContext, isLast: Bool
    ) async throws -> (outcome: Outcome, verdict: PasswordVerdict) {
        let verdict = try await ports.passwords.verify(password, against: found?.passwordHash)
        let issuer = SessionIssuer(random: ports.random)
        let outcome: Outcome = try await ports.store.write { tx in
            guard case .match = verdict, let found, let user = try tx.user(found.id, in: call.directory.id),
                user.deletedAt == nil, user.passwordHash == found.passwordHash || !isLast && user.passwordHash != nil
            else {
                return .refused(try refuse(AuthError(.invalidCredentials), of: found?.id, identifier, call, tx))
            }
            guard user.passwordHash == found.passwordHash else { return .hashReplaced(user) }
            if let refusal = issuer.refusal(of: user, by: .password, identifier: identifier, call: call) {
                return .refused(try refuse(refusal, of: user.id, identifier, call, tx))
            }
            return .issued(try issuer.issue(for: user, by: .password, identifier: identifier, call: call, in: tx))
        }
        return (outcome, verdict)
    }

    private static func find(
        _ identifier: SignInIdentifier, _ call: CallContext, _ tx: any StoreReading
    ) throws -> User? {
        switch identifier {
        case .email(let email): try tx.user(email: email, in: call.directory.id)
        case .phone(let phone): try tx.user(phone: phone, in: call.directory.id)
        }
    }

    private func refuse(
        _ error: AuthError, of user: UserID?, _ identifier: SignInIdentifier, _ call: CallContext,
        _ tx: any StoreWriting
    ) throws -> AuthError {
        try tx.append(
            AuditEvent(
                .signInFailed, user: user, email: identifier.email,
                details: ["method": "password", "reason": .string(error.code.rawValue)], call: call,
                random: ports.random))
        return error
    }

    /// Gives an imported or older hash today's form. Losing this race, or finding the pool full, costs nothing: the next
    /// sign-in tries again.
    private func rehash(_ password: Secret<String>, of user: User, _ call: CallContext) async throws {
        let old = user.passwordHash
        let hash = try await ports.passwords.hash(password)
        try await ports.store.write { tx in
            guard var current = try tx.user(user.id, in: call.directory.id), current.passwordHash == old else { return }
            current.passwordHash = hash
            try tx.update(current)
        }
    }
}

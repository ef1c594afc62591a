// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Passwords

/// Signs a user in by a password.
///
/// Every attempt costs exactly one hash, whoever it is about, and what is wrong with an account (banned, unconfirmed)
/// is said only to somebody who knows its password.
public struct PasswordSignIn: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// - Throws: ``AuthErrorCode/invalidCredentials``; after a right password ``AuthErrorCode/userBanned``,
    ///   ``AuthErrorCode/emailNotVerified`` or ``AuthErrorCode/phoneNotVerified``; ``AuthErrorCode/overloaded``.
    public func callAsFunction(
        _ identifier: SignInIdentifier, password: Secret<String>, call: CallContext
    ) async throws -> IssuedSession {
        let ports = ports
        let found = try await ports.store.read { try Self.find(identifier, call, $0) }
        let verdict = try await ports.passwords.verify(password, against: found?.passwordHash)
        // A refusal is written down in the same number of transactions as a success, so it leaves as a value.
        let outcome: Result<IssuedSession, AuthError> = try await ports.store.write { tx in
            guard case .match = verdict, let found,
                // The password may have been changed while it was being compared.
                let user = try tx.user(found.id, in: call.directory.id), user.passwordHash == found.passwordHash,
                user.deletedAt == nil
            else {
                return .failure(
                    try refuse(AuthError(.invalidCredentials), of: found?.id, identifier, call, tx))
            }
            do {
                return .success(
                    try SessionIssuer(random: ports.random)
                        .issue(for: user, by: .password, identifier: identifier, call: call, in: tx))
            } catch let error as AuthError {
                return .failure(try refuse(error, of: user.id, identifier, call, tx))
            }
        }
        let issued = try outcome.get()
        if verdict == .match(rehash: true) { try? await rehash(password, of: issued.user, call) }
        return issued
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

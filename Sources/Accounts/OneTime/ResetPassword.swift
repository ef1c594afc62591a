// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Passwords

/// Sets a new password for somebody who shows the link or the code of a recovery message, or of an invitation, in one
/// transaction with everything that follows from it. No session comes of it: the user signs in with what they chose.
public struct ResetPassword: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// Every attempt costs one hash, whoever it is about and whether or not the proof is right.
    ///
    /// The address that the message went to is thereby confirmed; all sessions, links and codes end, and what was
    /// issued before is revoked.
    ///
    /// - Parameter purposes: What the proof may be for.
    /// - Returns: The user as now stored.
    /// - Throws: ``AuthErrorCode/weakPassword``, ``AuthErrorCode/oneTimeTokenInvalid``, ``AuthErrorCode/userBanned``,
    ///   ``AuthErrorCode/overloaded``.
    public func callAsFunction(
        _ proof: Proof, purposes: [OneTimeToken.Purpose] = [.recovery], password: Secret<String>, call: CallContext
    ) async throws -> UserRecord {
        let subject = try await subject(of: proof, purposes, call)
        try call.requireAcceptable(password, email: subject.email)
        // For nobody too, so that a proof of theirs costs the same.
        let id = subject.user ?? ports.random.identifier()
        let new = try await NewPassword(password, for: id, call: call, ports: ports)
        let reset: UserRecord? = try await ports.write(call) { step in
            guard let (token, found) = try SpentProof(step).take(proof, purposes: purposes) else { return nil }
            try call.requireUsable(found)
            var user = try ProofEffects(step).apply(token, to: found, beforePassword: true).user
            // What the proof itself changed was told: the mailbox that it confirmed is now a way in too.
            try PasswordReplacement(step, by: .proof(token.purpose)).apply(.new(new), to: &user)
            user.updatedAt = call.now
            if token.purpose == .recovery {
                step.follow(.confirmed, of: user.id) { .confirmed($0, by: .recovery) }
            }
            return try UserRecord(step.tx.update(user), step.tx)
        }
        guard let reset else { throw AuthError(.oneTimeTokenInvalid) }
        return reset
    }

    /// Whom the proof is about, and the address whose words the password may not be made of.
    private func subject(
        of proof: Proof, _ purposes: [OneTimeToken.Purpose], _ call: CallContext
    ) async throws -> (user: UserID?, email: EmailAddress?) {
        switch proof {
        // Not the user's address, but the one that was typed: that a password is refused must not say whose name is
        // whose.
        case .code(let identifier, _), .codeOfAccount(let identifier, _):
            let user = try await ports.store.read { try $0.user(known: identifier, in: call.directory.id)?.id }
            return (user, identifier.email)
        case .link, .linkToken:
            let user = try await InspectProof(ports)(proof, purposes: purposes, call: call)?.user.user
            return (user?.id, user?.email)
        }
    }
}

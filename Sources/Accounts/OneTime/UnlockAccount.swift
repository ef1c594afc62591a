// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Lifts a lock for whoever shows the link of the message that told of it, and lets them choose a new password.
public struct UnlockAccount: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// The link is spent. From the network that it is shown in, the owner signs in from now on whatever others lock.
    ///
    /// - Parameter token: the link's.
    /// - Returns: what a new password can be set by, as by a recovery: see ``ResetPassword``. The present one stays
    ///   good.
    /// - Throws: ``AuthErrorCode/oneTimeTokenInvalid``, ``AuthErrorCode/userBanned``.
    public func callAsFunction(_ token: String, call: CallContext) async throws -> IssuedProof {
        let proof: IssuedProof? = try await ports.write(call) { step in
            guard let (_, found) = try SpentProof(step).take(.link(token: token), purposes: [.unlock]),
                let email = found.email
            else { return nil }
            try call.requireUsable(found)
            var user = found
            let proof = try OneTimeIssuer(step).make(
                .recovery, for: &user, recipient: .email(email), redirectTo: nil, codeChallenge: nil)
            try step.tx.update(user)
            return proof
        }
        guard let proof else { throw AuthError(.oneTimeTokenInvalid) }
        return proof
    }
}

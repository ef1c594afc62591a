// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Accepts a link or a code and does what it stands for, as ``VerifyProof`` does, but opens no session: for clients
/// that have their users sign in afterwards.
public struct ConfirmAddress: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// - Parameter purposes: What the proof may be for. A recovery that is to set a password goes through
    ///   ``ResetPassword``.
    /// - Returns: The user as now stored; a change of address that still waits for its other half is not yet seen in
    ///   it.
    /// - Throws: As ``VerifyProof``.
    public func callAsFunction(
        _ proof: Proof, purposes: [OneTimeToken.Purpose], call: CallContext
    ) async throws -> UserRecord {
        // A refusal must be committed with the attempt it counts, so it leaves the transaction as a value.
        let confirmed: UserRecord? = try await ports.write(call) { step in
            guard let (token, user) = try SpentProof(step).take(proof, purposes: purposes) else { return nil }
            try call.requireUsable(user)
            return try UserRecord(ProofEffects(step).apply(token, to: user).user, step.tx)
        }
        guard let confirmed else { throw AuthError(.oneTimeTokenInvalid) }
        return confirmed
    }
}

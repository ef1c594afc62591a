// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Mails a link and a code by which a user who forgot their password gets back in.
public struct RequestRecovery: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// Returns alike whether the address is known or not.
    ///
    /// - Throws: ``AuthErrorCode/emailSignInDisabled``, ``AuthErrorCode/invalidRequest`` for a malformed challenge.
    public func callAsFunction(
        _ email: EmailAddress, redirectTo: String? = nil, codeChallenge: String? = nil, call: CallContext
    ) async throws {
        guard call.settings.signUp.emailEnabled else { throw AuthError(.emailSignInDisabled) }
        let request = ProofRequest(
            purpose: .recovery, recipient: .email(email), redirectTo: redirectTo,
            codeChallenge: try PKCE.checked(codeChallenge), action: .recoveryRequested)
        try await ports.store.write { tx in
            let user = try tx.user(email: email, in: call.directory.id)
            try request.fulfil(for: user, call: call, ports: ports, in: tx)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Mails a signed-in user the link by which they confirm the address they have. Nothing is hidden from them: what is
/// not sent is refused.
public struct RequestVerification: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// Sends it also where the address is confirmed already, and then changes nothing by being followed.
    ///
    /// - Returns: The address that the message goes to.
    /// - Throws: ``AuthErrorCode/userNotFound``, ``AuthErrorCode/userBanned``, ``AuthErrorCode/sessionNotFound``;
    ///   ``AuthErrorCode/invalidEmail`` where the user has none; ``AuthErrorCode/mailRateLimited`` where the last
    ///   one has just been sent, and where no more may be.
    @discardableResult
    public func callAsFunction(
        _ authenticated: AuthenticatedUser, redirectTo: String? = nil, call: CallContext
    ) async throws -> EmailAddress {
        try await ports.limits.requireRoom(forUnprovedBy: .mail, call: call, store: ports.store)
        return try await ports.write(call) { step in
            let user = try authenticated.usable(call, step.tx)
            guard let email = user.email else { throw AuthError(.invalidEmail, field: "email") }
            // The account of whoever has the session, as it is: whatever others have signed up with is not theirs.
            let request = ProofRequest(
                purpose: .signUpConfirmation, recipient: .email(email), redirectTo: redirectTo, repeats: true,
                isHolders: true, tellsBrake: true, action: .confirmationRequested)
            guard try request.fulfil(for: user, step) else {
                throw AuthError(.mailRateLimited, reason: "as many as this recipient may have")
            }
            return email
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Mails a link and a code by which a user who forgot their password gets back in.
public struct RequestRecovery: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// Returns alike whether the user is known or not. To a user named by other than an address or number, the message
    /// goes where they have proved to be.
    ///
    /// - Throws: ``AuthErrorCode/emailSignInDisabled``, ``AuthErrorCode/phoneSignInDisabled``,
    ///   ``AuthErrorCode/invalidRequest`` for a malformed challenge; for everybody alike
    ///   ``AuthErrorCode/mailRateLimited`` or ``AuthErrorCode/messageRateLimited`` while the Directory may send nothing
    ///   more, and in a dialect that tells (``MessageHabits/tellsLimits``) to whoever asks too often; for a number
    ///   ``AuthErrorCode/textMessagesUnavailable``.
    /// - Returns: Whether a message was sent, which nobody is told who may not know who has an account.
    @discardableResult
    public func callAsFunction(
        _ identifier: SignInIdentifier, redirectTo: String? = nil, codeChallenge: String? = nil, call: CallContext
    ) async throws -> Bool {
        try call.requireEnabled(identifier)
        try ports.requireReach(identifier.ownRecipient, call: call)
        try await call.requireKnownTerms(ports.store)
        let challenge = try PKCE.checked(codeChallenge)
        try await ports.limits.requireRoom(
            forProvenBy: identifier.placeholder().channel, call: call, store: ports.store)
        return try await ports.limits.wishing(call) {
            try await ports.write(call) { step in
                try step.ports.limits.countWish(for: identifier, call: call, in: step.tx)
                let user =
                    try step.tx.user(known: identifier, in: step.directory)
                    ?? MigrateUser.forgotten(identifier, step)
                let known = identifier.recipient(for: user)
                let request = ProofRequest(
                    purpose: .recovery, recipient: try known ?? identifier.placeholder(), redirectTo: redirectTo,
                    codeChallenge: challenge, isByName: identifier.ownRecipient == nil, action: .recoveryRequested)
                return try request.fulfil(for: known == nil ? nil : user, step)
            }
        }
    }

    /// As ``callAsFunction(_:redirectTo:codeChallenge:call:)``, by address.
    public func callAsFunction(
        _ email: EmailAddress, redirectTo: String? = nil, codeChallenge: String? = nil, call: CallContext
    ) async throws {
        _ = try await self(.email(email), redirectTo: redirectTo, codeChallenge: codeChallenge, call: call)
    }
}

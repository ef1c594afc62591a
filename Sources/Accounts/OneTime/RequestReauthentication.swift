// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Sends a signed-in user a code that shows they are still the one who reads their mail or messages. It is spent where
/// it is needed, through ``OneTimeCodeCheck``.
public struct RequestReauthentication: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// Sends to the verified email address, or else to the verified number.
    ///
    /// - Throws: ``AuthErrorCode/emailNotVerified``, ``AuthErrorCode/phoneNotVerified``,
    ///   ``AuthErrorCode/userNotFound``; ``AuthErrorCode/invalidRequest`` for a user with neither address nor number;
    ///   ``AuthErrorCode/mailRateLimited``, ``AuthErrorCode/messageRateLimited``,
    ///   ``AuthErrorCode/textMessagesUnavailable``.
    public func callAsFunction(_ authenticated: AuthenticatedUser, call: CallContext) async throws {
        let recipient = try Self.recipient(of: authenticated.user)
        try ports.requireReach(recipient, call: call)
        try await ports.limits.requireRoom(
            forProvenBy: recipient.channel, call: call, store: ports.store)
        try await ports.write(call) { step in
            let user = try step.tx.liveUser(authenticated.user.id, in: step.directory)
            let request = ProofRequest(
                purpose: .reauthentication, recipient: try Self.recipient(of: user), tellsBrake: true,
                action: .reauthenticationRequested)
            try request.fulfil(for: user, step)
        }
    }

    private static func recipient(of user: User) throws(AuthError) -> Recipient {
        if let email = user.email, user.emailVerifiedAt != nil { return .email(email) }
        if let phone = user.phone, user.phoneVerifiedAt != nil { return .phone(phone) }
        if user.email != nil { throw AuthError(.emailNotVerified) }
        if user.phone != nil { throw AuthError(.phoneNotVerified) }
        throw AuthError(.invalidRequest, reason: "the user has neither an address nor a number")
    }
}

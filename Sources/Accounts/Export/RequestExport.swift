// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Sends a signed-in user the link by which they get everything that is held about them: see ``ExportAccount``.
public struct RequestExport: Sendable {
    /// For how long who has signed in has done so just now.
    static let freshness = TimeSpan.minutes(5)
    /// Of one user. Each is a look at all that there is of them.
    private static let rate = DirectorySettings.Rate(count: 3, seconds: 86_400)

    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// Sends to the address that the user has proved, and to no other. A link that was asked for before is dead.
    ///
    /// - Returns: until when the link works.
    /// - Throws: ``AuthErrorCode/reauthenticationNeeded`` for a session that shows neither a second factor nor a
    ///   sign-in of the last minutes, ``AuthErrorCode/insufficientAssurance`` where the user has a factor and the
    ///   session does not show it; ``AuthErrorCode/emailNotVerified``; ``AuthErrorCode/rateLimited`` and
    ///   ``AuthErrorCode/mailRateLimited`` with the time to wait; ``AuthErrorCode/userNotFound``,
    ///   ``AuthErrorCode/userBanned``.
    public func callAsFunction(_ authenticated: AuthenticatedUser, call: CallContext) async throws -> Instant {
        try await ports.limits.requireRoom(forProvenBy: .mail, call: call, store: ports.store)
        return try await ports.write(call) { step in
            let user = try authenticated.usable(call, step.tx)
            try AssuranceRule(step).require(authenticated)
            guard Self.isFresh(authenticated, call) else { throw AuthError(.reauthenticationNeeded) }
            guard let email = user.email, user.emailVerifiedAt != nil else { throw AuthError(.emailNotVerified) }
            let limit = LedgerLimit("account export", Self.rate, user.id.rawValue, call)
            if let exhaustion = try limit.refusal(in: step.tx) {
                throw AuthError(.rateLimited, retryAfter: exhaustion.wait)
            }
            let request = ProofRequest(
                purpose: .export, recipient: .email(email), tellsBrake: true, action: .exportRequested)
            // Whoever asks is told what was not sent: nobody else's account is told of by it.
            guard try request.fulfil(for: user, step) else {
                throw AuthError(.mailRateLimited, retryAfter: call.resendInterval)
            }
            return call.now + call.linkLifetime(.export)
        }
    }

    /// Whether the session shows a second factor, or a sign-in of the last minutes.
    static func isFresh(_ authenticated: AuthenticatedUser, _ call: CallContext) -> Bool {
        guard let session = authenticated.session else { return false }
        return session.assurance >= .aal2 || call.now.age(of: session.authenticatedAt) <= freshness
    }
}

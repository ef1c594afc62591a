// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Gives a signed-in user who has no address the one that a mailed link proves: an anonymous user's, who goes on under
/// their identifier, or somebody's for whom a program of the operator's vouches.
public struct LinkAddress: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// - Parameter user: as their session was authenticated in this call.
    /// - Returns: a session in place of the one that the user had.
    /// - Throws: ``AuthErrorCode/oneTimeTokenInvalid``, ``AuthErrorCode/emailExists`` where the address is that of
    ///   another account that somebody uses, or the user has another one, ``AuthErrorCode/userBanned``,
    ///   ``AuthErrorCode/userNotFound``, ``AuthErrorCode/sessionNotFound``, and ``AuthErrorCode/phoneNotVerified``
    ///   where nobody has proved the number that the user has.
    public func callAsFunction(
        _ proof: Proof, to user: AuthenticatedUser, call: CallContext
    ) async throws -> IssuedSession {
        guard let former = user.session else { throw AuthError(.sessionNotFound) }
        // A refusal must be committed with the attempt it counts, so it leaves the transaction as a value.
        let issued: IssuedSession? = try await ports.write(call) { step in
            guard let (token, holder) = try SpentProof(step).take(proof, purposes: [.magicLink]) else { return nil }
            let present = try user.usable(call, step.tx)
            try AssuranceRule(step).require(user)
            let linked =
                holder.id == present.id
                ? try ProofEffects(step).apply(token, to: present, isSignedIn: true).user
                : try Self.take(holder, over: present, step)
            if holder.id != present.id { try AgreementLog.note(token, by: linked, before: present, step) }
            let session = SignInProof(
                AuthenticationMethod(.oneTimeCode, answeredAt: token.recipient, step.call),
                inPlaceOf: try SessionEnding(step).replace(former.id))
            return try SessionIssuer(step).conclude(session, of: linked, .stored).get().session()
        }
        guard let issued else { throw AuthError(.oneTimeTokenInvalid) }
        return issued
    }

    /// Puts the address of an account that was opened only to send the link to, and that nobody has used, on the user.
    private static func take(_ holder: User, over user: User, _ step: FlowStep) throws -> User {
        // Thrown, so that the link is not spent.
        guard user.email == nil, let email = holder.email else { throw AuthError(.emailExists, field: "email") }
        return try AccountLinking(step).take(.email(email), from: holder, over: user)
    }
}

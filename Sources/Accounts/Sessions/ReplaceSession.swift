// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Gives a signed-in user a new session in place of the one they have: for dialects in which a change of password or
/// address takes back the user's refresh tokens, that of the caller too, and the answer brings another one.
public struct ReplaceSession: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// - Throws: ``AuthErrorCode/userNotFound``, ``AuthErrorCode/userBanned``, ``AuthErrorCode/sessionNotFound`` where
    ///   the session was ended meanwhile.
    public func callAsFunction(_ authenticated: AuthenticatedUser, call: CallContext) async throws -> IssuedSession {
        try await ports.write(call) { step in
            guard let user = try step.tx.user(authenticated.user.id, in: call.directory.id) else {
                throw AuthError(.userNotFound)
            }
            return try Self.replace(authenticated.session, of: user, step)
        }
    }

    /// The same within a transaction that has more to do.
    ///
    /// - Parameter user: As now stored.
    static func replace(_ former: Session?, of user: User, _ step: FlowStep) throws -> IssuedSession {
        let former = try SessionEnding(step).replace(former?.id)
        let first = former.methods.first
        let method = first?.name
        let name = user.isAnonymous ? .anonymous : method == .anonymous ? .password : method ?? .password
        let proof = SignInProof(
            AuthenticationMethod(
                name, at: former.authenticatedAt, recipient: first?.name == name ? first?.recipient : nil),
            inPlaceOf: former)
        return try SessionIssuer(step).conclude(proof, of: user, .stored).get().session()
    }
}

// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Turns an authorization code into a session, for whoever knows the verifier behind the challenge (RFC 7636,
/// section 4.6). The code is spent by the first attempt, right or wrong; a second use also ends the session that the
/// first one got (RFC 6749, section 4.1.2; OWASP ASVS 10.4.2).
public struct ExchangeCode: Sendable {
    private static let maximumCodeLength = 256

    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// - Parameter redirectURI: where the exchange says that the code was sent (RFC 6749, section 4.1.3).
    /// - Throws: ``AuthErrorCode/flowStateNotFound`` for an unknown or used code and for one that another client was given,
    ///   ``AuthErrorCode/flowStateExpired``, ``AuthErrorCode/codeVerifierMismatch``, ``AuthErrorCode/userBanned``.
    public func callAsFunction(
        code: String, verifier: String, redirectURI: String? = nil, call: CallContext
    ) async throws -> SignInStep {
        // A refusal must be committed with what it ends, so it leaves the transaction as a value.
        let outcome: Result<SignInStep, AuthError> = try await ports.write(call) { step in
            let tx = step.tx
            let hash = OneTimeToken.hash(link: code.utf8.count <= Self.maximumCodeLength ? code : "")
            guard let known = try tx.authorizationCode(hash: hash, in: call.directory.id) else {
                return .failure(try refuse(.flowStateNotFound, of: nil, step))
            }
            if known.usedAt != nil {
                if let session = known.sessionID {
                    _ = try tx.revoke(session, in: call.directory.id, because: .replay, at: call.now)
                }
                return .failure(try refuse(.flowStateNotFound, of: known, step))
            }
            guard known.expiresAt > call.now else {
                return .failure(try refuse(.flowStateExpired, of: known, step))
            }
            guard known.request.isOf(client: call.client?.id, redirectURI: redirectURI) else {
                try tx.deleteAuthorizationCodes(of: known.userID, in: call.directory.id)
                return .failure(try refuse(.flowStateNotFound, of: known, step))
            }
            guard known.request.challenge.isMet(by: verifier) else {
                try tx.deleteAuthorizationCodes(of: known.userID, in: call.directory.id)
                return .failure(try refuse(.codeVerifierMismatch, of: known, step))
            }
            guard let user = try tx.user(known.userID, in: call.directory.id), user.deletedAt == nil else {
                return .failure(try refuse(.flowStateNotFound, of: known, step))
            }
            let next = try SessionIssuer(step).conclude(SignInProof(known.method, at: call.now), of: user).get()
            guard try tx.use(known.id, session: next.issued?.session.id, at: call.now) else {
                // Another call used it since it was read: this one leaves no session behind.
                throw AuthError(.flowStateNotFound)
            }
            return .success(next)
        }
        return try outcome.get()
    }

    private func refuse(
        _ code: AuthErrorCode, of known: AuthorizationCode?, _ step: FlowStep
    ) throws -> AuthError {
        var details: JSONObject = ["reason": .string(code.rawValue)]
        if let known { details["subject"] = .string(known.userID.rawValue) }
        try step.record(.authenticationFailed, user: known?.userID, details: details)
        return AuthError(code)
    }
}

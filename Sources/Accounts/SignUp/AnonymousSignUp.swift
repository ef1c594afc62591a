// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Makes an account that nobody has given a name, and signs it in. It keeps its identifier when it is given one.
public struct AnonymousSignUp: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// - Throws: ``AuthErrorCode/anonymousDisabled``, ``AuthErrorCode/signUpDisabled``.
    public func callAsFunction(userMetadata: JSONObject, call: CallContext) async throws -> SignInStep {
        guard call.settings.signUp.enabled else { throw AuthError(.signUpDisabled) }
        guard call.settings.signUp.anonymousEnabled else { throw AuthError(.anonymousDisabled) }
        return try await ports.write(call) { step in
            var user = try step.newUser()
            user.isAnonymous = true
            try user.describe(metadata: userMetadata, attributes: [:], call: call)
            try step.admit(&user, by: "anonymous")
            try step.tx.insert(user)
            step.followCreation(of: user)
            try step.record(.signedUp, user, details: ["by": "anonymous"])
            return try SessionIssuer(step).conclude(SignInProof(.anonymous, at: call.now), of: user, .stored).get()
        }
    }
}

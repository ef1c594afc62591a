// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

extension CognitoBackend: SignUpBackend {
    /// `SignUp`. Where the pool confirms people by itself, they are signed in with the same password.
    public func signUp(_ request: SignUpRequest) async throws(AuthError) -> SignInStep {
        var input = named(request.identifier)
        input["Password"] = .string(request.password.reveal())
        if !request.attributes.isEmpty { input["UserAttributes"] = .attributes(request.attributes) }
        let answer = try await api.call("SignUp", input, for: .open)
        if answer.members["UserConfirmed"] == true {
            return try await signIn(.password(identifier: request.identifier, password: request.password))
        }
        let delivery = answer.members["CodeDeliveryDetails"]?.objectValue
        return .awaiting(
            AwaitedStep(
                kind: .confirmation, identifier: request.identifier, destination: delivery?["Destination"]?.stringValue)
        )
    }

    public func resendConfirmation(to identifier: String) async throws(AuthError) {
        do {
            _ = try await api.call("ResendConfirmationCode", named(identifier), for: .open)
        } catch  where [.userNotFound, .conflict].contains(error.code) {
            // Says nothing about whether there is such an account, or one that is confirmed.
        }
    }

    /// - Returns: `nil`: the service gives no session for it. The user signs in next, with the password asked anew
    ///   (C-13).
    public func confirmSignUp(identifier: String, code: Secret<String>) async throws(AuthError) -> SignInStep? {
        var input = named(identifier)
        input["ConfirmationCode"] = .string(code.reveal())
        _ = try await api.call("ConfirmSignUp", input, for: .open)
        return nil
    }

    /// The call's user and client.
    private func named(_ identifier: String) -> JSONObject {
        var input: JSONObject = ["ClientId": .string(configuration.clientID), "Username": .string(identifier)]
        if let hash = configuration.secretHash(of: identifier) { input["SecretHash"] = .string(hash) }
        return input
    }
}

extension CognitoBackend: RecoveryBackend {
    public func beginRecovery(identifier: String) async throws(AuthError) {
        do {
            _ = try await api.call("ForgotPassword", named(identifier), for: .open)
        } catch  where [.userNotFound, .emailNotVerified].contains(error.code) {
            // Succeeds whether there is such an account or not (G-3.6).
        }
    }

    public func finishRecovery(
        identifier: String?, proof: Secret<String>, newPassword: Secret<String>
    ) async throws(AuthError) -> SignInStep? {
        guard let identifier else { throw AuthError(.invalidRequest, field: "identifier") }
        var input = named(identifier)
        input["ConfirmationCode"] = .string(proof.reveal())
        input["Password"] = .string(newPassword.reveal())
        do {
            _ = try await api.call("ConfirmForgotPassword", input, for: .open)
        } catch  where error.code == .userNotFound {
            throw AuthError(.oneTimeTokenInvalid, reason: error.reason)
        }
        return nil
    }
}

extension CognitoBackend: AccountBackend {
    /// Linking is the operator's to do (`AdminLinkProviderForUser`).
    public func link(_ proof: SignInProof, to tokens: TokenSet) async throws(AuthError) -> SessionGrant {
        throw AuthError(.unsupported, reason: "a user pool's identities are linked by its operator")
    }

    public func unlink(provider: String, from tokens: TokenSet) async throws(AuthError) -> SessionGrant {
        throw AuthError(.unsupported, reason: "a user pool's identities are unlinked by its operator")
    }

    public func changePassword(
        _ tokens: TokenSet, current: Secret<String>?, new: Secret<String>
    ) async throws(AuthError) -> SessionGrant? {
        var input: JSONObject = [
            "AccessToken": .string(tokens.accessToken.reveal()), "ProposedPassword": .string(new.reveal()),
        ]
        if let current { input["PreviousPassword"] = .string(current.reveal()) }
        do {
            _ = try await api.call("ChangePassword", input, for: .account)
        } catch  where error.code == .invalidCredentials {
            throw AuthError(.currentPasswordInvalid, reason: error.reason)
        }
        return nil
    }

    public func reauthenticate(_ tokens: TokenSet, with proof: SignInProof) async throws(AuthError) -> SignInStep {
        try await signIn(proof)
    }

    /// `DeleteUser`, which does not say until when a sign-in keeps the account.
    @discardableResult
    public func deleteAccount(_ tokens: TokenSet) async throws(AuthError) -> AccountDeletion {
        _ = try await api.call("DeleteUser", ["AccessToken": .string(tokens.accessToken.reveal())], for: .account)
        await accountEnded(tokens)
        return AccountDeletion()
    }

    public func accountEnded(_ tokens: TokenSet) async {
        if let username = tokens.attachments.reveal()["username"] { await devices?.forget(user: username) }
    }
}

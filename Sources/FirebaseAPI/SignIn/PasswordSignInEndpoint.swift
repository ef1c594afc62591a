// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird

/// `accounts:signInWithPassword`.
enum PasswordSignInEndpoint {
    static func post(_ call: DialectCall) async throws -> Response {
        guard let email = try call.body.email() else { throw WireError("MISSING_EMAIL") }
        guard let password = try call.body.secret("password") else { throw WireError("MISSING_PASSWORD") }
        let step: SignInStep
        do {
            step = try await call.accounts.passwordSignIn(.email(email), password: password, call: call.flow)
        } catch let error as AuthError where error.code == .emailSignInDisabled {
            throw WireError("PASSWORD_LOGIN_DISABLED")
        } catch let error as AuthError
            where error.code == .invalidCredentials && !call.flow.settings.signUp.concealsEmails
        {
            let isKnown = try await call.accounts.findUser(.email(email), call: call.flow) != nil
            throw WireError(isKnown ? "INVALID_PASSWORD" : "EMAIL_NOT_FOUND")
        }
        let user = step.user
        var json = Kind.passwordSignIn.object
        json["localId"] = .string(user.localID)
        json["email"] = .string(user.email?.rawValue ?? email.rawValue)
        // The one text that is there also when it is empty.
        json["displayName"] = user.shared(.name).map { .string($0) } ?? ""
        json["registered"] = true
        json["profilePicture"] = user.shared(.picture).map { .string($0) }
        try await call.conclude(step, &json)
        return Answer.object(json)
    }
}

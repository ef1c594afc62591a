// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird

/// `accounts:sendOobCode`: mails a code, or hands its link to an administrator.
enum SendCodeEndpoint {
    static func post(_ call: DialectCall) async throws -> Response {
        guard let type = try call.body.enumeration("requestType", ActionMode.requestTypes),
            type != ActionMode.requestTypes.first
        else { throw WireError("MISSING_REQ_TYPE") }
        let redirectTo = try call.continueURL()
        if try call.body.flag("returnOobLink") ?? false {
            guard call.isAdministrator else { throw WireError("INSUFFICIENT_PERMISSION") }
            return try await AdminLinkEndpoint.make(type, redirectTo: redirectTo, call)
        }
        switch type {
        case ActionMode.resetPassword.requestType: return try await recover(redirectTo, call)
        case ActionMode.verifyEmail.requestType: return try await verify(redirectTo, call)
        case ActionMode.verifyAndChangeEmail.requestType: return try await change(redirectTo, call)
        case ActionMode.signIn.requestType: return try await signIn(redirectTo, call)
        default: throw WireError("INVALID_REQ_TYPE")
        }
    }

    /// Answered alike for known and unknown addresses.
    private static func recover(_ redirectTo: String?, _ call: DialectCall) async throws -> Response {
        guard let email = try call.body.email() else { throw WireError("MISSING_EMAIL") }
        if !call.flow.settings.signUp.concealsEmails,
            try await call.accounts.findUser(.email(email), call: call.flow) == nil
        {
            throw WireError("EMAIL_NOT_FOUND")
        }
        do {
            try await call.accounts.requestRecovery(.email(email), redirectTo: redirectTo, call: call.flow)
        } catch let error as AuthError where [.mailRateLimited, .messageRateLimited].contains(error.code) {
            throw WireError("RESET_PASSWORD_EXCEED_LIMIT")
        }
        return answer(email)
    }

    /// Answered alike for known and unknown addresses, which get an account where the project lets people sign up.
    private static func signIn(_ redirectTo: String?, _ call: DialectCall) async throws -> Response {
        try EmailLink.requireEnabled(call.flow.settings)
        guard let email = try call.body.email() else { throw WireError("MISSING_EMAIL") }
        try await call.accounts.requestMagicLink(email, welcomes: false, redirectTo: redirectTo, call: call.flow)
        return answer(email)
    }

    /// Only the user themselves asks for it: whoever else could not be told what became of it.
    private static func verify(_ redirectTo: String?, _ call: DialectCall) async throws -> Response {
        let (user, call) = try await call.signedIn()
        guard user.user.email != nil else { throw WireError("MISSING_EMAIL") }
        return answer(
            try await call.accounts.requestVerification(user, redirectTo: redirectTo, call: call.flow))
    }

    private static func change(_ redirectTo: String?, _ call: DialectCall) async throws -> Response {
        let (user, call) = try await call.signedIn()
        guard let email = try call.body.email("newEmail") else { throw WireError("MISSING_NEW_EMAIL") }
        try user.requireRecentSignIn(call)
        var changes = UserChanges()
        changes.email = email
        changes.redirectTo = redirectTo
        _ = try await call.accounts.updateUser(changes, of: user, call: call.flow)
        return answer(user.user.email ?? email)
    }

    private static func answer(_ email: EmailAddress) -> Response {
        var json = Kind.sendCode.object
        json["email"] = .string(email.rawValue)
        return Answer.object(json)
    }
}

// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird

/// `GET /user` and `PUT /user`: the signed-in user's own account.
enum UserEndpoint {
    static func get(_ call: DialectCall) async throws -> Response {
        let authenticated = try call.user()
        return try await call.answerWithFactors(
            UserRecord(user: authenticated.user, identities: authenticated.identities))
    }

    static func put(_ call: DialectCall) async throws -> Response {
        let authenticated = try call.user()
        var changes = UserChanges()
        changes.email = try call.body.email()
        changes.phone = try call.body.phone()
        if changes.phone != nil { try MessageChannel.check(call.body) }
        changes.password = try call.body.newSecret("password")
        if let password = changes.password {
            try call.flow.requireAcceptable(password, email: changes.email ?? authenticated.user.email)
        }
        if try call.body.members("app_metadata") != nil {
            throw WireError(.forbidden, "not_admin", "Updating app_metadata requires admin privileges")
        }
        changes.userMetadata = try call.body.members("data")
        changes.nonce = try call.body.text("nonce")
        changes.currentPassword = try call.body.secret("current_password")
        changes.redirectTo = try call.redirectTo()
        changes.codeChallenge = try call.codeChallenge()
        if authenticated.user.isAnonymous, changes.password != nil, changes.email == nil, changes.phone == nil {
            throw WireError(
                .unprocessableContent, "validation_failed",
                "Updating password of an anonymous user without an email or phone is not allowed")
        }
        let record = try await FactorEndpoints.said(
            .unauthorized, "AAL2 session is required to update email or password when MFA is enabled."
        ) { try await call.accounts.updateUser(changes, of: authenticated, call: call.flow) }
        return try await call.answerWithFactors(record)
    }
}

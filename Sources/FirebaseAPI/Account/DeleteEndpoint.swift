// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird

/// `accounts:delete`: the user of an ID token; for an administrator, the one of an identifier.
enum DeleteEndpoint {
    static func post(_ call: DialectCall) async throws -> Response {
        if call.isAdministrator {
            guard let id = try call.body.given("localId") else { throw WireError("MISSING_LOCAL_ID") }
            let users = call.accounts.userAdministration
            guard let record = try await users.find(.user(UserID(id)), call: call.flow), record.user.deletedAt == nil
            else { throw AuthError(.userNotFound) }
            try await users.delete(record.user.id, soft: false, call: call.flow)
        } else {
            let (user, inner) = try await call.signedIn()
            try await call.accounts.deleteAccount(
                user, asksForProof: inner.flow.settings.password.changeNeedsReauthentication, call: inner.flow)
        }
        return Answer.object(Kind.delete.object)
    }
}

extension AuthenticatedUser {
    /// How long after a sign-in a user may do what an open session must not be enough for.
    private static let recent = TimeSpan.minutes(5)

    /// - Throws: ``AuthErrorCode/reauthenticationNeeded``.
    func requireRecentSignIn(_ call: DialectCall) throws(AuthError) {
        guard call.flow.settings.password.changeNeedsReauthentication else { return }
        guard let session, call.now.age(of: session.createdAt) <= Self.recent else {
            throw AuthError(.reauthenticationNeeded)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird

/// `accounts:signInWithCustomToken`: signs in whoever a service account of the project vouches for. A user whom nobody
/// knows yet is made.
enum CustomTokenEndpoint {
    static func post(_ call: DialectCall) async throws -> Response {
        guard let text = try call.body.given("token") else { throw WireError("MISSING_CUSTOM_TOKEN") }
        let token = try await CustomToken(text, call)
        let (step, isNew) = try await call.accounts.assertedSignIn(
            token.identifier, claims: token.claims, call: call.flow)
        var json = Kind.customTokenSignIn.object
        json["isNewUser"] = .bool(isNew)
        // Without the `localId`, as there: it is in the token.
        try await call.conclude(step, &json)
        return Answer.object(json)
    }
}

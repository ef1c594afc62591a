// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird

/// `accounts:resetPassword`: looks at the code of a mail, and with a new password spends it.
enum ResetPasswordEndpoint {
    static func post(_ call: DialectCall) async throws -> Response {
        if try call.body.given("oldPassword") != nil { throw WireError.notAllowed("oldPassword") }
        guard let code = try call.body.given("oobCode") else { throw WireError("MISSING_OOB_CODE") }
        if let password = try call.body.secret("newPassword") {
            let record = try await call.accounts.resetPassword(.linkToken(code), password: password, call: call.flow)
            return answer(.resetPassword, email: record.user.email, newEmail: nil)
        }
        guard
            let proof = try await call.accounts.inspectProof(
                .linkToken(code), purposes: ActionMode.inspectable, call: call.flow),
            let mode = ActionMode(proof.purpose)
        else { throw AuthError(.oneTimeTokenInvalid) }
        // Whoever holds a link that signs in must still know whose it is.
        return answer(mode, email: mode == .signIn ? nil : proof.user.user.email, newEmail: proof.newEmail)
    }

    private static func answer(_ mode: ActionMode, email: EmailAddress?, newEmail: EmailAddress?) -> Response {
        var json = Kind.resetPassword.object
        json["requestType"] = .string(mode.requestType)
        json["email"] = email.map { .string($0.rawValue) }
        json["newEmail"] = newEmail.map { .string($0.rawValue) }
        return Answer.object(json)
    }
}

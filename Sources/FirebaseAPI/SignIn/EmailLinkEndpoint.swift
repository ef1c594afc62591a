// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird

/// `accounts:signInWithEmailLink`: signs in whoever gives back the code of a mailed link, with the address it went to;
/// with an ID token, gives its user that address.
enum EmailLinkEndpoint {
    static func post(_ call: DialectCall) async throws -> Response {
        try EmailLink.requireEnabled(call.flow.settings)
        guard let email = try call.body.email() else { throw WireError("MISSING_EMAIL") }
        guard let code = try call.body.given("oobCode") else { throw WireError("MISSING_OOB_CODE") }
        guard
            let proof = try await call.accounts.inspectProof(
                .linkToken(code), purposes: [.magicLink], call: call.flow)
        else { throw AuthError(.oneTimeTokenInvalid) }
        guard proof.user.user.email == email else {
            throw WireError("INVALID_EMAIL", "The email provided does not match the sign-in email address.")
        }
        // The account was there before its owner: it was opened to send the link to.
        let isNew = proof.user.user.lastSignInAt == nil && !proof.user.user.isProved
        guard try call.body.given("idToken") != nil else {
            let outcome = try await call.accounts.verifyProof(
                .linkToken(code), purposes: [.magicLink], call: call.flow)
            guard case .signedIn(let step) = outcome else { throw AuthError(.oneTimeTokenInvalid) }
            return try await answer(step, isNew: isNew, call)
        }
        let (user, call) = try await call.signedIn()
        // Whoever finds an open session must not make it a lasting way in.
        if !user.user.isAnonymous { try user.requireRecentSignIn(call) }
        let issued = try await call.accounts.linkAddress(.linkToken(code), to: user, call: call.flow)
        return try await answer(.session(issued), isNew: false, call)
    }

    private static func answer(_ step: SignInStep, isNew: Bool, _ call: DialectCall) async throws -> Response {
        var json = Kind.emailLinkSignIn.object
        json["localId"] = .string(step.user.localID)
        json["email"] = step.user.email.map { .string($0.rawValue) }
        // Not where a second factor is asked for, as there.
        if step.pendingStep == nil { json["isNewUser"] = .bool(isNew) }
        try await call.conclude(step, &json)
        return Answer.object(json)
    }
}

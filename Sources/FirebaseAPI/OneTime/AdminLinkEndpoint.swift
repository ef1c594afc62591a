// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird

/// `accounts:sendOobCode` with `returnOobLink`: the link that a mail would carry, for an operator who sends it in their
/// own way. Nothing is sent.
enum AdminLinkEndpoint {
    static func make(_ type: String, redirectTo: String?, _ call: DialectCall) async throws -> Response {
        let email = try await address(type, call)
        let proof: IssuedProof
        switch type {
        case ActionMode.resetPassword.requestType:
            do {
                proof = try await link(.recovery, email, nil, redirectTo, call)
            } catch let error as AuthError where error.code == .userNotFound {
                throw WireError("EMAIL_NOT_FOUND")
            }
        case ActionMode.verifyEmail.requestType:
            proof = try await call.accounts.userAdministration
                .verificationLink(of: email, redirectTo: redirectTo, call: call.flow)
        case ActionMode.verifyAndChangeEmail.requestType:
            guard let newEmail = try call.body.email("newEmail") else { throw WireError("MISSING_NEW_EMAIL") }
            guard newEmail != email else { throw AuthError(.emailExists) }
            proof = try await link(.emailChangeNew, email, newEmail, redirectTo, call)
        case ActionMode.signIn.requestType:
            try EmailLink.requireEnabled(call.flow.settings)
            proof = try await link(.magicLink, email, nil, redirectTo, call)
        default: throw WireError("INVALID_REQ_TYPE")
        }
        var json = Kind.sendCode.object
        json["email"] = .string(email.rawValue)
        json["oobCode"] = .string(proof.linkToken)
        json["oobLink"] = .string(proof.link)
        return Answer.object(json)
    }

    /// Whose link it is: the user's whose ID token the operator's program has, or the one that it names.
    private static func address(_ type: String, _ call: DialectCall) async throws -> EmailAddress {
        let isOfUser = [ActionMode.verifyEmail, .verifyAndChangeEmail].contains { $0.requestType == type }
        if isOfUser, try call.body.given("idToken") != nil {
            guard let email = try await call.signedIn().user.user.email else { throw WireError("MISSING_EMAIL") }
            return email
        }
        guard let email = try call.body.email() else { throw WireError("MISSING_EMAIL") }
        return email
    }

    private static func link(
        _ purpose: OneTimeToken.Purpose, _ email: EmailAddress, _ newEmail: EmailAddress?, _ redirectTo: String?,
        _ call: DialectCall
    ) async throws -> IssuedProof {
        try await call.accounts.userAdministration
            .generateLink(
                purpose, email: email, newEmail: newEmail, welcomes: false, redirectTo: redirectTo, call: call.flow
            ).proof
    }
}

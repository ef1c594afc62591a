// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird

/// `POST /invite` and `POST /admin/generate_link`.
enum AdminLinkEndpoints {
    static func invite(_ call: DialectCall) async throws -> Response {
        guard let email = try call.body.email() else { throw WireError.validation("Invite requires an email") }
        let record = try await call.accounts.userAdministration.invite(
            email: email, metadata: try call.body.members("data") ?? [:], redirectTo: try call.redirectTo(),
            call: call.flow)
        return call.answer(record)
    }

    static func generate(_ call: DialectCall) async throws -> Response {
        // The platform reads the address first, and comes to the kind last.
        guard let email = try call.body.email() else { throw WireError.validation("An email address is required") }
        guard let name = try call.body.text("type"), let kind = GeneratedLink(rawValue: name) else {
            throw WireError.validation("Invalid email action link type requested")
        }
        let (record, proof, purpose) = try await made(kind, for: email, call)
        var json = UserResponse.encode(record, in: call.directory)
        json["action_link"] = .string(proof.link)
        json["email_otp"] = .string(proof.code)
        json["hashed_token"] = .string(proof.tokenHash)
        json["verification_type"] = .string(GeneratedLink(purpose)?.rawValue ?? name)
        json["redirect_to"] = .string(proof.redirectTo)
        return Answer.object(json)
    }

    /// The platform comes to the new address once it knows whose it is to be, and for a change alone.
    private static func made(
        _ kind: GeneratedLink, for email: EmailAddress, _ call: DialectCall
    ) async throws -> (record: UserRecord, proof: IssuedProof, purpose: OneTimeToken.Purpose) {
        // What is no text is no request.
        _ = try call.body.text("new_email")
        let isChange = kind.purpose == .emailChangeCurrent || kind.purpose == .emailChangeNew
        let newEmail = isChange ? Result { try call.body.email("new_email") } : .success(nil)
        do {
            return try await call.accounts.userAdministration.generateLink(
                kind.purpose, email: email, newEmail: try? newEmail.get(),
                password: try call.body.secret("password"), metadata: try call.body.members("data"),
                redirectTo: try call.redirectTo(), call: call.flow)
        } catch let error as AuthError where error.field == "new_email" {
            guard try newEmail.get() == nil else { throw error }
            throw WireError.validation("An email address is required")
        }
    }
}

/// The kinds of link that an operator can ask for.
enum GeneratedLink: String {
    case signup
    case invite
    case magiclink
    case recovery
    case emailChangeCurrent = "email_change_current"
    case emailChangeNew = "email_change_new"

    var purpose: OneTimeToken.Purpose {
        switch self {
        case .signup: .signUpConfirmation
        case .invite: .invitation
        case .magiclink: .magicLink
        case .recovery: .recovery
        case .emailChangeCurrent: .emailChangeCurrent
        case .emailChangeNew: .emailChangeNew
        }
    }

    init?(_ purpose: OneTimeToken.Purpose) {
        switch purpose {
        case .signUpConfirmation: self = .signup
        case .invitation: self = .invite
        case .magicLink: self = .magiclink
        case .recovery: self = .recovery
        case .emailChangeCurrent: self = .emailChangeCurrent
        case .emailChangeNew: self = .emailChangeNew
        case .unlock, .export, .phoneSignIn, .phoneChange, .reauthentication, .factorRecoveryStop: return nil
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird

/// The operations that send somebody a message. Each answers the same whether or not there is such an account.
enum MessageEndpoints {
    /// `POST /recover`
    static func recover(_ call: DialectCall) async throws -> Response {
        guard let email = try call.body.email() else {
            throw WireError.validation("Password recovery requires an email")
        }
        guard call.flow.settings.signUp.emailEnabled else { throw AuthError(.emailSignInDisabled) }
        let challenge = try call.codeChallenge()
        try await call.accounts.requestRecovery(
            email, redirectTo: try call.redirectTo(), codeChallenge: challenge, call: call.flow)
        return Answer.object([:])
    }

    /// `POST /magiclink`
    static func magicLink(_ call: DialectCall) async throws -> Response {
        guard let email = try call.body.email() else {
            throw WireError.validation("Password recovery requires an email")
        }
        return try await send(to: .email(email), createsUser: true, call)
    }

    /// `POST /otp`
    static func oneTimePassword(_ call: DialectCall) async throws -> Response {
        let createsUser = try call.body.flag("create_user") ?? true
        let identifier = try call.identifier(
            exclusive: "Only an email address or phone number should be provided",
            missing: "One of email or phone must be set")
        return try await send(to: identifier, createsUser: createsUser, call)
    }

    private static func send(
        to identifier: SignInIdentifier, createsUser: Bool, _ call: DialectCall
    ) async throws -> Response {
        let metadata = try call.body.members("data") ?? [:]
        let challenge = try call.codeChallenge()
        switch identifier {
        case .email(let email):
            guard call.flow.settings.signUp.emailEnabled else { throw AuthError(.emailSignInDisabled) }
            try await call.accounts.requestMagicLink(
                email, createsUser: createsUser, userMetadata: metadata, redirectTo: try call.redirectTo(),
                codeChallenge: challenge, call: call.flow)
        case .phone(let phone):
            guard try call.body.text("channel") ?? "sms" == "sms" else {
                throw WireError.validation("Invalid channel, supported values are 'sms'.")
            }
            try await call.accounts.requestPhoneCode(
                phone, createsUser: createsUser, userMetadata: metadata, call: call.flow)
        case .username, .user: throw AuthError(.invalidRequest, field: "email")
        }
        return Answer.object([:])
    }

    /// `POST /resend`
    static func resend(_ call: DialectCall) async throws -> Response {
        let purpose: ResendMessage.Subject
        switch try call.body.text("type") {
        case "signup": purpose = .signUpConfirmation
        case "email_change": purpose = .emailChange
        case "sms": purpose = .phoneSignIn
        case "phone_change": purpose = .phoneChange
        default: throw WireError.validation("Missing one of these types: signup, email_change, sms, phone_change")
        }
        let identifier = try call.identifier(
            exclusive: "Only an email address or phone number should be provided.",
            missing: "Missing email address or phone number")
        switch (purpose, identifier) {
        case (.signUpConfirmation, .phone), (.emailChange, .phone):
            throw WireError.validation("Type provided requires an email address")
        case (.phoneSignIn, .email), (.phoneChange, .email):
            throw WireError.validation("Type provided requires a phone number")
        default: break
        }
        let challenge = try call.codeChallenge()
        try await call.accounts.resendMessage(
            purpose, to: identifier, redirectTo: try call.redirectTo(), codeChallenge: challenge, call: call.flow)
        return Answer.object([:])
    }

    /// `GET /reauthenticate`
    static func reauthenticate(_ call: DialectCall) async throws -> Response {
        let authenticated = try call.user()
        guard authenticated.user.email != nil || authenticated.user.phone != nil else {
            throw WireError(
                .unprocessableContent, "validation_failed",
                "Reauthentication requires the user to have an email or a phone number")
        }
        try await call.accounts.requestReauthentication(authenticated, call: call.flow)
        return Answer.object([:])
    }
}

// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird

/// The operations that send somebody a message. Each answers the same whether or not there is such an account.
enum MessageEndpoints {
    /// `POST /recover`
    static func recover(_ call: DialectCall) async throws -> Response {
        guard call.flow.settings.signUp.emailEnabled else {
            throw WireError(.badRequest, "email_provider_disabled", "Email logins are disabled")
        }
        guard let email = try call.body.email() else {
            throw WireError.validation("Password recovery requires an email")
        }
        let challenge = try call.codeChallenge()
        try await call.accounts.requestRecovery(
            email, redirectTo: try call.redirectTo(), codeChallenge: challenge, call: call.flow)
        return Answer.object([:])
    }

    /// `POST /magiclink`
    static func magicLink(_ call: DialectCall) async throws -> Response {
        guard let given = try call.body.text("email") else {
            try requireMagicLink(call)
            throw WireError(.unprocessableContent, "validation_failed", "Password recovery requires an email")
        }
        return try await send(to: .email(given), createsUser: true, call)
    }

    /// `POST /otp`
    static func oneTimePassword(_ call: DialectCall) async throws -> Response {
        let createsUser = try call.body.flag("create_user") ?? true
        let given = try GivenIdentifier(
            call.body, exclusive: "Only an email address or phone number should be provided")
        if case .email = given, try call.body.text("channel") != nil {
            throw WireError.validation("Channel should only be specified with Phone OTP")
        }
        _ = try call.codeChallenge()
        guard let given else { throw WireError.validation("One of email or phone must be set") }
        return try await send(to: given, createsUser: createsUser, call)
    }

    private static func send(
        to given: GivenIdentifier, createsUser: Bool, _ call: DialectCall
    ) async throws -> Response {
        let metadata = try call.body.members("data") ?? [:]
        switch given {
        case .email(let text):
            try requireMagicLink(call)
            try await call.accounts.requestMagicLink(
                try EmailAddress(text), createsUser: createsUser, userMetadata: metadata,
                redirectTo: try call.redirectTo(), codeChallenge: try call.codeChallenge(), call: call.flow)
        case .phone(let text):
            guard call.flow.settings.signUp.phoneEnabled else {
                throw WireError(.badRequest, "phone_provider_disabled", "Unsupported phone provider")
            }
            let phone = try PhoneNumber(text)
            try MessageChannel.check(call.body)
            try await call.accounts.requestPhoneCode(
                phone, createsUser: createsUser, userMetadata: metadata, call: call.flow)
        }
        return Answer.object([:])
    }

    private static func requireMagicLink(_ call: DialectCall) throws {
        let settings = call.flow.settings.signUp
        guard settings.emailEnabled else { throw AuthError(.emailSignInDisabled) }
        guard settings.emailLinkEnabled else {
            throw WireError(
                .unprocessableContent, "email_provider_disabled", "Login with magic link is disabled")
        }
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
        let challenge = try call.codeChallenge()
        let isMail = purpose == .signUpConfirmation || purpose == .emailChange
        guard try call.body.text(isMail ? "email" : "phone") != nil else {
            throw WireError.validation(
                isMail ? "Type provided requires an email address" : "Type provided requires a phone number")
        }
        guard
            let given = try GivenIdentifier(
                call.body, exclusive: "Only an email address or phone number should be provided.")
        else { throw WireError.validation("Missing email address or phone number") }
        try given.requireOpen(call.flow.settings.signUp, else: .resend)
        try await call.accounts.resendMessage(
            purpose, to: try given.parsed(), redirectTo: try call.redirectTo(), codeChallenge: challenge,
            call: call.flow)
        return Answer.object([:])
    }

    /// `GET /reauthenticate`
    static func reauthenticate(_ call: DialectCall) async throws -> Response {
        let authenticated = try call.user()
        guard authenticated.user.email != nil || authenticated.user.phone != nil else {
            throw WireError.validation("Reauthentication requires the user to have an email or a phone number")
        }
        do {
            try await call.accounts.requestReauthentication(authenticated, call: call.flow)
        } catch let error as AuthError where error.code == .emailNotVerified {
            throw WireError(.unprocessableContent, "email_not_confirmed", "Please verify your email first.")
        } catch let error as AuthError where error.code == .phoneNotVerified {
            throw WireError(.unprocessableContent, "phone_not_confirmed", "Please verify your phone first.")
        }
        return Answer.object([:])
    }
}

// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes

/// The address or the number by which a body names somebody, as it was given: whether its way in is open is asked
/// before whether it is well-formed, as the platform does.
enum GivenIdentifier {
    case email(String)
    case phone(String)

    /// - Throws: `validation_failed` with `exclusive` where both are given.
    /// - Returns: `nil` where neither is.
    init?(_ body: Input, exclusive: String) throws(WireError) {
        switch (try body.text("email"), try body.text("phone")) {
        case (let email?, nil): self = .email(email)
        case (nil, let phone?): self = .phone(phone)
        case (nil, nil): return nil
        case (_?, _?): throw .validation(exclusive)
        }
    }

    /// What an operation says where the way in is closed. The platform words it, and gives it a status, by the
    /// operation.
    struct Closed {
        var status: HTTPResponse.Status
        var email: String
        var phone: String

        static let signUp = Closed(
            status: .badRequest, email: "Email signups are disabled", phone: "Phone signups are disabled")
        static let signIn = Closed(
            status: .unprocessableContent, email: "Email logins are disabled", phone: "Phone logins are disabled")
        static let resend = Closed(
            status: .badRequest, email: "Email logins are disabled", phone: "Phone logins are disabled")
    }

    func requireOpen(_ settings: DirectorySettings.SignUp, else closed: Closed) throws(WireError) {
        switch self {
        case .email:
            guard settings.emailEnabled else {
                throw WireError(closed.status, "email_provider_disabled", closed.email)
            }
        case .phone:
            guard settings.phoneEnabled else {
                throw WireError(closed.status, "phone_provider_disabled", closed.phone)
            }
        }
    }

    /// - Throws: ``AuthErrorCode/invalidEmail``, ``AuthErrorCode/invalidPhone``.
    func parsed() throws(AuthError) -> SignInIdentifier {
        switch self {
        case .email(let text): .email(try EmailAddress(text))
        case .phone(let text): .phone(try PhoneNumber(text))
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// `GetUserAttributeVerificationCode` and `VerifyUserAttribute`: a user proves an address or a number of their own.
enum AttributeVerification {
    static func request(_ call: DialectCall) async throws -> JSONObject {
        let user = try call.user().user
        let subject: ResendMessage.Subject
        let delivery: CodeDelivery
        switch try attribute(call) {
        case .email:
            if let pending = user.pendingEmail {
                (subject, delivery) = (.emailChange, CodeDelivery(pending))
            } else {
                guard let email = user.email else { throw missing("email") }
                guard user.emailVerifiedAt == nil else { throw verified("email") }
                (subject, delivery) = (.signUpConfirmation, CodeDelivery(email))
            }
        case .phone:
            if let pending = user.pendingPhone {
                (subject, delivery) = (.phoneChange, CodeDelivery(pending))
            } else {
                guard let phone = user.phone else { throw missing("phone_number") }
                guard user.phoneVerifiedAt == nil else { throw verified("phone_number") }
                (subject, delivery) = (.phoneSignIn, CodeDelivery(phone))
            }
        }
        guard try await call.accounts.resendMessage(subject, to: .user(user.id), call: call.flow) else {
            throw WireError.attemptLimit
        }
        return ["CodeDeliveryDetails": .object(delivery.json)]
    }

    /// Where the Directory asks the present address too, each of the two codes is given once, in either order.
    static func verify(_ call: DialectCall) async throws -> JSONObject {
        let user = try call.user().user
        let attribute = try attribute(call)
        let code = try call.input.required(.code)
        let purposes: [OneTimeToken.Purpose] =
            switch attribute {
            case .email:
                user.pendingEmail == nil ? [.signUpConfirmation] : [.emailChangeNew, .emailChangeCurrent]
            case .phone: user.pendingPhone == nil ? [.phoneSignIn, .signUpConfirmation] : [.phoneChange]
            }
        _ = try await call.accounts.confirmAddress(.code(.user(user.id), code), purposes: purposes, call: call.flow)
        return [:]
    }

    private enum Attribute { case email, phone }

    private static func attribute(_ call: DialectCall) throws -> Attribute {
        switch try call.input.required(.attributeName) {
        case "email": .email
        case "phone_number": .phone
        default: throw WireError.parameter("Invalid attribute name: only email and phone_number can be verified.")
        }
    }

    private static func missing(_ name: String) -> WireError { .parameter("User has no attribute \(name).") }
    private static func verified(_ name: String) -> WireError { .parameter("\(name) is already verified.") }
}

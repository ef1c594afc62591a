// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// Who is to have an account, as a pool reads `Username` and `UserAttributes` together.
struct NewUser: Sendable {
    /// `nil` in a pool whose users are named by an address or a number.
    var username: Username?
    var email: EmailAddress?
    var phone: PhoneNumber?

    /// - Throws: `InvalidParameterException` when the pool names its users otherwise.
    init(_ text: String, _ changes: AttributeChanges, call: DialectCall) throws {
        let pool = call.pool
        email = changes.email
        phone = changes.phone
        switch try call.identifier(ofUsername: text) {
        case .email(let address):
            guard !pool.aliasAttributes.contains("email") else {
                throw WireError.parameter(
                    "Username cannot be of email format, since user pool is configured for email alias.")
            }
            email = address
        case .phone(let number):
            guard !pool.aliasAttributes.contains("phone_number") else {
                throw WireError.parameter(
                    "Username cannot be of phone number format, since user pool is configured for phone number alias.")
            }
            phone = number
        case .username(let name):
            switch (pool.usernameAttributes.contains("email"), pool.usernameAttributes.contains("phone_number")) {
            case (true, true):
                throw WireError.parameter("Username should be either an email or a phone number.")
            case (true, false): throw WireError.parameter("Username should be an email.")
            case (false, true): throw WireError.parameter("Username should be a phone number.")
            case (false, false): username = name
            }
        case .user: break  // No text is read as one.
        }
    }

    /// Where the account is confirmed; `nil` for one that only an administrator can confirm.
    var recipient: SignInIdentifier? { email.map { .email($0) } ?? phone.map { .phone($0) } }
}

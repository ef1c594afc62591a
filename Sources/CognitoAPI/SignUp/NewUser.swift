// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// Who is to have an account, as a pool reads `Username` and `UserAttributes` together.
struct NewUser: Sendable {
    /// What they are called by.
    let identifier: SignInIdentifier
    /// `nil` in a pool whose users are named by an address or a number.
    var username: Username?
    var email: EmailAddress?
    var phone: PhoneNumber?
    /// Whether the address is no name of theirs, so that it may be others' too.
    var sharesEmail = false
    /// The same of the number.
    var sharesPhone = false

    /// - Throws: `InvalidParameterException` when the pool names its users otherwise.
    init(_ text: String, _ changes: AttributeChanges, call: DialectCall) throws {
        let pool = call.pool
        email = changes.email
        phone = changes.phone
        let settings = call.directory.settings.signUp
        identifier = try call.identifier(ofUsername: text)
        switch identifier {
        case .email(let address):
            guard !pool.aliasAttributes.contains("email") else {
                throw WireError.parameter(
                    "Username cannot be of email format, since user pool is configured for email alias.")
            }
            guard email == nil || email == address else { throw Self.differs("email") }
            email = address
            sharesPhone = !settings.uniquePhones
        case .phone(let number):
            guard !pool.aliasAttributes.contains("phone_number") else {
                throw WireError.parameter(
                    "Username cannot be of phone number format, since user pool is configured for phone number alias.")
            }
            guard phone == nil || phone == number else { throw Self.differs("phone_number") }
            phone = number
            sharesEmail = true
        case .username(let name):
            switch (pool.usernameAttributes.contains("email"), pool.usernameAttributes.contains("phone_number")) {
            case (true, true):
                throw WireError.parameter("Username should be either an email or a phone number.")
            case (true, false): throw WireError.parameter("Username should be an email.")
            case (false, true): throw WireError.parameter("Username should be a phone number.")
            case (false, false):
                username = name
                (sharesEmail, sharesPhone) = (true, true)
            }
        case .user: break  // No text is read as one.
        }
    }

    /// What is said of an attribute that is the user's name, and is to be another than that.
    private static func differs(_ attribute: String) -> WireError {
        let words = attribute == "email" ? ("User email", "email") : ("User phone number", "phone number")
        return WireError.parameter(
            "\(words.0) should be empty or same as username, since username attribute is \(words.1)")
    }

    /// Writes what the user is called by among their attributes.
    ///
    /// - Parameter text: as `Username` had it.
    func complete(_ changes: inout AttributeChanges, from text: String) {
        if case .email(let address) = identifier { changes.write(email: address, as: text) }
        changes.phone = phone
    }
}

// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

extension DialectCall {
    /// How the pool reads a `Username` (also the one in `AuthParameters`).
    ///
    /// In a pool that was made without address aliases all is a plain name, even what looks like an address; elsewhere
    /// an address or a number names its owner. A name that is somebody's `sub` means them, whatever its form: see
    /// ``UserReading/user(username:in:)``.
    func identifier(ofUsername text: String) throws -> SignInIdentifier {
        let pool = pool
        let takesAddresses =
            !pool.isDeclared || pool.usernameAttributes.contains("email") || pool.aliasAttributes.contains("email")
        if takesAddresses, text.contains("@"), let email = try? EmailAddress(text) { return .email(email) }
        let takesNumbers =
            !pool.isDeclared || pool.usernameAttributes.contains("phone_number")
            || pool.aliasAttributes.contains("phone_number")
        if takesNumbers, text.hasPrefix("+"), let phone = try? PhoneNumber(text) { return .phone(phone) }
        return .username(try Username(text, isCaseSensitive: pool.isCaseSensitive))
    }

    /// The identifier in the `Username` member.
    func identifier() throws -> SignInIdentifier { try identifier(ofUsername: try input.required(.username)) }

    /// The user of this name: operations of the public need it to know where a code went, and tell nothing of it to
    /// whom they must not.
    func find(_ identifier: SignInIdentifier) async throws -> User? {
        try await accounts.findUser(identifier, call: flow)
    }

    /// The user that an administrative operation names by `Username`.
    ///
    /// - Throws: `UserNotFoundException`.
    func namedUser() async throws -> User { try await namedRecord().user }

    /// The same, with the identities that they are known by.
    func namedRecord() async throws -> UserRecord {
        guard let record = try await accounts.userAdministration.find(try identifier(), call: flow) else {
            throw WireError.userNotFound
        }
        return record
    }
}

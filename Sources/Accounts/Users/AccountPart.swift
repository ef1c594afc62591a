// SPDX-License-Identifier: Apache-2.0

/// What can be taken from an account and leave it an account.
public enum AccountPart: Sendable, Hashable {
    case email
    case phone
    case password
    /// The identities that an issuer knows the user by.
    case identity(provider: String)
}

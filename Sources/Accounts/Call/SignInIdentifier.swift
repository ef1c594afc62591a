// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// How a person names themselves when they sign in.
public enum SignInIdentifier: Sendable, Hashable {
    case email(EmailAddress)
    case phone(PhoneNumber)
    case username(Username)
    /// By identifier, our own or one that was brought along: how a user without a name is called.
    case user(UserID)
}

// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What a user changes about their own account; what is `nil` stays.
public struct UserChanges: Sendable {
    public var email: EmailAddress?
    public var phone: PhoneNumber?
    public var password: Secret<String>?
    /// Laid over the metadata there is; a null removes a member.
    public var userMetadata: JSONObject?
    /// The same for what the call's dialect keeps of the user.
    public var attributes: JSONObject?
    /// The code that proves a fresh reauthentication.
    public var nonce: String?
    public var currentPassword: Secret<String>?
    public var redirectTo: String?
    public var codeChallenge: String?

    public init() {}
}

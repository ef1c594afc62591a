// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What a user changes about their own account; what is `nil` stays.
public struct UserChanges: Sendable {
    public var email: EmailAddress?
    public var phone: PhoneNumber?
    /// Whether the address there is goes at once, and the user has none until the new one is proved; without a new one
    /// it is deleted. Never the one that the user is called by.
    public var dropsFormerEmail = false
    /// The same of the number.
    public var dropsFormerPhone = false
    /// Whether a new address is sent what proves it. Where not, the user asks for it later.
    public var sendsToEmail = true
    /// The same of a new number.
    public var sendsToPhone = true
    public var password: Secret<String>?
    /// Laid over the metadata there is; a null removes a member.
    public var userMetadata: JSONObject?
    /// The same for what the call's dialect keeps of the user.
    public var attributes: JSONObject?
    /// What the user takes from their own account, before anything is given.
    public var removes: Set<AccountPart> = []
    /// The code that proves a fresh reauthentication.
    public var nonce: String?
    public var currentPassword: Secret<String>?
    public var redirectTo: String?
    public var codeChallenge: String?

    public init() {}

    /// Whether something changes that lets `user` in, and not only what is said of them. An address or a number that is
    /// theirs already changes nothing: apps send a whole form back.
    func isOfWaysIn(of user: User) -> Bool {
        password != nil || email.map { $0 != user.email } ?? false || phone.map { $0 != user.phone } ?? false
            || dropsFormerEmail || dropsFormerPhone || !removes.isEmpty
    }
}

// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Somebody whom a program of the operator's knows from elsewhere, as its answer has them.
public struct MigratedUser: Sendable {
    public var username: Username?
    public var email: EmailAddress?
    public var phone: PhoneNumber?
    /// Whether the program vouches for the address: nothing else does.
    public var provesEmail = false
    public var provesPhone = false
    /// What every dialect shows of them.
    public var metadata = JSONObject()
    /// What the form's own dialect keeps of them: the half that users write, and the operators'.
    public var attributes = JSONObject()
    public var operatorAttributes = JSONObject()
    /// Whether the password that was shown is theirs from now on; without it they set one by a recovery.
    public var keepsPassword = false

    public init() {}
}

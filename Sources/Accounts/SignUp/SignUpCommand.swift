// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What somebody signs up with.
public struct SignUpCommand: Sendable {
    /// What they are to be called by: the address or number that the confirmation goes to; or a name, with which they
    /// need have neither.
    public var identifier: SignInIdentifier
    /// An address beside a name, where the confirmation then goes, or beside a number. It is nobody's name.
    public var email: EmailAddress?
    /// A number beside a name or an address. Beside an address it stays pending, and is nobody's until it is confirmed.
    public var phone: PhoneNumber?
    public var password: Secret<String>
    public var userMetadata: JSONObject
    /// What the call's dialect keeps of the user.
    public var attributes: JSONObject
    public var redirectTo: String?
    public var codeChallenge: String?
    /// Whether an address may be sent the message that confirms the account. Where none is sent, an operator confirms
    /// it.
    public var confirmsByMail = true
    /// The same of a number.
    public var confirmsByText = true
    /// Whether the caller hides that an address is taken, and so has everybody who repeats a sign-up wait alike. Where
    /// not, ``SignUpOutcome/concealed(_:)`` comes at once, to be told.
    public var conceals = true
    /// Whether the caller is to be signed in at once where the Directory lets an unverified account
    /// (``CallContext/opensUnverified``). No message is sent then, and an address that somebody has is told to be
    /// taken.
    public var signsInUnverified = false

    public init(
        identifier: SignInIdentifier, password: Secret<String>, userMetadata: JSONObject = [:],
        attributes: JSONObject = [:], redirectTo: String? = nil, codeChallenge: String? = nil
    ) {
        self.identifier = identifier
        self.password = password
        self.userMetadata = userMetadata
        self.attributes = attributes
        self.redirectTo = redirectTo
        self.codeChallenge = codeChallenge
    }
}

extension SignUpCommand {
    /// Whether a message to `recipient` may confirm the account.
    public func sends(to recipient: Recipient) -> Bool {
        switch recipient {
        case .email: confirmsByMail
        case .phone: confirmsByText
        }
    }
}

public enum SignUpOutcome: Sendable {
    /// The Directory confirms addresses by itself, or the caller may have a session before theirs is confirmed.
    case signedIn(SignInStep)
    case confirmationSent(UserRecord)
    /// There is nowhere to send a confirmation to: an operator confirms the account.
    case unconfirmed(UserRecord)
    /// The address has an account: this user is made up, and the owner was told.
    case concealed(UserRecord)
}

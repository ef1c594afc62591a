// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What a dialect wants of the accounts of a Directory, wherever they come to be: what a newcomer is asked for on a
/// form, and what is kept of whoever comes by an identity provider. Forms and flows know nothing else of it.
public protocol AccountSchema: Sendable {
    /// Whose place of a user the attributes are kept in (``User/dialectData``).
    var dialect: DialectName { get }

    /// What a newcomer must say of themselves on a form, beside the password and, unless ``AccountField/Kind/username``
    /// is among them, the address or number that they are called by. In the order in which it is asked.
    var fields: [AccountField] { get }

    /// Reads what was typed.
    ///
    /// - Parameter values: by ``AccountField/name``.
    /// - Throws: ``AccountFieldRefusals``.
    func read(_ values: [String: String]) throws(AccountFieldRefusals) -> AccountDescription

    /// Whether newcomers by a provider are let in where nobody signs up by themselves: whoever switches the provider on
    /// lets its users in then, and ``IdentityProvider/signUpAllowed`` keeps them out.
    var admitsProvidersUsers: Bool { get }

    /// What is kept of what a provider says. Whatever the schema does not have, or not so, is left out.
    func attributes(
        of mapped: MappedAttributes, at moment: FederationPolicy.Moment
    ) -> (byUser: JSONObject, byOperator: JSONObject)

    /// The attributes that no account may be without, and that a provider does not say of a newcomer.
    func missing(from mapped: MappedAttributes, email: EmailAddress?) -> [String]

    /// What a newcomer is called by their provider's word: taken only where nobody is called so.
    func username(of subject: String, at provider: IdentityProvider) -> Username?

    /// The group that newcomers of a provider are in: its name, and its description where it has to be made.
    func group(of provider: IdentityProvider) -> (name: String, description: String)?
}

/// One thing that a newcomer is asked for.
public struct AccountField: Sendable, Hashable {
    public enum Kind: Sendable, Hashable {
        /// What they are called by.
        case username
        case email
        case phone
        /// An attribute by its name in OpenID Connect Core, section 5.1, or a name of the dialect's own.
        case attribute
    }

    /// What it is called in forms.
    public var name: String
    public var kind: Kind

    public init(_ name: String, _ kind: Kind = .attribute) {
        self.name = name
        self.kind = kind
    }
}

/// What somebody said of themselves on a form.
public struct AccountDescription: Sendable {
    public var username: Username?
    public var email: EmailAddress?
    public var phone: PhoneNumber?
    /// Whether a message to the address may confirm the account.
    public var confirmsEmail = true
    /// The same of the number.
    public var confirmsPhone = true
    /// For ``User/userMetadata``.
    public var metadata: JSONObject
    /// For the half that users write in the place of the schema's dialect.
    public var attributes: JSONObject

    public init(
        username: Username? = nil, email: EmailAddress? = nil, phone: PhoneNumber? = nil, metadata: JSONObject = [:],
        attributes: JSONObject = [:]
    ) {
        self.username = username
        self.email = email
        self.phone = phone
        self.metadata = metadata
        self.attributes = attributes
    }
}

/// What of a form is not as it must be, by ``AccountField/name``.
public struct AccountFieldRefusals: Error, Sendable, Hashable {
    public enum Reason: Sendable, Hashable {
        case missing
        case invalid
    }

    public var reasons: [String: Reason]

    public init(_ reasons: [String: Reason]) {
        self.reasons = reasons
    }
}

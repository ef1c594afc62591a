// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// A user's attributes as the service lists them: `[{Name, Value}]`, every value a text.
enum UserAttributeList {
    static func encode(_ record: UserRecord, in view: AttributeView, only names: [String]? = nil) -> JSONValue {
        let wanted = names.map { Set($0) }
        return .array(
            (pairs(record.user, in: view) + identities(record)).filter { wanted?.contains($0.name) ?? true }
                .map { ["Name": .string($0.name), "Value": .string($0.value)] })
    }

    /// In a fixed order: addresses, what is kept here, what the user is called elsewhere, the subject.
    static func pairs(_ user: User, in view: AttributeView) -> [(name: String, value: String)] {
        var pairs: [(name: String, value: String)] = []
        // One that took another's place is pending until it is proved: see ``UserEndpoints/update(_:)``.
        if let email = user.email ?? user.pendingEmail {
            pairs.append(("email", spelling(of: email, user)))
            pairs.append(("email_verified", user.email == nil || user.emailVerifiedAt == nil ? "false" : "true"))
        }
        // A number given at sign-up beside an address is pending until it is proved.
        if let phone = user.phone ?? user.pendingPhone {
            pairs.append(("phone_number", phone.e164))
            pairs.append(("phone_number_verified", user.phone == nil || user.phoneVerifiedAt == nil ? "false" : "true"))
        }
        let place = user.dialectData[CognitoDialect.name]
        for member in place.byUser.members + place.byOperator.members where isKept(member.name) {
            if let text = text(member.value) { pairs.append((member.name, text)) }
        }
        for field in SharedField.allCases where place.byUser[field.rawValue] == nil {
            if let text = view.standIn(for: field, of: user) { pairs.append((field.rawValue, text)) }
        }
        pairs.append(("sub", user.sub))
        return pairs
    }

    /// By whom the user is vouched for, in an attribute that nobody writes; empty for a user of no provider.
    static func identities(_ record: UserRecord) -> [(name: String, value: String)] {
        UserIdentities(record.user, record.identities).attribute.map { [(UserIdentities.name, $0)] } ?? []
    }

    /// Where the spelling of an address is kept.
    static let writtenAddress = "email"

    /// The address as the user or an operator wrote it here, unless it has become another since.
    private static func spelling(of email: EmailAddress, _ user: User) -> String {
        guard let text = user.dialectData[CognitoDialect.name].byUser[writtenAddress]?.stringValue,
            (try? EmailAddress(text)) == email
        else { return email.rawValue }
        return text
    }

    /// Whether an attribute is kept here, and not among what the domain knows of the user.
    static func isKept(_ name: String) -> Bool { StandardAttribute.kept.contains(name) || isCustom(name) }

    static func isCustom(_ name: String) -> Bool { name.hasPrefix("custom:") || name.hasPrefix("dev:custom:") }

    private static func text(_ value: JSONValue) -> String? {
        switch value {
        case .string(let text): text
        case .integer(let number): String(number)
        case .bool(let flag): flag ? "true" : "false"
        case .null, .number, .array, .object: nil
        }
    }
}

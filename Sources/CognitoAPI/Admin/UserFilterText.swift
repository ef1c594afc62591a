// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// The `Filter` of `ListUsers`: `name = "value"`, or `name ^= "value"` for a prefix. A quotation mark within the value
/// is escaped by a backslash.
struct UserFilterText {
    /// `nil` for an empty text, which asks for everybody.
    let filter: UserFilter?

    /// - Throws: `InvalidParameterException`.
    init(_ text: String, of pool: PoolSettings) throws(WireError) {
        let trimmed = text.drop { $0 == " " }
        guard !trimmed.isEmpty else {
            filter = nil
            return
        }
        let name = trimmed.prefix { $0 != " " && $0 != "=" && $0 != "^" && $0 != "\"" }
        var rest = trimmed.dropFirst(name.count).drop { $0 == " " }
        let isPrefix = rest.hasPrefix("^=")
        guard isPrefix || rest.hasPrefix("=") else { throw Self.unreadable }
        rest = rest.dropFirst(isPrefix ? 2 : 1).drop { $0 == " " }
        let value = try Self.quoted(rest)
        let match: UserFilter.Match = isPrefix ? .prefix(value) : .exact(value)
        switch name {
        case "username": filter = isPrefix || !Self.looksLikeID(value) ? .username(match) : .id(UserID(value))
        case "email": filter = .email(match)
        case "phone_number": filter = .phone(match)
        case "name", "given_name", "family_name", "preferred_username":
            // As the attributes are shown: see ``AttributeView``.
            let shared = SharedField(rawValue: String(name))
            let isMutable = pool.attribute(String(name))?.isMutable ?? false
            filter = .attribute(String(name), of: CognitoDialect.name, orShared: isMutable ? shared : nil, match)
        case "sub":
            guard !isPrefix else { throw Self.unreadable }
            filter = .id(UserID(value))
        case "status":
            switch value.lowercased() {
            case "enabled": filter = .enabled(true)
            case "disabled": filter = .enabled(false)
            default: throw Self.unreadable
            }
        case "cognito:user_status":
            switch value.uppercased() {
            case UserStatus.confirmed.rawValue: filter = .confirmed(true)
            case UserStatus.unconfirmed.rawValue: filter = .confirmed(false)
            default:
                throw .parameter("Only CONFIRMED and UNCONFIRMED users can be listed by their status on this server.")
            }
        default: throw .parameter("Invalid search attribute: \(Input.excerpt(String(name)))")
        }
    }

    private static let unreadable = WireError.parameter("Error while parsing filter.")

    /// A user without a name is called by their identifier.
    private static func looksLikeID(_ value: String) -> Bool {
        value.utf8.count == 36 && value.utf8.filter { $0 == UInt8(ascii: "-") }.count == 4
    }

    private static func quoted(_ text: Substring) throws(WireError) -> String {
        guard text.unicodeScalars.first == "\"" else { throw unreadable }
        var value = String.UnicodeScalarView()
        var isEscaped = false
        // By code point: a mark that combines with the quotation mark does not keep it from being one.
        var rest = text.unicodeScalars.dropFirst()
        while let scalar = rest.popFirst() {
            if isEscaped {
                value.append(scalar)
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else if scalar == "\"" {
                guard rest.allSatisfy({ $0 == " " }) else { throw unreadable }
                return String(value)
            } else {
                value.append(scalar)
            }
        }
        throw unreadable
    }
}

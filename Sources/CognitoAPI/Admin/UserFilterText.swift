// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// The `Filter` of `ListUsers`: `name = "value"`, or `name ^= "value"` for a prefix. A quotation mark within the value
/// is escaped by a backslash.
///
/// The names are those of the service's own documentation of the operation.
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
        case "username": filter = .called(match, in: CognitoDialect.name, caseSensitive: pool.isCaseSensitive)
        case "email": filter = .email(match)
        case "phone_number": filter = .phone(match)
        case "name", "given_name", "family_name", "preferred_username":
            // As the attributes are shown: see ``AttributeView``.
            let shared = SharedField(rawValue: String(name))
            let isMutable = pool.attribute(String(name))?.isMutable ?? false
            filter = .attribute(String(name), of: CognitoDialect.name, orShared: isMutable ? shared : nil, match)
        case "sub": filter = .identifier(match, in: CognitoDialect.name)
        case "status": filter = Self.isEnabled(value, isPrefix)
        case "cognito:user_status":
            // Those that no user here has, such as RESET_REQUIRED, find nobody.
            let found = UserFilter.Standing.allCases.filter {
                Self.matches(UserStatus($0).rawValue, value, isPrefix)
            }
            filter = .standing(Set(found))
        default: throw .parameter("Invalid search attribute: \(Input.excerpt(String(name)))")
        }
    }

    private static let unreadable = WireError.parameter("Error while parsing filter")
    private static let nobody = UserFilter.standing([])

    /// `nil` for everybody.
    private static func isEnabled(_ value: String, _ isPrefix: Bool) -> UserFilter? {
        switch (matches("Enabled", value, isPrefix), matches("Disabled", value, isPrefix)) {
        case (true, true): nil
        case (true, false): .enabled(true)
        case (false, true): .enabled(false)
        case (false, false): nobody
        }
    }

    /// Without regard to case.
    private static func matches(_ word: String, _ value: String, _ isPrefix: Bool) -> Bool {
        let (word, value) = (word.lowercased(), value.lowercased())
        return isPrefix ? word.hasPrefix(value) : word == value
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

// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// A text member of an operation's input, with the constraint that the service's model gives it.
struct Member: Sendable {
    /// A set of characters, under the regular expression by which the service names it.
    struct Pattern: Sendable {
        let text: String
        let accepts: @Sendable (Unicode.Scalar) -> Bool
        /// For patterns that are more than a set of characters.
        var acceptsWhole: @Sendable (String) -> Bool = { _ in true }
    }

    let name: String
    let length: ClosedRange<Int>
    let pattern: Pattern?
    let choices: [String]?
    /// Whether the service's messages leave the value out.
    let isSensitive: Bool

    init(_ name: String, _ length: ClosedRange<Int>, _ pattern: Pattern? = nil, sensitive: Bool = false) {
        self.name = name
        self.length = length
        self.pattern = pattern
        choices = nil
        isSensitive = sensitive
    }

    init(_ name: String, oneOf choices: [String]) {
        self.name = name
        length = 0...Int.max
        pattern = nil
        self.choices = choices
        isSensitive = false
    }

    /// - Throws: `InvalidParameterException`.
    func check(_ value: String) throws(WireError) {
        let shown = isSensitive ? "Value" : "Value '\(Input.excerpt(value))'"
        let count = value.unicodeScalars.count
        if count < length.lowerBound {
            throw Input.violation(shown, name, "have length greater than or equal to \(length.lowerBound)")
        }
        if count > length.upperBound {
            throw Input.violation(shown, name, "have length less than or equal to \(length.upperBound)")
        }
        if let pattern, !value.unicodeScalars.allSatisfy(pattern.accepts) || !pattern.acceptsWhole(value) {
            throw Input.violation(shown, name, "satisfy regular expression pattern: \(pattern.text)")
        }
        if let choices, !choices.contains(value) {
            throw Input.violation(shown, name, "satisfy enum value set: [\(choices.joined(separator: ", "))]")
        }
    }
}

extension Member.Pattern {
    /// `[\S]+`
    static let notBlank = Self(text: "[\\S]+") { !$0.properties.isWhitespace }
    /// Letters, marks, symbols, numbers and punctuation: no blanks and no control characters.
    static let visible = Self(text: "[\\p{L}\\p{M}\\p{S}\\p{N}\\p{P}]+", accepts: isVisible)
    static let attributeName = Self(text: "[\\p{L}\\p{M}\\p{S}\\p{N}\\p{P}]+", accepts: isVisible)
    static let clientID = Self(text: "[\\w+]+") { isWord($0) || $0 == "+" }
    static let token = Self(text: "[A-Za-z0-9-_=.]+") { isWord($0) || "-=.".unicodeScalars.contains($0) }
    static let secretHash = Self(text: "[\\w+=/]+") { isWord($0) || "+=/".unicodeScalars.contains($0) }
    static let title = Self(text: "[\\w\\s+=,.@-]+") {
        isWord($0) || $0.properties.isWhitespace || "+=,.@-".unicodeScalars.contains($0)
    }
    static let digits = Self(text: "[0-9]+") { ("0"..."9").contains($0) }
    static let poolID = Self(
        text: "[\\w-]+_[0-9a-zA-Z]+", accepts: { isWord($0) || $0 == "-" },
        acceptsWhole: { text in
            guard let bar = text.lastIndex(of: "_"), bar != text.startIndex else { return false }
            return !text[text.index(after: bar)...].isEmpty && !text[text.index(after: bar)...].contains("-")
        })

    static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator,
            .spaceSeparator:
            false
        default: true
        }
    }
}

extension Member {
    static let userPoolID = Member("UserPoolId", 1...55, .poolID)
    static let clientID = Member("ClientId", 1...128, .clientID, sensitive: true)
    static let clientName = Member("ClientName", 1...128, .title)
    static let poolName = Member("PoolName", 1...128, .title)
    static let username = Member("Username", 1...128, .visible, sensitive: true)
    static let secretHash = Member("SecretHash", 1...128, .secretHash, sensitive: true)
    static let accessToken = Member("AccessToken", 1...16_384, .token, sensitive: true)
    static let confirmationCode = Member("ConfirmationCode", 1...2048, .notBlank, sensitive: true)
    static let code = Member("Code", 1...2048, .notBlank, sensitive: true)
    static let groupName = Member("GroupName", 1...128, .visible)
    static let description = Member("Description", 0...2048)
    static let attributeName = Member("AttributeName", 1...32, .attributeName)
    static let nextToken = Member("NextToken", 1...131_072, .notBlank)
    static let paginationToken = Member("PaginationToken", 1...131_072, .notBlank)
    static let filter = Member("Filter", 0...256)

    /// The service's model forbids blanks, and the service takes them within: a passphrase is a password.
    static func password(_ name: String) -> Member { Member(name, 1...256, sensitive: true) }
}

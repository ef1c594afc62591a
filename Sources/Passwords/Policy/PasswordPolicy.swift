// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What a new password must be. Every broken rule is named, so that the user can mend all of them at once.
public struct PasswordPolicy: Sendable, Equatable {
    public static let lowercaseLetters = "abcdefghijklmnopqrstuvwxyz"
    public static let uppercaseLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    public static let digits = "0123456789"
    public static let symbols = #"!@#$%^&*()_+-=[]{};'\:"|<>?,./`~"#

    /// Code points, as NIST SP 800-63B counts (section 3.1.1.2).
    public var minimumLength: Int
    /// Code points. At least 128; nothing is ever cut off.
    public var maximumLength: Int
    /// Octets of UTF-8, at most 4,096. Beyond, it is too long however few its code points are.
    public var maximumOctets: Int
    /// One code point of each set is required; an empty set asks for nothing. For the letters and digits above, any
    /// letter or digit of its kind will do, of whatever script.
    public var requiredCharacters: [String]
    /// Whether common passwords, and those that repeat the user's own words, are refused.
    public var blocklist: Bool

    public init(
        minimumLength: Int = 8, maximumLength: Int = 1024,
        requiredCharacters: [String] = [lowercaseLetters, uppercaseLetters, digits], blocklist: Bool = true,
        maximumOctets: Int = 4096
    ) {
        self.minimumLength = minimumLength
        self.maximumLength = max(128, maximumLength)
        // 128 code points take 512 octets at most.
        self.maximumOctets = min(max(512, maximumOctets), NormalizedPassword.maximumOctets)
        self.requiredCharacters = requiredCharacters
        self.blocklist = blocklist
    }

    /// Eight characters with an upper-case letter, a lower-case letter and a digit, and not a common password.
    public static let `default` = PasswordPolicy()
    /// NIST SP 800-63B, section 3.1.1.2, for a password that is the only factor: 15 characters of any kind.
    public static let nist = PasswordPolicy(minimumLength: 15, requiredCharacters: [])

    /// Every rule that `password` breaks, in a fixed order; none when it is acceptable. Of a text that is longer than
    /// any password may be (4,096 octets as it was typed, or more than 30 combining marks in a row) only that is said.
    ///
    /// - Parameter context: words that belong to the user or the service, such as the local part of the address.
    ///   Those shorter than four characters don't count.
    public func violations(of password: Secret<String>, context: [String] = []) -> [PasswordViolation] {
        guard let text = NormalizedPassword(password)?.text else { return [.maximumLength] }
        let length = text.unicodeScalars.count
        var violations: [PasswordViolation] = []
        if length < minimumLength { violations.append(.minimumLength) }
        let isTooLong = length > maximumLength || text.utf8.count > maximumOctets
        if isTooLong { violations.append(.maximumLength) }
        for set in requiredCharacters where !set.isEmpty && !Self.contains(text, oneOf: set) {
            let violation = Self.violation(for: set)
            if !violations.contains(violation) { violations.append(violation) }
        }
        guard blocklist, !isTooLong else { return violations }
        let folded = text.lowercased()
        if CommonPasswords.contains(folded) { violations.append(.common) }
        if context.contains(where: { Self.repeats(folded, $0) }) { violations.append(.context) }
        return violations
    }

    private static func contains(_ text: String, oneOf set: String) -> Bool {
        let scalars = text.unicodeScalars
        return switch set {
        case lowercaseLetters: scalars.contains { $0.properties.isLowercase }
        case uppercaseLetters: scalars.contains { $0.properties.isUppercase }
        case digits: scalars.contains { $0.properties.numericType == .decimal }
        default: scalars.contains(where: Set(set.composed.unicodeScalars).contains)
        }
    }

    private static func violation(for set: String) -> PasswordViolation {
        switch set {
        case lowercaseLetters: .lowercase
        case uppercaseLetters: .uppercase
        case digits: .number
        case symbols: .symbol
        default: .characters
        }
    }

    /// The word itself, or the word with a few code points around it. By code point, since to search by what looks like
    /// one character takes time that grows with the square of the length where flags stand in a row.
    private static func repeats(_ password: String, _ word: String) -> Bool {
        let letters = Array(password.unicodeScalars)
        guard let word = NormalizedPassword(Secret(word)).map({ Array($0.text.lowercased().unicodeScalars) }),
            word.count >= 4, (0..<5).contains(letters.count - word.count)
        else { return false }
        return (0...letters.count - word.count).contains { letters[$0...].starts(with: word) }
    }
}

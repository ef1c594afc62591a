// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What a new password must be, said while it is typed (G-1.4, G-15.5). The service decides; these are the rules of its
/// default that a device can know. Whether a password is a common one, only the service does.
public struct PasswordPolicy: Sendable, Hashable {
    /// Code points, as NIST SP 800-63B counts (section 3.1.1.2).
    public var minimumLength: Int
    /// In characters, as the service counts them.
    public var maximumLength: Int
    /// One of them at least.
    public var needsUppercase: Bool
    /// One of them at least.
    public var needsLowercase: Bool
    /// One digit at least.
    public var needsNumber: Bool

    /// The rules of G-1.4, unless others are given.
    public init(
        minimumLength: Int = 8, maximumLength: Int = 1024, needsUppercase: Bool = true, needsLowercase: Bool = true,
        needsNumber: Bool = true
    ) {
        self.minimumLength = minimumLength
        self.maximumLength = maximumLength
        self.needsUppercase = needsUppercase
        self.needsLowercase = needsLowercase
        self.needsNumber = needsNumber
    }

    /// Every rule that it breaks, in a fixed order.
    ///
    /// - Parameter context: the user's own words, such as the address: those of four characters or more must not be
    ///   most of the password.
    public func violations(of password: Secret<String>, context: [String] = []) -> [PasswordViolation] {
        let text = password.reveal()
        // Counted before anything is done with it: nobody has to think about a text of a megabyte.
        guard text.utf8.count <= 4096 else { return [.maximumLength] }
        let scalars = text.unicodeScalars
        var violations: [PasswordViolation] = []
        if scalars.count < minimumLength { violations.append(.minimumLength) }
        if scalars.count > maximumLength { violations.append(.maximumLength) }
        if needsUppercase, !scalars.contains(where: \.properties.isUppercase) { violations.append(.uppercase) }
        if needsLowercase, !scalars.contains(where: \.properties.isLowercase) { violations.append(.lowercase) }
        if needsNumber, !scalars.contains(where: { $0.properties.numericType == .decimal }) {
            violations.append(.number)
        }
        let letters = Array(text.lowercased().unicodeScalars)
        if context.contains(where: { Self.repeats(letters, $0) }) { violations.append(.context) }
        return violations
    }

    /// As the service does: the word itself, or the word with up to four code points around it; of an address the part
    /// before the at sign.
    private static func repeats(_ password: [Unicode.Scalar], _ word: String) -> Bool {
        let word = Array(word.prefix { $0 != "@" }.lowercased().unicodeScalars)
        guard word.count >= 4, (0..<5).contains(password.count - word.count) else { return false }
        return (0...password.count - word.count).contains { password[$0...].starts(with: word) }
    }
}

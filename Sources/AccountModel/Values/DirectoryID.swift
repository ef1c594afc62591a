// SPDX-License-Identifier: Apache-2.0

import AuthTypes

extension Identifier<DirectoryTag> {
    /// Characters of a new one. It stands in each row of a Directory and in nearly every entry of every index, so each
    /// character is paid for some eight times a user.
    public static let length = 8

    /// A new one: ``length`` lower-case letters and digits, 41 bits. Directories are few, and one that is taken is
    /// drawn anew; it is no secret.
    public init(by random: some RandomSource) {
        self.init(random.letters(Self.length))
    }

    /// Whether a text from outside may be one: 1 to 36 lower-case letters, digits and hyphens.
    public static func accepts(_ text: String) -> Bool {
        (1...36).contains(text.utf8.count)
            && text.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 45 }
    }
}

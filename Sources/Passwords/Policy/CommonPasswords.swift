// SPDX-License-Identifier: Apache-2.0

/// The passwords that guessing begins with.
enum CommonPasswords {
    /// Whether `password`, in lower case, is one of them, or one of them or a common word with the little around it
    /// that rules for passwords make people add: "password1!", "summer2024" and "$umm3r#24" are guessed right after the
    /// word.
    static func contains(_ password: String) -> Bool {
        let letters = Array(password.unicodeScalars)
        guard letters.count <= longest else { return false }
        if all.contains(password) { return true }
        let leading = letters.prefix(while: isDecoration).count
        let trailing = letters.reversed().prefix(while: isDecoration).count
        guard leading < letters.count else { return false }
        // A digit or mark beside the word may stand for a letter of it, so each way to cut is tried.
        for start in 0...min(leading, mostAround) {
            for cut in 0...min(trailing, mostAround) {
                let word = letters[start..<letters.count - cut]
                if isUsual(letters.prefix(start) + letters.suffix(cut)), isCommon(word) { return true }
            }
        }
        return false
    }

    /// Of digits and marks.
    private static let mostAround = 14
    /// What nothing longer can be: the longest entry with the most around it.
    private static let longest = 40

    /// At most four digits, or the first ones of the keyboard's row, and at most four marks.
    private static func isUsual(_ around: ArraySlice<Unicode.Scalar>) -> Bool {
        let digits = around.filter(isDigit)
        return around.count - digits.count <= 4
            && (digits.count <= 4 || "1234567890".unicodeScalars.starts(with: digits))
    }

    private static func isCommon(_ letters: ArraySlice<Unicode.Scalar>) -> Bool {
        let word = text(letters)
        if all.contains(word) { return true }
        return letters.contains { standsFor[$0] != nil } && all.contains(text(letters.map { standsFor[$0] ?? $0 }))
    }

    private static func text(_ letters: some Sequence<Unicode.Scalar>) -> String {
        String(String.UnicodeScalarView(letters))
    }

    private static func isDigit(_ letter: Unicode.Scalar) -> Bool { ("0"..."9").contains(letter) }
    private static func isDecoration(_ letter: Unicode.Scalar) -> Bool {
        isDigit(letter) || letter.isASCII && !("a"..."z").contains(letter)
    }

    /// The letters that digits and marks are written for.
    private static let standsFor: [Unicode.Scalar: Unicode.Scalar] = [
        "0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t", "8": "b", "@": "a", "$": "s", "!": "i", "|": "l",
    ]

    /// Of seasons, months and days, which turn with the password: those that the lists lack.
    private static let calendar = """
        fall autumn january march april june july sunday thursday saturday frühling fruehling herbst januar februar märz \
        maerz juni juli oktober dezember montag dienstag mittwoch donnerstag freitag samstag sonntag passwort
        """

    private static let all: Set<String> = Set(
        (list.split(separator: "\n") + words.split(separator: "\n") + calendar.split(separator: " "))
            .map { $0.lowercased() })
}

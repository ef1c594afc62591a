// SPDX-License-Identifier: Apache-2.0

import AuthTypes

extension AuthError {
    /// Somebody else's words, for a log: 200 characters at most, on one line, and without what may be a secret or name
    /// a person.
    ///
    /// Services quote what they were sent. So no word is kept that has an `@`, none of ten octets or more with a digit
    /// in it, as tokens, codes, numbers and identifiers have, and none of more than 40 but of letters, as names of
    /// errors are.
    public static func readable(_ words: String) -> String {
        let line = String(
            words.unicodeScalars.prefix(1_000).map { $0.value < 0x20 || $0.value == 0x7F ? " " : Character($0) })
        let kept = line.split(separator: " ", omittingEmptySubsequences: false)
            .map { isPersonal($0.utf8) ? "[redacted]" : String($0) }.joined(separator: " ")
        return String(String.UnicodeScalarView(kept.unicodeScalars.prefix(200)))
    }

    private static func isPersonal(_ word: Substring.UTF8View) -> Bool {
        word.contains(UInt8(ascii: "@"))
            || word.count >= 10 && word.contains { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            || word.count > 40 && !word.allSatisfy { Self.isLetter($0) || $0 == UInt8(ascii: ":") }
    }

    private static func isLetter(_ octet: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(octet | 0x20)
    }
}

// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Testing

@testable import Passwords

@Suite("PasswordPolicy")
struct PasswordPolicyTests {
    private func broken(
        _ password: String, _ policy: PasswordPolicy = .default, context: [String] = []
    ) -> [PasswordViolation] { policy.violations(of: Secret(password), context: context) }

    @Test("G-1.4 eight characters with an upper-case letter, a lower-case letter and a digit are asked for")
    func defaultRules() {
        #expect(broken("Gartenzwerg7") == [])
        #expect(broken("Gz7wqmk") == [.minimumLength])
        #expect(broken("Gz7wqmkx") == [])
        #expect(broken("gartenzwerg7") == [.uppercase])
        #expect(broken("GARTENZWERG7") == [.lowercase])
        #expect(broken("Gartenzwerg") == [.number])
    }

    @Test("G-15.5 every broken rule is named, in one order, with the key of its text")
    func allAtOnce() {
        #expect(broken("") == [.minimumLength, .lowercase, .uppercase, .number])
        #expect(broken("!") == [.minimumLength, .lowercase, .uppercase, .number])
        #expect(broken("a") == [.minimumLength, .uppercase, .number])
        #expect(broken("password") == [.uppercase, .number, .common])
        #expect(broken("willibald", context: ["willibald"]) == [.uppercase, .number, .context])
        #expect(PasswordViolation.minimumLength.rawValue == "auth.error_password_min_length")
        #expect(PasswordViolation.uppercase.rawValue == "auth.error_password_uppercase")
        #expect(PasswordViolation.number.rawValue == "auth.error_password_number")
    }

    @Test("Code points are counted, after normalization: not octets, not what looks like one character")
    func codePoints() {
        let policy = PasswordPolicy(minimumLength: 4, requiredCharacters: [], blocklist: false)
        #expect(broken("ääää", policy) == [])
        #expect(broken("äää", policy) == [.minimumLength])
        // Three letters and three combining marks are three code points once composed.
        #expect(broken("a\u{308}a\u{308}a\u{308}", policy) == [.minimumLength])
        #expect(broken("a\u{308}a\u{308}a\u{308}a\u{308}", policy) == [])
        // One family, one grapheme, seven code points.
        #expect(broken("👨‍👩‍👧‍👦", policy) == [])
        #expect(broken("👍👍👍", policy) == [.minimumLength])
    }

    @Test("128 characters and more are accepted, of any script, and no policy can ask for fewer")
    func longOnes() {
        let long = "Kuh7" + String(repeating: "ü漢🌱 ", count: 31)
        #expect(long.unicodeScalars.count == 128)
        #expect(broken(long) == [])
        #expect(broken(String(repeating: "Zt4-", count: 256)) == [])
        #expect(broken(String(repeating: "Zt4-", count: 256) + "x") == [.maximumLength])
        let narrow = PasswordPolicy(maximumLength: 16)
        #expect(narrow.maximumLength == 128)
        #expect(broken(long, narrow) == [])
        #expect(broken(String(repeating: "a", count: 4096)) == [.maximumLength, .uppercase, .number])
    }

    @Test("R8.1 what is longer than any password is only that, and nothing else is looked at", .timeLimit(.minutes(1)))
    func beyondBounds() {
        let marks = "A1a" + String(repeating: "\u{307}\u{323}", count: 1_000_000)
        for text in [String(repeating: "a", count: 4097), String(repeating: "🌱", count: 1025), marks] {
            #expect(broken(text, context: [text]) == [.maximumLength])
        }
        #expect(broken("A1a-" + String(repeating: "\u{307}\u{323}", count: 15)) == [])
        #expect(broken("A1a-" + String(repeating: "\u{307}\u{323}", count: 16)) == [.maximumLength])
        #expect(PasswordPolicy(maximumOctets: 1 << 20).maximumOctets == 4096)
    }

    @Test("The NIST preset asks for 15 characters of any kind, and no common ones")
    func nist() {
        #expect(broken("vier pferde tanzen", .nist) == [])
        #expect(broken("vierzehn stück", .nist) == [.minimumLength])
        #expect(broken("fünfzehn stücke", .nist) == [])
        #expect(broken("123456789987654321", .nist) == [.common])
    }

    @Test("Required sets of an operator's own are asked for, and an empty one asks for nothing")
    func ownSets() {
        let marks = PasswordPolicy(requiredCharacters: ["!?§", PasswordPolicy.digits, "#+"], blocklist: false)
        #expect(broken("gartenzwerg", marks) == [.characters, .number])
        #expect(broken("gartenzwerg!", marks) == [.number, .characters])
        #expect(broken("gartenzwerg§7#", marks) == [])
        // A mark is one wherever it stands, before a combining code point too.
        #expect(broken("gartenzwerg!\u{20E3}7+", marks) == [])
        #expect(broken("gartenzwerg", PasswordPolicy(requiredCharacters: [""], blocklist: false)) == [])
    }

    @Test("Letters and digits of every script count as what they are")
    func scripts() {
        #expect(broken("пароЛьдлинный٣") == [])
        #expect(broken("Straßenlaterne½") == [.number])
        #expect(broken("漢字漢字漢字漢字一") == [.lowercase, .uppercase, .number])
    }

    @Test(
        "Common passwords are refused, in any case and with digits or marks at their end",
        arguments: ["Password1", "PASSWORD1a", "P@ssw0rd", "Password123!", "Qwertyuiop1", "Sunshine2024", "iloveyou1A"])
    func common(_ password: String) {
        let isListed = broken(password, PasswordPolicy(requiredCharacters: [])).contains(.common)
        #expect(isListed == !["PASSWORD1a", "iloveyou1A"].contains(password))
        #expect(!broken(password, PasswordPolicy(blocklist: false)).contains(.common))
    }

    @Test(
        "R8.18 a common word with a year, or with the digits and marks that rules make people add, is refused",
        arguments: [
            "Summer2024", "summer2024", "SUMMER2024!", "Winter2023", "Spring-2025", "Fall2024", "Autumn#24",
            "June2024!",
            "2024Summer", "!Summer2024!", "Summ3r2024", "$ummer2024", "P4ssw0rd2024", "Dragon1234", "Welcome123456",
            "Monday01!", "Sommer2024", "Fru\u{308}hling24", "Herbst2024!!", "Michael1985", "Qwertz2024",
        ])
    func wordAndYear(_ password: String) {
        #expect(broken(password, PasswordPolicy(requiredCharacters: [])) == [.common])
    }

    @Test(
        "R8.18 a word is no reason to refuse what has more than a little around it",
        arguments: [
            "Gartenzwerg7", "Summer-rain-2024", "summer20242024", "Xsummer2024", "7Kuehe-summer", "correct-horse-7",
            "2024!!20!24", "--------2024", "漢字漢字2024",
        ])
    func uncommon(_ password: String) {
        #expect(!broken(password, PasswordPolicy(requiredCharacters: [])).contains(.common))
    }

    @Test("At least 3,000 common passwords are listed that meet the length asked for")
    func listed() {
        let long = CommonPasswords.list.split(separator: "\n").filter { $0.unicodeScalars.count >= 8 }
        #expect(long.count >= 3000)
        #expect(long.allSatisfy { CommonPasswords.contains(String($0)) })
        #expect(!CommonPasswords.contains(""))
        #expect(!CommonPasswords.contains("1"))
    }

    @Test("The user's own words, alone or with little around them, are refused; short ones and mere parts are not")
    func contextWords() {
        #expect(broken("Willibald7", context: ["willibald"]) == [.context])
        #expect(broken("xWILLIbald42", context: ["Willibald"]) == [.context])
        #expect(broken("Willibald-geht-7-Schritte", context: ["willibald"]) == [])
        #expect(broken("Abc7defg", context: ["abc", ""]) == [])
        #expect(broken("Mu\u{308}ller77", context: ["müller"]) == [.context])
        #expect(broken("Willibald7", PasswordPolicy(blocklist: false), context: ["willibald"]) == [])
    }

    @Test("No naughty string traps, as a password or as the user's word")
    func naughty() throws {
        for text in try VectorFiles.naughtyStrings() {
            let length = text.unicodeScalars.count
            #expect(broken(text, context: [text]).contains(.minimumLength) || length >= 8)
            _ = broken("Gartenzwerg7", PasswordPolicy(requiredCharacters: [text]), context: [text])
        }
    }
}

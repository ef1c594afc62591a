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
        #expect(broken(String(repeating: "a", count: 1_000_000)) == [.maximumLength, .uppercase, .number])
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

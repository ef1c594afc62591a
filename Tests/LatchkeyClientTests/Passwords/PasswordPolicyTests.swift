// SPDX-License-Identifier: Apache-2.0

import LatchkeyClient
import Testing

@Suite("PasswordPolicy") struct PasswordPolicyTests {
    @Test(
        "G-1.4 G-15.5 Every rule that a password breaks is named, all at once",
        arguments: [
            ("", [.minimumLength, .uppercase, .lowercase, .number]), ("abc", [.minimumLength, .uppercase, .number]),
            ("abcdefgh", [.uppercase, .number]), ("ABCDEFG1", [.lowercase]), ("Abcdefgh", [.number]), ("Abcdefg1", []),
            ("Äbcdefg٣", []), ("Ann.Smith1", [.context]), ("Ann.Smith-1234", []),
        ] as [(String, [PasswordViolation])])
    func rules(_ password: String, _ broken: [PasswordViolation]) {
        #expect(PasswordPolicy().violations(of: Secret(password), context: ["ann.smith@a.test", "ab"]) == broken)
    }

    @Test("G-1.4 A password of any length is judged; one that no service takes is only too long")
    func long() {
        let long = Secret("Aa1" + String(repeating: "x", count: 1022))
        #expect(PasswordPolicy().violations(of: long) == [.maximumLength])
        #expect(PasswordPolicy().violations(of: Secret(String(repeating: "x", count: 1_000_000))) == [.maximumLength])
        #expect(
            PasswordPolicy(minimumLength: 15, needsUppercase: false, needsNumber: false)
                .violations(of: Secret("fifteen letters")) == [])
    }
}

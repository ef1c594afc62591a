// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Testing

@Suite("PasswordViolation")
struct PasswordViolationTests {
    @Test("G-15.5 every broken rule has a text in every language", arguments: PasswordViolation.allCases)
    func texts(_ violation: PasswordViolation) {
        for language in MessageLanguage.allCases {
            let text = MessageCatalog.text(MessageKey(rawValue: violation.rawValue), in: language)
            #expect(text?.isEmpty == false)
        }
    }
}

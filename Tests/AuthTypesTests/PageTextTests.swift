// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AuthTypes

@Suite struct PageTextTests {
    private static func placeholders(_ text: String) -> Set<String> {
        Set(
            text.split(separator: "{", omittingEmptySubsequences: false).dropFirst().compactMap {
                $0.split(separator: "}").first.map(String.init)
            })
    }

    @Test(
        "R11.4 every text of a page is there in every language, its own, with the same values",
        arguments: PageText.allCases)
    func complete(text: PageText) throws {
        let english = try #require(MessageCatalog.pageTexts(in: .en)[text])
        let german = try #require(MessageCatalog.pageTexts(in: .de)[text])
        // A word of both languages.
        #expect(english != german || text == .passkeys)
        #expect(Self.placeholders(english) == Self.placeholders(german))
        for line in [english, german] {
            #expect(!line.isEmpty && !line.contains("\n") && line.first != " " && line.last != " ")
        }
    }

    @Test("R11.4 values are filled in once")
    func filling() {
        #expect(MessageCatalog.text(.signInTo, in: .en, values: ["app": "{app}"]) == "to continue to {app}")
        #expect(MessageCatalog.text(.signInTo, in: .en) == "")
    }
}

// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@Suite("Identifiers brought from elsewhere")
struct ExternalIdentifierTextTests {
    @Test(
        "R9.12 any text of up to 128 characters is kept as it is",
        arguments: [
            "a", "Xq3mT0aVb9cD1eF2gH3iJ4kL5mN6", "7c5ab6b0-0000-4000-8000-000000000001", "user@example.com", " a b ",
            "auth0|5f7c8ec7c33c6c004bbafe82", "Zoë", "Zoe\u{308}", "日本語", "👩‍👩‍👧", String(repeating: "x", count: 128),
            String(repeating: "🧘", count: 128),
        ])
    func accepted(text: String) throws {
        let identifier = try ExternalIdentifier(text)
        #expect(identifier.rawValue.utf8.elementsEqual(text.utf8) && identifier.matches(text))
    }

    @Test(
        "R9.12 an empty text, a longer one, control characters and heaped marks are refused",
        arguments: [
            "", String(repeating: "x", count: 129), String(repeating: "🧘", count: 129), "a\u{0}", "a\nb", "\u{7F}",
            "\u{85}", "\u{2028}", "a" + String(repeating: "\u{301}", count: 31),
            String(repeating: "\u{301}\u{316}", count: 100_000),
        ])
    func refused(text: String) {
        #expect {
            try ExternalIdentifier(text)
        } throws: { error in
            let error = error as? AuthError
            return error?.code == .invalidRequest && error?.field == "external_identifiers"
        }
    }

    @Test("R9.12 two texts are one identifier only octet by octet")
    func identity() throws {
        let (composed, decomposed) = (try ExternalIdentifier("Zo\u{EB}"), try ExternalIdentifier("Zoe\u{308}"))
        #expect(composed != decomposed && !composed.matches(decomposed.rawValue))
        #expect(Set([composed, decomposed, try ExternalIdentifier("zo\u{EB}")]).count == 3)
        #expect(composed == (try ExternalIdentifier("Zo\u{EB}")))
    }
}

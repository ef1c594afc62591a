// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Testing

@Suite("MessageLanguage")
struct MessageLanguageTests {
    @Test(
        "G-15.7 the first of the reader's languages that there is, English where there is none",
        arguments: [
            (["de"], .de), (["de-AT", "en"], .de), (["DE_ch"], .de), (["fr", "de", "en"], .de), (["fr"], .en),
            ([], .en), (["", "-", "deutsch"], .en), (["en", "de"], .en),
        ] as [([String], MessageLanguage)])
    func matching(_ tags: [String], _ language: MessageLanguage) {
        #expect(MessageLanguage(matching: tags) == language)
    }

    @Test(
        "G-15.7 Accept-Language is read by weight; of equal weights the first written; weight zero is a no",
        arguments: [
            ("de", .de), ("de-DE,de;q=0.9,en;q=0.8", .de), ("en;q=0.5, de;q=0.9", .de), ("en, de", .en),
            ("de, en", .de), ("de;q=0, en;q=0.1", .en), ("fr, de ; q=0.3", .de), ("*", .en), (";q=1,,", .en),
            ("de;q=nan, en;q=0.1", .en), ("de;q=2", .en), ("de;q=-1", .en), ("de;level=1;Q=0.4, en;q=0.3", .de),
            ("", .en),
        ] as [(String, MessageLanguage)])
    func acceptLanguage(_ field: String, _ language: MessageLanguage) {
        #expect(MessageLanguage(acceptLanguage: field) == language)
    }

    @Test("A missing or endless field is English, at no cost")
    func bounds() {
        #expect(MessageLanguage(acceptLanguage: nil) == .en)
        #expect(MessageLanguage(acceptLanguage: String(repeating: "de,", count: 1_000)) == .en)
        let ranges = Array(repeating: "x", count: 20) + ["de"]
        #expect(MessageLanguage(acceptLanguage: ranges.joined(separator: ",")) == .en)
    }
}

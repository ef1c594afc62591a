// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

/// An operator's own words on pages, as they are set.
@Suite struct PageWordingTests {
    private func set(_ texts: JSONObject) throws -> DirectorySettings {
        var settings = DirectorySettings()
        try settings.apply(["pages": ["texts": .object(texts)]])
        return settings
    }

    @Test("R11.4 every page and part has its text in every language, by file and command as by any other way")
    func everyText() throws {
        var texts: JSONObject = ["footer.en": "A <b>good</b> shop", "footer.de": "Ein guter Laden"]
        for page in PageWording.Page.allCases {
            for part in PageWording.Part.allCases {
                for language in MessageLanguage.allCases {
                    texts[PageWording.name(page, part, in: language)] = .string(
                        (["Hello"] + page.values.map { "{\($0)}" }).joined(separator: " "))
                }
            }
        }
        let settings = try set(texts)
        #expect(try DirectorySettings(stored: settings.json) == settings)
        let setting = try #require(DirectorySettings.setting("directory.pages.texts"))
        var again = DirectorySettings()
        try setting.set(try setting.parse(JSONValue.object(texts).text), in: &again)
        #expect(again == settings)
        #expect(
            PageWording.text(.signIn, .title, in: .en, of: settings.pages.texts, values: ["app": "{user}"])
                == "Hello {user}")
        #expect(
            PageWording.text(.signIn, .title, in: .en, of: settings.pages.texts) == nil, "what it names is not known")
    }

    @Test(
        "R11.4 a text that is none, too long, empty, of several lines or names what there is not is refused by its name",
        arguments: [
            ("signIn.tittle.en", "x", "there is no text signIn.tittle.en"),
            ("nowhere.title.en", "x", "there is no text nowhere.title.en"), ("signIn.en", "x", "there is no text"),
            ("signIn.title", "x", "names no language"), ("signIn.title.fr", "x", "names no language"),
            ("", "x", "names no language"), ("footer.title.en", "x", "there is no text"),
            ("signIn.title.en", String(repeating: "ä", count: 81), "more than 80"),
            ("signIn.button.en", String(repeating: "x", count: 41), "more than 40"),
            ("signIn.lead.en", String(repeating: "x", count: 301), "more than 300"),
            ("footer.de", String(repeating: "x", count: 301), "more than 300"),
            ("signIn.title.en", "", "is empty"), ("signIn.button.en", "  ", "is empty"), ("footer.en", "", "is empty"),
            ("signIn.title.en", "a\nb", "line break"), ("signIn.title.en", "a\u{0}", "control"),
            ("signIn.title.en", "a\u{2028}b", "line break"),
            ("signIn.title.en", "a" + String(repeating: "\u{301}", count: 40), "control"),
            ("signIn.title.en", "{user}", "may have in braces {app}"), ("forgot.lead.en", "{app}", "in braces nothing"),
            ("footer.en", "{app}", "in braces nothing"),
        ])
    func refused(name: String, text: String, reason: String) throws {
        do {
            _ = try set([name: .string(text)])
            Issue.record("taken")
        } catch let error as AuthError {
            #expect(error.code == .invalidRequest && error.field == "directory.pages.texts")
            #expect(error.reason?.contains(reason) == true, "\(error.reason ?? "")")
        }
    }

    @Test("R11.4 a lead may be taken away, and what is no object of texts is refused")
    func shapes() throws {
        #expect(try set(["signIn.lead.en": ""]).pages.texts == ["signIn.lead.en": ""])
        for value: JSONValue in ["x", 1, ["signIn.lead.en"], .object(["signIn.lead.en": 1])] {
            var settings = DirectorySettings()
            #expect(throws: AuthError(.invalidRequest)) { try settings.apply(["pages": ["texts": value]]) }
        }
    }
}

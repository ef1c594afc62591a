// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Foundation
import HTTPTypes
import HummingbirdCore
import Testing

@testable import ServerKit

@Suite struct PageFrameTests {
    private func frame(
        _ change: (inout DirectorySettings) -> Void = { _ in }, language: MessageLanguage = .en
    ) -> PageFrame {
        var settings = DirectorySettings()
        settings.mail.siteName = "Ac<me"
        change(&settings)
        return PageFrame(title: "Sign <in", brand: PageBrand(settings), language: language, content: "<p>x</p>")
    }

    /// The colours of the style, by the names of its variables.
    private func palettes(_ style: String) throws -> [[String: Colour]] {
        let blocks = style.components(separatedBy: ":root{").dropFirst()
        return blocks.map { block in
            var colours: [String: Colour] = [:]
            for declaration in block.prefix(while: { $0 != "}" }).split(separator: ";") {
                let parts = declaration.split(separator: ":")
                if parts.count == 2, let colour = Colour(String(parts[1])) { colours[String(parts[0])] = colour }
            }
            return colours
        }
    }

    @Test(
        "R11.4 text is read at 4.5:1 and edges are seen at 3:1 on what they stand on, by day and at night",
        arguments: [
            DirectorySettings.Pages(), Self.pages(accent: "#8a1c7c"), Self.pages(accent: "#000000"),
            Self.pages(accent: "#767676"),
            Self.pages(accent: "#0b3d0b", background: "#ffe9d6", backgroundDark: "#000000"),
        ])
    func contrast(pages: DirectorySettings.Pages) throws {
        var settings = DirectorySettings()
        settings.pages = pages
        let found = try palettes(PageStyle.style(of: PageBrand(settings)).text)
        try #require(found.count == 2)
        for (colours, night) in zip(found, [false, true]) {
            for (text, ground, least) in [
                ("--ink", "--paper", 4.5), ("--dim", "--paper", 4.5), ("--dim", "--wash", 4.5),
                ("--accent", "--paper", 4.5),
                ("--on", "--accent", 4.5), ("--bad", "--bad-wash", 4.5), ("--bad", "--paper", 4.5),
                ("--good", "--good-wash", 4.5), ("--edge", "--paper", 3), ("--accent", "--paper", 3),
            ] {
                let (above, below) = (try #require(colours[text]), try #require(colours[ground]))
                #expect(above.contrast(with: below) >= least, "\(text) on \(ground), at night: \(night)")
            }
        }
    }

    private static func pages(accent: String, background: String? = nil, backgroundDark: String? = nil)
        -> DirectorySettings.Pages
    {
        var pages = DirectorySettings.Pages()
        pages.accent = accent
        pages.background = background
        pages.backgroundDark = backgroundDark
        return pages
    }

    @Test("R11.4 a page says its language and title, may be zoomed, has one main part and one first heading")
    func skeleton() {
        for language in MessageLanguage.allCases {
            let html = frame(language: language).html
            for part in [
                "<!doctype html>", #"<html lang="\#(language.rawValue)">"#, "<title>Sign &lt;in · Ac&lt;me</title>",
                "width=device-width, initial-scale=1\">", "<h1>Sign &lt;in</h1>",
            ] { #expect(html.contains(part), "\(part)") }
            for once in ["<main", "<h1", "<title"] { #expect(html.components(separatedBy: once).count == 2, "\(once)") }
            #expect(!html.contains("user-scalable") && !html.contains("maximum-scale"))
        }
    }

    @Test("R11.4 what is refused is said first in the title, in the page's language")
    func refusal() {
        for (language, title) in [(MessageLanguage.en, "Error: "), (.de, "Fehler: ")] {
            var frame = frame(language: language)
            frame.isRefusal = true
            #expect(frame.html.contains("<title>\(title)Sign &lt;in"))
        }
    }

    @Test("R11.4 a page is the operator's: name, logo, colours and links, and its policy lets in what they need alone")
    func brand() throws {
        let logo = "data:image/png;base64,iVBORw0KGgo="
        let mine = frame {
            $0.pages.logo = logo
            $0.pages.accent = "#8a1c7c"
            $0.pages.privacyURL = "https://acme.example/privacy?a=1&b=2"
        }
        let html = mine.html
        for part in [
            #"<img src="\#(logo)" alt="""#, "--accent:#8a1c7c",
            #"<a href="https://acme.example/privacy?a=1&amp;b=2">Privacy</a>"#,
        ] { #expect(html.contains(part), "\(part)") }
        let policy = try #require(mine.response().headers[.contentSecurityPolicy])
        #expect(policy.contains("img-src data:") && !policy.contains("unsafe"))
        let plain = frame()
        #expect(plain.html.contains(#"<span class="mark" aria-hidden="true">A</span>"#))
        #expect(plain.response().headers[.contentSecurityPolicy]?.contains("img-src") == false)
        #expect(!plain.html.contains("<footer"))
        // The hash is that of the style which is there.
        for page in [mine, plain] {
            let style = page.html.components(separatedBy: "<style>")[1].components(separatedBy: "</style>")[0]
            #expect(style == PageStyle.style(of: page.brand).text)
        }
    }

    @Test("R11.4 the same page in the other language is a link away, and says of itself which it is")
    func languages() {
        var frame = frame(language: .de)
        frame.languages = [(.en, "?language=en&x=1"), (.de, "?language=de")]
        #expect(frame.html.contains(#"<a href="?language=en&amp;x=1" lang="en" hreflang="en">English</a>"#))
        #expect(frame.html.contains(#"<span aria-current="true" lang="de">Deutsch</span>"#))
        #expect(frame.response().headers[.contentLanguage] == "de")
    }

    @Test("R11.4 style and frame are small")
    func size() {
        #expect(frame().html.utf8.count < 8_000, "\(frame().html.utf8.count)")
    }
}

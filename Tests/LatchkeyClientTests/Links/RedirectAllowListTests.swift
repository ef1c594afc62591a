// SPDX-License-Identifier: Apache-2.0

import ClientTestSupport
import Foundation
import LatchkeyClient
import Testing

@Suite("RedirectAllowList") struct RedirectAllowListTests {
    private let list = RedirectAllowList.ofRequirement

    @Test(
        "R13.6 G-12.6 Paths below the allowed ones are taken as they are",
        arguments: [
            "/settings/profile", "/plants/42", "/plants/42/log?tab=water&day=2", "/feed/a.b_c~d-e", "/feed/.hidden",
        ])
    func allowed(_ path: String) {
        #expect(list.path(path)?.rawValue == path)
    }

    @Test(
        "R13.6 G-12.6 No other place, encoding, dot segment or host gets past",
        arguments: [
            "", "/", "/settings", "/settings/", "/admin", "/Settings/profile", "/settingsx/profile", "settings/profile",
            "//settings/profile", "//evil.test/settings/profile", "/\\evil.test", "\\\\evil.test", "/settings\\profile",
            "/settings//profile", "/settings/../admin", "/settings/./profile", "/settings/..", "/settings/.../x",
            "/settings/%2e%2e/admin", "/settings/%2E%2E/admin", "/settings/%252e%252e/admin", "/settings/..%2fadmin",
            "/settings/%2f%2fevil.test", "%2fsettings%2fprofile", "/settings/%c0%ae%c0%ae/admin", "/settings/%00",
            "/settings/a\u{0}b", "/settings/a\nb", "/settings/\tprofile", " /settings/profile", "/settings/profile ",
            "https://evil.test/settings/profile", "https:/settings/profile", "javascript:alert(1)", "data:text/html,x",
            "/settings/@evil.test", "/settings/a;b", "/settings/a:b", "/settings/profile#/admin", "/settings/a?b?c",
            "/settings/a?next=//evil.test", "/settings/a?next=https:%2f%2fevil.test", "/ѕettings/profile",
            "/settings\u{2215}profile", "/settings\u{FF0F}profile", "\u{FF0F}settings/profile", "/settings/a\u{202E}b",
            "/settings/\u{2024}\u{2024}/admin", "/settings/e\u{301}", "/settings/𝓪", "?redirect=/settings/profile",
        ])
    func refused(_ path: String) {
        #expect(list.path(path) == nil)
    }

    @Test("R13.6 Patterns that would allow nothing, or more than is written, are refused when the list is made")
    func patterns() throws {
        for pattern in ["", "settings/*", "/settings/**", "/settings/*/x", "/a//b", "/a/", "/../x", "/%2e", "/a?b"] {
            #expect(throws: AuthError(.invalidRequest), "\(pattern)") { try RedirectAllowList([pattern]) }
        }
        let list = try RedirectAllowList(["/me", "/plants/*"])
        #expect(list.path("/me") != nil && list.path("/me/x") == nil && list.path("/plants/1/2") != nil)
        let all = try RedirectAllowList(["/*"])
        #expect(all.path("/x/y") != nil && all.path("/") == nil && all.path("//x") == nil)
    }

    /// Pieces that attacks on such lists are made of (OWASP's Unvalidated Redirects, and what got past others).
    private static let pieces = [
        "/", "//", "\\", "settings", "plants", "feed", "admin", "profile", "42", ".", "..", "...", "%2e", "%2E%2e",
        "%252e", "%2f", "%252f", "%5c", "%c0%ae", "%c0%af", "%e0%80%ae", "%00", "%0a", "%09", "\t", "\n", "\r", "\u{0}",
        " ", "@", "evil.test", "http:", "https:", "javascript:", ":", ";", "?", "#", "&", "=", "u002e", "\u{2024}",
        "\u{FF0E}", "\u{FF0F}", "\u{2215}", "\u{202E}", "\u{200B}", "ѕettings", "sett\u{131}ngs", "~", "-", "_", "*",
        "%", "%2", "{", "|", "[::1]", "ａ",
    ]

    @Test(
        "R13.6 G-12.6 Whatever is put together of such pieces: what is taken stays below an allowed path for every reader"
    )
    func anything() throws {
        var dice = Dice(seed: 12_6)
        var taken = 0
        let base = try #require(URL(string: "https://app.test/login"))
        for _ in 0..<20_000 {
            // Half of them begin well, or hardly one would be taken.
            var text = dice.next() % 2 == 0 ? "/" + dice.one(of: ["settings", "plants", "feed"]) + "/" : ""
            for _ in 0...(dice.next() % 6) { text += dice.one(of: Self.pieces) }
            guard let path = list.path(text) else { continue }
            taken += 1
            #expect(path.rawValue == text)
            // Nothing is left to be decoded, once or twice.
            #expect(!text.contains("%") && !text.contains("\\") && text.utf8.allSatisfy { (0x21...0x7E).contains($0) })
            let first = text.prefix { $0 != "?" }
            let segments = first.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
            #expect(
                segments.count >= 2 && !segments.contains("") && !segments.contains(".") && !segments.contains(".."))
            // And another reader of URLs, who resolves it, stays in the same place.
            let resolved = try #require(URL(string: text, relativeTo: base)?.standardized)
            #expect(resolved.host == "app.test" && resolved.scheme == "https" && resolved.path == String(first))
            #expect(["/settings/", "/plants/", "/feed/"].contains { resolved.path.hasPrefix($0) })
        }
        #expect(taken > 100)
    }
}

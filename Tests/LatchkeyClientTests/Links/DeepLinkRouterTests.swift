// SPDX-License-Identifier: Apache-2.0

import ClientTestSupport
import LatchkeyClient
import Testing

@Suite("DeepLinkRouter") struct DeepLinkRouterTests {
    private let router = DeepLinkRouter(
        schemes: ["myapp", "myapp-dev"], webHosts: ["app.test"], allowed: .ofRequirement)

    /// In one line, with what is secret in it.
    private func read(_ link: String) -> String {
        do {
            switch try router.route(link) {
            case .verification(let hash, let kind, let path):
                return "verification \(hash.reveal()) \(kind) \(path?.rawValue ?? "-")"
            case .recovery(let hash, let path): return "recovery \(hash.reveal()) \(path?.rawValue ?? "-")"
            case .callback: return "callback"
            case .path(let path): return "path \(path)"
            }
        } catch { return error.code.rawValue }
    }

    @Test("R13.6 G-12.1 A link of verification gives its hash and kind, as an app's scheme or as the web's")
    func verification() {
        #expect(read("myapp://verify-email?token_hash=abc&type=signup") == "verification abc signup -")
        #expect(read("MYAPP-DEV://Verify-Email/?type=email&token_hash=a%2Bb") == "verification a+b email -")
        #expect(
            read("https://app.test/verify-email?token_hash=abc&type=invite&redirect=%2Fplants%2F42")
                == "verification abc invite /plants/42")
    }

    @Test("R13.6 G-12.2 A link of recovery gives its hash")
    func recovery() {
        #expect(read("myapp://reset-password?token_hash=abc&type=recovery") == "recovery abc -")
        #expect(
            read("myapp://reset-password?token_hash=abc&redirect=/settings/profile")
                == "recovery abc /settings/profile")
    }

    @Test(
        "G-12.3 A link of mail without what it takes is late or broken, whatever else it says",
        arguments: [
            "myapp://verify-email", "myapp://verify-email?type=signup", "myapp://verify-email?token_hash=abc",
            "myapp://verify-email?token_hash=&type=signup", "myapp://verify-email?token_hash=a%20b&type=signup",
            "myapp://verify-email?token_hash=abc&type=recovery", "myapp://verify-email?token_hash=abc&type=admin",
            "myapp://reset-password?token_hash=abc&type=signup", "myapp://auth", "myapp://auth/callback?x=1",
            "myapp://verify-email?type=signup&token_hash=" + String(repeating: "a", count: 513),
        ])
    func late(_ link: String) {
        #expect(read(link) == "one_time_token_invalid")
    }

    @Test("R13.6 The way back from a browser is known by query or fragment, and handed on whole")
    func callback() throws {
        for link in [
            "myapp://auth?code=1&state=2", "myapp://auth/callback?error=access_denied",
            "myapp://auth#access_token=a&refresh_token=b", "https://app.test/auth/callback?code=1",
        ] {
            guard case .callback(let url) = try router.route(link) else {
                Issue.record("\(link)")
                continue
            }
            #expect(url.reveal() == link)
        }
    }

    @Test("G-12.4 G-12.6 Places in the app are those of the list, in either form")
    func places() {
        #expect(read("myapp://plants/42") == "path /plants/42")
        #expect(read("https://app.test/plants/42") == "path /plants/42")
        #expect(read("myapp://settings/profile?redirect=/admin") == "invalid_redirect")
    }

    @Test(
        "R13.6 G-12.6 A link that leads elsewhere, or that two readers could read differently, leads nowhere",
        arguments: [
            "", "myapp:", "myapp:verify-email", "myapp:///verify-email?token_hash=a&type=signup", "://x",
            "evil://verify-email?token_hash=a&type=signup", "http://app.test/plants/42", "https://evil.test/plants/42",
            "https://app.test:443/plants/42", "https://app.test@evil.test/plants/42",
            "https://ann:pw@app.test/plants/42",
            "https://app.test\\@evil.test/plants/42", "https://app.test.evil.test/plants/42",
            "https://app.test./plants/42",
            "https://аpp.test/plants/42", "myapp://admin/42", "myapp://plants", "myapp://plants/../admin",
            "myapp://plants/%2e%2e/admin", "myapp://plants//42", "myapp://plants\\42", "myapp://plants/4 2",
            "myapp://plants/42\n", "myapp://pl%61nts/42", "myapp://plants/42#x=1&x=2",
            "myapp://verify-email?token_hash=a&token_hash=b&type=signup",
            "myapp://verify-email?token_hash=a&type=signup#token_hash=b",
            "myapp://verify-email?token_hash=a&type=signup&redirect=//evil.test",
            "myapp://verify-email?token_hash=a&type=signup&redirect=%252Fsettings%252Fprofile",
            "myapp://verify-email?token_hash=a&type=signup&Redirect=https://evil.test",
            "myapp://verify-email?token_hash=%ff&type=signup", "myapp://verify-email?token_hash=%c0%ae&type=signup",
            "myapp://verify-email?token_hash=%0a&type=signup", "myapp://verify-email?token_hash=%zz&type=signup",
            "myapp://auth?code=1&redirect=/admin", "myapp://verify-email/x?token_hash=a&type=signup",
            "myapp://plants/" + String(repeating: "a", count: 9000),
        ])
    func elsewhere(_ link: String) {
        #expect(read(link) == "invalid_redirect")
    }

    @Test("R13.6 Whatever octets a link is made of, reading it ends, and what it allows is on the list")
    func anything() {
        var dice = Dice(seed: 12)
        let pieces = [
            "myapp://", "https://", "auth?code=1", "plants/42", "app.test", "verify-email", "reset-password", "auth",
            "plants",
            "/", "?", "#",
            "&",
            "=", "token_hash", "type", "signup", "redirect", "code", "%", "%2f", "%41", "@", ":", "..", "\\", "é",
            "\u{0}",
            "+", "42", "//", "settings",
        ]
        var seen: Set<String> = []
        for _ in 0..<15_000 {
            var link = dice.next() % 4 == 0 ? "" : "myapp://"
            for _ in 0...(dice.next() % 10) { link += dice.one(of: pieces) }
            let outcome = read(link)
            seen.insert(String(outcome.prefix { $0 != " " }))
            if outcome.hasPrefix("path ") {
                #expect(RedirectAllowList.ofRequirement.path(String(outcome.dropFirst(5))) != nil)
            }
            _ = RedactedLink(link)
        }
        #expect(seen.isSuperset(of: ["path", "invalid_redirect", "one_time_token_invalid", "callback"]))
    }

    @Test(
        "R13.6 G-12.6 Two names that differ in case alone are no link: one reader takes the first, another the second")
    func twoNames() {
        for link in [
            "myapp://plants/1?redirect=/plants/2&Redirect=//evil.test",
            "myapp://verify-email?token_hash=a&type=signup&REDIRECT=/plants/1&redirect=https://evil.test",
            "myapp://reset-password?token_hash=a&Token_Hash=b",
        ] {
            #expect(read(link) == "invalid_redirect")
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Testing

@testable import Accounts

@Suite struct RedirectPolicyTests {
    private static func policy(site: String = "https://app.example", _ allowed: [String] = []) -> RedirectPolicy {
        var settings = DirectorySettings()
        settings.siteURL = site
        settings.redirectAllowList = allowed
        return RedirectPolicy(settings)
    }

    @Test(
        "R31 the site itself is allowed with any path, and nothing that only looks like it",
        arguments: [
            ("https://app.example", true), ("https://app.example/", true), ("https://app.example/deep/path?a=b", true),
            ("HTTPS://APP.EXAMPLE/path", true), ("https://app.example:443/x", true), ("https://app.example?x=1", true),
            ("http://app.example/", false), ("https://app.example:8443/", false),
            ("https://app.example.evil.test", false),
            ("https://evil.test/app.example", false), ("https://app.example@evil.test/", false),
            ("https://user@app.example/", false), ("https://user:pass@app.example/", false),
            ("https://evil.test#@app.example/", false), ("https://evil.test?@app.example/", false),
            ("https://evil.test\\@app.example/", false), ("https:/app.example/", false), ("https:app.example", false),
            ("//app.example/", false), ("/path", false), ("app.example", false), ("https://", false),
            ("https:///app.example", false), ("https://app.example.", false), ("https://.app.example", false),
            ("https://app..example/", false), ("https://app%2eexample/", false),
            ("https://app.example%00.evil.test/", false),
            ("https://app.example:/", false), ("https://app.example:0443/", false),
            ("https://app.example:65536/", false),
            ("https://app.example:+443/", false), ("https://аpp.example/", false),
            ("https://app.example\u{200B}/", false),
            ("https://app。example/", false), ("https://app.example/\r\nSet-Cookie: a=b", false),
            ("https://app.example/\tx", false), (" https://app.example/", false), ("https://app.example/a b", false),
            ("https://app.example/..%2fevil", false), ("https://app.example/a/../b", false),
            ("https://app.example/%2e%2e/b", false), ("https://app.example/a%5cb", false),
            ("https://app.example/%252f", true), ("https://app.example/a..b", true),
            ("javascript://app.example/%0aalert(1)", false), ("data://app.example/", false),
        ])
    func site(url: String, expected: Bool) {
        #expect(Self.policy().allows(url) == expected, "\(url)")
    }

    @Test(
        "R31 a wildcard in the host stays in the host",
        arguments: [
            ("https://one.example/", true), ("https://one.example", true), ("https://one.example/a/b?c=d", true),
            ("https://one.two.example/", false), ("https://example/", false), ("https://evil.test/.example/", false),
            ("https://evil.test?.example/", false), ("https://evil.test#.example/", false),
            ("https://evil.test/x?y=https://one.example/", false), ("http://one.example/", false),
            ("https://one.example.evil.test/", false), ("https://one.example:8443/", false),
            ("https://a@one.example/", false), ("https://-one.example/", false), ("https://one_.example/", false),
            ("https://ONE.Example/", true),
        ])
    func hostWildcard(url: String, expected: Bool) {
        #expect(Self.policy(["https://*.example/**"]).allows(url) == expected, "\(url)")
    }

    @Test(
        "R31 a double wildcard in the host crosses dots, but never into the path",
        arguments: [
            ("https://a.example/", true), ("https://a.b.example/", true), ("https://evil.test/.example/", false),
            ("https://evil.test/a.b.example/x", false), ("https://evil.test?q=.example/", false),
        ])
    func hostDoubleWildcard(url: String, expected: Bool) {
        #expect(Self.policy(["https://**.example/**"]).allows(url) == expected, "\(url)")
    }

    @Test(
        "R31 the path and the query are matched with their case",
        arguments: [
            ("https://x.example/callback", true), ("https://x.example/Callback", false),
            ("https://x.example/callback/", false), ("https://x.example/callback?next=1", false),
            ("https://x.example/callback#fragment", true), ("https://x.example/callbackX", false),
            ("https://xXexample/callback", false),
        ])
    func exactPath(url: String, expected: Bool) {
        #expect(Self.policy(["https://x.example/callback"]).allows(url) == expected, "\(url)")
    }

    @Test(
        "R31 one wildcard stops at a slash, two do not",
        arguments: [
            ("https://x.example/a/one", true), ("https://x.example/a/one/two", false),
            ("https://x.example/b/one/two", true), ("https://x.example/b/", true), ("https://x.example/c", false),
        ])
    func pathWildcards(url: String, expected: Bool) {
        #expect(Self.policy(["https://x.example/a/*", "https://x.example/b/**"]).allows(url) == expected, "\(url)")
    }

    @Test(
        "R31 an IP address is no place to go, however it is spelled and whatever the list says",
        arguments: [
            "https://192.168.1.1/", "https://8.8.8.8/", "https://134744072/", "https://0x08080808/",
            "https://0x8.8.8.8/",
            "https://010.8.8.8/", "https://8.8.2056/", "https://[2001:db8::1]/", "https://[::ffff:8.8.8.8]/",
            "https://127.0.0.1.8/", "https://127.1/", "https://0177.0.0.1/", "https://2130706433/", "https://0.0.0.0/",
        ])
    func addresses(url: String) {
        #expect(!Self.policy(["https://**", "https://*/**", url]).allows(url), "\(url)")
    }

    @Test(
        "RFC 8252, section 7.3: a listed loopback address is allowed on any port, an unlisted one on none",
        arguments: [
            ("http://127.0.0.1:49152/callback", true), ("http://127.0.0.1/callback", true),
            ("http://[::1]:5000/callback", true), ("http://127.0.0.2:80/callback", false),
            ("http://127.0.0.1:70000/callback", false), ("http://127.0.0.1:1234/other", false),
            ("http://localhost:3000/callback", false), ("https://127.0.0.1/callback", false),
        ])
    func loopback(url: String, expected: Bool) {
        let policy = Self.policy(["http://127.0.0.1/callback", "http://[::1]/callback"])
        #expect(policy.allows(url) == expected, "\(url)")
        #expect(!Self.policy().allows(url))
    }

    @Test(
        "R11.4 without a site an app on the reader's own machine may be one, nothing else, and nothing named is no place"
    )
    func noSite() {
        let policy = RedirectPolicy(DirectorySettings())
        #expect(policy.resolve(nil) == nil && policy.resolve("https://evil.example/") == nil)
        #expect(policy.resolve("http://localhost:3000/in") == "http://localhost:3000/in")
        for url in [
            "https://localhost/", "http://localhost.evil.example/", "http://127.0.0.1/", "http://app.localhost/",
        ] {
            #expect(!policy.allows(url), "\(url)")
        }
    }

    @Test("A site on localhost may be on any port, as development servers are")
    func localSite() {
        let policy = Self.policy(site: "http://localhost:3000")
        #expect(policy.allows("http://localhost:8080/callback"))
        #expect(policy.allows("http://localhost/callback"))
        #expect(!policy.allows("https://localhost:3000/callback"))
        #expect(!policy.allows("http://127.0.0.1:3000/"))
        #expect(Self.policy(site: "http://10.0.0.5:3000").allows("http://10.0.0.5:3000/a"))
        #expect(!Self.policy(site: "http://10.0.0.5:3000").allows("http://10.0.0.5:3001/a"))
    }

    @Test(
        "A private scheme is allowed when it is listed",
        arguments: [
            ("com.example.app://callback", true), ("com.example.app://callback/x", false),
            ("com.example.other://callback", false), ("myapp://anything/at/all?x=1", true), ("myapp://", true),
            ("com.example.short:/callback", true), ("com.example.short:callback", false), ("myapp:", false),
            ("myapp://a@b", false), ("MYAPP://x", true),
        ])
    func privateSchemes(url: String, expected: Bool) {
        let policy = Self.policy(["com.example.app://callback", "myapp://**", "com.example.short:/callback"])
        #expect(policy.allows(url) == expected, "\(url)")
    }

    @Test(
        "A scheme that runs code or opens files is refused even when it is listed",
        arguments: [
            "javascript://x/%0aalert(1)", "data://x", "vbscript://x", "file:///etc/passwd", "blob:/x",
            "about:/x",
        ])
    func dangerousSchemes(url: String) {
        #expect(!Self.policy([url, "javascript://**", "file://**", "file:///**"]).allows(url))
    }

    @Test("A list entry that can't be read, or names no scheme, allows nothing")
    func unreadableEntries() {
        let policy = Self.policy(["**", "*", "", "https://[", "[", "://", "//evil.test/**", "evil.test/**"])
        #expect(!policy.allows("https://evil.test/"))
    }

    @Test("R31 an entry with more than 30 combining marks in a row allows nothing: to read it costs the square of them")
    func marks() {
        func policy(_ marks: Int) -> RedirectPolicy {
            Self.policy(["https://{\(String(repeating: "\u{307}", count: marks)),x}.example/"])
        }
        #expect(policy(30).allows("https://x.example/"))
        #expect(!policy(31).allows("https://x.example/"))
    }

    @Test("R51 a dot in a list entry is a dot")
    func dots() {
        #expect(!Self.policy(["https://a.example/"]).allows("https://aXexample/"))
    }

    @Test("What is not allowed leads to the site; what is, keeps everything but its fragment")
    func resolution() {
        let policy = Self.policy(["https://x.example/**"])
        #expect(policy.resolve(nil) == "https://app.example")
        #expect(policy.resolve("") == "https://app.example")
        #expect(policy.resolve("https://evil.test/") == "https://app.example")
        #expect(policy.resolve("https://x.example/a?b=c#access_token=1") == "https://x.example/a?b=c")
        #expect(policy.resolve("https://x.example/" + String(repeating: "a", count: 3000)) == "https://app.example")
    }
}

// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import Testing

@testable import ServerKit

@Suite struct LinkPageTests {
    private func page(
        _ purpose: OneTimeToken.Purpose = .signUpConfirmation, language: MessageLanguage = .en,
        site: String = "Acme", target: String? = "https://app.example/done",
        signUp: (at: Instant, place: String?)? = (Instant(seconds: 1_800_000_000), "192.0.2.0/24")
    ) throws -> LinkPage {
        var user = User(id: UserID("u"), directoryID: DirectoryID("d"), createdAt: Instant(seconds: 0))
        user.email = try EmailAddress("ada@example.com")
        var proof = InspectedProof(
            purpose: purpose, recipient: "ada@example.com", newEmail: nil,
            user: UserRecord(user: user, identities: []), signUp: signUp)
        if purpose == .emailChangeNew { proof.newEmail = try EmailAddress("new@example.com") }
        var settings = DirectorySettings()
        settings.mail.siteName = site
        return LinkPage(
            proof, brand: PageBrand(settings), language: language, action: "verify/link",
            fields: [("token", #"a"><b>&"#), ("redirect_to", target ?? "")], target: target)
    }

    @Test("V3.5.3 R8.7 the page runs and fetches nothing, is kept nowhere, and tells nobody its address")
    func headers() throws {
        let response = try page().response
        #expect(response.status == .ok)
        #expect(response.headers[.contentType] == "text/html; charset=utf-8")
        #expect(response.headers[.cacheControl] == "no-store")
        #expect(response.headers[.referrerPolicy] == "strict-origin")
        let policy = try #require(response.headers[.contentSecurityPolicy])
        for part in ["default-src 'none'", "style-src 'sha256-", "base-uri 'none'", "frame-ancestors 'none'"] {
            #expect(policy.contains(part), "\(policy)")
        }
        #expect(!policy.contains("unsafe") && !policy.contains("script"))
        let html = try page().html
        for none in ["<script", "http-equiv", "src=", "href=", " style="] { #expect(!html.contains(none), "\(none)") }
    }

    @Test("R8.7 the button leads where the link's answer leads, through what redirects follow, and nowhere else")
    func formTargets() throws {
        for (target, sources) in [
            ("https://app.example/x", "'self' https:"), ("http://localhost:3000", "'self' http: https:"),
            ("com.example.app:/done", "'self' com.example.app:"), ("https;script-src *://x", "'self'"),
            (nil, "'self'"), ("", "'self'"),
        ] {
            let policy = try page(target: target).response.headers[.contentSecurityPolicy]
            #expect(policy?.hasSuffix("form-action \(sources)") == true, "\(policy ?? "")")
        }
    }

    @Test(
        "R8.7 the page says whose message it is of, and when and roughly where the sign-up was made, in each language")
    func content() throws {
        for language in MessageLanguage.allCases {
            for purpose in OneTimeToken.Purpose.allCases {
                let html = try page(purpose, language: language, site: "A<c>me").html
                #expect(html.contains(#"<html lang="\#(language.rawValue)">"#))
                for part in [
                    "A&lt;c&gt;me", "ada@example.com", "2027-01-15 08:00 UTC", "192.0.2.0/24", "<h1>", "<button",
                ] {
                    #expect(html.contains(part), "\(part) in \(html)")
                }
                #expect(html.contains(#"name="token" value="a&quot;&gt;&lt;b&gt;&amp;""#), "\(html)")
                #expect(html.contains("new@example.com") == (purpose == .emailChangeNew))
            }
        }
        #expect(try !page(signUp: nil).html.contains("2027"))
        #expect(try page(signUp: (Instant(seconds: 1_800_000_000), nil)).html.contains("2027-01-15 08:00 UTC"))
    }

    @Test(
        "R8.7 a form of another site's, or of nowhere, is refused; of this server's, or where nothing is said, it is taken"
    )
    func origins() throws {
        let url = "https://gateway.example/auth/v1"
        for (origin, authority) in [
            (nil, "internal:9999"), ("https://gateway.example", "internal:9999"),
            ("https://seen.example", "seen.example"),
            ("http://127.0.0.1:8080", "127.0.0.1:8080"),
        ] as [(String?, String?)] {
            var headers = HTTPFields()
            headers[.origin] = origin
            try LinkPage.requireOwnForm(headers, authority: authority, url: url)
        }
        for origin in [
            "null", "https://evil.test", "https://gateway.example.evil.test", "https://gateway", "seen.example", "",
            "https://evil.test/seen.example",
        ] {
            var headers = HTTPFields()
            headers[.origin] = origin
            #expect(throws: AuthError(.forbidden)) {
                try LinkPage.requireOwnForm(headers, authority: "seen.example", url: url)
            }
        }
    }
}

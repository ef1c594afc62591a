// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import TestBench
import TestBenchHTTP
import Testing

@testable import DevelopmentIdentityProvider

/// What goes otherwise than everybody hopes, on purpose.
@Suite struct WaysOutTests {
    @Test(
        "R12.3 the page offers accounts, a made-up one, a refusal and failures, in the reader's language",
        arguments: Vendor.allCases)
    func page(vendor: Vendor) async throws {
        let bench = UpstreamBench()
        let page = try await bench.authorize(vendor)
        #expect(page.status == 200)
        let address = vendor == .apple ? "privaterelay.appleid.com" : "not verified"
        for text in ["Choose an account", "Ada Lind", address, "Cancel", "Another account"] {
            #expect(page.text.contains(text), "\(text)")
        }
        let policy = page.headers[.contentSecurityPolicy] ?? ""
        #expect(policy.hasPrefix("default-src 'none'") && !policy.contains("script-src"))
        #expect(!page.text.contains("<script"))
        let german = try await bench.authorize(vendor, ["language": "de"])
        #expect(german.text.contains("Konto auswählen") && german.text.contains(#"lang="de""#))
    }

    @Test("R12.3 every text of the pages is there in both languages, and they differ")
    func wording() {
        for wording in Wording.allCases {
            let (english, german) = (wording.text(in: .en), wording.text(in: .de))
            #expect(!english.isEmpty && !german.isEmpty)
            #expect(english != german || ["Name"].contains(english), "\(english)")
        }
    }

    @Test(
        "R12.3 whoever cancels or lets it fail goes back to the app with an error, its state, and no code",
        arguments: Vendor.allCases)
    func refusals(vendor: Vendor) async throws {
        let bench = UpstreamBench()
        let cancelled = UpstreamBench.answer(try await bench.press(vendor, ["answer": "cancel"]))
        #expect(cancelled["error"] == (vendor == .apple ? "user_cancelled_authorize" : "access_denied"))
        let failed = UpstreamBench.answer(try await bench.press(vendor, ["answer": "fail"]))
        #expect(failed["error"] == "server_error")
        for answer in [cancelled, failed] { #expect(answer["state"] == "st&te=1" && answer["code"] == nil) }
    }

    @Test("R12.3 an answer is slow, missing or nonsense where that was chosen, and is otherwise nobody's affair")
    func behaviours() async throws {
        let bench = UpstreamBench()
        func redeemed(_ behaviour: String) async throws -> HTTPBench.Reply {
            try await bench.redeem(try await bench.code(.google, ["behaviour": behaviour]), at: .google)
        }
        #expect(try await redeemed("slow").status == 200)
        #expect(bench.waits.spans.withLock { $0 } == [.seconds(5)])
        #expect(try await redeemed("unavailable").status == 503)
        let garbled = try await redeemed("garbled")
        #expect(garbled.status == 200 && garbled.json.isEmpty)
        #expect(try await redeemed("normal").status == 200)
        #expect(bench.waits.spans.withLock { $0.count } == 1)
        #expect(try await bench.press(.google, ["behaviour": "rude", "subject": "1"]).status == 400)
    }

    @Test("R12.3 OpenID Connect Core 3.1.2.1: prompt=none shows no page, and needs to be told whom it is about")
    func silent() async throws {
        let bench = UpstreamBench()
        let nobody = UpstreamBench.answer(try await bench.authorize(.google, ["prompt": "none"]))
        #expect(nobody["error"] == "login_required")
        let ada = UpstreamBench.answer(
            try await bench.authorize(.google, ["prompt": "none", "login_hint": "ada@example.com"]))
        #expect(ada["code"] != nil)
        let stranger = UpstreamBench.answer(
            try await bench.authorize(.google, ["prompt": "none", "login_hint": "nobody@example.com"]))
        #expect(stranger["error"] == "login_required")
    }

    @Test(
        "R12.3 what is revoked is good for nothing, and Apple and Google tell the app's server",
        arguments: Vendor.allCases)
    func revocation(vendor: Vendor) async throws {
        let bench = UpstreamBench()
        let person = Person.invented(at: vendor)[0]
        let reply = try await bench.redeem(
            try await bench.code(vendor), at: vendor, headers: [.accept: "application/json"])
        let token = reply["access_token"]?.stringValue ?? ""
        let overview = try await bench.get("")
        #expect(overview.text.contains("Ada Lind") && overview.text.contains("Revoke"))
        let revoked = try await bench.form("/revoke", ["provider": vendor.rawValue, "subject": person.subject])
        #expect(revoked.status == 200 && !revoked.text.contains("Ada Lind"))
        let told = bench.waits.notified.withLock { $0 }
        #expect(told.map(\.vendor) == ([.apple, .google].contains(vendor) ? [vendor] : []))
        if vendor == .apple {
            let payload = try JSONObject(parsing: told[0].body.utf8)["payload"]?.stringValue
            let claims = try await bench.claims(payload, of: .apple)
            let events = try JSONObject(parsing: (claims["events"]?.stringValue ?? "").utf8)
            #expect(events["type"] == "consent-revoked" && events["sub"]?.stringValue == person.subject)
        }
        if vendor == .google {
            let claims = try await bench.claims(told[0].body, of: .google)
            #expect(claims["events"]?.objectValue?.names.first?.hasSuffix("tokens-revoked") == true)
        }
        let path: String? =
            switch vendor {
            case .apple: nil
            case .gitHub: "/github/user"
            case .facebook: "/facebook/me"
            default: "/\(vendor.rawValue)/userinfo"
            }
        if let path { #expect([400, 401].contains(try await bench.get(path, token: token).status)) }
        #expect(
            try await bench.form("/revoke", ["provider": vendor.rawValue, "subject": person.subject]).status == 404)
    }

    @Test("R12.3 codes end after five minutes, and the book never grows beyond its bounds")
    func bounds() async throws {
        let bench = UpstreamBench()
        let code = try await bench.code(.google)
        bench.clock.advance(by: .minutes(5))
        #expect(try await bench.redeem(code, at: .google).status == 400)
        var table = BoundedTable<Int>(capacity: 3)
        for number in 0..<10 { table.put(number, as: "\(number)") }
        table.put(11, as: "9")
        #expect(table.all == [7, 8, 11] && table["6"] == nil)
        table.take("8")
        table.put(12, as: "12")
        #expect(table.all == [7, 11, 12])
        let first = try await bench.code(.google)
        for _ in 0..<1_000 { _ = try await bench.code(.google) }
        #expect(try await bench.redeem(first, at: .google).status == 400)
    }
}

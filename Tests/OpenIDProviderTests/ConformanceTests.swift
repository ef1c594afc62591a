// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import JOSE
import ServerKit
import TestBench
import TestBenchHTTP
import Testing

@testable import OpenIDProvider

/// What the OpenID Foundation's plans ask for and no other suite here does (docs/openid-conformance.md).
@Suite struct ConformanceTests {
    @Test("R11.1 Core, section 3.1.2.1: a request without a nonce is good, and its ID token has none")
    func withoutNonce() async throws {
        let bench = try await ProviderBench()
        let tokens = try await bench.tokens(nil, nil, ["nonce": nil])
        let claims = try await bench.claims(tokens["id_token"]?.stringValue)
        #expect(claims["nonce"] == nil && claims["sub"] == .string(bench.user.id.rawValue))
    }

    @Test("R11.1 Core, section 3.1.2.1: parameters and scopes mean the same in whatever order they come")
    func order() async throws {
        let bench = try await ProviderBench()
        let browser = try await bench.signedIn()
        let request = bench.request(nil, ["scope": "profile email openid"])
        let reply = try await browser.authorize(request.reversed())
        let tokens = try await bench.exchange(try #require(reply.answer["code"], "\(reply.text)"))
        #expect(Set((tokens["scope"]?.stringValue ?? "").split(separator: " ")) == ["openid", "email", "profile"])
        #expect(reply.answer["state"] == "s t&=ä" && tokens["id_token"] != nil)
    }

    @Test("R11.1 Core, sections 3.1.2.1 and 2: whoever is signed in is the same, since the same time, without a page")
    func signedIn() async throws {
        let bench = try await ProviderBench()
        let browser = try await bench.signedIn()
        let first = try await bench.tokens(browser)
        let before = try await bench.claims(first["id_token"]?.stringValue)
        bench.accounts.advance(by: .minutes(10))
        let hint = first["id_token"]?.stringValue
        for changes in [
            ["prompt": "none"], ["max_age": "10000"], ["prompt": "none", "id_token_hint": hint],
            ["prompt": "none", "max_age": "10000"],
        ] as [[String: String?]] {
            let after = try await bench.claims(
                bench.tokens(browser, nil, changes)["id_token"]?.stringValue)
            #expect(after["sub"] == before["sub"] && after["auth_time"] == before["auth_time"], "\(changes.keys)")
        }
        #expect(before["auth_time"] != nil)
    }

    @Test(
        "R11.1 Core, section 3.1.2.1: prompt=login and max_age=1 move auth_time, and no sooner than the user has proved anew"
    )
    func signedInAgain() async throws {
        let bench = try await ProviderBench()
        let browser = try await bench.signedIn()
        let before =
            try await bench.claims(bench.tokens(browser)["id_token"]?.stringValue)["auth_time"]?.integerValue ?? 0
        for changes in [["prompt": "login"], ["max_age": "1"]] as [[String: String?]] {
            bench.accounts.advance(by: .seconds(30))
            let page = try await browser.authorize(bench.request(nil, changes))
            let id = try #require(page.answer["request"], "\(changes)")
            #expect(try await browser.get("/oauth2/authorize/continue?request=" + id).answer["code"] == nil)
            try await bench.signIn(browser)
            let back = try await browser.get("/oauth2/authorize/continue?request=" + id)
            let tokens = try await bench.exchange(try #require(back.answer["code"], "\(changes) \(back.text)"))
            let claims = try await bench.claims(tokens["id_token"]?.stringValue)
            #expect(claims["auth_time"] == .integer(bench.now.seconds) && bench.now.seconds > before, "\(changes)")
            #expect(claims["sub"] == .string(bench.user.id.rawValue))
        }
    }

    @Test(
        "R11.1 Core, section 5.5.1: an essential claim is given where there is one, and is no error where there is none"
    )
    func essential() async throws {
        let bench = try await ProviderBench()
        let browser = try await bench.signedIn()
        for (name, value) in [("name", "Ada Lovelace"), ("phone_number", nil)] as [(String, JSONValue?)] {
            let asked = #"{"userinfo":{"\#(name)":{"essential":true}}}"#
            let tokens = try await bench.tokens(
                browser, nil, ["claims": asked, "scope": "openid profile phone"])
            let info = try await bench.get(
                "/oauth2/userInfo", headers: ProviderBench.bearer(tokens["access_token"]?.stringValue))
            #expect(info.status == 200 && info[name] == value)
        }
    }

    @Test(
        "R11.1 RFC 9470, section 4, and unmet_authentication_requirements 1.0: an essential acr is met or refused, a wish is neither"
    )
    func classes() async throws {
        let bench = try await ProviderBench()
        let browser = try await bench.signedIn()
        let known = try await bench.get("/.well-known/openid-configuration")["acr_values_supported"]?.arrayValue ?? []
        #expect(known == AssuranceLevel.reachable.map { .string($0.acr) } && !known.isEmpty)
        func essential(_ values: [String]) -> String {
            JSONValue.object([
                "id_token": ["acr": ["essential": true, "values": .array(values.map { .string($0) })]]
            ]).text
        }
        for class_ in known.compactMap(\.stringValue) {
            if class_ == AssuranceLevel.aal2.acr {
                try await bench.addApp()
                try await bench.showFactor(browser)
            }
            for changes in [["acr_values": class_], ["claims": essential(["urn:other", class_])]] {
                let tokens = try await bench.tokens(browser, nil, changes.mapValues { $0 })
                for name in ["id_token", "access_token"] {
                    #expect(try await bench.claims(tokens[name]?.stringValue)["acr"] == .string(class_), "\(changes)")
                }
            }
        }
        let beyond = AssuranceLevel.allCases.filter { !AssuranceLevel.reachable.contains($0) }.map(\.acr)
        for values in [["urn:other"], beyond].filter({ !$0.isEmpty }) {
            let refused = try await browser.authorize(bench.request(nil, ["claims": essential(values)]))
            #expect(refused.answer["error"] == "unmet_authentication_requirements", "\(values)")
            #expect(refused.answer["iss"] == ProviderBench.url && refused.answer["state"] == "s t&=ä")
            let wished = try await browser.authorize(
                bench.request(nil, ["acr_values": values.joined(separator: " ")]))
            #expect(wished.answer["code"] != nil, "\(values)")
        }
    }

    @Test(
        "R11.8 R14.2 RFC 9470: acr_values have the second factor asked for of who has one, and tokens say that it was shown"
    )
    func stepUp() async throws {
        let bench = try await ProviderBench()
        let browser = try await bench.signedIn()
        let essential = #"{"id_token":{"acr":{"essential":true,"values":["aal2"]}}}"#
        let wish: [String: String?] = ["acr_values": "aal2"]
        let before = try await bench.tokens(browser, nil, wish)
        #expect(try await bench.claims(before["id_token"]?.stringValue)["acr"] == "aal1", "there is none to ask for")
        let refused = try await browser.authorize(bench.request(nil, ["claims": essential]))
        #expect(refused.answer["error"] == "unmet_authentication_requirements")
        try await bench.addApp()
        #expect(try await browser.authorize(bench.request()).answer["code"] != nil, "nobody asks for more")
        let silent = try await browser.authorize(bench.request(nil, ["acr_values": "aal2", "prompt": "none"]))
        #expect(silent.answer["code"] != nil)
        let demanded = try await browser.authorize(bench.request(nil, ["claims": essential, "prompt": "none"]))
        #expect(demanded.answer["error"] == "unmet_authentication_requirements")
        var pages: [String] = []
        for changes in [wish, ["claims": essential]] {
            let page = try await browser.authorize(bench.request(nil, changes))
            #expect(page.location?.hasPrefix("/account/second-factor?request=") == true, "\(page.location ?? "")")
            let id = try #require(page.answer["request"])
            // Coming back without having shown it leads to the same page.
            let again = try await browser.get("/oauth2/authorize/continue?request=" + id)
            #expect(again.location?.hasPrefix("/account/second-factor?") == true)
            pages.append(id)
        }
        bench.accounts.advance(by: .minutes(5))
        try await bench.showFactor(browser)
        for id in pages {
            let back = try await browser.get("/oauth2/authorize/continue?request=" + id)
            let tokens = try await bench.exchange(try #require(back.answer["code"], "\(back.text)"))
            for name in ["id_token", "access_token"] {
                let claims = try await bench.claims(tokens[name]?.stringValue)
                #expect(claims["acr"] == "aal2" && claims["amr"] == ["pwd", "otp"], "\(name)")
                #expect(claims["auth_time"] == .integer(bench.now.seconds))
            }
        }
    }

    @Test(
        "R11.1 Core, section 11: offline_access outlives the browser's session, and is not given unless it was granted")
    func offline() async throws {
        let bench = try await ProviderBench()
        let narrow = try await ProviderBench.addClient("Narrow", .publicClient, to: bench.accounts) {
            $0.authorization.scopes = ["openid", "email"]
        }
        let browser = try await bench.signedIn()
        let tokens = try await bench.tokens(browser, narrow, ["scope": "openid offline_access"])
        #expect(tokens["scope"] == "openid")
        let asking = try await ProviderBench { $0.authorization.consent = .remembered }
        let page = try await asking.signedIn().authorize(asking.request(nil, ["scope": "openid offline_access"]))
        #expect(page.location?.hasPrefix("/account/consent?") == true, "nobody is given it without having been asked")
    }

    @Test(
        "R11.1 RFC 9700, section 4.13: what the provider says of itself comes of its settings, never of a request's headers"
    )
    func headers() async throws {
        let bench = try await ProviderBench()
        var headers = HTTPFields()
        for name in ["X-Forwarded-Host", "X-Forwarded-Proto", "Forwarded", "X-Original-URL"] {
            if let name = HTTPField.Name(name) { headers[name] = "evil.example" }
        }
        for path in [
            "/.well-known/openid-configuration", "/oauth2/authorize?" + HTTPBench.encoded(bench.request()),
        ] {
            let reply = try await bench.get(path, headers: headers)
            #expect(!reply.text.contains("evil") && reply.location?.contains("evil") != true, "\(path)")
        }
    }

    @Test("R11.1 RFC 9700, section 4.12: no redirect repeats a form: each is a 303")
    func redirects() async throws {
        let bench = try await ProviderBench()
        let browser = try await bench.signedIn()
        let hint = try await bench.tokens(browser)["id_token"]?.stringValue ?? ""
        let replies = [
            try await browser.post("/oauth2/authorize", bench.request()),
            try await browser.post("/oauth2/authorize", bench.request(nil, ["prompt": "login"])),
            try await browser.post("/oauth2/authorize", bench.request(nil, ["response_type": "x"])),
            try await browser.post(
                "/oauth2/logout",
                [("id_token_hint", hint), ("post_logout_redirect_uri", ProviderBench.signOutURI)]),
        ]
        for reply in replies { #expect(reply.status == 303 && reply.location != nil, "\(reply.status)") }
    }
}

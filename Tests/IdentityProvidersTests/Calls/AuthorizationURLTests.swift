// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Foundation
import Testing

@testable import IdentityProviders

@Suite("Where browsers are sent")
struct AuthorizationURLTests {
    private func query(
        _ provider: IdentityProvider, _ request: UpstreamRequest = ProviderBench.request()
    ) throws -> [String: String] {
        let url = try AuthorizationURL.make(request, at: Upstream(provider))
        let items = URLComponents(string: url)?.queryItems ?? []
        return Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first + " twice" }
    }

    @Test("R12.1 Each provider is asked for a code, with what it knows: nonce, S256, Apple's form")
    func kinds() throws {
        let challenge = CodeChallenge(for: ProviderBench.verifier).rawValue
        for kind in IdentityProvider.Kind.allCases {
            let query = try self.query(ProviderBench.provider(kind))
            #expect(query["response_type"] == "code")
            #expect(query["client_id"] == "client-1")
            #expect(query["redirect_uri"] == "https://app.example/callback")
            #expect(query["state"] == "st-1")
            let signs = kind != .github && kind != .facebook
            #expect(query["nonce"] == (signs ? "n-1" : nil), "\(kind)")
            let knowsPKCE = kind != .apple && kind != .facebook
            #expect(query["code_challenge"] == (knowsPKCE ? challenge : nil), "\(kind)")
            #expect(query["code_challenge_method"] == (knowsPKCE ? "S256" : nil))
            #expect(query["response_mode"] == (kind == .apple ? "form_post" : nil))
            #expect(query["client_secret"] == nil)
        }
    }

    @Test("R12.1 Scopes are the operator's or the kind's, and those that were asked for, each once")
    func scopes() throws {
        var google = ProviderBench.provider(.google)
        #expect(try query(google)["scope"] == "openid email profile")
        google.scopes = ["email"]
        var request = ProviderBench.request()
        request.scopes = ["email", "https://www.googleapis.com/auth/calendar"]
        #expect(try query(google, request)["scope"] == "openid email https://www.googleapis.com/auth/calendar")
        var apple = ProviderBench.provider(.apple)
        apple.scopes = ["openid"]
        #expect(try query(apple)["response_mode"] == nil)
    }

    @Test("R12.1 What an app adds is passed on, and replaces nothing that is ours")
    func extra() throws {
        var request = ProviderBench.request()
        request.prompt = "select_account"
        request.loginHint = "ann@example.com"
        request.extra = ["access_type": "offline", "hd": "example.com"]
        let query = try self.query(ProviderBench.provider(.google), request)
        #expect(query["access_type"] == "offline" && query["hd"] == "example.com")
        #expect(query["prompt"] == "select_account" && query["login_hint"] == "ann@example.com")
        for name in [
            "redirect_uri", "client_id", "state", "nonce", "response_type", "response_mode", "request", "request_uri",
            "code_challenge", "scope", "",
        ] {
            request.extra = [name: "x"]
            #expect(throws: AuthError(.invalidRequest)) { try self.query(ProviderBench.provider(.google), request) }
        }
        request.extra = Dictionary((0..<17).map { ("x\($0)", "") }) { first, _ in first }
        #expect(throws: AuthError(.invalidRequest)) { try self.query(ProviderBench.provider(.google), request) }
        request.extra = ["x": String(repeating: "x", count: 1025)]
        #expect(throws: AuthError(.invalidRequest)) { try self.query(ProviderBench.provider(.google), request) }
    }

    @Test("R12.1 An endpoint keeps its own query, and no value leaves its place")
    func endpoints() throws {
        var provider = ProviderBench.provider(.openID)
        provider.endpoints.authorization = "https://issuer.example/authorize?p=policy"
        var request = ProviderBench.request()
        request.loginHint = "a&b=c #?\r\n"
        let url = try AuthorizationURL.make(request, at: Upstream(provider))
        #expect(url.hasPrefix("https://issuer.example/authorize?p=policy&response_type=code&"))
        #expect(url.hasSuffix("login_hint=a%26b%3Dc%20%23%3F%0D%0A"))
    }

    @Test("R12.1 A provider that is not configured enough is said to be disabled")
    func misconfigured() async {
        let bench = ProviderBench()
        var none = ProviderBench.provider(.google)
        none.clientIDs = []
        var nowhere = ProviderBench.provider(.openID)
        nowhere.issuer = nil
        var domain = ProviderBench.provider(.microsoft)
        domain.issuer = "https://login.microsoftonline.com/contoso.onmicrosoft.com/v2.0"
        for provider in [none, nowhere, domain] {
            await #expect(throws: AuthError(.identityProviderDisabled)) {
                try await bench.party.authorization(ProviderBench.request(), at: provider)
            }
        }
    }
}

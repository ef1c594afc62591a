// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import TestBench
import TestBenchHTTP
import Testing

@testable import OpenIDProvider

/// The device authorization grant (RFC 8628) as a device sees it.
@Suite struct DeviceFlowTests {
    static let grant = "urn:ietf:params:oauth:grant-type:device_code"

    private static func bench() async throws -> ProviderBench {
        try await ProviderBench {
            $0.authorization.grants.append(.deviceCode)
            $0.authorization.redirectURIs = []
        }
    }

    private static func begin(
        _ bench: ProviderBench, _ form: [(String, String)] = [("scope", "openid email")]
    ) async throws -> HTTPBench.Reply {
        try await bench.post("/oauth2/device_authorization", form + [("client_id", bench.app.id.rawValue)])
    }

    private static func poll(
        _ bench: ProviderBench, _ code: String?, _ changes: [(String, String)] = []
    ) async throws -> HTTPBench.Reply {
        try await bench.post(
            "/oauth2/token",
            [("grant_type", grant), ("device_code", code ?? ""), ("client_id", bench.app.id.rawValue)] + changes)
    }

    /// What the page does for a user who is signed in in a browser.
    private static func allow(_ bench: ProviderBench, _ code: String?, _ allow: Bool = true) async throws {
        var call = bench.accounts.call(actor: .unknown)
        call.dialect = .browser
        let issued = try await bench.accounts.flows.passwordSignIn(
            .email(try EmailAddress("ada@example.com")), password: Secret(AccountBench.password), call: call.inBrowser
        ).session()
        let done = try await bench.accounts.flows.answerDeviceAuthorization(
            try #require(DeviceUserCode(typed: code ?? "")), allow: allow, of: bench.user.id,
            session: issued.refreshToken, call: call)
        #expect(done)
    }

    @Test("R11.9 RFC 8628, section 3.2: a device is told its codes, where its user goes, and how to wait")
    func begun() async throws {
        let bench = try await Self.bench()
        let reply = try await Self.begin(bench)
        #expect(reply.status == 200 && reply.headers[.cacheControl] == "no-store", "\(reply.text)")
        #expect((reply["device_code"]?.stringValue ?? "").utf8.count >= 43)
        let code = try #require(reply["user_code"]?.stringValue)
        #expect(DeviceUserCode(typed: code)?.text == code)
        #expect(reply["verification_uri"] == .string(ProviderBench.url + "/account/device"))
        #expect(
            reply["verification_uri_complete"] == .string(ProviderBench.url + "/account/device?user_code=" + code))
        #expect(reply["expires_in"] == 600 && reply["interval"] == 5)
        let other = try await bench.accounts.flows.directoryAdministration.create(
            name: "other", settings: DirectorySettings(), at: bench.now)
        let theirs = try await ProviderBench.addClient("Theirs", .publicClient, to: bench.accounts, in: other) {
            $0.authorization.grants = [.deviceCode]
        }
        let elsewhere = try await bench.post(
            "/oauth2/device_authorization", [("client_id", theirs.id.rawValue), ("scope", "openid")])
        #expect(elsewhere["verification_uri"] == .string(ProviderBench.url + "/directories/other/account/device"))
    }

    @Test("R11.9 RFC 8628, sections 3.4 and 3.5: polls are told to wait, then get tokens once, each by its own error")
    func polls() async throws {
        let bench = try await Self.bench()
        let begun = try await Self.begin(
            bench, [("scope", "openid email offline_access"), ("resource", "https://api.example")])
        let code = begun["device_code"]?.stringValue
        #expect(try await Self.poll(bench, code).outcome == "400 authorization_pending")
        #expect(try await Self.poll(bench, code).outcome == "400 slow_down")
        try await Self.allow(bench, begun["user_code"]?.stringValue)
        // A scope that a poll names is not one that the user has allowed.
        let tokens = try await Self.poll(bench, code, [("scope", "openid notes/write")])
        #expect(tokens.status == 200 && tokens["scope"] == "openid email offline_access", "\(tokens.text)")
        let claims = try await bench.claims(tokens["access_token"]?.stringValue)
        #expect(claims["aud"] == ["https://api.example", .string(ProviderBench.url)])
        #expect(claims["sub"] == .string(bench.user.id.rawValue) && claims["sid"] == claims["session_id"])
        let identity = try await bench.claims(tokens["id_token"]?.stringValue)
        #expect(identity["aud"] == .string(bench.app.id.rawValue) && identity["amr"] == ["pwd"])
        #expect(try await Self.poll(bench, code).outcome == "400 invalid_grant")
        let next = try await bench.refresh(
            tokens["refresh_token"]?.stringValue, ["client_id": bench.app.id.rawValue], headers: [:])
        #expect(next.status == 200, "\(next.text)")
        #expect(
            try await bench.get(
                "/oauth2/userInfo", headers: ProviderBench.bearer(next["access_token"]?.stringValue))["email"]
                == "ada@example.com")
    }

    @Test(
        "R11.9 RFC 8628, section 3.5: a no, an end of time, a made-up code, and a client that is not registered for it")
    func refusals() async throws {
        let bench = try await Self.bench()
        // RFC 6749, section 2.3.1: an empty secret in the header is none, and proves nobody who has one.
        for (client, status) in [(bench.app, 200), (bench.web, 401)] {
            let reply = try await bench.post(
                "/oauth2/device_authorization", [("scope", "openid")],
                headers: ProviderBench.basic(client.id.rawValue, ""))
            #expect(reply.status == status, "\(reply.text)")
        }
        let denied = try await Self.begin(bench)
        try await Self.allow(bench, denied["user_code"]?.stringValue, false)
        #expect(try await Self.poll(bench, denied["device_code"]?.stringValue).outcome == "400 access_denied")
        let late = try await Self.begin(bench)
        bench.accounts.advance(by: .seconds(600))
        #expect(try await Self.poll(bench, late["device_code"]?.stringValue).outcome == "400 expired_token")
        for code in ["", "x", String(repeating: "x", count: 3000), "\u{0}"] {
            let outcome = try await Self.poll(bench, code).outcome
            #expect(outcome == (code.isEmpty ? "400 invalid_request" : "400 invalid_grant"))
        }
        #expect(try await Self.begin(bench, []).outcome == "400 invalid_scope")
        #expect(try await Self.begin(bench, [("scope", "unknown")]).outcome == "400 invalid_scope")
        #expect(
            try await Self.begin(bench, [("scope", "openid"), ("resource", "https://evil.example")]).outcome
                == "400 invalid_target")
        let usual = try await ProviderBench()
        #expect(try await Self.begin(usual).outcome == "400 unauthorized_client")
        let anonymous = try await usual.post("/oauth2/device_authorization", [("scope", "openid")])
        #expect(anonymous.outcome == "401 invalid_client")
        let web = try await usual.post(
            "/oauth2/device_authorization", [("scope", "openid"), ("client_id", usual.web.id.rawValue)])
        #expect(web.outcome == "401 invalid_client", "its secret is missing")
    }
}

// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountPages
import Accounts
import AuthTypes
import HTTPTypes
import ServerKit
import TestBench
import TestBenchHTTP
import Testing

extension SignInWorld {
    private static let device = "urn:ietf:params:oauth:grant-type:device_code"

    func openIDProof(_ path: SignInPath) async throws -> SignInPath.Proof {
        switch path {
        case .pageProvider:
            let asked = try await authorize()
            let request = try #require(asked.answer["request"], "\(asked.status) \(asked.location ?? asked.text)")
            let left = try await browse(
                .get, AccountPlace.path(of: accounts.directory) + "/provider?name=google&request=" + request)
            return try #require(left.answer["state"], "\(left.status) \(left.location ?? left.text)")
        case .openIDBrowser: return try await code()
        case .openIDCode, .hostedCode: return try await code()
        case .openIDRefresh, .hostedRefresh:
            let reply = try await redeem(code())
            return try #require(reply["refresh_token"]?.stringValue, "\(reply.text)")
        case .openIDDevice:
            let begun = try await browse(
                .post, "/oauth2/device_authorization", [("client_id", app.rawValue), ("scope", "openid email")])
            let shown = try #require(
                begun["user_code"]?.stringValue.flatMap { DeviceUserCode(typed: $0) }, "\(begun.text)")
            var call = accounts.call(actor: .unknown)
            call.dialect = .browser
            let issued = try await accounts.flows.passwordSignIn(
                .email(try EmailAddress(Self.email)), password: Secret(AccountBench.password), call: call.inBrowser
            ).session()
            let isDone = try await accounts.flows.answerDeviceAuthorization(
                shown, allow: true, of: user, session: issued.refreshToken, call: call)
            #expect(isDone)
            return try #require(begun["device_code"]?.stringValue)
        default: throw AuthError(.unsupported)
        }
    }

    func openID(_ path: SignInPath, _ proof: SignInPath.Proof) async throws -> String {
        let reply: HTTPBench.Reply
        switch path {
        case .pagePassword: return landed(try await submit())
        case .pageProvider:
            let back = AccountPlace.path(of: accounts.directory) + AccountPlace.providerReturn
            return landed(try await browse(.get, back + "?state=\(proof)&code=\(try vouch())"))
        case .openIDBrowser:
            let reply = try await authorize([("prompt", "none")])
            guard reply.page == Self.redirectURI else { return "\(reply.status) \(reply.location ?? "")" }
            return reply.answer["code"] == nil ? reply.answer["error"] ?? "" : "code"
        case .openIDCode, .hostedCode: reply = try await redeem(proof)
        case .openIDRefresh, .hostedRefresh:
            reply = try await token([("grant_type", "refresh_token"), ("refresh_token", proof)])
        case .openIDDevice: reply = try await token([("grant_type", Self.device), ("device_code", proof)])
        default: throw AuthError(.unsupported)
        }
        if reply["access_token"] == nil { expectTold(reply["message_key"], reply["localized_message"], by: reply) }
        return reply["access_token"] == nil ? "\(reply.status) \(reply.error ?? reply.text)" : "session"
    }

    // MARK: The browser

    private func authorize(_ further: [(String, String)] = []) async throws -> HTTPBench.Reply {
        let form: [(String, String)] = [
            ("response_type", "code"), ("client_id", app.rawValue), ("redirect_uri", Self.redirectURI),
            ("scope", app.rawValue == client ? "openid email" : "openid email offline_access"), ("state", "s"),
            ("nonce", "n"),
            ("code_challenge", PKCE.challenge(for: Self.verifier)), ("code_challenge_method", "S256"),
        ]
        return try await browse(.get, "/oauth2/authorize?" + HTTPBench.encoded(form + further))
    }

    /// Comes to the sign-in page as an app's request leads there, and sends its form.
    private func submit() async throws -> HTTPBench.Reply {
        let asked = try await authorize()
        let request = try #require(asked.answer["request"], "\(asked.status) \(asked.location ?? asked.text)")
        let browser = try #require(BrowserCookies(url: Self.url).browser(in: jar.headers))
        let directory = accounts.directory
        let token = FormToken.text(page: "/sign-in", request: request, browser: browser, in: directory)
        return try await browse(
            .post, AccountPlace.path(of: directory) + "/sign-in?request=" + request,
            [("identifier", Self.email), ("password", AccountBench.password), (FormToken.field, token)])
    }

    /// Where the sign-in page leads: on to the app, to another page, or nowhere.
    private func landed(_ reply: HTTPBench.Reply) -> String {
        guard reply.status == 303, let page = reply.page else { return "\(reply.status)" }
        if let refusal = reply.answer["refused"] { return page + " " + refusal }
        return page == "/oauth2/authorize/continue" ? "session" : page
    }

    private func code() async throws -> String {
        let reply = try await submit()
        let back = try await browse(.get, try #require(reply.location, "\(reply.status) \(reply.text)"))
        return try #require(back.answer["code"], "\(back.status) \(back.location ?? back.text)")
    }

    private func token(_ form: [(String, String)]) async throws -> HTTPBench.Reply {
        try await browse(.post, "/oauth2/token", form + [("client_id", app.rawValue)])
    }

    private func redeem(_ code: String) async throws -> HTTPBench.Reply {
        try await token([
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", Self.redirectURI),
            ("code_verifier", Self.verifier),
        ])
    }
}

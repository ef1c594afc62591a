// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import TestBench
import Testing

extension PagesBench {
    /// Pages that can ask for passkeys and security keys: their host is the relying party.
    static func withPasskeys(_ settings: (inout DirectorySettings) -> Void = { _ in }) async throws -> PagesBench {
        try await PagesBench {
            $0.passkeys.enabled = true
            $0.passkeys.relyingPartyID = "localhost"
            $0.factors.webAuthn = .on
            settings(&$0)
        }
    }

    func authenticator() -> VirtualAuthenticator { VirtualAuthenticator(origin: Self.url) }

    func passkeys(of email: String) async throws -> [Factor] {
        let user = try #require(try await user(email))
        return try await base.flows.userPasskeys.list(of: user.id, call: base.call())
    }
}

extension PagesBrowser {
    /// What the page's script is told to ask the authenticator.
    func question(_ page: Page) async throws -> (challenge: String, options: JSONObject) {
        let form = try #require(PageMarkup(page.text).all("form").first { $0.attributes["data-question"] != nil })
        let url = try #require(form.attributes["data-question"])
        let token = try #require(page.forms.first { $0.values["formToken"] != nil }?.values["formToken"])
        let answer = try await send(.post, url, ["formToken": token])
        try #require(answer.status == 200, "\(answer.text)")
        let object = try JSONObject(parsing: Array(answer.text.utf8))
        return (
            try #require(object["challenge"]?.stringValue), try #require(object["options"]?.objectValue)
        )
    }

    /// As the page's script does it: asks the authenticator, and sends what it answers by the page's form.
    func answer(
        _ page: Page, by authenticator: inout VirtualAuthenticator, _ fields: [String: String] = [:]
    ) async throws -> Page {
        let form = try #require(PageMarkup(page.text).all("form").first { $0.attributes["data-question"] != nil })
        let (challenge, options) = try await question(page)
        let answer =
            form.attributes["data-passkey"] == "create"
            ? try authenticator.create(options) : try authenticator.get(options)
        return try await submit(
            page, to: form.attributes["action"],
            fields.merging(["challenge": challenge, "answer": Self.text(answer)]) { $1 })
    }

    static func text(_ object: JSONObject) -> String { String(decoding: object.serialized(), as: UTF8.self) }

    /// Signs in by password and adds a passkey.
    func addPasskey(of email: String, to authenticator: inout VirtualAuthenticator) async throws {
        _ = try await signIn(email)
        let done = try await answer(try await get("/account/passkeys/new"), by: &authenticator)
        #expect(done.location == "/account/passkeys?notice=passkeyAdded", "\(done.text)")
    }
}

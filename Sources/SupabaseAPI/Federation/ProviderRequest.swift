// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes

/// What an app asks for that sends a user to a provider: `GET /authorize`, and `GET /user/identities/authorize`.
struct ProviderRequest: Sendable {
    let provider: IdentityProvider
    /// Where the browser goes in the end; allowed.
    let redirectTo: String
    /// `nil` for the implicit flow.
    let challenge: CodeChallenge?
    let scopes: [String]
    let prompt: String?
    let loginHint: String?
    /// What is passed on to the provider.
    let extra: [String: String]

    private static let extraLimit = 16
    private static let valueLimit = 512

    /// - Throws: `validation_failed`.
    init(_ query: [String: String], at provider: IdentityProvider, of call: DialectCall) throws {
        self.provider = provider
        guard query["invite_token"].isEmptyOrNil else {
            throw WireError.validation("invite_token is not supported: an invitation is accepted by its link")
        }
        redirectTo = call.place(query["redirect_to"] ?? call.headers[.redirectTo])
        challenge = try Self.challenge(query)
        scopes = Self.scopes(query["scopes"] ?? "")
        prompt = query["prompt"]
        loginHint = query["login_hint"]
        var extra = ProviderKeeping(provider).authorizationParameters
        for (name, value) in query where !Self.own.contains(name.lowercased()) { extra[name] = value }
        guard extra.count <= Self.extraLimit,
            extra.allSatisfy({ $0.key.utf8.count <= 64 && $0.value.utf8.count <= Self.valueLimit })
        else { throw WireError.validation("too many parameters for the provider") }
        self.extra = extra
    }

    /// What this server says to the provider itself, and what is for this server. The platform passes `redirect_to` on,
    /// too, and a `nonce`, which here is made for each sign-in.
    private static let own: Set<String> = [
        "provider", "scopes", "redirect_to", "invite_token", "skip_http_redirect", "apikey", "prompt", "login_hint",
        "client_id", "client_secret", "redirect_uri", "response_type", "response_mode", "state", "nonce", "scope",
        "code_challenge", "code_challenge_method", "code_verifier", "request", "request_uri", "link_ticket",
    ]

    /// With commas between them, as there; a list with blanks passes too.
    private static func scopes(_ text: String) -> [String] {
        text.split { $0 == "," || $0 == " " || $0 == "+" }.map(String.init)
    }

    /// As on the platform, but for `plain`: see ``DialectCall/codeChallenge()``. Clients encode it twice.
    private static func challenge(_ query: [String: String]) throws -> CodeChallenge? {
        switch (query["code_challenge"] ?? "", query["code_challenge_method"] ?? "") {
        case ("", ""): return nil
        case (let text, let method) where !text.isEmpty && !method.isEmpty:
            guard method.lowercased() == "s256" else {
                throw WireError.validation("code challenge method must be S256")
            }
            guard let challenge = CodeChallenge(text) else {
                throw WireError.validation("code challenge has to be BASE64URL of a SHA-256 digest")
            }
            return challenge
        default:
            throw WireError.validation("PKCE flow requires code_challenge_method and code_challenge")
        }
    }
}

extension DialectCall {
    /// Where a browser goes that nobody has named a place for that is allowed: the site, or this server's own pages.
    func place(_ requested: String?) -> String {
        RedirectPolicy(flow.settings).resolve(requested) ?? flow.links.home(of: directory)
    }
}

extension String? {
    var isEmptyOrNil: Bool { self?.isEmpty ?? true }
}

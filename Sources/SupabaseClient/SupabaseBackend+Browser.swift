// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

extension SupabaseBackend {
    /// Begins a sign-in in a browser that the app opens by itself. What the browser is led back to is given to
    /// ``signIn(_:)`` as `SignInProof.callback(url:)`, in the same process and before another one is begun.
    ///
    /// - Returns: the address to open.
    public func beginBrowserSignIn(
        provider: String, options: BrowserSignInOptions = BrowserSignInOptions()
    ) async throws(AuthError) -> String {
        guard let redirectURI = configuration.redirectURI else { throw Self.noRedirectURI }
        let key = ProofKey(random: random)
        await pending.begin(key)
        return service.url("/authorize", Self.query(provider, options, redirectURI, key))
    }

    /// - Parameter linking: the session whose user the provider is linked to.
    func browser(
        to provider: String?, _ options: BrowserSignInOptions, linking tokens: TokenSet?
    ) async throws(AuthError) -> SessionGrant {
        guard let provider, let web else {
            throw AuthError(.unsupported, reason: provider == nil ? "there are no pages but providers'" : "no browser")
        }
        guard let preferred = configuration.redirectURI else { throw Self.noRedirectURI }
        let key = ProofKey(random: random)
        let redirectURI: String
        do { redirectURI = try await web.redirectURI(preferred: preferred) } catch {
            throw AuthError(noRedirect: error)
        }
        let query = Self.query(provider, options, redirectURI, key)
        var address = service.url("/authorize", query)
        if let tokens {
            let answer = try await service.ask(
                "GET", "/user/identities/authorize", query: query + [("skip_http_redirect", "true")],
                token: tokens.accessToken)
            guard let given = answer.members["url"]?.stringValue, Self.isWeb(given) else {
                throw AuthError(.unavailable, reason: "the answer is no address")
            }
            address = given
        }
        let redirect: String
        do {
            redirect = try await web.authenticate(
                at: address, redirectingTo: redirectURI, ephemeral: options.asksAgain)
        } catch {
            throw AuthError(noRedirect: error)
        }
        return try await exchange(code(in: redirect, of: redirectURI), key)
    }

    /// A redirect that came to the app by another way.
    func callback(_ url: String) async throws(AuthError) -> SessionGrant {
        guard let redirectURI = configuration.redirectURI else { throw Self.noRedirectURI }
        let code = try code(in: url, of: redirectURI)
        guard let key = await pending.proofKey else {
            throw AuthError(.flowStateNotFound, reason: "no sign-in was begun here")
        }
        let grant = try await exchange(code, key)
        await pending.end(key)
        return grant
    }

    /// The verifier binds the code to this sign-in: one that somebody slipped in buys nothing (RFC 7636).
    private func exchange(_ code: Secret<String>, _ key: ProofKey) async throws(AuthError) -> SessionGrant {
        try await service.ask(
            "POST", "/token", query: [("grant_type", "pkce")],
            ["auth_code": .string(code.reveal()), "code_verifier": .string(key.verifier.reveal())]
        ).session()
    }

    /// Refusals stand in query and fragment alike, so that the query is read first.
    private func code(in redirect: String, of redirectURI: String) throws(AuthError) -> Secret<String> {
        let query = try RedirectParameters(String(redirect.prefix { $0 != "#" }), redirectingTo: redirectURI)
        if let code = query["code"], !code.isEmpty { return Secret(code) }
        var said = query
        if query["error"] == nil, query["error_code"] == nil {
            said = try RedirectParameters(redirect, redirectingTo: redirectURI)
        }
        guard said["error"] != nil || said["error_code"] != nil else {
            throw AuthError(.invalidRedirect, reason: "the redirect has no code")
        }
        throw SupabaseErrors.error(
            code: said["error_code"], error: said["error"] ?? "", description: said["error_description"])
    }

    private static func query(
        _ provider: String, _ options: BrowserSignInOptions, _ redirectURI: String, _ key: ProofKey
    ) -> [(String, String?)] {
        [
            ("provider", provider), ("redirect_to", redirectURI), ("code_challenge", key.challenge),
            ("code_challenge_method", "s256"),
            ("scopes", options.scopes.isEmpty ? nil : options.scopes.joined(separator: " ")),
            ("login_hint", options.loginHint), ("prompt", options.asksAgain ? "select_account" : nil),
            ("ui_locales", options.language),
        ]
    }

    private static func isWeb(_ address: String) -> Bool {
        address.hasPrefix("https://") || address.hasPrefix("http://")
    }

    private static var noRedirectURI: AuthError {
        AuthError(.unsupported, reason: "the configuration names no redirect URI")
    }
}

// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import ServerKit

/// How an app of a developer's own, and the developer's browser without any, sign in by the identity providers that a
/// development server has.
struct DevelopmentSignIn {
    /// The page that stands in for an app.
    private static let callback = "/dev/callback"
    /// What the link has in place of a secret of an app's own. It guards nothing: whoever sees the page may sign in.
    private static let verifier = "latchkey-development-0123456789-0123456789-0123456789"

    /// The server's own, and where the operations are.
    let url: String
    let prefix: String
    let key: String
    /// By the platform's names for them.
    let providers: [ProviderName]

    func show(in connection: inout ConnectionSettings) {
        guard !providers.isEmpty else { return }
        let names = providers.map(\.wire)
        let one = names.contains("google") ? "google" : names[0]
        connection.values.append(("providers", "Providers (signInWithOAuth)", names.joined(separator: " ")))
        connection.snippets.append(
            (
                "JavaScript: sign in by a provider's page",
                """
                await supabase.auth.signInWithOAuth(
                  { provider: '\(one)', options: { redirectTo: 'http://localhost:3000/' } })
                """
            ))
        // A place that the development Directory lets links lead to.
        if url.hasPrefix("http://127.0.0.1") || url.hasPrefix("http://localhost") { showLink(one, in: &connection) }
        guard names.contains("google") else { return }
        connection.snippets.append(
            (
                "Shell: sign in by an ID token of Google's (id_token stands below, with the identity providers)",
                """
                curl '\(url)\(prefix)/token?grant_type=id_token' -H 'apikey: \(key)' \\
                  -H 'Content-Type: application/json' -d '{"provider": "google", "id_token": "'$(id_token)'"}'
                """
            ))
    }

    private func showLink(_ provider: String, in connection: inout ConnectionSettings) {
        let query = RedirectTarget(url: url + prefix + "/authorize").adding(query: [
            ("provider", provider), ("redirect_to", url + Self.callback),
            ("code_challenge", PKCE.challenge(for: Self.verifier)), ("code_challenge_method", "s256"),
        ])
        connection.links.append(("providerLink", "Sign in by a provider's page (\(provider)), as an app does", query))
        connection.snippets.append(
            (
                "Shell: the session for the code that the link shows",
                """
                curl '\(url)\(prefix)/token?grant_type=pkce' -H 'apikey: \(key)' \\
                  -H 'Content-Type: application/json' \\
                  -d '{"auth_code": "CODE", "code_verifier": "\(Self.verifier)"}'
                """
            ))
    }
}

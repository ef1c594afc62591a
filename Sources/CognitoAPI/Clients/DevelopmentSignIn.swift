// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import ServerKit

/// How an app of a developer's own, and the developer's browser without any, sign in on the hosted pages of a
/// development pool.
struct DevelopmentSignIn {
    /// The page that stands in for an app, and the one that shows all settings.
    private static let (ownCallback, ownSignOut) = ("/dev/callback", "/dev")
    /// Where an app on this machine is, on whichever port (RFC 8252, section 7.3).
    private static let callback = "/callback"
    /// `localhost` is a name, and its port counts: the usual ones of web frameworks.
    private static let names = ["http://localhost:3000", "http://localhost:5173", "http://localhost:8000"]
    /// What the link has in place of a secret of an app's own. It guards nothing: whoever sees the page may sign in.
    private static let verifier = "latchkey-development-0123456789-0123456789-0123456789"

    let url: String
    let clientID: String
    /// The identity providers that the pool's users may come by, by their names here.
    let providers: [String]

    /// - Parameters:
    ///   - url: the server's, as far as it is known.
    ///   - providers: by their names here.
    static func authorization(url: String, providers: [String]) -> ClientAuthorization {
        var authorization = ClientAuthorization()
        authorization.isEnabled = true
        authorization.grants = [.code]
        authorization.scopes = [
            HostedScope.openID, HostedScope.email, HostedScope.phone, HostedScope.profile, HostedScope.account,
        ]
        authorization.identityProviders = [ProviderName.pool] + providers
        let loopback = ["http://127.0.0.1", "http://[::1]"]
        // A tunnel's, for a phone.
        let hosts = loopback + (url.hasPrefix("https://") ? [url] : [])
        authorization.redirectURIs =
            loopback.map { $0 + callback } + hosts.map { $0 + ownCallback } + names.map { $0 + callback }
            + names.map { $0 + "/" }
        authorization.signOutURIs = loopback.map { $0 + "/" } + hosts.map { $0 + ownSignOut } + names.map { $0 + "/" }
        return authorization
    }

    func show(in connection: inout ConnectionSettings) {
        let page = Self.place(of: url) + Self.ownCallback
        let registered = Self.authorization(url: url, providers: providers)
        connection.values += [
            ("hostedUi", "Hosted UI", url),
            ("scopes", "Scopes", registered.scopes.joined(separator: " ")),
            ("callbackUrl", "Callback URL, on any port", "http://127.0.0.1:3000" + Self.callback),
            ("signOutUrl", "Sign-out URL, on any port", "http://127.0.0.1:3000/"),
            (
                "identityProviders", "Identity providers (identity_provider=)",
                registered.identityProviders.map(ProviderName.shown).joined(separator: " ")
            ),
        ]
        let links = [("signInLink", "Sign in on the hosted pages", signIn(backTo: page, by: nil))]
        let atOnce =
            providers.contains("google")
            ? [("googleLink", "Sign in with Google through the hosted pages", signIn(backTo: page, by: "Google"))] : []
        connection.links =
            links + atOnce + [
                (
                    "signOutLink", "Sign out again",
                    url + "/logout?"
                        + HostedAnswer.query([
                            (name: "client_id", value: clientID),
                            (name: "logout_uri", value: Self.place(of: url) + Self.ownSignOut),
                        ])
                )
            ]
        connection.snippets.append(
            (
                "Shell: tokens for the code that one of the links shows",
                """
                # The code is good once, for a minute.
                curl \(url)/oauth2/token -d grant_type=authorization_code -d client_id=\(clientID) \\
                  -d redirect_uri=\(page) \\
                  -d code_verifier=\(Self.verifier) -d code=CODE
                """
            ))
    }

    /// - Parameter provider: as the service calls it; `nil` where the pages ask.
    private func signIn(backTo page: String, by provider: String?) -> String {
        url + "/oauth2/authorize?"
            + HostedAnswer.query(
                [
                    (name: "response_type", value: "code"), (name: "client_id", value: clientID),
                    (name: "redirect_uri", value: page), (name: "state", value: "development"),
                    (name: "code_challenge", value: PKCE.challenge(for: Self.verifier)),
                    (name: "code_challenge_method", value: "S256"),
                ] + (provider.map { [(name: "identity_provider", value: $0)] } ?? []))
    }

    /// The server itself, as a place that users may be sent to: https, or this machine by its address.
    private static func place(of url: String) -> String {
        guard url.hasPrefix("http://"), let port = url.split(separator: ":").last.flatMap({ UInt16($0) }) else {
            return url.hasPrefix("http://") ? "http://127.0.0.1" : url
        }
        return (url.hasPrefix("http://[::1]") ? "http://[::1]" : "http://127.0.0.1") + ":\(port)"
    }
}

extension ClientAuthorization {
    /// Lets a client do what another may, beside what it may already.
    mutating func add(_ other: ClientAuthorization) {
        func both<Element: Equatable>(_ own: [Element], _ more: [Element]) -> [Element] {
            own + more.filter { !own.contains($0) }
        }
        isEnabled = true
        providersOnly = providersOnly && other.providersOnly
        grants = both(grants, other.grants)
        scopes = both(scopes, other.scopes)
        identityProviders = both(identityProviders, other.identityProviders)
        redirectURIs = both(redirectURIs, other.redirectURIs)
        signOutURIs = both(signOutURIs, other.signOutURIs)
    }
}

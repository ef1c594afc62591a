// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

extension BrowserIdentityProvider {
    /// Google's sign-in without its kit, for desktops and command lines: a client of the type "Desktop app", a redirect
    /// to this device, and a consent each time, for which Google gives a refresh token.
    ///
    /// The client is then what an ID token's `aud` says, so that the identity pool has to take it beside the Web
    /// client.
    ///
    /// - Parameters:
    ///   - clientSecret: Google gives desktop clients one and asks for it, although it keeps nothing secret.
    ///   - authorizationEndpoint: `nil` for Google's own.
    ///   - tokenEndpoint: `nil` for Google's own.
    ///   - web: shows Google's page, such as `LoopbackRedirect`.
    ///   - store: where Google's refresh token is kept.
    public static func google(
        clientID: String, clientSecret: Secret<String>?, authorizationEndpoint: String? = nil,
        tokenEndpoint: String? = nil, redirectURI: String = "http://127.0.0.1/callback", web: any WebAuthentication,
        transport: any HTTPTransport, store: any SecureStore, clock: any ClientClock,
        random: any RandomSource = SystemRandomSource()
    ) -> BrowserIdentityProvider {
        BrowserIdentityProvider(
            "google",
            client: OAuthClient(
                clientID: clientID, clientSecret: clientSecret,
                authorizationEndpoint: authorizationEndpoint ?? "https://accounts.google.com/o/oauth2/v2/auth",
                tokenEndpoint: tokenEndpoint ?? "https://oauth2.googleapis.com/token",
                issuer: "https://accounts.google.com"),
            redirectURI: redirectURI, parameters: [("access_type", "offline"), ("prompt", "select_account consent")],
            web: web, transport: transport, store: store, clock: clock, random: random)
    }
}

// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import ClientStorage
import ClientTestSupport
import CognitoClient
import Testing

extension LiveTests {
    /// Google's sign-in in a browser, at the Google that the server plays.
    private func kit(_ button: (String, String), _ store: any SecureStore) throws -> BrowserIdentityProvider {
        let google = server.url + "/dev/identity-provider/google"
        return .google(
            clientID: try server.setting("identityProviders", "googleClientId"),
            clientSecret: Secret(try server.setting("identityProviders", "googleClientSecret")),
            authorizationEndpoint: google + "/authorize", tokenEndpoint: google + "/token",
            redirectURI: "http://127.0.0.1:3000/callback", web: DevelopmentBrowser(pressing: button),
            transport: transport,
            store: store, clock: SystemClock())
    }

    @Test(
        "R13.9 H-1 H-2 H-5 H-9 Without Google's kit: in a browser, with PKCE and nonce, the same user, renewed unseen until they sign out or take it back"
    )
    func browserKit() async throws {
        let (store, ada) = (MemoryStore(), ("account", "100000000000000000001"))
        await #expect(throws: AuthError(.cancelled)) {
            try await hybrid(try kit(("answer", "cancel"), store)).signIn(google)
        }
        let backend = try hybrid(try kit(ada, store))
        let first = try grant(try await backend.signIn(google))
        let byPages = try grant(try await hosted(ada).signIn(google))
        #expect(first.user?.subject == byPages.user?.subject && first.user?.email == "ada@example.com")
        // Another start of the app.
        let later = try hybrid(try kit(("answer", "fail"), store))
        let renewed = try await later.refresh(first.tokens)
        // Not another text: what a pool says of one user within one second is the same, octet for octet. A renewal
        // names no user.
        let subjects = try [renewed, first].map { try IDTokenClaims(reading: $0.tokens.accessToken).subject }
        #expect(subjects[0] == subjects[1] && renewed.user == nil)
        try await later.revoke(renewed.tokens, scope: .local)
        let error = await #expect(throws: AuthError.self) { try await later.refresh(renewed.tokens) }
        #expect(error?.code == .sessionExpired)
        // Taken back at Google.
        let again = try grant(try await backend.signIn(google))
        let key = SecureStoreKey(rawValue: "auth.provider.google")
        let kept = String(decoding: try #require(try await store.read(key)), as: UTF8.self)
        _ = try await transport.send(
            HTTPRequest(
                "POST", server.url + "/dev/identity-provider/google/revoke",
                headers: [HTTPHeader("Content-Type", "application/x-www-form-urlencoded")],
                body: Array(FormFields.encode([("token", kept)]).utf8)))
        let refused = await #expect(throws: AuthError.self) { try await backend.refresh(again.tokens) }
        #expect(refused?.code == .sessionNotFound)
    }
}

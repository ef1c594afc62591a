// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import ClientStorage
import ClientTestSupport
import Testing

/// A provider's sign-in in a browser, with a browser and a provider that do what a test says.
struct BrowserIdentityProviderTests {
    static let now = Instant(seconds: 1_785_283_200)
    /// SHA-256 of `a nonce`, by `printf 'a nonce' | sha256sum`.
    static let hashed = "df71001510f3ff862b7342de1a92e1e700fd41e78677baf161079d3a5fcef6ec"

    /// Presses what the user would, and keeps where it was sent.
    final class Browser: WebAuthentication {
        let sent = Guarded<[String: String]>([:])
        let answer: @Sendable (String) throws(WebAuthenticationError) -> String

        init(
            _ answer: @escaping @Sendable (String) throws(WebAuthenticationError) -> String = { "code=c1&state=\($0)" }
        ) {
            self.answer = answer
        }

        func redirectURI(preferred: String) async throws(WebAuthenticationError) -> String { preferred }

        func authenticate(
            at url: String, redirectingTo redirectURI: String, ephemeral: Bool
        ) async throws(WebAuthenticationError) -> String {
            let fields = FormFields.decode(url.split(separator: "?", maxSplits: 1).last ?? "") ?? []
            sent.withLock { $0 = Dictionary(fields.map { ($0.name, $0.value) }) { $1 } }
            return redirectURI + "?" + (try answer(sent.value["state"] ?? ""))
        }
    }

    let store = MemoryStore()
    let key = SecureStoreKey(rawValue: "auth.provider.google")

    static func token(_ changes: JSONObject = [:]) -> String {
        let claims: JSONObject = [
            "sub": "google-1", "iss": "https://accounts.google.com", "aud": "desktop", "azp": "desktop",
            "exp": 1_785_286_800, "name": "Ada",
        ]
        return "e30.\(Base64URL.encode(claims.merging(changes).serialized())).c2ln"
    }

    static func answer(_ claims: JSONObject, refresh: String?, status: Int = 200) -> HTTPResponse {
        var body: JSONObject = [
            "access_token": "at", "token_type": "Bearer", "expires_in": 3600, "id_token": .string(token(claims)),
        ]
        body["refresh_token"] = refresh.map { .string($0) }
        return HTTPResponse(status: status, headers: [], body: body.serialized())
    }

    func provider(
        _ browser: Browser, store: (any SecureStore)? = nil,
        _ answer: @escaping @Sendable (HTTPRequest, Int) async throws(TransportError) -> HTTPResponse
    ) -> (provider: BrowserIdentityProvider, transport: ScriptedTransport) {
        let transport = ScriptedTransport(answer)
        let client = OAuthClient(
            clientID: "desktop", clientSecret: Secret("none"),
            authorizationEndpoint: "https://provider.example/authorize",
            tokenEndpoint: "https://provider.example/token", issuer: "https://accounts.google.com")
        return (
            BrowserIdentityProvider(
                "google", client: client, web: browser, transport: transport, store: store ?? self.store,
                clock: ManualClock(now: Self.now)), transport
        )
    }

    /// One that signs in by the nonce that the browser was sent with, and gives that refresh token.
    func signedIn(_ refresh: String? = "r1") -> (
        provider: BrowserIdentityProvider, transport: ScriptedTransport, Browser
    ) {
        let browser = Browser()
        let made = provider(browser) { request, _ in
            let nonce = browser.sent.value["nonce"] ?? ""
            let isRefresh = String(decoding: request.body, as: UTF8.self).contains("grant_type=refresh_token")
            return Self.answer(isRefresh ? [:] : ["nonce": .string(nonce)], refresh: isRefresh ? "r2" : refresh)
        }
        return (made.provider, made.transport, browser)
    }

    @Test("R13.3 H-1 H-5 The user is asked on the provider's page, and the token carries the nonce's hash alone")
    func signIn() async throws {
        let (provider, transport, browser) = signedIn()
        let identity = try await provider.signIn(nonce: Secret("a nonce"))
        #expect(identity.provider == "google" && identity.name == "Ada" && identity.nonce?.reveal() == "a nonce")
        let sent = browser.sent.value
        #expect(sent["nonce"] == Self.hashed)
        #expect(sent["prompt"] == "select_account" && sent["code_challenge_method"] == "S256")
        #expect(sent["redirect_uri"] == "http://127.0.0.1/callback" && sent["client_secret"] == nil)
        let asked = try #require(await transport.requests.first)
        #expect(String(decoding: asked.body, as: UTF8.self).contains("code_verifier="))
        #expect(try await store.read(key) == Array("r1".utf8))
    }

    @Test("H-1 Y-US1 Who turns back is no error to be shown, and nothing is asked or kept")
    func cancelled() async throws {
        for browser in [
            Browser { (_) throws(WebAuthenticationError) in throw .cancelled },
            Browser { "error=access_denied&state=\($0)" },
        ] {
            let (provider, transport) = provider(browser) { _, _ in Self.answer([:], refresh: "r1") }
            await #expect(throws: AuthError(.cancelled)) { try await provider.signIn(nonce: Secret("n")) }
            #expect(await transport.requests.isEmpty)
            #expect(try await store.read(key) == nil)
        }
    }

    @Test(
        "H-1 H-4 A token that is not of this sign-in, another app's or another issuer's is refused, and nothing is kept",
        arguments: [
            ["nonce": "another"], ["aud": "another"], ["azp": "another"], ["iss": "https://provider.example"],
            ["exp": 1_785_200_000], ["nonce": "n"],
        ] as [JSONObject])
    func foreign(claims: JSONObject) async throws {
        let browser = Browser()
        let (provider, _) = provider(browser) { _, _ in
            let right: JSONObject = ["nonce": .string(browser.sent.value["nonce"] ?? "")]
            return Self.answer(right.merging(claims), refresh: "r1")
        }
        await #expect(throws: AuthError(.identityTokenInvalid)) { try await provider.signIn(nonce: Secret("n")) }
        #expect(try await store.read(key) == nil)
    }

    @Test("H-2 A token is renewed unseen after the app's end, and the next refresh token takes the place of the last")
    func renewed() async throws {
        let (first, _, _) = signedIn()
        _ = try await first.signIn(nonce: Secret("n"))
        let (second, transport, browser) = signedIn()
        let identity = try await second.renew()
        #expect(identity.nonce == nil && browser.sent.value.isEmpty)
        let asked = try #require(await transport.requests.first)
        #expect(String(decoding: asked.body, as: UTF8.self).contains("refresh_token=r1"))
        #expect(try await store.read(key) == Array("r2".utf8))
    }

    @Test(
        "I6 A refresh token that came in the place of another is kept, whatever is wrong with the ID token beside it",
        arguments: [["exp": 1_785_200_000], ["aud": "another"], ["iss": "https://provider.example"]] as [JSONObject])
    func rotatedBesideABadToken(claims: JSONObject) async throws {
        try await store.write(Array("r1".utf8), for: key)
        let (provider, _) = provider(Browser()) { _, _ in Self.answer(claims, refresh: "r2") }
        await #expect(throws: AuthError(.identityTokenInvalid)) { try await provider.renew() }
        #expect(try await store.read(key) == Array("r2".utf8))
    }

    /// Reads, and writes as soon as it is no longer full.
    private actor FullStore: SecureStore {
        private let memory = MemoryStore()
        private var isFull = false

        func fill(_ isFull: Bool) { self.isFull = isFull }
        func read(_ key: SecureStoreKey) async throws(SecureStoreError) -> [UInt8]? { try await memory.read(key) }
        func write(_ value: [UInt8], for key: SecureStoreKey) async throws(SecureStoreError) {
            if isFull { throw .full }
            try await memory.write(value, for: key)
        }
        func remove(_ key: SecureStoreKey) async throws(SecureStoreError) { try await memory.remove(key) }
        func exclusively<Value: Sendable>(
            _ key: SecureStoreKey, _ body: @Sendable () async throws -> Value
        ) async throws -> Value { try await memory.exclusively(key, body) }
    }

    @Test(
        "I6 A refresh token that a full store could not take is the next one shown, and is written once there is room")
    func fullStore() async throws {
        let store = FullStore()
        try await store.write(Array("r1".utf8), for: key)
        let (provider, transport) = provider(Browser(), store: store) { _, count in
            Self.answer([:], refresh: count == 0 ? "r2" : "r3")
        }
        await store.fill(true)
        _ = try await provider.renew()
        #expect(try await store.read(key) == Array("r1".utf8))
        await store.fill(false)
        _ = try await provider.renew()
        let last = try #require(await transport.requests.last)
        #expect(String(decoding: last.body, as: UTF8.self).hasSuffix("refresh_token=r2"))
        #expect(try await store.read(key) == Array("r3".utf8))
    }

    @Test("F5 I6 Two that renew at once, at a provider that takes each refresh token once, both get an ID token")
    func renewedAtOnce() async throws {
        try await store.write(Array("r1".utf8), for: key)
        let good = Guarded(1)
        let make = {
            self.provider(Browser()) { request, _ in
                let body = String(decoding: request.body, as: UTF8.self)
                let isGood = good.withLock { number in
                    guard body.hasSuffix("refresh_token=r\(number)") else { return false }
                    number += 1
                    return true
                }
                // So that both would be on their way before the first has kept what it got.
                for _ in 0..<50 { await Task.yield() }
                guard isGood else {
                    return HTTPResponse(status: 400, headers: [], body: Array(#"{"error": "invalid_grant"}"#.utf8))
                }
                return Self.answer([:], refresh: "r\(good.value)")
            }.provider
        }
        let (app, extension_) = (make(), make())
        async let first = app.renew()
        async let second = extension_.renew()
        #expect(try await (first.provider, second.provider) == ("google", "google"))
        #expect(try await store.read(key) == Array("r3".utf8))
    }

    @Test("H-5 After a sign-out nobody is remembered, and nothing was asked for it")
    func signedOut() async throws {
        let (provider, transport, _) = signedIn()
        _ = try await provider.signIn(nonce: Secret("n"))
        let before = await transport.requests.count
        await provider.signOut()
        #expect(try await store.read(key) == nil)
        await #expect(throws: AuthError(.notSignedIn)) { try await provider.renew() }
        #expect(await transport.requests.count == before)
    }

    @Test("H-5 A sign-out while a token is renewed, or while the page is open, is not undone by what comes back")
    func late() async throws {
        let slow = Guarded<(@Sendable () async -> Void)?>(nil)
        let browser = Browser()
        let (provider, _) = provider(browser) { _, _ in
            await slow.value?()
            return Self.answer(["nonce": .string(browser.sent.value["nonce"] ?? "")], refresh: "later")
        }
        _ = try await provider.signIn(nonce: Secret("n"))
        slow.withLock { $0 = { await provider.signOut() } }
        _ = try await provider.renew()
        #expect(try await store.read(key) == nil)
        _ = try await provider.signIn(nonce: Secret("n"))
        #expect(try await store.read(key) == nil)
    }

    @Test("H-1 Y-E4 Access that was taken back is told as that and forgotten; a fault of the network's forgets nobody")
    func refused() async throws {
        try await store.write(Array("r1".utf8), for: key)
        let (offline, _) = provider(Browser()) { (_, _) throws(TransportError) in throw .offline }
        await #expect(throws: AuthError(.network)) { try await offline.renew() }
        let (down, _) = provider(Browser()) { _, _ in HTTPResponse(status: 503) }
        await #expect(throws: AuthError(.unavailable)) { try await down.renew() }
        #expect(try await store.read(key) == Array("r1".utf8))
        let (gone, _) = provider(Browser()) { _, _ in
            HTTPResponse(status: 400, headers: [], body: Array(#"{"error": "invalid_grant"}"#.utf8))
        }
        await #expect(throws: AuthError(.identityProviderRefused)) { try await gone.renew() }
        #expect(try await store.read(key) == nil)
    }

    @Test("H-4 A provider that gives no refresh token leaves nobody's from before behind")
    func unrenewable() async throws {
        try await store.write(Array("another user's".utf8), for: key)
        let (provider, _, _) = signedIn(nil)
        _ = try await provider.signIn(nonce: Secret("n"))
        #expect(try await store.read(key) == nil)
    }
}

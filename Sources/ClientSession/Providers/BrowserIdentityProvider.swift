// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto

/// A provider's own sign-in where there is no kit of the provider's: on desktops and command lines, in the user's
/// browser, by the authorization code grant with PKCE (RFC 8252; OpenID Connect Core 1.0, section 3.1). Takes the place
/// of GoogleSignIn there (H-1).
///
/// Where the provider gives a refresh token, it is kept in the store, and renews ID tokens unseen over the app's end.
/// It is gone with ``signOut()``.
public final class BrowserIdentityProvider: RenewableIdentityProvider {
    public let provider: String
    private let client: OAuthClient
    private let redirectURI: String
    private let parameters: [(String, String)]
    private let web: any WebAuthentication
    private let transport: any HTTPTransport
    private let memory: ProviderMemory
    private let clock: any ClientClock
    private let random: any RandomSource
    /// How often it was signed out: a sign-in that was begun before is not remembered after.
    private let generation = Guarded(0)
    private let report: @Sendable (SessionProblem) -> Void
    /// A refresh token that the store could not take, and which it is to replace there.
    private let unwritten = Guarded<(old: Secret<String>, new: Secret<String>)?>(nil)

    /// - Parameters:
    ///   - provider: the name that the identity service has for it, such as `google`.
    ///   - client: the app as the provider knows it. Its `issuer` is what ID tokens must say.
    ///   - redirectURI: `http://127.0.0.1/callback`; a provider that takes any port needs none in it.
    ///   - parameters: what the provider is told beside the protocol's own, in order. `prompt` belongs here: the user
    ///     is to be asked each time (H-5).
    ///   - web: shows the provider's page, such as ``LoopbackRedirect``.
    ///   - store: where the provider's refresh token is kept.
    ///   - clock: judges an ID token's age where the answer does not say what time it is.
    ///   - report: gets ``SessionProblem/notStored(_:)`` where a renewed refresh token lives in memory only. It is
    ///     written with the next renewal. Another process that renews before that has the former one alone, and where
    ///     the provider refuses it there, who signed in is forgotten in both.
    public init(
        _ provider: String, client: OAuthClient, redirectURI: String = "http://127.0.0.1/callback",
        parameters: [(String, String)] = [("prompt", "select_account")], web: any WebAuthentication,
        transport: any HTTPTransport, store: any SecureStore, clock: any ClientClock,
        random: any RandomSource = SystemRandomSource(), report: @escaping @Sendable (SessionProblem) -> Void = { _ in }
    ) {
        self.provider = provider
        self.client = client
        self.redirectURI = redirectURI
        self.parameters = parameters
        self.web = web
        self.transport = transport
        self.clock = clock
        self.random = random
        self.report = report
        memory = ProviderMemory(of: provider, in: store)
    }

    /// Shows the provider's page. The ID token carries the nonce's SHA-256 in hexadecimal, so that whoever reads the
    /// token can't say the nonce.
    ///
    /// - Throws: `AuthError` with `cancelled` where the user turned back, `identity_token_invalid` for a token that is
    ///   not of this sign-in, `store_unavailable` where what was given can't be kept, and what the provider refused.
    public func signIn(nonce: Secret<String>) async throws(AuthError) -> ProviderIdentity {
        let begun = generation.value
        let hashed = Secret(Hex.encode(Array(SHA256.hash(data: Array(nonce.reveal().utf8)))))
        let redirectURI: String
        do { redirectURI = try await web.redirectURI(preferred: self.redirectURI) } catch {
            throw AuthError(noRedirect: error)
        }
        let request = AuthorizationRequest(
            of: client, redirectURI: redirectURI, parameters: parameters, nonce: hashed, random: random)
        let redirect: String
        do {
            redirect = try await web.authenticate(
                at: request.address, redirectingTo: redirectURI, ephemeral: true)
        } catch { throw AuthError(noRedirect: error) }
        let code = try request.code(from: redirect)
        let response = try await TokenEndpoint(of: client, by: transport).redeem(code, of: request)
        let identity = try identity(in: response, nonce: nonce, carried: hashed)
        if generation.value == begun {
            unwritten.withLock { $0 = nil }
            try await memory.keep(response.refreshToken)
        }
        // Signed out in between, which could not see what was about to be kept.
        if generation.value != begun { await memory.forget() }
        return identity
    }

    /// By the refresh token that was kept. Without one, nobody is remembered. One renewal after the other, in all
    /// processes that share the store: each begins with what the one before has left.
    public func renew() async throws(AuthError) -> ProviderIdentity {
        try await memory.renewing { [self] () throws(AuthError) in try await renewed() }
    }

    private func renewed() async throws(AuthError) -> ProviderIdentity {
        let begun = generation.value
        guard let kept = try await memory.token() else { throw AuthError(.notSignedIn) }
        // What the store could not take is later than what it holds, unless somebody else has written since.
        let later = unwritten.value.flatMap { $0.old.reveal() == kept.reveal() ? $0.new : nil }
        let response: TokenResponse
        do {
            response = try await TokenEndpoint(of: client, by: transport).refresh(later ?? kept)
        } catch {
            guard error.code.endsSession else { throw error }
            // RFC 6749, section 5.2: taken back, expired, or another client's by now.
            unwritten.withLock { $0 = nil }
            try await memory.replace(kept, by: nil)
            throw AuthError(.identityProviderRefused, reason: error.reason)
        }
        // Before anything beside it is judged: by now the provider may have taken the former one back (RFC 6749,
        // section 6).
        if let next = response.refreshToken ?? later { await keep(next, insteadOf: kept, begun) }
        return try identity(in: response, nonce: nil, carried: nil)
    }

    /// In memory, and in the store as soon as that can take it: the provider may take no other token any more.
    private func keep(_ next: Secret<String>, insteadOf kept: Secret<String>, _ begun: Int) async {
        do throws(AuthError) {
            try await memory.replace(kept, by: next)
            unwritten.withLock { $0 = nil }
        } catch {
            unwritten.withLock { $0 = generation.value == begun ? (kept, next) : nil }
            report(.notStored(.unavailable(reason: error.reason ?? "")))
        }
    }

    /// Forgets who signed in. No page is shown, and the provider is not asked.
    public func signOut() async {
        generation.withLock { $0 += 1 }
        unwritten.withLock { $0 = nil }
        await memory.forget()
    }

    private func identity(
        in response: TokenResponse, nonce: Secret<String>?, carried: Secret<String>?
    ) throws(AuthError) -> ProviderIdentity {
        guard let token = response.idToken else {
            throw AuthError(.identityProviderUnavailable, reason: "the provider gave no ID token")
        }
        let claims = try IDTokenClaims(reading: token)
        try claims.check(
            issuer: client.issuer, clientID: client.clientID, nonce: carried, now: response.serverDate ?? clock.now)
        return ProviderIdentity(
            provider: provider, idToken: token, nonce: nonce, accessToken: response.accessToken,
            name: claims.members["name"]?.stringValue)
    }
}

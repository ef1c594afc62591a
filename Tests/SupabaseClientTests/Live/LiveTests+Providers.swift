// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import ClientTestSupport
import Crypto
import SupabaseClient
import Testing

extension LiveTests {
    /// What a provider's kit would give for a nonce of ours: Google's and Apple's tokens carry its SHA-256.
    /// - Parameter email: of a person whom nobody knew before: an address that the provider has verified.
    private func identity(
        _ provider: String, _ subject: String, email: String? = nil, name: String? = nil
    ) async throws -> ProviderIdentity {
        let nonce = SystemRandomSource().letters(20)
        let hash = Hex.encode(SHA256.hash(data: Array(nonce.utf8)))
        let claims: JSONObject = email.map { ["email": .string($0), "email_verified": true] } ?? [:]
        let tokens = try await server.identityToken(
            provider: provider, subject: subject, nonce: hash, claims: claims)
        return ProviderIdentity(
            provider: provider, idToken: try #require(tokens.idToken), nonce: Secret(nonce), name: name)
    }

    @Test("R13.4 G-2.2 Google's ID token signs in, with its nonce and not with another one")
    func identityToken() async throws {
        let backend = try backend()
        let identity = try await identity("google", "ada@example.com")
        let user = try #require(try await backend.signIn(.identityToken(identity)).session.user)
        #expect(user.email == "ada@example.com" && user.emailVerified == true && user.name == "Ada Lind")
        var other = try await self.identity("google", "ada@example.com")
        other.nonce = Secret("another")
        await #expect(throws: AuthError(.identityTokenInvalid)) {
            try await backend.signIn(.identityToken(other))
        }
    }

    @Test("R13.4 G-2.1 F-2 the name that Apple tells once is written into the account")
    func appleName() async throws {
        let backend = try backend()
        let address = server.freshAddress("apple")
        let identity = try await identity("apple", address, name: "Grace Hopper")
        let grant = try await backend.signIn(.identityToken(identity)).session
        #expect(grant.user?.name == "Grace Hopper")
        #expect(try await backend.user(grant.tokens).name == "Grace Hopper")
        let again = try await self.identity("apple", address)
        #expect(try await backend.signIn(.identityToken(again)).session.user?.name == "Grace Hopper")
    }

    @Test(
        "R13.4 G-2.2 G-2.3 a browser goes to the provider and back with a code, which the verifier of this sign-in redeems"
    )
    func browser() async throws {
        let backend = try backend()
        let proof = SignInProof.browser(provider: "google", options: BrowserSignInOptions())
        let user = try await backend.signIn(proof).session.user
        #expect(user?.email == "ada@example.com" && user?.provider == "google")
        // By the app's own browser.
        let address = try await backend.beginBrowserSignIn(provider: "google")
        let redirect = try await DevelopmentBrowser(signedInAs: "ada@example.com").authenticate(
            at: address, redirectingTo: "http://localhost:3000/back", ephemeral: true)
        let stolen = try self.backend()
        await #expect(throws: AuthError(.flowStateNotFound)) {
            try await stolen.signIn(.callback(url: Secret(redirect)))
        }
        #expect(try await backend.signIn(.callback(url: Secret(redirect))).session.user?.subject == user?.subject)
        await #expect(throws: AuthError(.flowStateNotFound)) {
            try await backend.signIn(.callback(url: Secret(redirect)))
        }
    }

    @Test("R13.4 G-2.4 Y-E2 what a provider refuses, or does not exist, is an error that leaves everything as it was")
    func refused() async throws {
        let backend = try backend(person: "nobody@example.com")
        await #expect(throws: AuthError(.reauthenticationNeeded)) {
            try await backend.signIn(.browser(provider: "google", options: BrowserSignInOptions()))
        }
        await #expect(throws: AuthError(.unsupported)) {
            try await backend.signIn(.browser(provider: nil, options: BrowserSignInOptions()))
        }
    }

    @Test(
        "R13.4 G-2.5 G-2.6 an address that Google vouches for makes an account, or leads to the one that has confirmed it"
    )
    func byAddress() async throws {
        let backend = try backend()
        // Google vouches for the addresses of its own mail alone.
        let new = server.freshAddress("first", at: "gmail.com")
        let made = try await backend.signIn(.identityToken(try await identity("google", "first", email: new))).session
            .user
        #expect(made?.email == new && made?.emailVerified == true)
        let address = server.freshAddress("second", at: "gmail.com")
        let member = try await member(address)
        let led = try await backend.signIn(.identityToken(try await identity("google", "second", email: address)))
            .session.user
        #expect(led?.subject == member.user?.subject && led?.email == address)
    }

    @Test(
        "R13.4 G-2 a provider that vouches for the address of an account leads to it, and may be linked and unlinked")
    func linked() async throws {
        let address = server.freshAddress("linker")
        let backend = try backend(person: "bruno@example.net")
        let member = try await member(address)
        // By its own sign-in, in the browser.
        let proof = SignInProof.browser(provider: "azure", options: BrowserSignInOptions())
        let linked = try await backend.link(proof, to: member.tokens)
        #expect(linked.user?.subject == member.user?.subject && linked.user?.email == address)
        #expect(try await backend.signIn(proof).session.user?.subject == member.user?.subject)
        let unlinked = try await backend.unlink(provider: "azure", from: linked.tokens)
        #expect(unlinked.user?.subject == member.user?.subject)
        await #expect(throws: AuthError(.identityNotFound)) {
            try await backend.unlink(provider: "azure", from: linked.tokens)
        }
        await #expect(throws: AuthError(.lastWayIn)) {
            try await backend.unlink(provider: "email", from: linked.tokens)
        }
        // By its ID token.
        let identity = try await identity("google", server.freshAddress("google"))
        let byToken = try await backend.link(.identityToken(identity), to: linked.tokens)
        #expect(byToken.user?.subject == member.user?.subject)
    }

    @Test("R13.4 who is anonymous stays the same user by linking a provider")
    func anonymous() async throws {
        let backend = try backend()
        let guest = try await backend.signIn(.anonymous).session
        #expect(guest.user?.isAnonymous == true)
        let identity = try await identity("google", server.freshAddress("guest"))
        let grant = try await backend.link(.identityToken(identity), to: guest.tokens)
        #expect(grant.user?.subject == guest.user?.subject && grant.user?.isAnonymous == false)
    }
}

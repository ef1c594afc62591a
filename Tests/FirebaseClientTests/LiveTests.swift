// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import ClientTestSupport
import Crypto
import FirebaseClient
import Testing

/// Against a running server, over a socket. One after the other: a busy machine's server turns sign-ins away.
@Suite(.runningServer, .serialized, .timeLimit(.minutes(5))) struct LiveTests {
    let server: RunningServer
    let password = Secret("Correct-horse-7-battery")

    init() throws {
        server = try #require(RunningServer.current)
    }

    private func backend(_ transport: any HTTPTransport = SystemTransport()) throws -> FirebaseBackend {
        FirebaseBackend(
            FirebaseConfiguration(
                apiKey: try server.setting("firebase", "apiKey"),
                emulator: try server.setting("firebase", "emulatorHost")), transport: transport)
    }

    private func identity(_ provider: String, _ subject: String, name: String? = nil) async throws -> ProviderIdentity {
        let nonce = SystemRandomSource().letters(20)
        let hash = Hex.encode(SHA256.hash(data: Array(nonce.utf8)))
        let tokens = try await server.identityToken(provider: provider, subject: subject, nonce: hash)
        return ProviderIdentity(
            provider: provider, idToken: try #require(tokens.idToken), nonce: Secret(nonce), name: name)
    }

    private func session(_ step: SignInStep?) throws -> SessionGrant {
        guard case .session(let grant) = step else { throw AuthError(.invalidRequest, reason: "no session") }
        return grant
    }

    private func oobCode(_ mail: DevelopmentMail) throws -> Secret<String> {
        let link = try #require(mail.link)
        let fields = try #require(FormFields.decode(link.drop { $0 != "?" }.dropFirst()))
        return Secret(try #require(fields.first { $0.name == "oobCode" }).value)
    }

    @Test("R13.4 sign-up gives a session, its mail confirms, and password and refresh lead to the same user")
    func password() async throws {
        let (backend, address) = (try backend(), server.freshAddress())
        let request = SignUpRequest(identifier: address, password: password, attributes: ["name": "Ada Lind"])
        let first = try session(await backend.signUp(request))
        #expect(
            first.user?.email == address && first.user?.emailVerified == false && first.tokens.lifetime > .minutes(1))
        try await backend.sendVerification(first.tokens)
        let code = try oobCode(await server.mail(to: address))
        #expect(try await backend.confirmSignUp(identifier: address, code: code) == nil)
        let second = try session(await backend.signIn(.password(identifier: address, password: password)))
        #expect(second.user?.subject == first.user?.subject && second.user?.emailVerified == true)
        let third = try await backend.refresh(second.tokens)
        #expect(third.user?.subject == first.user?.subject)
        #expect(try await backend.user(third.tokens).name == "Ada Lind")
        for wrong in [address, server.freshAddress()] {
            await #expect(throws: AuthError(.invalidCredentials)) {
                try await backend.signIn(.password(identifier: wrong, password: Secret("Wrong-horse-7-battery")))
            }
        }
        try await backend.beginRecovery(identifier: server.freshAddress())
    }

    @Test("R13.4 F-5 a reset ends the sessions before it, and a deleted user's refresh says so")
    func ends() async throws {
        let (backend, address) = (try backend(), server.freshAddress())
        let before = try session(
            await backend.signUp(SignUpRequest(identifier: address, password: password)))
        try await backend.beginRecovery(identifier: address)
        let code = try oobCode(await server.mail(to: address))
        let new = Secret("Another-horse-8-battery")
        #expect(try await backend.finishRecovery(identifier: nil, proof: code, newPassword: new) == nil)
        let ended = await #expect(throws: AuthError.self) { try await backend.refresh(before.tokens) }
        #expect(ended.flatMap { SignOutReason(refusal: $0.code) } == .sessionRevoked, "\(String(describing: ended))")
        let again = try session(await backend.signIn(.password(identifier: address, password: new)))
        #expect(again.user?.subject == before.user?.subject)
        try await backend.deleteAccount(again.tokens)
        let deleted = await #expect(throws: AuthError.self) { try await backend.refresh(again.tokens) }
        #expect(deleted?.code.endsSession == true, "\(String(describing: deleted))")
    }

    @Test("R13.4 F-1 F-9 Google's credential goes to the service once, and what an app's API is sent is another token")
    func google() async throws {
        let transport = RecordingTransport()
        let backend = try backend(transport)
        let identity = try await identity("google", "ada@example.com")
        let grant = try session(await backend.signIn(.identityToken(identity)))
        #expect(grant.user?.email == "ada@example.com" && grant.user?.provider == "google.com")
        let given = identity.idToken.reveal()
        #expect(grant.tokens.accessToken.reveal() != given && grant.tokens.idToken?.reveal() != given)
        #expect(grant.tokens.attachments.reveal().isEmpty)
        let renewed = try await backend.refresh(grant.tokens)
        _ = try await backend.user(renewed.tokens).subject
        let carried = transport.requests.filter { String(decoding: $0.body, as: UTF8.self).contains(given) }
        #expect(carried.count == 1 && carried[0].url.contains("accounts:signInWithIdp"))
        var forged = try await self.identity("google", "ada@example.com")
        forged.nonce = Secret("another")
        await #expect(throws: AuthError(.identityTokenInvalid)) {
            try await backend.signIn(.identityToken(forged))
        }
    }

    @Test("R13.4 F-2 the name that Apple tells once stays with the account")
    func apple() async throws {
        let (backend, address) = (try backend(), server.freshAddress("apple"))
        let grant = try session(
            await backend.signIn(.identityToken(identity("apple", address, name: "Grace Hopper"))))
        #expect(grant.user?.name == "Grace Hopper")
        #expect(try await backend.user(grant.tokens).name == "Grace Hopper")
    }

    @Test("R13.4 who is anonymous keeps the identifier when a password and a provider are linked, and one is unlinked")
    func linking() async throws {
        let (backend, address) = (try backend(), server.freshAddress())
        let guest = try session(await backend.signIn(.anonymous))
        #expect(guest.user?.isAnonymous == true)
        let linked = try await backend.link(.password(identifier: address, password: password), to: guest.tokens)
        #expect(linked.user?.subject == guest.user?.subject && linked.user?.isAnonymous == false)
        // To an address that nobody has proved, no provider is linked.
        try await backend.sendVerification(linked.tokens)
        let code = try oobCode(await server.mail(to: address))
        _ = try await backend.confirmSignUp(identifier: address, code: code)
        let google = server.freshAddress("google")
        let both = try await backend.link(.identityToken(identity("google", google)), to: linked.tokens)
        #expect(both.user?.subject == guest.user?.subject)
        let byGoogle = try session(await backend.signIn(.identityToken(identity("google", google))))
        #expect(byGoogle.user?.subject == guest.user?.subject)
        let one = try await backend.unlink(provider: "google", from: byGoogle.tokens)
        #expect(try await backend.user(one.tokens).attributes["providers"] == ["password"])
        await #expect(throws: AuthError(.identityNotFound)) {
            try await backend.unlink(provider: "google", from: one.tokens)
        }
        await #expect(throws: AuthError(.currentPasswordInvalid)) {
            try await backend.changePassword(one.tokens, current: Secret("Wrong-horse-7-battery"), new: password)
        }
    }
}

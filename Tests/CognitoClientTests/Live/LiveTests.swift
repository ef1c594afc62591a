// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import ClientStorage
import ClientTestSupport
import CognitoClient
import Testing

/// Against a running server.
@Suite(.runningServer(["LATCHKEY_DIRECTORY_SRP": "true"]), .timeLimit(.minutes(5))) struct LiveTests {
    let server: RunningServer
    let transport = SystemTransport()
    let google = SignInProof.browser(provider: "google", options: BrowserSignInOptions())

    init() throws {
        server = try #require(RunningServer.current)
    }

    func configuration(_ flow: CognitoConfiguration.PasswordFlow = .srp) throws -> CognitoConfiguration {
        let pool = try server.setting("cognito", "userPoolId")
        return CognitoConfiguration(
            region: try server.setting("cognito", "region"), userPoolID: pool,
            clientID: try server.setting("cognito", "clientId"), endpoint: server.url + "/",
            issuer: "\(server.url)/\(pool)", passwordFlow: flow)
    }

    func grant(_ step: SignInStep) throws -> SessionGrant {
        guard case .session(let grant) = step else { throw AuthError(.unsupported) }
        return grant
    }

    func me(_ tokens: TokenSet) async throws -> HTTPResponse {
        try await server.send(
            "GET", "/v1/me", headers: [HTTPHeader("Authorization", "Bearer \(tokens.accessToken.reveal())")])
    }

    @Test("R13.9 C-1 C-2 C-8 C-11 Sign-up, code by mail, sign-in by SRP, refresh, sign-out everywhere")
    func password() async throws {
        let backend = CognitoBackend(try configuration(), transport: transport, clock: SystemClock())
        let (address, password) = (server.freshAddress(), Secret("Correct-horse-7-battery"))
        let proof = SignInProof.password(identifier: address, password: password)
        guard
            case .awaiting(let step) = try await backend.signUp(
                SignUpRequest(identifier: address, password: password, attributes: ["email": address, "name": "Ada"]))
        else {
            Issue.record("nothing is awaited")
            return
        }
        #expect(step.kind == .confirmation)
        let mail = try await server.mail(to: address)
        await #expect(throws: AuthError(.oneTimeTokenInvalid)) {
            _ = try await backend.confirmSignUp(identifier: address, code: Secret("000000"))
        }
        _ = try await backend.confirmSignUp(identifier: address, code: Secret(try #require(mail.code)))
        await #expect(throws: AuthError(.invalidCredentials)) {
            try await backend.signIn(.password(identifier: address, password: Secret("Wrong-horse-7-battery")))
        }
        let first = try grant(try await backend.signIn(proof))
        #expect(first.user?.email == address && first.user?.name == "Ada" && first.user?.emailVerified == true)
        #expect(try await backend.user(first.tokens).subject == first.user?.subject)
        let renewed = try await backend.refresh(first.tokens)
        #expect(renewed.tokens.accessToken.reveal() != first.tokens.accessToken.reveal())
        #expect(try await me(renewed.tokens).status == 200)
        // By password as it is, and the two other ways to renew: the same user.
        var plain = try configuration(.password)
        plain.refreshOperation = .initiateAuth
        let other = CognitoBackend(plain, transport: transport, clock: SystemClock())
        let second = try grant(try await other.signIn(proof))
        #expect(second.user?.subject == first.user?.subject)
        _ = try await other.refresh(second.tokens)
        try await backend.revoke(renewed.tokens, scope: .global)
        for tokens in [renewed.tokens, second.tokens] {
            let error = await #expect(throws: AuthError.self) { try await backend.refresh(tokens) }
            #expect(error?.code.endsSession == true)
        }
    }

    @Test("R13.9 G-3 A forgotten password is chosen anew by a code, a known one is changed, and an account goes")
    func account() async throws {
        let backend = CognitoBackend(try configuration(.password), transport: transport, clock: SystemClock())
        let (address, password) = (server.freshAddress(), Secret("Correct-horse-7-battery"))
        _ = try await backend.signUp(
            SignUpRequest(identifier: address, password: password, attributes: ["email": address]))
        let mail = try await server.mail(to: address)
        _ = try await backend.confirmSignUp(identifier: address, code: Secret(try #require(mail.code)))
        try await backend.beginRecovery(identifier: address)
        try await backend.beginRecovery(identifier: server.freshAddress("nobody"))
        let recovery = try await server.mail(to: address, after: mail)
        let (second, third) = (Secret("Second-horse-7-battery"), Secret("Third-horse-7-battery"))
        _ = try await backend.finishRecovery(
            identifier: address, proof: Secret(try #require(recovery.code)), newPassword: second)
        let grant = try grant(try await backend.signIn(.password(identifier: address, password: second)))
        await #expect(throws: AuthError(.currentPasswordInvalid)) {
            _ = try await backend.changePassword(grant.tokens, current: password, new: third)
        }
        _ = try await backend.changePassword(grant.tokens, current: second, new: third)
        let again = try self.grant(try await backend.signIn(.password(identifier: address, password: third)))
        try await backend.deleteAccount(again.tokens)
        await #expect(throws: AuthError(.invalidCredentials)) {
            try await backend.signIn(.password(identifier: address, password: third))
        }
    }

    func hosted(_ button: (String, String)) throws -> CognitoHostedUIBackend {
        CognitoHostedUIBackend(
            HostedUIConfiguration(
                pool: try configuration(), domain: server.url, redirectURI: "http://127.0.0.1:3000/callback",
                scopes: ["openid", "email", "profile", "aws.cognito.signin.user.admin"]),
            browser: DevelopmentBrowser(pressing: button), transport: transport, clock: SystemClock())
    }

    func hybrid(_ kit: any NativeIdentityProvider) throws -> HybridBackend {
        HybridBackend(
            HybridConfiguration(
                identityPool: IdentityPoolConfiguration(
                    region: try server.setting("cognito", "region"),
                    identityPoolID: try server.setting("cognito", "identityPoolId"), endpoint: server.url + "/"),
                userSyncURL: server.url + "/v1/user-sync"),
            native: kit, transport: transport, store: MemoryStore(), clock: SystemClock())
    }

    @Test("R13.9 Y-US1 Y-FR1 Y-FR2 Google by the pages, through a browser; who cancels there is where they were")
    func pages() async throws {
        await #expect(throws: AuthError(.cancelled)) { try await hosted(("answer", "cancel")).signIn(google) }
        await #expect(throws: AuthError.self) { try await hosted(("answer", "fail")).signIn(google) }
        let backend = try hosted(("account", "100000000000000000001"))
        let first = try grant(try await backend.signIn(google))
        #expect(first.user?.email == "ada@example.com" && first.user?.name != nil && first.user?.provider == "Google")
        #expect(first.tokens.idToken != nil && first.tokens.refreshToken != nil)
        #expect(try await me(first.tokens).status == 200)
        #expect(try await backend.user(first.tokens).subject == first.user?.subject)
        let renewed = try await backend.refresh(first.tokens)
        try await backend.revoke(renewed.tokens, scope: .local)
        let error = await #expect(throws: AuthError.self) { try await backend.refresh(renewed.tokens) }
        #expect(error?.code.endsSession == true)
    }

    @Test(
        "R13.9 H-2 H-4 H-6 H-9 H-12 By Google's kit and the identity pool: the same user as by the pages, on every device"
    )
    func wholeHybrid() async throws {
        let byPages = try grant(try await hosted(("account", "100000000000000000001")).signIn(google))
        let kit = DevelopmentKit(server: server, person: "ada@example.com")
        let backend = try hybrid(kit)
        let grant = try grant(try await backend.signIn(google))
        #expect(grant.user?.subject == byPages.user?.subject && grant.user?.email == "ada@example.com")
        let credentials = try await backend.credentials.credentials()
        #expect(!credentials.accessKeyID.isEmpty)
        let renewed = try await backend.refresh(grant.tokens)
        #expect(try await backend.user(renewed.tokens).subject == grant.user?.subject)
        // The identity pool's word is not one of the user pool's, and the app's own API takes it for none.
        #expect(try await me(renewed.tokens).status == 401)
        let other = try hybrid(kit)
        let second = try self.grant(try await other.signIn(google))
        #expect(second.user?.subject == grant.user?.subject)
        #expect(try await other.credentials.credentials().identityID == credentials.identityID)
        try await backend.revoke(renewed.tokens, scope: .local)
        await #expect(throws: AuthError(.notSignedIn)) { try await backend.credentials.credentials() }
        #expect(kit.asked.value == 2)
    }

    @Test("R13.9 H-4 H-12 A new user is made by it; a token for another app is refused at the identity pool")
    func newcomer() async throws {
        let address = server.freshAddress()
        let grant = try grant(try await hybrid(DevelopmentKit(server: server, person: address)).signIn(google))
        #expect(grant.user?.subject.isEmpty == false)
        let foreign = DevelopmentKit(server: server, person: address, audience: "another-app")
        let error = await #expect(throws: AuthError.self) { try await hybrid(foreign).signIn(google) }
        #expect(error?.hybridStep == .federation)
    }
}

/// A kit whose user is signed in at the provider that the server plays.
final class DevelopmentKit: RenewableIdentityProvider {
    let provider = "google"
    let asked = Guarded(0)
    private let server: RunningServer
    private let person: String
    private let audience: String?

    init(server: RunningServer, person: String, audience: String? = nil) {
        self.server = server
        self.person = person
        self.audience = audience
    }

    private func identity(_ nonce: Secret<String>?) async throws(AuthError) -> ProviderIdentity {
        do {
            let tokens = try await server.identityToken(
                provider: provider, subject: person, nonce: nonce?.reveal(), audience: audience,
                claims: ["email": .string(person), "email_verified": true])
            guard let token = tokens.idToken else { throw AuthError(.identityProviderRefused) }
            return ProviderIdentity(provider: provider, idToken: token, nonce: nonce)
        } catch { throw AuthError(.identityProviderUnavailable, reason: "\(error)") }
    }

    func signIn(nonce: Secret<String>) async throws(AuthError) -> ProviderIdentity {
        asked.withLock { $0 += 1 }
        return try await identity(nonce)
    }
    func renew() async throws(AuthError) -> ProviderIdentity { try await identity(nil) }
    func signOut() async {}
}

// SPDX-License-Identifier: Apache-2.0

import ClientTestSupport
import Foundation
import LatchkeyClient
import Testing

/// The code of docs/client: it compiles here, and what can run without a cloud does.
@MainActor @Suite struct DocumentedCodeTests {
    let transport = ScriptedTransport { _, _ in HTTPResponse(status: 503) }
    let browser = LoopbackRedirect(clock: SystemClock()) { _ in false }
    let home = FileManager.default.temporaryDirectory.appending(path: "documented-\(UUID().uuidString)").path

    // documented: testing.md
    struct PlayedBackend: IdentityBackend {
        let name = "played"
        let lifetime: TimeSpan

        func signIn(_ proof: SignInProof) async throws(AuthError) -> SignInStep {
            guard case .password(_, let password) = proof, password.reveal() == "right" else {
                throw AuthError(.invalidCredentials)
            }
            return .session(grant("first", SessionUser(subject: "1", email: "ann@example.com")))
        }

        func answer(_ step: AwaitedStep, with answer: StepAnswer) async throws(AuthError) -> SignInStep {
            throw AuthError(.unsupported)
        }

        func refresh(_ tokens: TokenSet) async throws(AuthError) -> SessionGrant { grant("next", nil) }
        func revoke(_ tokens: TokenSet, scope: SignOutScope) async throws(AuthError) {}
        func user(_ tokens: TokenSet) async throws(AuthError) -> SessionUser { SessionUser(subject: "1") }

        private func grant(_ token: String, _ user: SessionUser?) -> SessionGrant {
            SessionGrant(
                tokens: TokenSet(accessToken: Secret(token), refreshToken: Secret("refresh"), lifetime: lifetime),
                user: user, serverDate: nil)
        }
    }
    // end

    @Test("R13.8 An app's screen is tested as the documentation says, with a backend that is played")
    func testing() async throws {
        // documented: testing.md
        let service = SessionService(backend: PlayedBackend(lifetime: .hours(1)), store: MemoryStore())
        await service.restore()
        let screen = SignInModel(service: service, failures: SignInFailures(clock: SystemClock())) { _ in }
        screen.identifier = "ann@example.com"
        screen.password = "wrong"
        await screen.submit()
        #expect(screen.error?.message.text(in: .en) == "Invalid email or password")
        #expect(screen.password.isEmpty)
        screen.password = "right"
        await screen.submit()
        #expect(screen.error == nil && SessionModel(service: service).user?.email == "ann@example.com")
        #expect(try await service.accessToken().reveal() == "first")
        // end
    }

    /// Ends with the stream, which lives as long as the service: the caller's task is cancelled.
    func follow(_ backend: any IdentityBackend, _ store: any SecureStore) async {
        // documented: getting-started.md
        let service = SessionService(backend: backend, store: store)
        await service.restore()
        for await state in service.states() {
            switch state {
            case .signedIn(let user): print("signed in as \(user.email ?? user.subject)")
            case .signedOut(let reason): print(reason.message.text(in: .en))
            case .awaiting(let step): print("the service awaits \(step.kind)")
            case .offline(.full, _), .refreshing: print("the app goes on")
            case .offline(.readOnly, _), .blocked: print("changes wait")
            case .restoring, .storeLocked: print("nothing that is protected is shown yet")
            }
        }
        // end
    }

    func ask(_ service: SessionService) async throws {
        // documented: getting-started.md
        let client = try AuthenticatedClient(baseURL: "https://api.example.com", service: service, transport: transport)
        let me = try await client.me()
        for try await page in client.activities { print(page.items.count) }
        // end
        print(me.members.count)
    }

    func account(_ service: SessionService, _ backend: FirebaseBackend) async throws -> SessionUser {
        // documented: firebase.md
        try await service.withTokens { try await backend.sendVerification($0) }
        let user = try await service.withTokens { try await backend.changeProfile($0, name: "Ada") }
        // end
        return user
    }

    func account(_ service: SessionService, _ backend: SupabaseBackend) async throws -> SessionUser {
        // documented: supabase.md
        try await service.withTokens { try await backend.sendReauthenticationCode($0) }
        let user = try await service.withTokens { try await backend.changeAttributes($0, ["city": "Zürich"]) }
        // end
        return user
    }

    func files() -> EncryptedFileStore {
        // documented: getting-started.md
        let store = EncryptedFileStore(directory: home + "/session", key: KeyFile(directory: home + "/key"))
        // end
        return store
    }

    func cognito() -> any IdentityBackend {
        // documented: getting-started.md
        let backend = CognitoBackend(
            CognitoConfiguration(region: "eu-west-1", userPoolID: "eu-west-1_AbCdEfGhI", clientID: "1example23456789"),
            transport: transport, clock: SystemClock())
        // end
        return backend
    }

    func cognitoPages() -> any IdentityBackend {
        // documented: getting-started.md
        let backend = CognitoHostedUIBackend(
            HostedUIConfiguration(
                pool: CognitoConfiguration(
                    region: "eu-west-1", userPoolID: "eu-west-1_AbCdEfGhI", clientID: "1example23456789"),
                domain: "example.auth.eu-west-1.amazoncognito.com", redirectURI: "myapp://callback"),
            browser: browser, transport: transport, clock: SystemClock())
        // end
        return backend
    }

    func hybrid(_ store: any SecureStore) -> any IdentityBackend {
        // documented: getting-started.md
        let google = BrowserIdentityProvider.google(
            clientID: "123-abc.apps.googleusercontent.com", clientSecret: nil, web: browser, transport: transport,
            store: store, clock: SystemClock())
        let backend = HybridBackend(
            HybridConfiguration(
                identityPool: IdentityPoolConfiguration(region: "eu-west-1", identityPoolID: "eu-west-1:4f3c"),
                userSyncURL: "https://auth.example.com/v1/user-sync"),
            native: google, transport: transport, store: store, clock: SystemClock())
        // end
        return backend
    }

    func firebase() -> any IdentityBackend {
        // documented: getting-started.md
        let backend = FirebaseBackend(
            FirebaseConfiguration(apiKey: "AIza", bundleIdentifier: "com.example.app"), transport: transport)
        // end
        return backend
    }

    func supabase() -> any IdentityBackend {
        // documented: getting-started.md
        let backend = SupabaseBackend(
            SupabaseConfiguration(
                address: "https://xyz.supabase.co/auth/v1", publishableKey: "sb_publishable_1",
                redirectURI: "myapp://auth"),
            transport: transport, web: browser)
        // end
        return backend
    }

    func openID() -> any IdentityBackend {
        // documented: getting-started.md
        let backend = OpenIDBackend(
            OpenIDClientConfiguration(
                issuer: "https://login.example.com", clientID: "my-app", redirectURI: "myapp://callback"),
            transport: transport, web: browser)
        // end
        return backend
    }

    func profile() -> ProfileAPI {
        // documented: latchkey.md
        let profile = ProfileAPI(address: "https://login.example.com", transport: transport)
        // end
        return profile
    }

    @MainActor func sessions(_ service: SessionService) throws -> SessionsModel {
        // documented: latchkey.md
        let client = try AuthenticatedClient(
            baseURL: "https://login.example.com", service: service, transport: transport)
        let model = SessionsModel(source: AppAPISessions(client))
        // end
        return model
    }

    @MainActor func terms(_ service: SessionService, _ failures: SignInFailures) throws -> SignInModel {
        // documented: latchkey.md
        let transport = try AgreeingTransport(SystemTransport(), to: "https://login.example.com")
        let terms = try AppAPITerms(address: "https://login.example.com", transport: transport)
        let screen = SignInModel(service: service, failures: failures, terms: terms) { _ in }
        // After a refusal: screen.terms has the documents and what is ticked; submitting once more says it.
        // end
        return screen
    }

    func credentials(_ service: SessionService) async throws -> TemporaryCredentials {
        // documented: cognito.md
        let pool = IdentityPool(.init(region: "eu-west-1", identityPoolID: "eu-west-1:4f3c"), transport: transport)
        let credentials = IdentityPoolCredentials(pool, clock: SystemClock()) { () throws(AuthError) in
            do {
                guard let idToken = try await service.withTokens({ $0.idToken }) else { throw AuthError(.notSignedIn) }
                return ["cognito-idp.eu-west-1.amazonaws.com/eu-west-1_AbCdEfGhI": idToken]
            } catch { throw AuthError(of: error) }
        }
        let given = try await credentials.credentials()
        // end
        return given
    }

    func rollout(
        _ googleKit: any NativeIdentityProvider, _ pages: any IdentityBackend, _ store: any SecureStore,
        _ testers: Set<String>, _ installation: String, log: @escaping @Sendable (HybridEvent) -> Void
    ) -> any IdentityBackend {
        // documented: ../hybrid-sign-in.md
        let hybrid = HybridBackend(
            HybridConfiguration(
                identityPool: .init(region: "eu-west-1", identityPoolID: "eu-west-1:4f3c"),
                userSyncURL: "https://auth.example.com/v1/user-sync"),
            native: googleKit, transport: transport, store: store, clock: SystemClock()
        ) { event in log(event) }
        let waiting = Task { await hybrid.queue.run() }
        // end
        waiting.cancel()
        // documented: ../hybrid-sign-in.md
        let backend = SwitchingBackend(
            old: pages, new: hybrid, flag: RolloutFlag(name: "hybrid", percentage: 5, allowed: testers),
            for: installation, clock: SystemClock())
        // end
        return backend
    }

    @Test(
        "R13.8 Every service's backend begins as the documentation says, and says of a service that is down that it is down"
    )
    func backends() async throws {
        defer { try? FileManager.default.removeItem(atPath: home) }
        let password = SignInProof.password(identifier: "ann@example.com", password: Secret("right"))
        for backend in [cognito(), cognitoPages(), hybrid(MemoryStore()), firebase(), supabase(), openID()] {
            let service = SessionService(backend: backend, store: files())
            await service.restore()
            await #expect(throws: AuthError.self) { try await service.signIn(with: password) }
            await #expect(throws: AuthError.self) { try await ask(service) }
        }
        let kit = BrowserIdentityProvider.google(
            clientID: "1", clientSecret: nil, web: browser, transport: transport, store: MemoryStore(),
            clock: SystemClock())
        await #expect(throws: AuthError.self) {
            try await rollout(kit, cognitoPages(), MemoryStore(), [], "1") { _ in }.signIn(password)
        }
        await #expect(throws: AuthError.self) { try await profile().me(Secret("token")) }
        let nobody = SessionService(backend: PlayedBackend(lifetime: .hours(1)), store: MemoryStore())
        await nobody.restore()
        await #expect(throws: AuthError(.notSignedIn)) { try await credentials(nobody) }
        let following = Task { await follow(cognito(), MemoryStore()) }
        following.cancel()
        await following.value
    }

    @Test(
        "R13.8 The documentation's lines are these, and it has no others",
        arguments: [
            "getting-started.md", "testing.md", "cognito.md", "latchkey.md", "firebase.md", "supabase.md",
            "../hybrid-sign-in.md",
        ])
    func document(_ name: String) throws {
        let source = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "docs/client/\(name)")
        let text = try String(contentsOf: file, encoding: .utf8)
        var (compiled, open): ([String], [String]?) = ([], nil)
        for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
            let words = line.drop { $0 == " " }
            if words == "// documented: \(name)" {
                open = []
            } else if words == "// end", let lines = open {
                let depth = lines.first?.prefix { $0 == " " }.count ?? 0
                compiled.append(lines.map { String($0.dropFirst(depth)) }.joined(separator: "\n"))
                open = nil
            } else {
                open?.append(String(line))
            }
        }
        let documented = text.components(separatedBy: "```swift\n").dropFirst().map {
            String($0.components(separatedBy: "\n```").first ?? "")
        }
        #expect(compiled.sorted() == documented.sorted())
    }
}

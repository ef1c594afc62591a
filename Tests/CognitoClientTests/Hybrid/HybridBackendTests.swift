// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import ClientStorage
import ClientTestSupport
import Testing

@testable import CognitoClient

/// A provider's kit that signs the same person in, and remembers what it was asked.
final class ScriptedKit: RenewableIdentityProvider {
    let provider = "google"
    let calls = Guarded<[String]>([])
    let failure = Guarded<AuthError?>(nil)
    let subject = Guarded("google-1")

    private func identity(_ call: String, nonce: Secret<String>?) throws(AuthError) -> ProviderIdentity {
        calls.withLock { $0.append(call) }
        if let failure = failure.value { throw failure }
        let number = calls.value.count
        let token = Recorded.idToken([
            "sub": .string(subject.value), "iss": "https://accounts.google.com", "jti": .integer(Int64(number)),
        ])
        return ProviderIdentity(provider: provider, idToken: Secret(token), nonce: nonce)
    }

    func signIn(nonce: Secret<String>) async throws(AuthError) -> ProviderIdentity {
        try identity("signIn", nonce: nonce)
    }
    func renew() async throws(AuthError) -> ProviderIdentity { try identity("renew", nonce: nil) }
    func signOut() async { calls.withLock { $0.append("signOut") } }
}

/// A kit that renews nothing.
struct PlainKit: NativeIdentityProvider {
    let provider = "google"

    func signIn(nonce: Secret<String>) async throws(AuthError) -> ProviderIdentity {
        ProviderIdentity(
            provider: provider,
            idToken: Secret(Recorded.idToken(["sub": "google-1", "iss": "https://accounts.google.com"])),
            nonce: nonce)
    }
    func signOut() async {}
}

struct HybridBackendTests {
    let kit = ScriptedKit()
    let clock = ManualClock(now: Recorded.date)
    let store = MemoryStore()
    let events = Guarded<[HybridEvent]>([])
    let proof = SignInProof.browser(provider: "google", options: BrowserSignInOptions())

    static let user: JSONObject = [
        "status": "done", "created": true,
        "user": [
            "sub": "5b1c", "email": "ada@example.org", "emailVerified": true, "name": "Ada",
            "picture": "https://p.example/1", "attributes": ["locale": "de"], "identities": [],
        ],
    ]

    /// What each operation, and the synchronization, answers.
    func service(
        _ answers: [String: HTTPResponse] = [:], offline: Set<String> = []
    ) -> ScriptedTransport {
        ScriptedTransport { request, _ throws(TransportError) in
            let target = request.headers.first { $0.name == "X-Amz-Target" }?.value
            let operation = target.map { String($0.split(separator: ".").last ?? "") } ?? "sync"
            if offline.contains(operation) { throw .offline }
            if let answer = answers[operation] { return answer }
            return switch operation {
            case "GetId": Recorded.answer(["IdentityId": "eu-west-1:id"])
            case "GetCredentialsForIdentity": Recorded.answer(IdentityPoolCredentialsTests.credentials(1))
            case "GetOpenIdToken":
                Recorded.answer([
                    "IdentityId": "eu-west-1:id",
                    "Token": .string(
                        Recorded.idToken(["sub": "eu-west-1:id", "aud": "eu-west-1:pool", "exp": 1_785_283_800])),
                ])
            default: Recorded.answer(Self.user, status: 201)
            }
        }
    }

    func backend(
        _ transport: ScriptedTransport, session: (any IdentityBackend)? = nil, kit: (any NativeIdentityProvider)? = nil,
        sessionName: String? = nil
    ) -> HybridBackend {
        var configuration = HybridConfiguration(
            identityPool: IdentityPoolCredentialsTests.configuration, userSyncURL: "https://app.example/v1/user-sync")
        configuration.sessionName = sessionName
        return HybridBackend(
            configuration,
            native: kit ?? self.kit, session: session, transport: transport, store: store, clock: clock
        ) { [events] event in events.withLock { $0.append(event) } }
    }

    func grant(_ step: SignInStep) throws -> SessionGrant {
        guard case .session(let grant) = step else { throw AuthError(.unsupported) }
        return grant
    }

    @Test(
        "R13.3 H-1 H-3 H-4 By the proof that the pages take, the kit's token becomes an identity, credentials, a user and a session"
    )
    func whole() async throws {
        let transport = service()
        let backend = backend(transport)
        let grant = try grant(try await backend.signIn(proof))
        #expect(grant.user?.subject == "5b1c" && grant.user?.name == "Ada" && grant.user?.provider == "google")
        #expect(grant.user?.attributes["locale"] == "de")
        #expect(grant.tokens.lifetime == .minutes(10) && grant.serverDate == Recorded.date)
        #expect(
            await transport.operations == ["GetId", "GetCredentialsForIdentity", "", "GetOpenIdToken"])
        let sync = await transport.requests[2]
        #expect(sync.url == "https://app.example/v1/user-sync")
        let body = try JSONObject(parsing: sync.body)
        #expect(body["provider"] == "google" && body["nonce"]?.stringValue?.utf8.count == 43)
        // The sign-in's own credentials are kept: nobody asks twice.
        #expect(try await backend.credentials.credentials().accessKeyID == "ASIA1")
        #expect(await transport.requests.count == 4)
        #expect(events.value == [.signedIn(new: true)])
        for value in [grant, backend, events.value] as [Any] { #expect(!"\(value)".contains("hidden")) }
    }

    @Test(
        "R13.3 H-4 H-11 Each step that fails says which it is, and leaves nobody half signed in",
        arguments: [
            ("GetId", HybridStep.federation, AuthErrorCode.identityTokenInvalid),
            ("GetCredentialsForIdentity", .credentials, .internalFailure), ("sync", .synchronization, .userBanned),
            ("GetOpenIdToken", .session, .rateLimited),
        ])
    func failing(operation: String, step: HybridStep, code: AuthErrorCode) async throws {
        let refusals: [String: HTTPResponse] = [
            "GetId": Recorded.refusal("NotAuthorizedException", "Invalid login token. Token expired: 1 >= 0"),
            "GetCredentialsForIdentity": Recorded.refusal("InvalidIdentityPoolConfigurationException"),
            "sync": Recorded.answer(["error": ["code": "user_banned", "message": "…"]], status: 403),
            "GetOpenIdToken": Recorded.refusal("TooManyRequestsException", "Rate exceeded"),
        ]
        let backend = backend(service([operation: try #require(refusals[operation])]))
        let error = await #expect(throws: AuthError.self) { try await backend.signIn(proof) }
        #expect(error?.code == code && error?.hybridStep == step)
        #expect(kit.calls.value == ["signIn", "signOut"])
        await #expect(throws: AuthError(.notSignedIn)) { try await backend.credentials.credentials() }
        #expect(events.value == [.failed(step, code)])
    }

    @Test("R13.3 Y-US1 H-11 Who turns back at the kit has not failed; a kit that fails is the provider's step")
    func provider() async throws {
        let transport = service()
        let backend = backend(transport)
        kit.failure.withLock { $0 = AuthError(.cancelled) }
        await #expect(throws: AuthError(.cancelled)) { try await backend.signIn(proof) }
        #expect(events.value.isEmpty)
        kit.failure.withLock { $0 = AuthError(.identityProviderUnavailable) }
        let error = await #expect(throws: AuthError.self) { try await backend.signIn(proof) }
        #expect(error?.hybridStep == .provider && error?.code == .identityProviderUnavailable)
        #expect(await transport.requests.isEmpty)
        await #expect(throws: AuthError(.unsupported)) {
            try await backend.signIn(.password(identifier: "a", password: Secret("b")))
        }
    }

    @Test("R13.3 H-5 Signing out needs no page and no network, and the next sign-in asks the user")
    func signOut() async throws {
        let transport = service()
        let backend = backend(transport)
        let grant = try grant(try await backend.signIn(proof))
        let before = await transport.requests.count
        try await backend.revoke(grant.tokens, scope: .local)
        #expect(kit.calls.value == ["signIn", "signOut"])
        #expect(await transport.requests.count == before)
        await #expect(throws: AuthError(.notSignedIn)) { try await backend.credentials.credentials() }
        _ = try await backend.signIn(proof)
        #expect(kit.calls.value == ["signIn", "signOut", "signIn"])
    }

    @Test("R13.3 H-12 A session is renewed by the kit unseen, and ends where the kit has nobody, or somebody else")
    func refresh() async throws {
        let backend = backend(service())
        let grant = try grant(try await backend.signIn(proof))
        let renewed = try await backend.refresh(grant.tokens)
        #expect(kit.calls.value == ["signIn", "renew"] && renewed.user == nil)
        #expect(renewed.tokens.refreshToken?.reveal() != grant.tokens.refreshToken?.reveal())
        for (failure, code) in [
            (AuthErrorCode.notSignedIn, AuthErrorCode.sessionExpired), (.identityProviderRefused, .sessionNotFound),
            (.network, .network), (.identityProviderUnavailable, .identityProviderUnavailable),
        ] {
            kit.failure.withLock { $0 = AuthError(failure) }
            let error = await #expect(throws: AuthError.self) { try await backend.refresh(renewed.tokens) }
            #expect(error?.code == code && code.endsSession == [.sessionExpired, .sessionNotFound].contains(code))
        }
        kit.failure.withLock { $0 = nil }
        kit.subject.withLock { $0 = "google-2" }
        await #expect(throws: AuthError(.sessionNotFound)) { try await backend.refresh(renewed.tokens) }
    }

    @Test(
        "R13.3 F10 Of an identity pool's answers to a refresh only a definite no ends the session",
        arguments: [
            ("NotAuthorizedException", "Invalid login token. Token expired: 1 >= 0", AuthErrorCode.sessionExpired),
            ("ResourceNotFoundException", "Identity 'x' not found.", .sessionNotFound),
            ("TooManyRequestsException", "Rate exceeded", .rateLimited),
            ("ExternalServiceException", "", .identityProviderUnavailable),
            ("InternalErrorException", "", .unavailable), ("ForbiddenException", "", .forbidden),
            ("ResourceNotFoundException", "IdentityPool 'x' not found.", .notFound),
            ("NotAuthorizedException", "Access to Identity 'x' is forbidden.", .sessionNotFound),
            // What Amazon's has said of good tokens: github.com/aws/aws-sdk-js/issues/3408.
            ("NotAuthorizedException", "Invalid login token. Couldn't verify signed token.", .identityTokenInvalid),
            ("NotAuthorizedException", "Invalid login token. Incorrect token audience.", .identityTokenInvalid),
            (
                "NotAuthorizedException", "Invalid login token. Issuer doesn't match providerName",
                .identityTokenInvalid
            ),
        ])
    func refusedRefresh(type: String, message: String, code: AuthErrorCode) async throws {
        let tokens = try grant(try await backend(service()).signIn(proof)).tokens
        clock.advance(by: .hours(2))
        let refusing = backend(service(["GetOpenIdToken": Recorded.refusal(type, message)]))
        await #expect(throws: AuthError(code)) { try await refusing.refresh(tokens) }
        #expect(code.endsSession == [.sessionExpired, .sessionNotFound].contains(code))
        await #expect(throws: AuthError(.network)) {
            try await backend(service(offline: ["GetOpenIdToken"])).refresh(tokens)
        }
    }

    @Test("R13.3 F10 A device whose clock is behind, and its kit's with it, signs nobody out: the kit renews in time")
    func clockBehind() async throws {
        let expired = Recorded.refusal("NotAuthorizedException", "Invalid login token. Token expired: 2 >= 1")
        let tokens = try grant(try await backend(service()).signIn(proof)).tokens
        await #expect(throws: AuthError(.identityTokenInvalid)) {
            try await backend(service(["GetOpenIdToken": expired])).refresh(tokens)
        }
        _ = try await backend(service()).refresh(tokens)
        let plain = backend(service(["GetOpenIdToken": expired]), kit: PlainKit())
        await #expect(throws: AuthError(.sessionExpired)) { try await plain.refresh(tokens) }
    }

    @Test("R13.3 C-11 F10 A token that nobody can renew is over with its time, whatever the pool calls that")
    func unrenewable() async throws {
        let kit = PlainKit()
        let refused = Recorded.refusal("NotAuthorizedException", "Invalid login token. Couldn't verify signed token.")
        let tokens = try grant(try await backend(service(), kit: kit).signIn(proof)).tokens
        let refusing = backend(service(["GetOpenIdToken": refused]), kit: kit)
        await #expect(throws: AuthError(.identityTokenInvalid)) { try await refusing.refresh(tokens) }
        clock.advance(by: .hours(2))
        await #expect(throws: AuthError(.sessionExpired)) { try await refusing.refresh(tokens) }
    }

    @Test("R13.3 G-11 H-4 A session that the user's consent stands before is refused with the page for it")
    func page() async throws {
        let way = SwitchingBackendTests.Way("server")
        way.failure.withLock { $0 = AuthError(.termsNotAgreed, page: "https://app.example/terms") }
        let error = await #expect(throws: AuthError.self) { try await backend(service(), session: way).signIn(proof) }
        #expect(error?.code == .termsNotAgreed && error?.hybridStep == .session)
        #expect(error?.page == "https://app.example/terms")
    }

    @Test("R13.3 H-8 Who is known signs in while the synchronization is down; it waits in the store and is done later")
    func queued() async throws {
        _ = try await backend(service()).signIn(proof)
        let down = backend(service(offline: ["sync"]))
        let grant = try grant(try await down.signIn(proof))
        #expect(grant.user?.subject == "5b1c" && grant.user?.email == "ada@example.org")
        #expect(try await down.queue.count() == 1)
        // Another start of the app, with the same store.
        let transport = service(["sync": Recorded.answer(Self.user)])
        let later = backend(transport)
        #expect(try await later.queue.flush() != nil)
        #expect(await transport.requests.isEmpty)
        clock.advance(by: .seconds(5))
        #expect(try await later.queue.flush() == nil)
        #expect(await transport.requests.count == 1)
        #expect(try await later.queue.count() == 0)
        #expect(
            events.value.suffix(3) == [
                .synchronizationQueued(.network), .signedIn(new: false), .synchronized(attempts: 2),
            ])
    }

    @Test(
        "R13.3 H-4 H-8 Whom this device does not know is not signed in without the synchronization, which is tried again all the same"
    )
    func unknown() async throws {
        let backend = backend(service(offline: ["sync"]))
        let error = await #expect(throws: AuthError.self) { try await backend.signIn(proof) }
        #expect(error?.code == .network && error?.hybridStep == .synchronization)
        #expect(try await backend.queue.count() == 1)
        #expect(kit.calls.value == ["signIn", "signOut"])
    }

    @Test("R13.3 H-5 H-8 Y-US5 Who signs out leaves no token behind in the queue; another user's waits on")
    func forgotten() async throws {
        _ = try await backend(service()).signIn(proof)
        let down = backend(service(offline: ["sync"]))
        let tokens = try grant(try await down.signIn(proof)).tokens
        kit.subject.withLock { $0 = "google-2" }
        await #expect(throws: AuthError.self) { try await down.signIn(proof) }
        #expect(try await down.queue.count() == 2)
        try await down.revoke(tokens, scope: .local)
        let kept = try #require(try await store.read(SyncMemory.key).flatMap(SyncMemory.init))
        #expect(kept.waiting.map(\.subject) == ["google-2"])
        #expect(kept.user(of: "google-1") == "5b1c")
    }

    @Test("R13.3 H-5 Credentials of a sign-in that a sign-out has overtaken are nobody's")
    func overtaken() async throws {
        let credentials = IdentityPoolCredentials(
            IdentityPool(IdentityPoolCredentialsTests.configuration, transport: service()), clock: clock
        ) { () throws(AuthError) in throw AuthError(.notSignedIn) }
        let given = TemporaryCredentials(
            accessKeyID: "ASIA1", secretKey: Secret("hidden-1"), sessionToken: Secret("hidden-2"),
            expiresAt: Recorded.date + .hours(1), identityID: "eu-west-1:id")
        let begun = await credentials.generation
        await credentials.forget()
        await credentials.keep(given, living: .hours(1), since: begun)
        await #expect(throws: AuthError(.notSignedIn)) { try await credentials.credentials() }
        await credentials.keep(given, living: .hours(1), since: credentials.generation)
        #expect(try await credentials.credentials().accessKeyID == "ASIA1")
    }

    @Test("R13.3 H-8 What is refused for good, such as a token that has run out, is given up and waits no more")
    func givenUp() async throws {
        let refusal = Recorded.answer(["error": ["code": "identity_token_invalid"]], status: 400)
        _ = try await backend(service()).signIn(proof)
        _ = try await backend(service(offline: ["sync"])).signIn(proof)
        clock.advance(by: .minutes(1))
        let backend = backend(service(["sync": refusal]))
        #expect(try await backend.queue.flush() == nil)
        #expect(events.value.last == .synchronizationGivenUp(.identityTokenInvalid))
    }

    @Test(
        "R13.3 H-8 What waits for longer than the provider's token lives is done by a new one, while its user is signed in"
    )
    func outlived() async throws {
        let refusal = Recorded.answer(["error": ["code": "identity_token_invalid"]], status: 400)
        let (stale, isDown) = (Guarded(""), Guarded(false))
        let plain = service()
        let transport = ScriptedTransport { request, _ throws(TransportError) in
            guard request.url.hasSuffix("/v1/user-sync") else { return try await plain.send(request) }
            if isDown.value { throw .offline }
            let token = (try? JSONObject(parsing: request.body))?["idToken"]?.stringValue
            return token == stale.value ? refusal : Recorded.answer(Self.user)
        }
        let backend = backend(transport)
        _ = try await backend.signIn(proof)
        isDown.withLock { $0 = true }
        let tokens = try grant(try await backend.signIn(proof)).tokens
        await backend.sessionBecame(tokens)
        stale.withLock { $0 = tokens.idToken?.reveal() ?? "" }
        clock.advance(by: .hours(2))
        isDown.withLock { $0 = false }
        #expect(try await backend.queue.flush() == nil)
        #expect(kit.calls.value == ["signIn", "signIn", "renew"])
        #expect(events.value.last == .synchronized(attempts: 2))
    }

    @Test(
        "R13.3 H-8 A gateway's word is no refusal: what waits goes on waiting, and nobody's session ends",
        arguments: [
            (403, ["message": "Forbidden"]), (401, ["error": "Unauthorized"]),
            (404, ["error": ["code": "no_such_route"]]), (400, ["error": "superseded"]),
        ] as [(Int, JSONObject)])
    func gateway(status: Int, body: JSONObject) async throws {
        _ = try await backend(service()).signIn(proof)
        let backend = backend(service(["sync": Recorded.answer(body, status: status)]))
        let tokens = try grant(try await backend.signIn(proof)).tokens
        clock.advance(by: .minutes(1))
        #expect(try await backend.queue.flush() != nil)
        #expect(try await backend.queue.count() == 1)
        await #expect(throws: AuthError(.unavailable)) { try await backend.user(tokens) }
    }

    @Test("R13.3 H-8 Tries come ever more rarely, at most an hour apart, and not all devices at once")
    func backoff() {
        let random = SystemRandomSource()
        for attempts in 1...60 {
            let full = min(5.0 * Double(1 << min(attempts - 1, 16)), 3600)
            let delays = (0..<50).map { _ in
                Double(UserSyncQueue.delay(after: attempts, random: random).microseconds) / 1e6
            }
            #expect(delays.allSatisfy { $0 >= full / 2 && $0 <= full })
            #expect(Set(delays).count > 1)
        }
        _ = UserSyncQueue.delay(after: .max, random: random)
        _ = UserSyncQueue.delay(after: .min, random: random)
    }

    @Test("R13.3 H-8 Y-E3 A damaged queue is no harm, and what it holds survives being written and read")
    func memory() async throws {
        var memory = SyncMemory()
        for number in 0..<40 {
            memory.learn("google-\(number)", is: "user-\(number)")
            memory.wait(
                .init(
                    provider: "google", subject: "google-\(number)", idToken: "t", nonce: number % 2 == 0 ? "n" : nil,
                    attempts: number, notBefore: Recorded.date))
        }
        let read = try #require(SyncMemory(memory.bytes))
        #expect(read.waiting == memory.waiting && read.waiting.count == SyncMemory.limit)
        #expect(read.user(of: "google-39") == "user-39" && read.user(of: "google-0") == nil)
        for bytes in [[], Array("{}".utf8), Array(memory.bytes.dropLast()), [0xFF]] {
            #expect(SyncMemory(bytes) == nil)
        }
        try await store.write([0xFF], for: SyncMemory.key)
        #expect(try await backend(service()).queue.flush() == nil)
    }

    @Test(
        "R13.3 H-9 Where the app's server wants its own tokens, a backend that takes the kit's token opens the session")
    func session() async throws {
        let way = SwitchingBackendTests.Way("server")
        let backend = backend(service(), session: way)
        let grant = try grant(try await backend.signIn(proof))
        #expect(grant.tokens.accessToken.reveal() == "server" && grant.user?.subject == "5b1c")
        let renewed = try await backend.refresh(grant.tokens)
        // The session's own tokens wait for nobody: the provider's are renewed when credentials are wanted, and theirs
        // are over.
        let token = { (tokens: TokenSet) in tokens.attachments.reveal()["hybrid.providerToken"] }
        #expect(token(renewed.tokens) == token(grant.tokens) && kit.calls.value == ["signIn"])
        clock.advance(by: .hours(1))
        _ = try await backend.credentials.credentials()
        let later = try await backend.refresh(renewed.tokens)
        #expect(token(later.tokens) != token(grant.tokens))
        _ = try await backend.user(later.tokens)
        try await backend.revoke(later.tokens, scope: .global)
        #expect(way.calls.value == ["signIn", "refresh", "refresh", "user", "revoke"])
        #expect(kit.calls.value == ["signIn", "renew", "signOut"])
    }
}

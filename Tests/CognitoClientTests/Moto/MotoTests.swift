// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import ClientStorage
import ClientTestSupport
import CognitoClient
import Testing

/// The app's library at a Cognito that nobody here wrote.
@Suite(.moto, .timeLimit(.minutes(5))) struct MotoTests {
    let moto: MotoServer
    let transport = SystemTransport()
    private let password = Secret("Correct-horse-7-battery")

    init() throws {
        moto = try #require(MotoServer.current)
    }

    /// A pool with one client.
    private func pool(
        byEmail: Bool = false, secret: Bool = false
    ) async throws -> CognitoConfiguration {
        var input: JSONObject = [
            "PoolName": "yoga", "AutoVerifiedAttributes": ["email"],
            "AccountRecoverySetting": ["RecoveryMechanisms": [["Priority": 1, "Name": "verified_email"]]],
        ]
        if byEmail { input["UsernameAttributes"] = ["email"] }
        let pool = try await moto.operate("CreateUserPool", input)["UserPool"]?.objectValue
        let id = try #require(pool?["Id"]?.stringValue)
        let client = try await moto.operate(
            "CreateUserPoolClient",
            [
                "UserPoolId": .string(id), "ClientName": "app", "GenerateSecret": .bool(secret),
                "ExplicitAuthFlows": ["ALLOW_USER_PASSWORD_AUTH", "ALLOW_USER_SRP_AUTH", "ALLOW_REFRESH_TOKEN_AUTH"],
            ])["UserPoolClient"]?.objectValue
        return CognitoConfiguration(
            region: MotoServer.region, userPoolID: id, clientID: try #require(client?["ClientId"]?.stringValue),
            clientSecret: client?["ClientSecret"]?.stringValue.map { Secret($0) }, endpoint: moto.url,
            issuer: "https://cognito-idp.\(MotoServer.region).amazonaws.com/\(id)", passwordFlow: .password,
            refreshOperation: .initiateAuth)
    }

    private func backend(_ pool: CognitoConfiguration) -> CognitoBackend {
        CognitoBackend(pool, transport: transport, clock: SystemClock())
    }

    private func grant(_ step: SignInStep) throws -> SessionGrant {
        guard case .session(let grant) = step else { throw AuthError(.unsupported) }
        return grant
    }

    /// Somebody who has signed up and given the code back.
    private func register(_ name: String, at backend: CognitoBackend) async throws {
        let request = SignUpRequest(identifier: name, password: password, attributes: ["email": "ada@example.org"])
        guard case .awaiting(let step) = try await backend.signUp(request), step.kind == .confirmation else {
            Issue.record("nothing is awaited")
            return
        }
        _ = try await backend.confirmSignUp(identifier: name, code: Secret("123456"))
    }

    @Test(
        "R13.9 C-1 C-2 C-8 C-11 At moto: sign-up, confirmation, sign-in, refresh, another password, sign-out everywhere"
    )
    func password() async throws {
        let backend = backend(try await pool())
        let proof = SignInProof.password(identifier: "ada", password: password)
        let request = SignUpRequest(identifier: "ada", password: password, attributes: ["email": "ada@example.org"])
        _ = try await backend.signUp(request)
        guard case .awaiting(let step) = try await backend.signIn(proof), step.kind == .confirmation else {
            Issue.record("nothing is awaited")
            return
        }
        await #expect(throws: AuthError(.usernameExists)) { try await backend.signUp(request) }
        _ = try await backend.confirmSignUp(identifier: "ada", code: Secret("123456"))
        await #expect(throws: AuthError(.invalidCredentials)) {
            try await backend.signIn(.password(identifier: "ada", password: Secret("Wrong-horse-7-battery")))
        }
        await #expect(throws: AuthError(.invalidCredentials)) {
            try await backend.signIn(.password(identifier: "nobody", password: password))
        }
        let first = try grant(try await backend.signIn(proof))
        let user = try await backend.user(first.tokens)
        #expect(user.subject == first.user?.subject && user.email == "ada@example.org")
        let renewed = try await backend.refresh(first.tokens)
        #expect(try await backend.user(renewed.tokens).subject == user.subject)
        let next = Secret("Second-horse-7-battery")
        _ = try await backend.changePassword(renewed.tokens, current: password, new: next)
        let second = try grant(try await backend.signIn(.password(identifier: "ada", password: next)))
        try await backend.revoke(second.tokens, scope: .global)
        for tokens in [first.tokens, renewed.tokens, second.tokens] {
            let error = await #expect(throws: AuthError.self) { try await backend.refresh(tokens) }
            #expect(error?.code.endsSession == true)
        }
    }

    @Test(
        "R13.9 At moto, a client with a secret signs in by either name, and renews what it got",
        arguments: [true, false])
    func secret(byEmail: Bool) async throws {
        let backend = backend(try await pool(byEmail: byEmail, secret: true))
        let name = byEmail ? "ada@example.org" : "ada"
        try await register(name, at: backend)
        let first = try grant(try await backend.signIn(.password(identifier: name, password: password)))
        // What was typed is not what the pool calls the user.
        #expect((first.user?.attributes["cognito:username"]?.stringValue == name) != byEmail)
        let renewed = try await backend.refresh(first.tokens)
        let again = try await backend.refresh(renewed.tokens)
        #expect(try await backend.user(again.tokens).subject == first.user?.subject)
    }

    @Test("R13.9 C-9 At moto: whom an operator has made chooses a password; a forgotten one is chosen anew by a code")
    func newPassword() async throws {
        let pool = try await pool()
        let backend = backend(pool)
        _ = try await moto.operate(
            "AdminCreateUser",
            [
                "UserPoolId": .string(pool.userPoolID), "Username": "grace",
                "TemporaryPassword": "Given-horse-7-battery",
                "UserAttributes": [["Name": "email", "Value": "grace@example.org"]],
            ])
        guard
            case .awaiting(let step) = try await backend.signIn(
                .password(identifier: "grace", password: Secret("Given-horse-7-battery"))),
            case .newPassword = step.kind
        else {
            Issue.record("nothing is awaited")
            return
        }
        let weak = StepAnswer.newPassword(Secret("short"), attributes: [:])
        await #expect(throws: AuthError(.weakPassword)) { try await backend.answer(step, with: weak) }
        _ = try grant(try await backend.answer(step, with: .newPassword(password, attributes: [:])))
        try await backend.beginRecovery(identifier: "grace")
        try await backend.beginRecovery(identifier: "nobody")
        let next = Secret("Second-horse-7-battery")
        // It takes any code but one that looks like its own and is not.
        await #expect(throws: AuthError(.oneTimeTokenInvalid)) {
            _ = try await backend.finishRecovery(
                identifier: "grace", proof: Secret("moto-confirmation-code:0"), newPassword: next)
        }
        _ = try await backend.finishRecovery(identifier: "grace", proof: Secret("123456"), newPassword: next)
        let grant = try grant(try await backend.signIn(.password(identifier: "grace", password: next)))
        #expect(try await backend.user(grant.tokens).email == "grace@example.org")
    }

    @Test("R13.9 H-6 At moto: an identity pool gives credentials for a user's token")
    func credentials() async throws {
        let backend = backend(try await pool())
        try await register("ada", at: backend)
        let grant = try grant(try await backend.signIn(.password(identifier: "ada", password: password)))
        let made = try await moto.operate(
            "CreateIdentityPool", ["IdentityPoolName": "yoga", "AllowUnauthenticatedIdentities": false], of: "Identity")
        let configuration = IdentityPoolConfiguration(
            region: MotoServer.region, identityPoolID: try #require(made["IdentityPoolId"]?.stringValue),
            endpoint: moto.url)
        let token = try #require(grant.tokens.idToken)
        let credentials = IdentityPoolCredentials(
            IdentityPool(configuration, transport: transport), clock: SystemClock()
        ) { () throws(AuthError) in ["cognito-idp.\(MotoServer.region).amazonaws.com/pool": token] }
        let first = try await credentials.credentials()
        #expect(!first.accessKeyID.isEmpty && !first.secretKey.reveal().isEmpty)
        #expect(try await credentials.credentials().identityID == first.identityID)
    }

    @Test("R13.9 Y-US1 F-6 At moto, a session lasts over a start of the app, renews itself once for all, and ends")
    func session() async throws {
        let (pool, clock, store) = (try await pool(), ManualClock(now: SystemClock().now), MemoryStore())
        let recording = RecordingTransport()
        let backend = CognitoBackend(pool, transport: recording, clock: clock)
        try await register("ada", at: backend)
        try await SessionService(backend: backend, store: store, clock: clock).signIn(
            with: .password(identifier: "ada", password: password))
        let service = SessionService(backend: backend, store: store, clock: clock)
        await service.restore()
        clock.advance(by: .hours(2))
        let tokens = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<100 { group.addTask { try await service.accessToken().reveal() } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(tokens.count == 1 && recording.refreshes == 1)
        #expect(try await service.refreshUser().email == "ada@example.org")
        // It knows no `RevokeToken`, and the user is signed out all the same.
        await service.signOut(SignOutOptions())
        guard case .signedOut(.userSignedOut) = service.state else {
            Issue.record("\(service.state)")
            return
        }
        #expect(try await store.read(.session) == nil)
    }
}

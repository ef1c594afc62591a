// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Factors
import Mail
import ServerKit
import Testing

@testable import CognitoAPI

@Suite("Cognito: authenticator apps") struct SoftwareTokenTests {
    private static let usedOnce = "NotAuthorizedException: Invalid session for the user, session can only be used once."
    private static let invalid = "NotAuthorizedException: Invalid session for the user."

    private static func answer(_ code: String) -> JSONObject { ["SOFTWARE_TOKEN_MFA_CODE": .string(code)] }

    @Test("G-9.1 G-9.2 an app that was verified is shown, and asked for by password, by SRP and by administrators")
    func walk() async throws {
        let world = try await FactorWorld("OPTIONAL", FactorWorld.apps)
        let (app, token) = try await world.setUpApp(named: "My phone")
        let shown = try await world.bench.done("GetUser", ["AccessToken": .string(token)])
        #expect(shown["UserMFASettingList"] == ["SOFTWARE_TOKEN_MFA"] && shown["PreferredMfaSetting"] == nil)
        let described = try await world.bench.done("AdminGetUser", world.named())
        #expect(described["UserMFASettingList"] == ["SOFTWARE_TOKEN_MFA"])
        let administrator = try await world.bench.send(
            "AdminInitiateAuth",
            [
                "UserPoolId": .string(world.client.pool), "ClientId": .string(world.client.id),
                "AuthFlow": "ADMIN_USER_PASSWORD_AUTH",
                "AuthParameters": ["USERNAME": "alice", "PASSWORD": .string(CognitoBench.password)],
            ])
        for asked in [
            try await world.password(), try await world.client.srp("alice", CognitoBench.password), administrator,
        ] {
            #expect(asked.challenge == "SOFTWARE_TOKEN_MFA", "\(asked.refusal)")
            #expect(asked.parameters["FRIENDLY_DEVICE_NAME"] == "My phone")
            #expect(asked.json["AuthenticationResult"] == nil)
            #expect((20...4096).contains(asked.session?.utf8.count ?? 0))
            let reply = try await world.respond(
                "SOFTWARE_TOKEN_MFA", Self.answer(app.code(at: world.bench.now)), asked)
            #expect(reply.result("AccessToken") != nil && reply.result("RefreshToken") != nil, "\(reply.refusal)")
            world.bench.advance(by: .seconds(30))
        }
    }

    @Test("G-9.2 an administrator's program answers in a user's place, for a client with a secret too")
    func administrator() async throws {
        let world = try await FactorWorld("OPTIONAL", FactorWorld.apps, client: ["GenerateSecret": true])
        let (app, _) = try await world.setUpApp()
        let asked = try await world.password()
        let session = try #require(asked.session, "\(asked.refusal)")
        var body: JSONObject = [
            "UserPoolId": .string(world.client.pool), "ClientId": .string(world.client.id),
            "ChallengeName": "SOFTWARE_TOKEN_MFA", "Session": .string(session),
        ]
        let responses = Self.answer(app.code(at: world.bench.now)).merging(["USERNAME": "alice"])
        body["ChallengeResponses"] = .object(responses)
        let without = try await world.bench.send("AdminRespondToAuthChallenge", body)
        #expect(without.exception == "NotAuthorizedException" && without.message?.contains("SECRET_HASH") == true)
        body["ChallengeResponses"] = .object(responses.merging(world.client.hash("alice")))
        let reply = try await world.bench.send("AdminRespondToAuthChallenge", body)
        #expect(reply.result("AccessToken") != nil, "\(reply.refusal)")
    }

    @Test("G-9.2 a wrong code leaves the session as it was; a used one, and a used session, are said to be")
    func wrongAndUsed() async throws {
        let world = try await FactorWorld("OPTIONAL", FactorWorld.apps)
        let (app, _) = try await world.setUpApp()
        let asked = try await world.password()
        let (right, wrong) = (app.code(at: world.bench.now), app.wrong(at: world.bench.now))
        #expect(
            try await world.respond("SOFTWARE_TOKEN_MFA", Self.answer(wrong), asked).exception
                == "CodeMismatchException")
        #expect(try await world.respond("SOFTWARE_TOKEN_MFA", [:], asked).exception == "InvalidParameterException")
        let reply = try await world.respond("SOFTWARE_TOKEN_MFA", Self.answer(right), asked)
        #expect(reply.result("AccessToken") != nil, "\(reply.refusal)")
        #expect(try await world.respond("SOFTWARE_TOKEN_MFA", Self.answer(right), asked).refusal == Self.usedOnce)
        let again = try await world.respond("SOFTWARE_TOKEN_MFA", Self.answer(right), try await world.password())
        #expect(again.refusal == "ExpiredCodeException: Your software token has already been used once.")
    }

    @Test("G-9.6 three wrong codes lock, and then the right one is not heard; after five minutes it is")
    func locked() async throws {
        let world = try await FactorWorld("OPTIONAL", FactorWorld.apps)
        let (app, _) = try await world.setUpApp()
        for _ in 0..<3 {
            let reply = try await world.respond(
                "SOFTWARE_TOKEN_MFA", Self.answer(app.wrong(at: world.bench.now)), try await world.password())
            #expect(reply.exception == "CodeMismatchException")
        }
        func right() async throws -> CognitoBench.Reply {
            try await world.respond(
                "SOFTWARE_TOKEN_MFA", Self.answer(app.code(at: world.bench.now)), try await world.password())
        }
        #expect(try await right().refusal == "NotAuthorizedException: Password attempts exceeded")
        world.bench.advance(by: .minutes(6))
        #expect(try await right().result("AccessToken") != nil)
    }

    @Test("G-9.2 R14.2 of fifty sign-ins with one code at once, one gets in")
    func racing() async throws {
        let world = try await FactorWorld("OPTIONAL", FactorWorld.apps)
        try await world.bench.changeAll { $0.limits.signIn.count = 1000 }
        let (app, _) = try await world.setUpApp()
        var asked: [CognitoBench.Reply] = []
        for _ in 0..<5 { asked.append(try await world.password()) }
        let code = app.code(at: world.bench.now)
        let outcomes = try await withThrowingTaskGroup(of: String.self) { group in
            for index in 0..<50 {
                let session = asked[index % asked.count]
                group.addTask {
                    let reply = try await world.respond("SOFTWARE_TOKEN_MFA", Self.answer(code), session)
                    return reply.result("AccessToken") == nil ? reply.refusal : "in"
                }
            }
            return try await group.reduce(into: [String]()) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == "in" } == 1)
        #expect(
            Set(outcomes).isSubset(of: [
                "in", Self.usedOnce, "ExpiredCodeException: Your software token has already been used once.",
            ]), "\(Set(outcomes))")
    }

    @Test("G-9.1 a new app takes the place of the one before, in a session that has shown it and in no other")
    func replaced() async throws {
        let world = try await FactorWorld("OPTIONAL", FactorWorld.apps)
        let (old, token) = try await world.setUpApp(named: "Phone")
        let (new, _) = try await world.setUpApp(named: "Phone", token: token)
        let asked = try await world.password()
        #expect(
            try await world.respond("SOFTWARE_TOKEN_MFA", Self.answer(old.code(at: world.bench.now)), asked).exception
                == "CodeMismatchException")
        #expect(
            try await world.respond("SOFTWARE_TOKEN_MFA", Self.answer(new.code(at: world.bench.now)), asked)
                .result("AccessToken") != nil)
        // A session of somebody who has the password alone, and a program's that made its token itself.
        let user = try await world.bench.done("GetUser", ["AccessToken": .string(token)])
        let low = try await world.bench.accessToken(
            of: user.attribute("sub") ?? "", client: world.client.id, pool: world.client.pool)
        #expect(
            try await world.bench.send("AssociateSoftwareToken", ["AccessToken": .string(low)]).refusal
                == "NotAuthorizedException: The user must sign in with a second factor.")
    }

    @Test("G-9.1 a code that is wrong, of a secret that was given before, or of none sets nothing up")
    func setUpRefused() async throws {
        let world = try await FactorWorld("OPTIONAL", FactorWorld.apps)
        let token = try #require(try await world.password().result("AccessToken"))
        let holder: JSONObject = ["AccessToken": .string(token)]
        func verify(_ code: String) async throws -> CognitoBench.Reply {
            try await world.bench.send("VerifySoftwareToken", holder.merging(["UserCode": .string(code)]))
        }
        #expect(try await verify("123456").exception == "SoftwareTokenMFANotFoundException")
        #expect(try await verify("12345").exception == "InvalidParameterException")
        let first = try FactorWorld.App(
            try await world.bench.done("AssociateSoftwareToken", holder)["SecretCode"]?.stringValue)
        let second = try FactorWorld.App(
            try await world.bench.done("AssociateSoftwareToken", holder)["SecretCode"]?.stringValue)
        #expect(
            try await verify(first.code(at: world.bench.now)).refusal
                == "EnableSoftwareTokenMFAException: Code mismatch")
        #expect(try await world.bench.done("AdminGetUser", world.named())["UserMFASettingList"] == nil)
        #expect(try await verify(second.code(at: world.bench.now)).json["Status"] == "SUCCESS")
        let none = try await world.bench.send("AssociateSoftwareToken", [:])
        #expect(none.exception == "InvalidParameterException")
        let off = try await FactorWorld("OFF")
        let other = try #require(try await off.password().result("AccessToken"))
        #expect(
            try await off.bench.send("AssociateSoftwareToken", ["AccessToken": .string(other)]).exception
                == "SoftwareTokenMFANotFoundException")
    }

    @Test("G-9.2 a session that is forged, another's, over or for another step is none")
    func sessions() async throws {
        let world = try await FactorWorld("OPTIONAL", FactorWorld.apps)
        let (app, _) = try await world.setUpApp()
        try await SignInPasswordTests.addUser("bob", world.bench, world.client.pool)
        let asked = try await world.password()
        let session = try #require(asked.session)
        let code = Self.answer(app.code(at: world.bench.now))
        func respond(_ session: String, as name: String = "alice") async throws -> String {
            try await world.client.respond(
                "SOFTWARE_TOKEN_MFA", code.merging(["USERNAME": .string(name)]), session: session
            ).refusal
        }
        #expect(try await respond(session + "A") == Self.invalid)
        #expect(try await respond(String(repeating: "x", count: 40)) == Self.invalid)
        #expect(try await respond(session, as: "bob") == Self.invalid)
        #expect(try await respond(session, as: "nobody") == Self.invalid)
        // Another app of the pool.
        let other = SignInClient(
            bench: world.bench, pool: world.client.pool, id: try await world.bench.clientID(pool: world.client.pool))
        let stolen = try await other.respond(
            "SOFTWARE_TOKEN_MFA", code.merging(["USERNAME": "alice"]), session: session)
        #expect(stolen.refusal == Self.invalid)
        // It asks for a factor that there is: none is set up by it.
        for operation in ["AssociateSoftwareToken", "VerifySoftwareToken"] {
            let reply = try await world.bench.send(
                operation, ["Session": .string(session), "UserCode": "123456"], signed: false)
            #expect(reply.refusal == Self.invalid, "\(operation)")
            let forged = try await world.bench.send(
                operation,
                ["Session": "no-client-of-ours...ticket", "UserCode": "123456"],
                signed: false)
            #expect(forged.refusal == Self.invalid, "\(operation)")
        }
        #expect(try await world.respond("MFA_SETUP", [:], asked).refusal == Self.invalid)
        world.bench.advance(by: .minutes(4))
        #expect(
            try await respond(session)
                == "NotAuthorizedException: Invalid session for the user, session is expired.")
    }

    @Test("G-9.3 a backup code stands in for the app, once")
    func backupCode() async throws {
        let world = try await FactorWorld("OPTIONAL", FactorWorld.apps)
        let (_, token) = try await world.setUpApp()
        let user = try await world.bench.done("GetUser", ["AccessToken": .string(token)])
        let codes = try await world.backupCodes(of: UserID(user.attribute("sub") ?? ""))
        let first = try #require(codes.first)
        let reply = try await world.respond("SOFTWARE_TOKEN_MFA", Self.answer(first), try await world.password())
        #expect(reply.result("AccessToken") != nil, "\(reply.refusal)")
        let again = try await world.respond("SOFTWARE_TOKEN_MFA", Self.answer(first), try await world.password())
        #expect(again.exception == "CodeMismatchException")
    }

    @Test("G-9.2 a factor that another dialect set up is asked for here, and all of an app's are an app's")
    func foreign() async throws {
        let world = try await FactorWorld("OPTIONAL", FactorWorld.apps)
        let before = try #require(try await world.password().result("AccessToken"))
        let user = try await world.bench.done("GetUser", ["AccessToken": .string(before)])
        let secrets = try await world.addForeignApps(to: UserID(user.attribute("sub") ?? ""), count: 2)
        // Whoever was signed in without one is not any more.
        #expect(
            try await world.bench.send("GetUser", ["AccessToken": .string(before)]).exception
                == "NotAuthorizedException")
        for app in secrets {
            let asked = try await world.password()
            #expect(asked.challenge == "SOFTWARE_TOKEN_MFA")
            let reply = try await world.respond(
                "SOFTWARE_TOKEN_MFA", Self.answer(app.code(at: world.bench.now)), asked)
            #expect(reply.result("AccessToken") != nil, "\(reply.refusal)")
        }
        #expect(try await world.bench.send("AdminDeleteSoftwareToken", world.named()).json == [:])
        #expect(try await world.password().result("AccessToken") != nil)
    }
}

extension FactorWorld {
    private func call(actor: AuditEvent.Actor) async throws -> CallContext {
        CallContext(
            directory: try await bench.directory(ofPool: client.pool), now: bench.now, device: DeviceMetadata(),
            language: .en, links: SiteLinks(bench.dialect.settings.url), actor: actor)
    }

    /// What the flows below the dialects make, as another dialect asks for it.
    func backupCodes(of user: UserID) async throws -> [String] {
        let call = try await call(actor: .user(user))
        let found = try await bench.ports.store.read { tx in
            (
                try tx.user(user, in: call.directory.id),
                try tx.sessions(of: user, in: call.directory.id).first { $0.assurance == .aal2 }
            )
        }
        let holder = AuthenticatedUser(user: try #require(found.0), identities: [], session: found.1)
        return try await bench.dialect.accounts.userBackupCodes.make(for: holder, call: call).codes.map { $0.reveal() }
    }

    func addForeignApps(to user: UserID, count: Int) async throws -> [App] {
        let call = try await call(actor: .administrator("test"))
        var apps: [App] = []
        for index in 0..<count {
            let secret = bench.ports.random.bytes(TOTP.secretLength)
            _ = try await bench.dialect.accounts.factorAdministration.add(
                .totp(Secret(secret)), named: "foreign \(index)", to: user, call: call)
            apps.append(try App(Base32.encode(secret)))
        }
        return apps
    }
}

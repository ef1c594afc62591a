// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import CognitoAPI

@Suite("Cognito: USER_AUTH") struct ChosenSignInTests {
    private static let invalid = "NotAuthorizedException: Invalid session for the user."
    private static let policy: JSONObject = [
        "Policies": ["SignInPolicy": ["AllowedFirstAuthFactors": ["PASSWORD", "EMAIL_OTP", "SMS_OTP"]]]
    ]

    /// A pool with every way, a confirmed `alice` whose address and number are proved, and a client that lets users
    /// choose.
    private func world(_ members: JSONObject = Self.policy) async throws -> FactorWorld {
        let world = try await FactorWorld(
            "OPTIONAL",
            client: [
                "ExplicitAuthFlows": ["ALLOW_USER_AUTH", "ALLOW_USER_SRP_AUTH", "ALLOW_USER_PASSWORD_AUTH"]
            ])
        _ = try await world.bench.done(
            "UpdateUserPool",
            members.merging(["UserPoolId": .string(world.client.pool), "AutoVerifiedAttributes": ["email"]]))
        try await world.bench.changeAll { $0.signUp.phoneEnabled = true }
        try await world.provePhone()
        return world
    }

    private func initiate(_ world: FactorWorld, _ parameters: JSONObject) async throws -> CognitoBench.Reply {
        let name: JSONObject = ["USERNAME": "alice"]
        return try await world.client.initiate("USER_AUTH", name.merging(parameters))
    }

    @Test("D-2 the ways are the pool's, whoever is named; a password may be among the first parameters or the last")
    func ways() async throws {
        let world = try await world()
        let asked = try await initiate(world, [:])
        #expect(asked.challenge == "SELECT_CHALLENGE" && asked.session != nil, "\(asked.refusal)")
        let every: JSONValue = ["PASSWORD", "PASSWORD_SRP", "EMAIL_OTP", "SMS_OTP"]
        #expect(asked.json["AvailableChallenges"] == every)
        let nobody = try await initiate(world, ["USERNAME": "nobody"])
        #expect(nobody.json["AvailableChallenges"] == every)
        let password: JSONObject = ["PASSWORD": .string(CognitoBench.password)]
        #expect(
            try await initiate(world, password.merging(["PREFERRED_CHALLENGE": "PASSWORD"])).result("AccessToken")
                != nil)
        #expect(
            try await world.respond("SELECT_CHALLENGE", password.merging(["ANSWER": "PASSWORD"]), asked)
                .result("AccessToken") != nil)
        let later = try await world.respond("SELECT_CHALLENGE", ["ANSWER": "PASSWORD"], asked)
        #expect(later.challenge == "PASSWORD", "\(later.refusal)")
        #expect(try await world.respond("PASSWORD", password, later).result("AccessToken") != nil)
        #expect(
            try await world.respond("PASSWORD", ["PASSWORD": "Wrong-horse-7-battery"], later).refusal
                == SignInPasswordTests.wrong)
        #expect(
            try await world.respond("SELECT_CHALLENGE", ["ANSWER": "WEB_AUTHN"], asked).exception
                == "InvalidParameterException")
        // A preference that can't be had is passed over, as at the service.
        #expect(try await initiate(world, ["PREFERRED_CHALLENGE": "WEB_AUTHN"]).challenge == "SELECT_CHALLENGE")
        let srp = try await initiate(world, ["PREFERRED_CHALLENGE": "PASSWORD_SRP", "SRP_A": "abcdef"])
        #expect(srp.challenge == "PASSWORD_VERIFIER", "\(srp.refusal)")
    }

    @Test(
        "G-1 D-2 a code that is sent signs in, once, whichever way it was asked for",
        arguments: [
            ("EMAIL_OTP", "alice@example.com", "EMAIL", "magic_link"),
            ("SMS_OTP", FactorWorld.phone, "SMS", ""),
        ])
    func code(way: String, recipient: String, medium: String, kind: String) async throws {
        let world = try await world()
        let chosen = try await world.respond(
            "SELECT_CHALLENGE", ["ANSWER": .string(way)], try await initiate(world, [:]))
        world.bench.advance(by: .seconds(1))
        let preferred = try await initiate(world, ["PREFERRED_CHALLENGE": .string(way)])
        for sent in [chosen, preferred] {
            #expect(sent.challenge == way, "\(sent.refusal)")
            #expect(sent.parameters["CODE_DELIVERY_DELIVERY_MEDIUM"] == .string(medium))
        }
        let code = try await world.bench.code(
            to: recipient, in: world.client.pool, kind: kind.isEmpty ? nil : kind)
        func answer(_ code: String) async throws -> CognitoBench.Reply {
            try await world.respond(way, [way + "_CODE": .string(code)], preferred)
        }
        #expect(try await answer(code == "000000" ? "111111" : "000000").exception == "CodeMismatchException")
        let reply = try await answer(code)
        #expect(reply.result("AccessToken") != nil, "\(reply.refusal)")
        #expect(try await answer(code).exception == "CodeMismatchException")
    }

    @Test("G-9.2 after a code that signs in a second factor is asked for all the same")
    func secondFactor() async throws {
        let world = try await world()
        let (app, _) = try await world.setUpApp()
        let sent = try await initiate(world, ["PREFERRED_CHALLENGE": "EMAIL_OTP"])
        let code = try await world.bench.code(to: "alice@example.com", in: world.client.pool, kind: "magic_link")
        let asked = try await world.respond("EMAIL_OTP", ["EMAIL_OTP_CODE": .string(code)], sent)
        #expect(
            asked.challenge == "SOFTWARE_TOKEN_MFA" && asked.json["AuthenticationResult"] == nil, "\(asked.refusal)")
        let reply = try await world.respond(
            "SOFTWARE_TOKEN_MFA", ["SOFTWARE_TOKEN_MFA_CODE": .string(app.code(at: world.bench.now))], asked)
        #expect(reply.result("AccessToken") != nil, "\(reply.refusal)")
    }

    @Test(
        "G-9.1 who came by a code to their number or mailbox, and must have a factor, is asked for none to the same place",
        arguments: [("SMS_OTP", FactorWorld.phone, ""), ("EMAIL_OTP", "alice@example.com", "magic_link")])
    func demanded(way: String, recipient: String, kind: String) async throws {
        let world = try await world()
        let isText = way == "SMS_OTP"
        try await world.bench.changeAll {
            $0.factors.demand = .all
            // Of the two places one is left, or none.
            if !isText { $0.factors.phone = .off }
        }
        let sent = try await initiate(world, ["PREFERRED_CHALLENGE": .string(way)])
        let code = try await world.bench.code(
            to: recipient, in: world.client.pool, kind: kind.isEmpty ? nil : kind)
        let asked = try await world.respond(way, [way + "_CODE": .string(code)], sent)
        guard !isText else {
            #expect(asked.challenge == "EMAIL_OTP", "\(asked.refusal)")
            let second = try await world.sentCode(to: "alice@example.com")
            let reply = try await world.respond("EMAIL_OTP", ["EMAIL_OTP_CODE": .string(second)], asked)
            #expect(reply.result("AccessToken") != nil, "\(reply.refusal)")
            return
        }
        #expect(asked.challenge == "MFA_SETUP", "\(asked.refusal)")
        #expect(asked.parameters["MFAS_CAN_SETUP"] == #"["SOFTWARE_TOKEN_MFA","EMAIL_OTP"]"#)
        // Another mailbox will do, and the same will not.
        let same = try await world.respond("MFA_SETUP", ["EMAIL": .string(recipient)], asked)
        #expect(same.challenge == nil && same.result("AccessToken") == nil, "\(same.refusal)")
        let other = try await world.respond("MFA_SETUP", ["EMAIL": "alice@second.example"], asked)
        #expect(other.challenge == "EMAIL_OTP", "\(other.refusal)")
    }

    @Test("G-1.3 nobody is answered as somebody, and nothing is sent to an address that was not proved")
    func concealed() async throws {
        let world = try await world()
        let here = try await initiate(world, ["PREFERRED_CHALLENGE": "EMAIL_OTP"])
        let nobody = try await initiate(world, ["USERNAME": "nobody", "PREFERRED_CHALLENGE": "EMAIL_OTP"])
        #expect(nobody.challenge == "EMAIL_OTP" && nobody.parameters == here.parameters, "\(nobody.refusal)")
        #expect(Set(nobody.json.names) == Set(here.json.names))
        let reply = try await world.client.respond(
            "EMAIL_OTP", ["USERNAME": "nobody", "EMAIL_OTP_CODE": "123456"], session: nobody.session)
        #expect(reply.exception == "CodeMismatchException")
        _ = try await world.bench.done(
            "AdminUpdateUserAttributes",
            world.named(["UserAttributes": [["Name": "email_verified", "Value": "false"]]]))
        let before = try await world.bench.message(to: "alice@example.com", in: world.client.pool)?.id
        world.bench.advance(by: .minutes(2))
        #expect(try await initiate(world, ["PREFERRED_CHALLENGE": "EMAIL_OTP"]).challenge == "EMAIL_OTP")
        #expect(try await world.bench.message(to: "alice@example.com", in: world.client.pool)?.id == before)
    }

    @Test("D-2 a session is of its name, way and client, and over after its time; what a pool has not is not chosen")
    func sessions() async throws {
        let world = try await world()
        let asked = try await initiate(world, [:])
        let password: JSONObject = ["ANSWER": "PASSWORD", "PASSWORD": .string(CognitoBench.password)]
        try await SignInPasswordTests.addUser("bob", world.bench, world.client.pool)
        for (name, session) in [("bob", asked.session), ("alice", String(repeating: "x", count: 40))] {
            let reply = try await world.client.respond(
                "SELECT_CHALLENGE", password.merging(["USERNAME": .string(name)]), session: session)
            #expect(reply.refusal == Self.invalid)
        }
        // One that was given before a code was sent proves nothing of a code.
        #expect(try await world.respond("EMAIL_OTP", ["EMAIL_OTP_CODE": "123456"], asked).refusal == Self.invalid)
        #expect(try await world.respond("SMS_OTP", ["SMS_OTP_CODE": "123456"], asked).refusal == Self.invalid)
        world.bench.advance(by: .minutes(4))
        #expect(
            try await world.respond("SELECT_CHALLENGE", password, asked).refusal
                == "NotAuthorizedException: Invalid session for the user, session is expired.")
        let plain = try await self.world([:])
        #expect(
            try await initiate(plain, [:]).json["AvailableChallenges"] == ["PASSWORD", "PASSWORD_SRP"])
        #expect(
            try await plain.respond("SELECT_CHALLENGE", ["ANSWER": "EMAIL_OTP"], try await initiate(plain, [:]))
                .exception == "InvalidParameterException")
        let without = try await FactorWorld("OPTIONAL")
        #expect(
            try await without.client.initiate("USER_AUTH", ["USERNAME": "alice"]).refusal
                == "InvalidParameterException: USER_AUTH flow not enabled for this client")
    }
}

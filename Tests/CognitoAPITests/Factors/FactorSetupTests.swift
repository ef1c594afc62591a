// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import CognitoAPI

@Suite("Cognito: MFA_SETUP and the pool's configuration") struct FactorSetupTests {
    @Test("G-9.1 who must have a factor sets an app up in the sign-in, and is asked for it in the next one")
    func app() async throws {
        let world = try await FactorWorld("ON", FactorWorld.apps)
        for asked in [try await world.password(), try await world.client.srp("alice", CognitoBench.password)] {
            #expect(asked.challenge == "MFA_SETUP" && asked.json["AuthenticationResult"] == nil, "\(asked.refusal)")
            #expect(asked.parameters["MFAS_CAN_SETUP"] == #"["SOFTWARE_TOKEN_MFA"]"#)
        }
        let asked = try await world.password()
        let session = try #require(asked.session)
        // Not before an app was verified.
        let early = try await world.respond("MFA_SETUP", [:], asked)
        #expect(early.refusal == "InvalidParameterException: User has not verified software token mfa")
        let associated = try await world.bench.send(
            "AssociateSoftwareToken", ["Session": .string(session)], signed: false)
        let app = try FactorWorld.App(associated.json["SecretCode"]?.stringValue)
        func verify(_ code: String) async throws -> CognitoBench.Reply {
            try await world.bench.send(
                "VerifySoftwareToken",
                [
                    "Session": .string(associated.session ?? ""), "UserCode": .string(code),
                    "FriendlyDeviceName": "My phone",
                ], signed: false)
        }
        #expect(
            try await verify(app.wrong(at: world.bench.now)).refusal
                == "EnableSoftwareTokenMFAException: Code mismatch")
        let verified = try await verify(app.code(at: world.bench.now))
        #expect(verified.json["Status"] == "SUCCESS", "\(verified.refusal)")
        let reply = try await world.respond("MFA_SETUP", [:], verified)
        #expect(reply.result("AccessToken") != nil, "\(reply.refusal)")
        #expect(
            try await world.respond("MFA_SETUP", [:], verified).refusal
                == "NotAuthorizedException: Invalid session for the user, session can only be used once.")
        world.bench.advance(by: .seconds(30))
        let next = try await world.password()
        #expect(next.challenge == "SOFTWARE_TOKEN_MFA" && next.parameters["FRIENDLY_DEVICE_NAME"] == "My phone")
    }

    @Test("G-9.1 where an address that the account has proved will do, its code is asked for at once")
    func provedAddress() async throws {
        let world = try await FactorWorld("ON", ["EmailMfaConfiguration": [:]])
        let asked = try await world.password()
        #expect(asked.challenge == "EMAIL_OTP", "\(asked.refusal)")
        let code = try await world.sentCode(to: "alice@example.com")
        let reply = try await world.respond("EMAIL_OTP", ["EMAIL_OTP_CODE": .string(code)], asked)
        #expect(reply.result("AccessToken") != nil, "\(reply.refusal)")
        let shown = try await world.bench.done("AdminGetUser", world.named())
        #expect(shown["UserMFASettingList"] == ["EMAIL_OTP"])
    }

    @Test("G-9.1 an address or a number is set up by the answer, and counts once its code was given")
    func givenAddress() async throws {
        for (member, value, challenge) in [
            ("EMAIL", "alice@second.example", "EMAIL_OTP"), ("PHONE_NUMBER", FactorWorld.phone, "SMS_MFA"),
        ] {
            let world = try await FactorWorld("ON")
            try await world.addUnproved("dora")
            func signIn() async throws -> CognitoBench.Reply {
                try await world.client.password("dora", CognitoBench.password)
            }
            func respond(
                _ name: String, _ responses: JSONObject, _ asked: CognitoBench.Reply
            ) async throws -> CognitoBench.Reply {
                try await world.client.respond(
                    name, responses.merging(["USERNAME": "dora"]), session: asked.session)
            }
            let asked = try await signIn()
            #expect(asked.challenge == "MFA_SETUP", "\(asked.refusal)")
            #expect(asked.parameters["MFAS_CAN_SETUP"] == #"["SOFTWARE_TOKEN_MFA","SMS_MFA","EMAIL_OTP"]"#)
            #expect(
                try await respond("MFA_SETUP", [member: "no address"], asked).exception
                    == "InvalidParameterException")
            let sent = try await respond("MFA_SETUP", [member: .string(value)], asked)
            #expect(sent.challenge == challenge, "\(sent.refusal)")
            let named = world.named().merging(["Username": "dora"])
            #expect(try await world.bench.done("AdminGetUser", named)["UserMFASettingList"] == nil)
            let code = try await world.sentCode(to: value)
            let reply = try await respond(challenge, [challenge + "_CODE": .string(code)], sent)
            #expect(reply.result("AccessToken") != nil, "\(reply.refusal)")
            #expect(try await signIn().challenge == challenge)
        }
    }

    @Test("G-9.1 a new password comes before the factor that is to be set up")
    func temporaryPassword() async throws {
        let (bench, client) = try await SignInNewPasswordTests.world()
        let members: JSONObject = ["UserPoolId": .string(client.pool), "MfaConfiguration": "ON"]
        _ = try await bench.done("SetUserPoolMfaConfig", members.merging(FactorWorld.apps))
        let session = try SignInNewPasswordTests.session(
            try await client.password("carol", SignInNewPasswordTests.temporary))
        let reply = try await client.respond(
            "NEW_PASSWORD_REQUIRED", SignInNewPasswordTests.answer(SignInNewPasswordTests.chosen), session: session)
        #expect(reply.challenge == "MFA_SETUP", "\(reply.refusal)")
    }

    @Test("G-9.1 a pool says which factors it has, and whether they are demanded, as the Directory's settings have it")
    func configuration() async throws {
        let bench = try await CognitoBench()
        let pool = try await bench.makePool()
        let id: JSONObject = ["UserPoolId": .string(pool)]
        func set(_ members: JSONObject) async throws -> CognitoBench.Reply {
            try await bench.send("SetUserPoolMfaConfig", id.merging(members))
        }
        #expect(try await bench.done("GetUserPoolMfaConfig", id) == ["MfaConfiguration": "OFF"])
        let whole: JSONObject = [
            "MfaConfiguration": "ON", "SoftwareTokenMfaConfiguration": ["Enabled": true],
            "SmsMfaConfiguration": [
                "SmsAuthenticationMessage": "Your code is {####}",
                "SmsConfiguration": ["SnsCallerArn": "arn:aws:iam::123456789012:role/texts"],
            ],
            "EmailMfaConfiguration": ["Message": "Your code is {####}", "Subject": "Code"],
        ]
        #expect(try await set(whole).json == whole)
        #expect(try await bench.done("GetUserPoolMfaConfig", id) == whole)
        let described = try await bench.done("DescribeUserPool", id)["UserPool"]?.objectValue
        #expect(described?["MfaConfiguration"] == "ON")
        let settings = try await bench.directory(ofPool: pool).settings.factors
        #expect(settings.demand == .all && settings.totp == .on && settings.phone == .on && settings.email == .on)
        for (members, said): (JSONObject, String) in [
            (
                ["MfaConfiguration": "OFF", "SoftwareTokenMfaConfiguration": ["Enabled": true]],
                "Invalid MFA configuration given, can't turn off MFA and configure an MFA together."
            ),
            (
                ["MfaConfiguration": "ON", "SoftwareTokenMfaConfiguration": ["Enabled": false]],
                "Invalid MFA configuration given, can't turn on MFA and disable all MFAs."
            ),
        ] { #expect(try await set(members).refusal == "InvalidParameterException: " + said) }
        #expect(try await bench.done("GetUserPoolMfaConfig", id) == whole)
        // An update that does not say leaves it, as the service does.
        _ = try await bench.done("UpdateUserPool", id)
        #expect(
            try await bench.done("DescribeUserPool", id)["UserPool"]?.objectValue?["MfaConfiguration"] == "ON")
        _ = try await bench.done("UpdateUserPool", id.merging(["MfaConfiguration": "OFF"]))
        #expect(try await bench.done("GetUserPoolMfaConfig", id) == ["MfaConfiguration": "OFF"])
        let optional = try await bench.makePool(["MfaConfiguration": "OPTIONAL"])
        #expect(
            try await bench.done("GetUserPoolMfaConfig", ["UserPoolId": .string(optional)])
                == ["MfaConfiguration": "OPTIONAL", "SoftwareTokenMfaConfiguration": ["Enabled": true]])
    }
}

// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import CognitoAPI

@Suite("Cognito: codes that are sent, preferences and the choice among factors") struct FactorChoiceTests {
    private static let on: JSONObject = ["Enabled": true]
    private static let preferred: JSONObject = ["Enabled": true, "PreferredMfa": true]
    private static let off: JSONObject = ["Enabled": false]

    private func prefer(_ world: FactorWorld, _ members: JSONObject, token: String) async throws -> CognitoBench.Reply {
        try await world.bench.send("SetUserMFAPreference", members.merging(["AccessToken": .string(token)]))
    }

    private func shown(_ world: FactorWorld) async throws -> (list: JSONValue?, preferred: JSONValue?) {
        let json = try await world.bench.done("AdminGetUser", world.named())
        return (json["UserMFASettingList"], json["PreferredMfaSetting"])
    }

    @Test(
        "G-9.5 a proved number or address is switched on by preference, and its code asked for and sent there",
        arguments: [
            ("SMSMfaSettings", "SMS_MFA", "SMS", FactorWorld.phone, "+*********5678"),
            ("EmailMfaSettings", "EMAIL_OTP", "EMAIL", "alice@example.com", "a***@e***"),
        ])
    func sent(member: String, challenge: String, medium: String, recipient: String, masked: String) async throws {
        let world = try await FactorWorld()
        try await world.provePhone()
        let token = try #require(try await world.password().result("AccessToken"))
        var preference = JSONObject()
        preference[member] = .object(Self.on)
        #expect(try await prefer(world, preference, token: token).json == [:])
        #expect(try await shown(world).list == [.string(challenge)])
        let asked = try await world.password()
        #expect(asked.challenge == challenge, "\(asked.refusal)")
        #expect(asked.parameters["CODE_DELIVERY_DELIVERY_MEDIUM"] == .string(medium))
        #expect(asked.parameters["CODE_DELIVERY_DESTINATION"] == .string(masked))
        let code = try await world.sentCode(to: recipient)
        #expect(code.utf8.count == 6)
        let parameter = challenge + "_CODE"
        func respond(_ code: String, _ asked: CognitoBench.Reply) async throws -> CognitoBench.Reply {
            try await world.respond(challenge, [parameter: .string(code)], asked)
        }
        #expect(try await respond(code == "000000" ? "111111" : "000000", asked).exception == "CodeMismatchException")
        // The code of one sign-in is none of another's.
        world.bench.advance(by: .seconds(1))
        let other = try await world.password()
        let newer = try await world.sentCode(to: recipient)
        if newer != code { #expect(try await respond(code, other).exception == "CodeMismatchException") }
        #expect(try await respond(code, asked).result("AccessToken") != nil)
        #expect(try await respond(newer, other).result("AccessToken") != nil)
    }

    @Test("G-9.5 a code that was sent is over after its time")
    func expired() async throws {
        let world = try await FactorWorld(client: ["AuthSessionValidity": 15])
        let token = try #require(try await world.password().result("AccessToken"))
        _ = try await prefer(world, ["EmailMfaSettings": .object(Self.on)], token: token)
        let asked = try await world.password()
        world.bench.advance(by: .minutes(6))
        let code = try await world.sentCode(to: "alice@example.com")
        #expect(
            try await world.respond("EMAIL_OTP", ["EMAIL_OTP_CODE": .string(code)], asked).refusal
                == "ExpiredCodeException: Invalid code provided, please request a code again.")
    }

    @Test("G-9.5 of several factors without a preference the user chooses; with one it is asked for")
    func chosen() async throws {
        let world = try await FactorWorld()
        try await world.provePhone()
        let (app, token) = try await world.setUpApp()
        let both: JSONObject = ["SMSMfaSettings": .object(Self.on), "SoftwareTokenMfaSettings": .object(Self.on)]
        #expect(try await prefer(world, both, token: token).json == [:])
        let asked = try await world.password()
        #expect(asked.challenge == "SELECT_MFA_TYPE", "\(asked.refusal)")
        #expect(asked.parameters["MFAS_CAN_CHOOSE"] == #"["SOFTWARE_TOKEN_MFA","SMS_MFA"]"#)
        #expect(try await world.sentCode(to: FactorWorld.phone).isEmpty, "nothing is sent before the choice")
        #expect(
            try await world.respond("SELECT_MFA_TYPE", ["ANSWER": "EMAIL_OTP"], asked).exception
                == "MFAMethodNotFoundException")
        let texted = try await world.respond("SELECT_MFA_TYPE", ["ANSWER": "SMS_MFA"], asked)
        #expect(texted.challenge == "SMS_MFA", "\(texted.refusal)")
        let code = try await world.sentCode(to: FactorWorld.phone)
        #expect(
            try await world.respond("SMS_MFA", ["SMS_MFA_CODE": .string(code)], texted).result("AccessToken") != nil)
        let second = try await world.respond(
            "SELECT_MFA_TYPE", ["ANSWER": "SOFTWARE_TOKEN_MFA"], try await world.password())
        #expect(second.challenge == "SOFTWARE_TOKEN_MFA")
        let shownCode: JSONObject = ["SOFTWARE_TOKEN_MFA_CODE": .string(app.code(at: world.bench.now))]
        let reply = try await world.respond("SOFTWARE_TOKEN_MFA", shownCode, second)
        let raised = try #require(reply.result("AccessToken"), "\(reply.refusal)")
        _ = try await prefer(world, ["SMSMfaSettings": .object(Self.preferred)], token: raised)
        #expect(try await shown(world).preferred == "SMS_MFA")
        #expect(try await world.password().challenge == "SMS_MFA")
        _ = try await prefer(world, ["SoftwareTokenMfaSettings": .object(Self.preferred)], token: raised)
        #expect(try await shown(world).preferred == "SOFTWARE_TOKEN_MFA")
        #expect(try await world.password().challenge == "SOFTWARE_TOKEN_MFA")
        _ = try await prefer(
            world, ["SoftwareTokenMfaSettings": .object(Self.off), "SMSMfaSettings": .object(Self.off)], token: raised)
        #expect(try await shown(world) == (nil, nil))
        #expect(try await world.password().result("AccessToken") != nil)
        // It was put aside, and is verified still.
        _ = try await prefer(world, ["SoftwareTokenMfaSettings": .object(Self.on)], token: raised)
        #expect(try await world.password().challenge == "SOFTWARE_TOKEN_MFA")
    }

    @Test("G-9.5 what there is nothing to ask by can't be switched on, and one preference is taken at most")
    func refused() async throws {
        let world = try await FactorWorld()
        let token = try #require(try await world.password().result("AccessToken"))
        let cases: [(JSONObject, String)] = [
            (["SoftwareTokenMfaSettings": .object(Self.on)], "User has not verified software token mfa"),
            (
                ["SMSMfaSettings": .object(Self.on)],
                "User does not have delivery config set to turn on SMS_MFA"
            ),
            (
                ["EmailMfaSettings": .object(Self.preferred), "SMSMfaSettings": .object(Self.preferred)],
                "Only one MFA can be preferred."
            ),
            (["SMSMfaSettings": ["PreferredMfa": true]], "SMSMfaSettings: a preferred MFA must be enabled."),
            (["WebAuthnMfaSettings": .object(Self.on)], "WebAuthn is not enabled for this user pool."),
        ]
        for (members, said) in cases {
            let reply = try await prefer(world, members, token: token)
            #expect(reply.refusal == "InvalidParameterException: " + said)
            let administrator = try await world.bench.send("AdminSetUserMFAPreference", world.named(members))
            #expect(administrator.refusal == "InvalidParameterException: " + said)
        }
        // Of one that is refused nothing is kept of what came before it.
        let half: JSONObject = ["EmailMfaSettings": .object(Self.on), "SMSMfaSettings": .object(Self.on)]
        #expect(try await prefer(world, half, token: token).exception == "InvalidParameterException")
        #expect(try await shown(world).list == nil)
        let apps = try await FactorWorld("OPTIONAL", FactorWorld.apps)
        let other = try #require(try await apps.password().result("AccessToken"))
        #expect(
            try await prefer(apps, ["EmailMfaSettings": .object(Self.on)], token: other).exception
                == "InvalidParameterException")
    }

    @Test("G-9.5 G-9.7 whoever has a factor and shows none in their session can't put it aside; an operator can")
    func low() async throws {
        let world = try await FactorWorld()
        let token = try #require(try await world.password().result("AccessToken"))
        let other = try #require(try await world.password().result("AccessToken"))
        #expect(try await prefer(world, ["EmailMfaSettings": .object(Self.on)], token: token).status == 200)
        #expect(try await world.bench.send("GetUser", ["AccessToken": .string(other)]).status == 400)
        let down: JSONObject = ["EmailMfaSettings": .object(Self.off)]
        #expect(
            try await prefer(world, down, token: token).refusal
                == "NotAuthorizedException: The user must sign in with a second factor.")
        #expect(try await shown(world).list == ["EMAIL_OTP"])
        #expect(try await world.bench.send("AdminSetUserMFAPreference", world.named(down)).json == [:])
        #expect(try await shown(world).list == nil)
    }

    @Test("G-9.5 the former form of the preference switches text messages on and off")
    func options() async throws {
        let world = try await FactorWorld()
        try await world.provePhone()
        let texts: JSONObject = ["MFAOptions": [["DeliveryMedium": "SMS", "AttributeName": "phone_number"]]]
        #expect(try await world.bench.send("AdminSetUserSettings", world.named(texts)).json == [:])
        #expect(try await shown(world).list == ["SMS_MFA"])
        #expect(try await world.bench.send("AdminSetUserSettings", world.named(["MFAOptions": []])).json == [:])
        #expect(try await shown(world).list == nil)
        let token = try #require(try await world.password().result("AccessToken"))
        let mails: JSONObject = [
            "AccessToken": .string(token), "MFAOptions": [["DeliveryMedium": "EMAIL", "AttributeName": "email"]],
        ]
        #expect(try await world.bench.send("SetUserSettings", mails).exception == "InvalidParameterException")
        #expect(try await world.bench.send("SetUserSettings", texts.merging(mails).merging(texts)).json == [:])
        #expect(try await shown(world).list == ["SMS_MFA"])
    }
}

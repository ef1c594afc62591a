// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Testing

@testable import CognitoAPI

@Suite("Cognito: devices") struct DeviceTests {
    private static let noDevice = "ResourceNotFoundException: Device does not exist."
    private static let invalidToken = "NotAuthorizedException: Invalid Refresh Token"

    @Test("G-6 a device confirms itself, proves its secret at the next sign-in, and is listed with what is known of it")
    func walk() async throws {
        let world = try await DeviceWorld()
        let first = try await world.password()
        let device = try await world.confirmed(first, named: "Alice's laptop")
        #expect(device.key.hasPrefix("us-east-1_") && device.key.utf8.count <= 55)
        for begin in [world.password, { try await srp(world, on: $1 ?? $0?.key) }] {
            let asked = try await begin(device, nil)
            #expect(asked.challenge == "DEVICE_SRP_AUTH" && asked.result("AccessToken") == nil, "\(asked.refusal)")
            let reply = try await world.prove(device, asked)
            #expect(reply.result("AccessToken") != nil, "\(reply.refusal)")
            #expect(reply.json["AuthenticationResult"]?.objectValue?["NewDeviceMetadata"] == nil)
        }
        let listed = try await world.devices(first)
        #expect(listed.count == 1 && listed[0]["DeviceKey"]?.stringValue == device.key)
        let attributes = listed[0]["DeviceAttributes"]?.arrayValue ?? []
        #expect(attributes.contains(["Name": "device_name", "Value": "Alice's laptop"]))
        #expect(attributes.contains(["Name": "dev:device_remembered_status", "Value": "remembered"]))
        let named: JSONObject = ["DeviceKey": .string(device.key)]
        #expect(
            try await world.bench.done("GetDevice", world.token(first, named))["Device"]?.objectValue == listed[0])
        #expect(
            try await world.bench.done("AdminGetDevice", world.factors.named(named))["Device"]?.objectValue
                == listed[0])
        let described = try await world.bench.done("DescribeUserPool", ["UserPoolId": .string(world.client.pool)])
        #expect(
            described["UserPool"]?.objectValue?["DeviceConfiguration"]
                == ["ChallengeRequiredOnNewDevice": true, "DeviceOnlyRememberedOnUserPrompt": false])
    }

    private func srp(_ world: DeviceWorld, on key: String?) async throws -> CognitoBench.Reply {
        let begun = try await world.client.begin("alice")
        var responses = try world.client.responses(begun, CognitoBench.password)
        responses["DEVICE_KEY"] = key.map { .string($0) }
        return try await world.client.respond("PASSWORD_VERIFIER", responses)
    }

    @Test("G-9.2 a device that was remembered with a second factor spares it, and one that was not does not")
    func spares() async throws {
        let world = try await DeviceWorld()
        let early = try await world.confirmed(try await world.password())
        let (app, _) = try await world.factors.setUpApp()
        func code() -> JSONObject { ["SOFTWARE_TOKEN_MFA_CODE": .string(app.code(at: world.bench.now))] }
        let asked = try await world.prove(early, try await world.password(on: early))
        #expect(asked.challenge == "SOFTWARE_TOKEN_MFA", "what nobody has shown a factor for spares none")
        // Without the key again: the sign-in knows which device it is on.
        let shown = try await world.factors.respond("SOFTWARE_TOKEN_MFA", code(), asked)
        #expect(shown.result("AccessToken") != nil, "\(shown.refusal)")
        world.bench.advance(by: .seconds(30))
        let next = try await world.prove(early, try await world.password(on: early))
        #expect(next.result("AccessToken") != nil, "and once a factor was shown on it, it does: \(next.refusal)")
        let unknown = try await world.password()
        #expect(unknown.challenge == "SOFTWARE_TOKEN_MFA", "a new device is asked")

        try await world.configure(["ChallengeRequiredOnNewDevice": false])
        let unspared = try await world.prove(early, try await world.password(on: early))
        #expect(unspared.challenge == "SOFTWARE_TOKEN_MFA", "nor where the pool does not have it so")
    }

    @Test(
        "G-9.2 R14.2 whichever factor is set up is asked for behind the device's own proof, until it was shown there",
        arguments: ["SOFTWARE_TOKEN_MFA", "SMS_MFA", "EMAIL_OTP"])
    func asksBehindDevice(challenge: String) async throws {
        let world = try await DeviceWorld()
        _ = try await world.bench.done(
            "SetUserPoolMfaConfig",
            FactorWorld.everyKind.merging([
                "UserPoolId": .string(world.client.pool), "MfaConfiguration": "OPTIONAL",
            ]))
        try await world.factors.provePhone()
        let device = try await world.confirmed(try await world.password())
        var app: FactorWorld.App?
        switch challenge {
        case "SOFTWARE_TOKEN_MFA": app = try await world.factors.setUpApp().app
        case let name:
            var preference = JSONObject()
            preference[name == "SMS_MFA" ? "SMSMfaSettings" : "EmailMfaSettings"] = ["Enabled": true]
            _ = try await world.bench.done("AdminSetUserMFAPreference", world.factors.named(preference))
        }
        let asked = try await world.prove(device, try await world.password(on: device))
        #expect(asked.challenge == challenge && asked.result("AccessToken") == nil, "\(asked.refusal)")
        let recipient = challenge == "SMS_MFA" ? FactorWorld.phone : "alice@example.com"
        let code =
            if let app { app.code(at: world.bench.now) } else { try await world.factors.sentCode(to: recipient) }
        let shown = try await world.factors.respond(challenge, [.init(challenge + "_CODE"): .string(code)], asked)
        #expect(shown.result("AccessToken") != nil, "\(shown.refusal)")
        world.bench.advance(by: .seconds(90))
        let spared = try await world.prove(device, try await world.password(on: device))
        #expect(spared.result("AccessToken") != nil, "\(spared.refusal)")
    }

    @Test("G-9.2 after a sign-out everywhere a device spares nobody the factor until one is shown on it again")
    func doubted() async throws {
        let world = try await DeviceWorld()
        let device = try await world.confirmed(try await world.password())
        let (app, _) = try await world.factors.setUpApp()
        func show(_ asked: CognitoBench.Reply) async throws {
            world.bench.advance(by: .seconds(30))
            let code: JSONObject = ["SOFTWARE_TOKEN_MFA_CODE": .string(app.code(at: world.bench.now))]
            let shown = try await world.factors.respond("SOFTWARE_TOKEN_MFA", code, asked)
            #expect(shown.result("AccessToken") != nil, "\(shown.refusal)")
        }
        try await show(try await world.prove(device, try await world.password(on: device)))
        let spared = try await world.prove(device, try await world.password(on: device))
        #expect(spared.result("AccessToken") != nil, "\(spared.refusal)")
        _ = try await world.bench.done("GlobalSignOut", world.token(spared))
        world.bench.advance(by: .seconds(30))
        let asked = try await world.prove(device, try await world.password(on: device))
        #expect(asked.challenge == "SOFTWARE_TOKEN_MFA", "\(asked.refusal)")
        try await show(asked)
        let again = try await world.prove(device, try await world.password(on: device))
        #expect(again.result("AccessToken") != nil, "\(again.refusal)")
    }

    @Test(
        "G-9.2 a new password on the way leaves the device that was named to be asked, also where it is not named again"
    )
    func newPassword() async throws {
        let world = try await DeviceWorld()
        let device = try await world.confirmed(try await world.password())
        let temporary = "Temporary-horse-7"
        _ = try await world.bench.done(
            "AdminSetUserPassword", world.factors.named(["Password": .string(temporary), "Permanent": false]))
        let parameters: JSONObject = [
            "USERNAME": "alice", "PASSWORD": .string(temporary), "DEVICE_KEY": .string(device.key),
        ]
        let begun = try await world.client.initiate(
            "USER_PASSWORD_AUTH", parameters.merging(world.client.hash("alice")))
        #expect(begun.challenge == "NEW_PASSWORD_REQUIRED", "\(begun.refusal)")
        let chosen: JSONObject = ["USERNAME": "alice", "NEW_PASSWORD": "Chosen-horse-8-staple"]
        let asked = try await world.client.respond(
            "NEW_PASSWORD_REQUIRED", chosen.merging(world.client.hash("alice")), session: begun.session)
        #expect(asked.challenge == "DEVICE_SRP_AUTH", "\(asked.refusal)")
        #expect(asked.parameters["DEVICE_KEY"]?.stringValue == device.key)
        #expect(try await world.prove(device, asked).result("AccessToken") != nil)
    }

    @Test("G-9.2 a session by a device that spares the factor may do what one with the factor may")
    func assurance() async throws {
        let world = try await DeviceWorld()
        let (app, _) = try await world.factors.setUpApp()
        let reply = try await world.factors.respond(
            "SOFTWARE_TOKEN_MFA", ["SOFTWARE_TOKEN_MFA_CODE": .string(app.code(at: world.bench.now))],
            try await world.password())
        let device = try await world.confirmed(reply)
        let spared = try await world.prove(device, try await world.password(on: device))
        let change: JSONObject = [
            "PreviousPassword": .string(CognitoBench.password), "ProposedPassword": "Another-horse-8-battery",
        ]
        _ = try await world.bench.done("ChangePassword", world.token(spared, change))
        // The factor goes, and what a device was worth by it.
        _ = try await world.bench.done(
            "AdminSetUserMFAPreference", world.factors.named(["SoftwareTokenMfaSettings": ["Enabled": false]]))
        let directory = try await world.bench.directory(ofPool: world.client.pool)
        let id = DeviceKey.id(device.key)
        let stored = try await world.bench.ports.store.read { try $0.rememberedDevice(id, in: directory.id) }
        #expect(stored?.assurance == .aal1)
    }

    @Test("G-6 a session is renewed on its own device alone, once that has confirmed itself, and says so in its token")
    func renewal() async throws {
        let world = try await DeviceWorld()
        let reply = try await world.password()
        let given = try DeviceWorld.Device(reply)
        #expect(try await world.refresh(reply, on: given.key).refusal == Self.invalidToken, "not confirmed")
        let device = try await world.confirmed(reply)
        let other = try await world.confirmed(try await world.password())
        #expect(try await world.refresh(reply, on: nil).refusal == Self.invalidToken)
        #expect(try await world.refresh(reply, on: other.key).refusal == Self.invalidToken)
        let key = device.key
        let renewed = try await world.refresh(reply, on: key)
        let token = try #require(renewed.result("AccessToken"), "\(renewed.refusal)")
        let claims = try JSONObject(parsing: Base64URL.decode(String(token.split(separator: ".")[1])) ?? [])
        #expect(claims["device_key"]?.stringValue == key)
        let exchanged = try await world.bench.send(
            "GetTokensFromRefreshToken",
            [
                "ClientId": .string(world.client.id), "RefreshToken": .string(reply.result("RefreshToken") ?? ""),
                "DeviceKey": .string(key),
            ], signed: false)
        #expect(exchanged.result("AccessToken") != nil, "\(exchanged.refusal)")
        // A pool that tracks none renews as ever.
        try await world.configure(nil)
        #expect(try await world.refresh(reply, on: nil).result("AccessToken") != nil)
    }

    @Test("G-6 where the user is to say so a device is remembered once they have, and asked for nothing before")
    func prompted() async throws {
        let world = try await DeviceWorld([
            "ChallengeRequiredOnNewDevice": true, "DeviceOnlyRememberedOnUserPrompt": true,
        ])
        let reply = try await world.password()
        let device = try DeviceWorld.Device(reply)
        let confirmation = try await world.bench.done(
            "ConfirmDevice",
            world.token(
                reply,
                ["DeviceKey": .string(device.key), "DeviceSecretVerifierConfig": .object(try device.verifier)]))
        #expect(confirmation == ["UserConfirmationNecessary": true])
        let unasked = try await world.password(on: device)
        #expect(unasked.result("AccessToken") != nil, "\(unasked.refusal)")
        #expect(unasked.json["AuthenticationResult"]?.objectValue?["NewDeviceMetadata"] == nil)
        let named: JSONObject = ["DeviceKey": .string(device.key)]
        for (operation, holder) in [
            ("UpdateDeviceStatus", world.token(reply)), ("AdminUpdateDeviceStatus", world.factors.named()),
        ] {
            _ = try await world.bench.done(
                operation, holder.merging(named).merging(["DeviceRememberedStatus": "remembered"]))
            #expect(try await world.password(on: device).challenge == "DEVICE_SRP_AUTH")
            _ = try await world.bench.done(
                operation, holder.merging(named).merging(["DeviceRememberedStatus": "not_remembered"]))
            #expect(try await world.password(on: device).result("AccessToken") != nil)
        }
    }

    @Test(
        "G-6 a device that is forgotten is nobody's: its sessions end, but for the one that says so, and its key is new"
    )
    func forgotten() async throws {
        let world = try await DeviceWorld()
        let own = try await world.password()
        let device = try await world.confirmed(own)
        let other = try await world.prove(device, try await world.password(on: device))
        let named: JSONObject = ["DeviceKey": .string(device.key)]
        _ = try await world.bench.done("ForgetDevice", world.token(own, named))
        #expect(try await world.bench.send("GetUser", world.token(other)).exception == "NotAuthorizedException")
        #expect(try await world.refresh(own, on: nil).result("AccessToken") != nil)
        #expect(try await world.password(on: device).refusal == Self.noDevice)
        #expect(try await world.bench.send("GetDevice", world.token(own, named)).refusal == Self.noDevice)
        #expect(try await world.devices(own).isEmpty)
        // What was answered so may be tried once more as from a new device.
        let begun = try await world.client.begin("alice")
        let responses = try world.client.responses(begun, CognitoBench.password)
        let refused = try await world.client.respond("PASSWORD_VERIFIER", responses.merging(named.keyParameter))
        #expect(refused.refusal == Self.noDevice)
        let tried = try await world.client.respond("PASSWORD_VERIFIER", responses)
        let again = try await world.confirmed(tried)
        _ = try await world.bench.done(
            "AdminForgetDevice", world.factors.named(["DeviceKey": .string(again.key)]))
        #expect(try await world.bench.send("GetUser", world.token(tried)).exception == "NotAuthorizedException")
    }

    @Test("R14.2 of 50 answers of a device at once, one opens a session")
    func race() async throws {
        let world = try await DeviceWorld()
        let first = try await world.password()
        let device = try await world.confirmed(first)
        let (_, responses) = try await world.asked(try await world.password(on: device), of: device)
        let opened = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    try await world.client.respond("DEVICE_PASSWORD_VERIFIER", responses).result("AccessToken") != nil
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(opened == 1)
    }
}

extension JSONObject {
    /// The member of an operation as a parameter of a challenge.
    fileprivate var keyParameter: JSONObject { ["DEVICE_KEY": self["DeviceKey"] ?? .null] }
}

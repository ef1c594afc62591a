// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import SRP
import Testing

@testable import CognitoAPI

@Suite("Cognito: what of devices is refused") struct DeviceRefusalTests {
    private static let untracked =
        "InvalidUserPoolConfigurationException: Device tracking is not configured for this user pool."
    private static let wrong = "NotAuthorizedException: Incorrect username or password."

    @Test("R10.4 a pool without a configuration knows no devices, gives none, and asks for none")
    func untracked() async throws {
        let world = try await DeviceWorld(nil)
        let reply = try await world.password(key: "us-east-1_00000000-0000-4000-8000-000000000000")
        let result = reply.json["AuthenticationResult"]?.objectValue
        #expect(result?["AccessToken"] != nil && result?["NewDeviceMetadata"] == nil, "\(reply.refusal)")
        #expect(try await world.refresh(reply, on: nil).result("AccessToken") != nil)
        for operation in ["ConfirmDevice", "GetDevice", "ListDevices", "UpdateDeviceStatus", "ForgetDevice"] {
            #expect(try await world.bench.send(operation, world.token(reply)).refusal == Self.untracked)
        }
        for operation in ["AdminGetDevice", "AdminListDevices", "AdminUpdateDeviceStatus", "AdminForgetDevice"] {
            #expect(try await world.bench.send(operation, world.factors.named()).refusal == Self.untracked)
        }
        for challenge in ["DEVICE_SRP_AUTH", "DEVICE_PASSWORD_VERIFIER"] {
            let refused = try await world.client.respond(challenge, ["USERNAME": "alice", "DEVICE_KEY": "us-east-1_0"])
            #expect(refused.refusal == Self.untracked)
        }
    }

    @Test("R10.4 bad input to ConfirmDevice is refused in the service's shape, and leaves the device to be confirmed")
    func confirmations() async throws {
        let world = try await DeviceWorld()
        let reply = try await world.password()
        let device = try DeviceWorld.Device(reply)
        let right = try device.verifier
        let (number, salt) = (right["PasswordVerifier"]?.stringValue ?? "", right["Salt"]?.stringValue ?? "")
        let invalid = "InvalidParameterException: Invalid DeviceSecretVerifierConfig given."
        func config(_ verifier: String, _ salt: String) -> JSONObject {
            ["DeviceSecretVerifierConfig": ["PasswordVerifier": .string(verifier), "Salt": .string(salt)]]
        }
        let prime = Base64.encode([0] + SRPGroup.prime)
        let rows: [(JSONObject, String)] = [
            ([:], "InvalidParameterException: Missing required parameter DeviceSecretVerifierConfig"),
            (config("", salt), invalid), (config(number, ""), invalid), (config("AA==", salt), invalid),
            (config(prime, salt), invalid), (config("not base64", salt), invalid),
            (config(number, Base64.encode([UInt8](repeating: 1, count: 65))), invalid),
            (config(String(repeating: "A", count: 100_000), salt), invalid),
            (
                config(number, salt).merging(["DeviceKey": "us-east-1_0"]),
                "InvalidParameterException: Invalid device key given."
            ),
        ]
        for (members, said) in rows {
            let body: JSONObject = ["DeviceKey": .string(device.key)]
            let refused = try await world.bench.send("ConfirmDevice", world.token(reply, body.merging(members)))
            #expect(refused.refusal == said, "\(members.text.prefix(80))")
        }
        for key in ["", "x", "us-east-1_", "us-east-1_G", "us-east-1_" + String(repeating: "0", count: 60)] {
            let refused = try await world.bench.send(
                "ConfirmDevice", world.token(reply, config(number, salt).merging(["DeviceKey": .string(key)])))
            #expect(refused.exception == "InvalidParameterException", "\(key): \(refused.refusal)")
        }
        let body = config(number, salt).merging(["DeviceKey": .string(device.key)])
        #expect(
            try await world.bench.done("ConfirmDevice", world.token(reply, body))
                == ["UserConfirmationNecessary": false])
        let twice = try await world.bench.send("ConfirmDevice", world.token(reply, body))
        #expect(twice.exception == "DeviceKeyExistsException")
        // The device of one session is not another's to confirm.
        let other = try await world.password()
        let foreign = try await world.bench.send("ConfirmDevice", world.token(other, body))
        #expect(foreign.refusal == "InvalidParameterException: Invalid device key given.")
    }

    @Test(
        "G-9.2 a wrong secret, a foreign answer and a used one open nothing; a wrong one leaves the sign-in as it was")
    func answers() async throws {
        let world = try await DeviceWorld()
        let device = try await world.confirmed(try await world.password())
        let asked = try await world.password(on: device)
        var forger = device
        forger.password = "another"
        #expect(try await world.prove(forger, asked).refusal == Self.wrong)
        let (_, right) = try await world.asked(asked, of: device)
        try await world.factors.addUnproved("bob")
        let rows: [(JSONObject, String)] = [
            (["USERNAME": "bob"], Self.wrong), (["PASSWORD_CLAIM_SIGNATURE": "AAAA"], Self.wrong),
            (["PASSWORD_CLAIM_SECRET_BLOCK": "AAAA"], Self.wrong),
            (["DEVICE_KEY": .string("eu-west-1_" + device.key.dropFirst(10))], Self.wrong),
            (["TIMESTAMP": .string(SignInClient.timestamp(world.bench.now + .minutes(6)))], Self.wrong),
            (
                ["TIMESTAMP": "yesterday"],
                "InvalidParameterException: TIMESTAMP format should be EEE MMM d HH:mm:ss z yyyy in english."
            ), (["DEVICE_KEY": ""], "InvalidParameterException: Missing required parameter DEVICE_KEY"),
        ]
        for (changed, said) in rows {
            let refused = try await world.client.respond("DEVICE_PASSWORD_VERIFIER", right.merging(changed))
            #expect(refused.refusal == said, "\(changed)")
        }
        let reply = try await world.client.respond("DEVICE_PASSWORD_VERIFIER", right)
        #expect(reply.result("AccessToken") != nil, "\(reply.refusal)")
        let again = try await world.client.respond("DEVICE_PASSWORD_VERIFIER", right)
        #expect(again.exception == "NotAuthorizedException")
    }

    @Test("G-9.2 the challenge of one sign-in is no other's: another user's, another device's, without a session")
    func challenges() async throws {
        let world = try await DeviceWorld()
        let device = try await world.confirmed(try await world.password())
        let other = try await world.confirmed(try await world.password())
        let asked = try await world.password(on: device)
        let (foreign, _) = try await world.asked(asked, of: other)
        #expect(foreign.refusal == "ResourceNotFoundException: Device does not exist.")
        let number = SignInClient.digits(try SignInClient.ephemeral().publicValue)
        func begin(_ changed: JSONObject, session: String?) async throws -> String {
            let responses: JSONObject = [
                "USERNAME": "alice", "DEVICE_KEY": .string(device.key), "SRP_A": .string(number),
            ]
            return try await world.client.respond("DEVICE_SRP_AUTH", responses.merging(changed), session: session)
                .refusal
        }
        #expect(
            try await begin([:], session: String(repeating: "A", count: 40))
                == "NotAuthorizedException: Invalid session for the user.")
        for value in ["0", "", "xyz", Hex.encode(SRPGroup.prime), String(repeating: "f", count: 5000)] {
            let said = try await begin(["SRP_A": .string(value)], session: asked.session)
            #expect(said.hasPrefix("InvalidParameterException"), "\(value.prefix(10)): \(said)")
        }
        world.bench.advance(by: .minutes(4))
        #expect(
            try await begin([:], session: asked.session)
                == "NotAuthorizedException: Invalid session for the user, session is expired.")
    }
}

// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Testing

@testable import CognitoAPI

/// Clients of the service that are in use carry no `Session` from the password to the device.
@Suite("Cognito: devices without a session") struct DeviceSessionTests {
    private static let invalid = "NotAuthorizedException: Invalid session for the user."

    /// `alice` has proved her password by a number, and is asked for her device.
    private func asked(_ world: DeviceWorld, on device: DeviceWorld.Device) async throws -> SignInClient.Begun {
        let begun = try await world.client.begin("alice")
        let responses = try world.client.responses(begun, CognitoBench.password)
            .merging(["DEVICE_KEY": .string(device.key)])
        let reply = try await world.client.respond("PASSWORD_VERIFIER", responses)
        #expect(reply.challenge == "DEVICE_SRP_AUTH", "\(reply.refusal)")
        return begun
    }

    private func begin(
        _ world: DeviceWorld, _ device: DeviceWorld.Device, _ number: [UInt8], as name: String = "alice"
    ) async throws -> CognitoBench.Reply {
        try await world.client.respond(
            "DEVICE_SRP_AUTH",
            [
                "USERNAME": .string(name), "DEVICE_KEY": .string(device.key),
                "SRP_A": .string(SignInClient.digits(number)),
            ])
    }

    @Test("D-2 G-9.2 the number that a password was proved by stands for the session, to whoever knows its secret")
    func numbers() async throws {
        let world = try await DeviceWorld()
        let device = try await world.confirmed(try await world.password())
        let begun = try await asked(world, on: device)
        let reply = try await begin(world, device, begun.publicValue)
        #expect(reply.challenge == "DEVICE_PASSWORD_VERIFIER" && reply.session == nil, "\(reply.refusal)")
        let challenge = SignInClient.Begun(
            parameters: reply.parameters, secret: begun.secret, publicValue: begun.publicValue)
        var responses = try SignInClient.claim(
            challenge, realm: device.group, identity: device.key, device.password, at: world.bench.now)
        responses["DEVICE_KEY"] = .string(device.key)
        let opened = try await world.client.respond("DEVICE_PASSWORD_VERIFIER", responses)
        #expect(opened.result("AccessToken") != nil, "\(opened.refusal)")
        let again = try await begin(world, device, begun.publicValue)
        #expect(again.exception == "NotAuthorizedException", "it is good once")
    }

    @Test("G-9.2 another number, another name, another client and a later time find no sign-in")
    func strangers() async throws {
        let world = try await DeviceWorld()
        let device = try await world.confirmed(try await world.password())
        let begun = try await asked(world, on: device)
        let other = try SignInClient.ephemeral().publicValue
        #expect(try await begin(world, device, other).refusal == Self.invalid)
        #expect(try await begin(world, device, begun.publicValue, as: "nobody").refusal == Self.invalid)
        let client = try await world.bench.clientID(
            ["ExplicitAuthFlows": ["ALLOW_USER_SRP_AUTH"]], pool: world.client.pool)
        let foreign = SignInClient(bench: world.bench, pool: world.client.pool, id: client)
        let refused = try await foreign.respond(
            "DEVICE_SRP_AUTH",
            [
                "USERNAME": "alice", "DEVICE_KEY": .string(device.key),
                "SRP_A": .string(SignInClient.digits(begun.publicValue)),
            ])
        #expect(refused.refusal == Self.invalid)
        world.bench.advance(by: .minutes(4))
        #expect(
            try await begin(world, device, begun.publicValue).refusal
                == "NotAuthorizedException: Invalid session for the user, session is expired.")
    }
}

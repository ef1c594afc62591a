// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import SRP
import Testing

@testable import CognitoAPI

/// A pool that tracks devices and has authenticator apps, with a confirmed user `alice`.
struct DeviceWorld {
    let factors: FactorWorld

    var bench: CognitoBench { factors.bench }
    var client: SignInClient { factors.client }

    /// - Parameter devices: `DeviceConfiguration`.
    init(
        _ devices: JSONObject? = ["ChallengeRequiredOnNewDevice": true], mode: String = "OPTIONAL",
        client: JSONObject = [:]
    ) async throws {
        factors = try await FactorWorld(mode, FactorWorld.apps, client: client)
        try await configure(devices)
    }

    func configure(_ devices: JSONObject?) async throws {
        var members: JSONObject = ["UserPoolId": .string(client.pool), "AutoVerifiedAttributes": ["email"]]
        members["DeviceConfiguration"] = devices.map { .object($0) }
        _ = try await bench.done("UpdateUserPool", members)
    }

    // MARK: A device's own part

    /// What a device keeps: its key, and the secret that it has made.
    struct Device {
        var key: String
        var group: String
        var password = Base64.encode(SystemRandomSource().bytes(40))
        var salt = SystemRandomSource().bytes(16)

        /// The one that a sign-in was given.
        init(_ reply: CognitoBench.Reply) throws {
            let metadata = try #require(
                reply.json["AuthenticationResult"]?.objectValue?["NewDeviceMetadata"]?.objectValue, "\(reply.refusal)")
            key = try #require(metadata["DeviceKey"]?.stringValue)
            group = try #require(metadata["DeviceGroupKey"]?.stringValue)
        }

        var verifier: JSONObject {
            get throws {
                let number = try SRP.verifier(realm: group, identity: key, password: password, salt: salt)
                return [
                    "PasswordVerifier": .string(Base64.encode(SignedBytes.encode(number))),
                    "Salt": .string(Base64.encode(SignedBytes.encode(salt))),
                ]
            }
        }
    }

    /// A device that has confirmed itself in the session of a reply.
    func confirmed(_ reply: CognitoBench.Reply, named name: String? = nil) async throws -> Device {
        let device = try Device(reply)
        var members: JSONObject = [
            "AccessToken": .string(reply.result("AccessToken") ?? ""), "DeviceKey": .string(device.key),
            "DeviceSecretVerifierConfig": .object(try device.verifier),
        ]
        members["DeviceName"] = name.map { .string($0) }
        _ = try await bench.done("ConfirmDevice", members)
        return device
    }

    // MARK: Signing in

    func password(on device: Device? = nil, key: String? = nil) async throws -> CognitoBench.Reply {
        var parameters: JSONObject = ["USERNAME": "alice", "PASSWORD": .string(CognitoBench.password)]
        parameters["DEVICE_KEY"] = (key ?? device?.key).map { .string($0) }
        return try await client.initiate("USER_PASSWORD_AUTH", parameters.merging(client.hash("alice")))
    }

    /// An answer to `DEVICE_SRP_AUTH`, and the one to be given to what it asks.
    func asked(
        _ reply: CognitoBench.Reply, of device: Device
    ) async throws -> (reply: CognitoBench.Reply, responses: JSONObject) {
        let (secret, publicValue) = try SignInClient.ephemeral()
        let answer: JSONObject = [
            "USERNAME": "alice", "DEVICE_KEY": .string(device.key), "SRP_A": .string(SignInClient.digits(publicValue)),
        ]
        let asked = try await client.respond(
            "DEVICE_SRP_AUTH", answer.merging(client.hash("alice")), session: reply.session)
        guard asked.challenge == "DEVICE_PASSWORD_VERIFIER" else { return (asked, [:]) }
        let begun = SignInClient.Begun(parameters: asked.parameters, secret: secret, publicValue: publicValue)
        let responses = try SignInClient.claim(
            begun, realm: device.group, identity: device.key, device.password, at: bench.now)
        let key: JSONObject = ["DEVICE_KEY": .string(device.key)]
        return (asked, responses.merging(key).merging(client.hash(begun["USERNAME"])))
    }

    /// Proves the device's secret in a sign-in that asks for it.
    func prove(_ device: Device, _ reply: CognitoBench.Reply) async throws -> CognitoBench.Reply {
        let (asked, responses) = try await asked(reply, of: device)
        guard asked.challenge == "DEVICE_PASSWORD_VERIFIER" else { return asked }
        return try await client.respond("DEVICE_PASSWORD_VERIFIER", responses)
    }

    func refresh(_ reply: CognitoBench.Reply, on device: String?) async throws -> CognitoBench.Reply {
        var parameters: JSONObject = ["REFRESH_TOKEN": .string(reply.result("RefreshToken") ?? "")]
        parameters["DEVICE_KEY"] = device.map { .string($0) }
        return try await client.initiate("REFRESH_TOKEN_AUTH", parameters.merging(client.hash("alice")))
    }

    // MARK: Looking after them

    func token(_ reply: CognitoBench.Reply, _ members: JSONObject = [:]) -> JSONObject {
        members.merging(["AccessToken": .string(reply.result("AccessToken") ?? "")])
    }

    func devices(_ reply: CognitoBench.Reply) async throws -> [JSONObject] {
        try await bench.done("ListDevices", token(reply))["Devices"]?.arrayValue?.compactMap(\.objectValue) ?? []
    }
}

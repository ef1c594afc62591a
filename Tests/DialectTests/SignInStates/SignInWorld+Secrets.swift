// SPDX-License-Identifier: Apache-2.0

import Accounts
import AuthTypes
import TestBench
import TestBenchHTTP
import Testing

@testable import CognitoClient

// What Cognito's clients prove without showing it: a password, and the secret of a remembered device.
extension SignInWorld {
    func cognitoSecretProof(_ path: SignInPath) async throws -> SignInPath.Proof {
        switch path {
        case .cognitoSRP, .cognitoAdministratorSRP:
            return try await claim(
                password: "USER_SRP_AUTH", [:], byAdministrator: path == .cognitoAdministratorSRP)
        case .cognitoChosenSRP:
            return try await claim(password: "USER_AUTH", ["PREFERRED_CHALLENGE": "PASSWORD_SRP"])
        case .cognitoDevice: return JSONValue.object(try await rememberDevice()).text
        case .cognitoDeviceAnswer:
            let device = try await rememberDevice()
            let asked = try await begin(on: device)
            try #require(asked["ChallengeName"] == "DEVICE_SRP_AUTH", "\(asked.text)")
            return JSONValue.object(device.merging(["asked": asked["Session"] ?? .null])).text
        default: throw AuthError(.unsupported)
        }
    }

    /// The answer to `PASSWORD_VERIFIER`.
    private func claim(
        password flow: String, _ parameters: JSONObject, byAdministrator: Bool = false
    ) async throws -> SignInPath.Proof {
        let ours = SRPClient(random: accounts.ports.random)
        let asked = try await initiate(
            flow, parameters.merging(["SRP_A": .string(ours.publicText)]), byAdministrator: byAdministrator)
        try #require(asked["ChallengeName"] == "PASSWORD_VERIFIER", "\(asked.text)")
        let shown = asked["ChallengeParameters"]?.objectValue ?? [:]
        let claim = try claim(
            ours, shown, realm: String(poolID.split(separator: "_").last ?? ""),
            identity: shown["USER_ID_FOR_SRP"]?.stringValue ?? "", AccountBench.password)
        return answer("PASSWORD_VERIFIER", asked, claim)
    }

    private func claim(
        _ ours: SRPClient, _ shown: JSONObject, realm: String, identity: String, _ secret: String
    ) throws -> JSONObject {
        let block = try #require(shown["SECRET_BLOCK"]?.stringValue)
        let key = try #require(
            ours.key(
                realm: realm, identity: identity, password: Secret(secret), salt: shown["SALT"]?.stringValue ?? "",
                serverKey: shown["SRP_B"]?.stringValue ?? ""))
        let time = SRPClient.timestamp(now)
        return [
            "TIMESTAMP": .string(time), "PASSWORD_CLAIM_SECRET_BLOCK": .string(block),
            "PASSWORD_CLAIM_SIGNATURE": .string(
                SRPClient.claim(
                    key: key, realm: realm, identity: identity, secretBlock: Base64.decode(block) ?? [],
                    timestamp: time)),
        ]
    }

    // MARK: A device

    /// Signs in on a new device, which confirms itself.
    ///
    /// - Returns: what it keeps: `key`, `group` and `secret`.
    private func rememberDevice() async throws -> JSONObject {
        let reply = try await initiate("USER_PASSWORD_AUTH", ["PASSWORD": .string(AccountBench.password)])
        let result = try #require(reply["AuthenticationResult"]?.objectValue, "\(reply.text)")
        let device = try #require(PoolDevice(of: result), "\(reply.text)")
        let (group, secret) = (device.group ?? "", Base64.encode(accounts.ports.random.bytes(40)))
        let salt = accounts.ports.random.bytes(16)
        let verifier = SRPClient.verifier(realm: group, identity: device.key, password: Secret(secret), salt: salt)
        let confirmed = try await cognito(
            "ConfirmDevice",
            [
                "AccessToken": result["AccessToken"] ?? .null, "DeviceKey": .string(device.key),
                "DeviceSecretVerifierConfig": [
                    "PasswordVerifier": .string(Base64.encode(SRPNumber.signed(verifier))),
                    "Salt": .string(Base64.encode(SRPNumber.signed(salt))),
                ],
            ])
        try #require(confirmed.status == 200, "\(confirmed.text)")
        return ["key": .string(device.key), "group": .string(group), "secret": .string(secret)]
    }

    private func begin(on device: JSONObject) async throws -> HTTPBench.Reply {
        try await initiate(
            "USER_PASSWORD_AUTH",
            ["PASSWORD": .string(AccountBench.password), "DEVICE_KEY": device["key"] ?? .null])
    }

    /// Proves the device's secret behind the password, as far as it is asked for.
    func prove(_ device: JSONObject) async throws -> HTTPBench.Reply {
        var session = device["asked"]
        if session == nil {
            let asked = try await begin(on: device)
            guard asked["ChallengeName"] == "DEVICE_SRP_AUTH" else { return asked }
            session = asked["Session"]
        }
        let (ours, key) = (SRPClient(random: accounts.ports.random), device["key"]?.stringValue ?? "")
        let next = try await respond(
            "DEVICE_SRP_AUTH", session, ["DEVICE_KEY": .string(key), "SRP_A": .string(ours.publicText)])
        guard next["ChallengeName"] == "DEVICE_PASSWORD_VERIFIER" else { return next }
        let claim = try claim(
            ours, next["ChallengeParameters"]?.objectValue ?? [:], realm: device["group"]?.stringValue ?? "",
            identity: key, device["secret"]?.stringValue ?? "")
        return try await respond("DEVICE_PASSWORD_VERIFIER", nil, claim.merging(["DEVICE_KEY": .string(key)]))
    }

    private func respond(
        _ challenge: String, _ session: JSONValue?, _ responses: JSONObject
    ) async throws -> HTTPBench.Reply {
        var body: JSONObject = [
            "ChallengeName": .string(challenge), "ClientId": .string(client),
            "ChallengeResponses": .object(responses.merging(["USERNAME": .string(Self.email)])),
        ]
        body["Session"] = session
        return try await cognito("RespondToAuthChallenge", body)
    }
}

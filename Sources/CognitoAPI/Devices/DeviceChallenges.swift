// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// `DEVICE_SRP_AUTH` and `DEVICE_PASSWORD_VERIFIER`: whoever names a remembered device beside a password proves its
/// secret, as a password is proved (``PasswordVerifier``), with `DeviceGroupKey` for the pool and `DeviceKey` for the
/// user.
enum DeviceChallenges {
    private static let session = Member("Session", 20...2048, sensitive: true)

    /// Asks for the secret. The ticket of the sign-in is the challenge's `Session`; the device is the one that the
    /// sign-in has named, which clients leave out of some of their answers.
    static func begin(_ pending: PendingSignIn, _ call: DialectCall) throws -> JSONObject {
        guard let device = pending.device else { throw AuthError(.deviceNotFound) }
        return [
            "ChallengeName": "DEVICE_SRP_AUTH", "Session": .string(pending.ticket.reveal()),
            "ChallengeParameters": [
                "USERNAME": .string(UserWire.username(of: pending.record.user)),
                "USER_ID_FOR_SRP": .string(pending.record.user.sub),
                "DEVICE_KEY": .string(DeviceKey.text(of: device, region: call.dialect.region)),
            ],
        ]
    }

    /// The answer to `DEVICE_SRP_AUTH`. Some clients send no `Session` with it, and the `SRP_A` of the password once
    /// more.
    static func challenge(_ call: DialectCall, _ responses: Parameters) async throws -> JSONObject {
        try requireTracked(call)
        let key = try responses.required("DEVICE_KEY")
        let user = try await requireSecret(call, responses)
        let clientPublic = try SRPWire.clientPublic(responses)
        let ticket = try call.input.text(session)
        let challenge = try await FactorSession.judged {
            try await call.accounts.deviceSignIn.begin(
                DeviceKey.id(key), ticket, of: user?.id, clientPublic: clientPublic, call: call.flow)
        }
        var answer: JSONObject = [
            "ChallengeName": "DEVICE_PASSWORD_VERIFIER",
            "ChallengeParameters": [
                "SALT": .string(SRPWire.digits(of: challenge.salt)),
                "SECRET_BLOCK": .string(Base64.encode(challenge.state)),
                "SRP_B": .string(SRPWire.digits(of: challenge.serverPublic)),
                "USERNAME": .string(try responses.username()), "DEVICE_KEY": .string(key),
            ],
        ]
        answer["Session"] = ticket.map { .string($0) }
        return answer
    }

    /// The answer to `DEVICE_PASSWORD_VERIFIER`. Clients send no `Session` with it: all is in `SECRET_BLOCK`.
    static func answer(_ call: DialectCall, _ responses: Parameters) async throws -> JSONObject {
        let key = try responses.required("DEVICE_KEY")
        try requireTracked(call)
        let user = try await requireSecret(call, responses)
        let claim = try SRPClaim(responses, at: call.now)
        let (group, device) = (call.deviceGroupKey, DeviceKey.id(key))
        let next = try await call.accounts.deviceSignIn.finish(
            state: claim.secretBlock, of: user?.id, call: call.flow
        ) { result in
            claim.isRight(
                realm: group, identity: key, sharedSecret: result.sharedSecret, scrambling: result.scrambling)
                && result.identity == device.rawValue
        }
        return try await call.answer(next)
    }

    /// Returns the user whom the responses name.
    private static func requireSecret(_ call: DialectCall, _ responses: Parameters) async throws -> User? {
        let name = try responses.username()
        let named = try await call.find(try call.identifier(ofUsername: name))
        // Clients answer by the name that was typed, or by the one that the challenge said.
        try SecretHash.require(
            responses["SECRET_HASH"], usernames: [name] + (named.map(UserWire.names) ?? []),
            client: try call.client())
        return named
    }

    /// - Throws: `InvalidUserPoolConfigurationException`.
    static func requireTracked(_ call: DialectCall) throws(WireError) {
        guard call.directory.settings.devices.tracked else {
            throw WireError(
                "InvalidUserPoolConfigurationException", "Device tracking is not configured for this user pool.")
        }
    }
}

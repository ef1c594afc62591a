// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// `USER_SRP_AUTH` and its challenge `PASSWORD_VERIFIER`: a password is proved by the Secure Remote Password protocol.
/// In `CUSTOM_AUTH` others follow (``CustomAuth``).
enum PasswordVerifier {
    static func challenge(_ call: DialectCall, _ parameters: Parameters) async throws -> JSONObject {
        let name = try parameters.username()
        try SecretHash.require(parameters["SECRET_HASH"], username: name, client: try call.client())
        let clientPublic = try SRPWire.clientPublic(parameters)
        let identifier = try call.identifier(ofUsername: name)
        if !call.concealsUsers, try await call.find(identifier) == nil { throw WireError.userNotFound }
        let challenge = try await call.accounts.srpSignIn.begin(
            identifier, clientPublic: clientPublic, call: call.flow)
        return shown(challenge)
    }

    static func shown(_ challenge: SRPChallenge) -> JSONObject {
        // The name is the identity for everybody: another one would tell who has an account.
        [
            "ChallengeName": "PASSWORD_VERIFIER",
            "ChallengeParameters": [
                "SALT": .string(SRPWire.digits(of: challenge.salt)),
                "SECRET_BLOCK": .string(Base64.encode(challenge.state)),
                "SRP_B": .string(SRPWire.digits(of: challenge.serverPublic)),
                "USERNAME": .string(challenge.identity),
                "USER_ID_FOR_SRP": .string(challenge.identity),
            ],
        ]
    }

    static func answer(_ call: DialectCall, _ responses: Parameters) async throws -> JSONObject {
        let name = try responses.username()
        let identifier = try call.identifier(ofUsername: name)
        let user = try await call.find(identifier)
        // Clients answer as `USER_ID_FOR_SRP`, and some of them prove their secret for the name that was typed.
        try SecretHash.require(
            responses["SECRET_HASH"], usernames: [name] + (user.map(UserWire.names) ?? []), client: try call.client())
        let claim = try SRPClaim(responses, at: call.now)
        let realm = call.directory.id.rawValue
        let accepts: @Sendable (SRPResult) -> Bool = { result in
            // The challenge must be that of the user named.
            let isRight = claim.isRight(
                realm: realm, identity: result.identity, sharedSecret: result.sharedSecret,
                scrambling: result.scrambling)
            return isRight && user?.id.rawValue == result.identity
        }
        let signIn = call.accounts.srpSignIn
        if signIn.isWithinChallenges(state: claim.secretBlock, call: call.flow) {
            return try await CustomAuth.answerPassword(call, claim, as: name, accepts: accepts)
        }
        guard try call.client().settings.flows.contains(.srp) else {
            throw WireError.parameter("USER_SRP_AUTH flow not enabled for this client")
        }
        // One challenge may be answered wrongly often: each answer is an attempt.
        return try await call.answer(
            try await call.guessing {
                try await signIn.finish(state: claim.secretBlock, call: call.flow, accepts: accepts)
            })
    }
}

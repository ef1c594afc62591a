// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// `CUSTOM_AUTH` and `CUSTOM_CHALLENGE`: triggers make the challenges and judge the answers.
enum CustomAuth {
    private static let triggers: Set<String> = [
        "DefineAuthChallenge", "CreateAuthChallenge", "VerifyAuthChallengeResponse",
    ]

    /// Whether all three stand in the operator's file.
    static func isThere(_ call: DialectCall) -> Bool {
        call.accounts.configuredHooks(of: CognitoDialect.name, in: call.directory).isSuperset(of: triggers)
    }

    static func initiate(_ call: DialectCall, _ parameters: Parameters) async throws -> JSONObject {
        // A password before the challenges would have to be told to the triggers, and is not.
        if parameters["SRP_A"] != nil || parameters["CHALLENGE_NAME"] == "SRP_A" {
            throw WireError(
                "UnsupportedOperationException", "CUSTOM_AUTH with SRP_A is not supported by this server.")
        }
        let name = try parameters.username()
        try SecretHash.require(parameters["SECRET_HASH"], username: name, client: try call.client())
        let identifier = try call.identifier(ofUsername: name)
        if !call.concealsUsers, try await call.find(identifier) == nil { throw WireError.userNotFound }
        return try await call.answer(
            try await call.accounts.customSignIn.begin(identifier, call: call.flow), to: name)
    }

    static func answer(_ call: DialectCall, _ responses: Parameters) async throws -> JSONObject {
        let name = try responses.username()
        let identifier = try call.identifier(ofUsername: name)
        let user = try await call.find(identifier)
        try SecretHash.require(
            responses["SECRET_HASH"], usernames: [name] + (user.map(UserWire.names) ?? []), client: try call.client())
        let session = try call.input.required(FactorSession.member)
        let answer = Secret(try responses.required("ANSWER"))
        return try await call.guessing {
            try await call.answer(
                try await call.accounts.customSignIn.answer(session, answer, as: identifier, call: call.flow), to: name)
        }
    }
}

extension DialectCall {
    fileprivate func answer(_ outcome: CustomSignIn.Outcome, to name: String) async throws -> JSONObject {
        switch outcome {
        case .signedIn(let next): return try await answer(next)
        case .challenge(let challenge, let shown, let session):
            var parameters = shown
            parameters["USERNAME"] = .string(name)
            return [
                "ChallengeName": .string(challenge), "Session": .string(session.reveal()),
                "ChallengeParameters": .object(parameters),
            ]
        }
    }
}

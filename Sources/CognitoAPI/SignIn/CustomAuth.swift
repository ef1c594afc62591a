// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// `CUSTOM_AUTH` and `CUSTOM_CHALLENGE`: triggers make the challenges and judge the answers. A client that begins with
/// `SRP_A` is first asked to prove the password (`PASSWORD_VERIFIER`), where they say so.
enum CustomAuth {
    private static let triggers: Set<String> = [
        "DefineAuthChallenge", "CreateAuthChallenge", "VerifyAuthChallengeResponse",
    ]

    /// Whether all three stand in the operator's file.
    static func isThere(_ call: DialectCall) -> Bool {
        call.accounts.configuredHooks(of: CognitoDialect.name, in: call.directory).isSuperset(of: triggers)
    }

    static func initiate(_ call: DialectCall, _ parameters: Parameters) async throws -> JSONObject {
        let name = try parameters.username()
        try SecretHash.require(parameters["SECRET_HASH"], username: name, client: try call.client())
        let clientPublic = try clientPublic(parameters)
        // Nobody has what it would be judged by.
        if clientPublic != nil, !call.flow.settings.password.srpEnabled {
            throw WireError(
                "UnsupportedOperationException", "CUSTOM_AUTH with SRP_A: this user pool keeps no verifiers.")
        }
        let identifier = try call.identifier(ofUsername: name)
        if !call.concealsUsers, try await call.find(identifier) == nil { throw WireError.userNotFound }
        return try await call.answer(
            try await call.accounts.customSignIn.begin(identifier, clientPublic: clientPublic, call: call.flow),
            to: name)
    }

    /// `nil` for a client that does not begin with the password.
    private static func clientPublic(_ parameters: Parameters) throws(WireError) -> [UInt8]? {
        let isGiven = parameters["SRP_A"] != nil
        switch parameters["CHALLENGE_NAME"] {
        case AuthChallenge.passwordBegun: return try SRPWire.clientPublic(parameters)
        case nil: return isGiven ? try SRPWire.clientPublic(parameters) : nil
        case AuthChallenge.name where !isGiven: return nil
        case let other?: throw .parameter("CHALLENGE_NAME \(Input.excerpt(other)) is not what CUSTOM_AUTH begins with.")
        }
    }

    /// The answer to `PASSWORD_VERIFIER` within challenges.
    static func answerPassword(
        _ call: DialectCall, _ claim: SRPClaim, as name: String, accepts: @Sendable (SRPResult) -> Bool
    ) async throws -> JSONObject {
        let identifier = try call.identifier(ofUsername: name)
        let session = try call.input.required(FactorSession.member)
        return try await call.guessing {
            try await call.answer(
                try await call.accounts.customSignIn.answerPassword(
                    session, proof: claim.secretBlock, as: identifier, call: call.flow, accepts: accepts), to: name)
        }
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
        case .password(let challenge, let session):
            return PasswordVerifier.shown(challenge).merging(["Session": .string(session.reveal())])
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

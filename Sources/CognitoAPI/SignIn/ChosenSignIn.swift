// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// `USER_AUTH` and `SELECT_CHALLENGE`: a sign-in begins with a name, and the user chooses by what they prove who they
/// are.
///
/// Which ways there are is the pool's to say and the client's, never the user's: it would tell who has an account.
enum ChosenSignIn {
    enum Way: String, CaseIterable {
        case password = "PASSWORD"
        case passwordSRP = "PASSWORD_SRP"
        case mail = "EMAIL_OTP"
        case textMessage = "SMS_OTP"
        case passkey = "WEB_AUTHN"

        var channel: CodeSignIn.Channel? {
            switch self {
            case .password, .passwordSRP, .passkey: nil
            case .mail: .mail
            case .textMessage: .textMessage
            }
        }
    }

    /// `InitiateAuth` with `USER_AUTH`.
    static func initiate(_ call: DialectCall, _ parameters: Parameters) async throws -> JSONObject {
        let identifier = try await identifier(call, parameters)
        let ways = Way.allowed(by: call)
        if let preferred = parameters["PREFERRED_CHALLENGE"].flatMap(Way.init(rawValue:)), ways.contains(preferred) {
            return try await begin(preferred, identifier, call, parameters)
        }
        return [
            "ChallengeName": "SELECT_CHALLENGE",
            "Session": .string(try call.accounts.codeSignIn.named(identifier, call: call.flow).reveal()),
            "ChallengeParameters": [:], "AvailableChallenges": .array(ways.map { .string($0.rawValue) }),
        ]
    }

    /// The answer to `SELECT_CHALLENGE`.
    static func select(_ call: DialectCall, _ responses: Parameters) async throws -> JSONObject {
        let identifier = try await chosen(call, responses)
        let answer = try responses.required("ANSWER")
        guard let way = Way(rawValue: answer), Way.allowed(by: call).contains(way) else {
            throw WireError.parameter("\(Input.excerpt(answer)) is not one of the available challenges.")
        }
        return try await begin(way, identifier, call, responses)
    }

    /// `PASSWORD` and `PASSWORD_SRP`, of a way that was chosen without what it needs.
    static func respond(_ way: Way, _ call: DialectCall, _ responses: Parameters) async throws -> JSONObject {
        if way == .passkey {
            return try await PasskeyChallenge.answer(try await identifier(call, responses), call, responses)
        }
        guard let channel = way.channel else {
            let identifier = try await chosen(call, responses)
            _ = try responses.required(way == .password ? "PASSWORD" : "SRP_A")
            guard Way.allowed(by: call).contains(way) else { throw AuthError(.flowNotAllowed) }
            return try await begin(way, identifier, call, responses)
        }
        let identifier = try await identifier(call, responses)
        let session = try call.input.required(FactorSession.member)
        let code = try responses.required(way.rawValue + "_CODE")
        return try await call.answer(
            try await call.accounts.codeSignIn.finish(
                session, of: identifier, by: channel, code: code, call: call.flow))
    }

    private static func begin(
        _ way: Way, _ identifier: SignInIdentifier, _ call: DialectCall, _ parameters: Parameters
    ) async throws -> JSONObject {
        switch way {
        case .password:
            guard parameters["PASSWORD"] == nil else { return try await SignInEndpoints.password(call, parameters) }
        case .passwordSRP:
            guard parameters["SRP_A"] == nil else { return try await PasswordVerifier.challenge(call, parameters) }
        case .mail, .textMessage: return try await send(way, identifier, call)
        case .passkey: return try await PasskeyChallenge.begin(identifier, call)
        }
        return [
            "ChallengeName": .string(way.rawValue), "ChallengeParameters": [:],
            "Session": .string(try call.accounts.codeSignIn.named(identifier, call: call.flow).reveal()),
        ]
    }

    private static func send(
        _ way: Way, _ identifier: SignInIdentifier, _ call: DialectCall
    ) async throws -> JSONObject {
        guard let channel = way.channel else { throw AuthError(.flowNotAllowed) }
        let sent = try await call.accounts.codeSignIn.send(to: identifier, by: channel, call: call.flow)
        guard sent.isSent || call.concealsUsers else { throw WireError.attemptLimit }
        let delivery = CodeDelivery(named: identifier, by: channel)
        return [
            "ChallengeName": .string(way.rawValue), "Session": .string(sent.session.reveal()),
            "ChallengeParameters": [
                "CODE_DELIVERY_DELIVERY_MEDIUM": .string(delivery.medium.rawValue),
                "CODE_DELIVERY_DESTINATION": .string(delivery.destination),
            ],
        ]
    }

    // MARK: Who, and by what

    private static func identifier(_ call: DialectCall, _ parameters: Parameters) async throws -> SignInIdentifier {
        let name = try parameters.username()
        try SecretHash.require(parameters["SECRET_HASH"], username: name, client: try call.client())
        let identifier = try call.identifier(ofUsername: name)
        if !call.concealsUsers, try await call.find(identifier) == nil { throw WireError.userNotFound }
        return identifier
    }

    /// The name that a session of this sign-in was given for.
    private static func chosen(_ call: DialectCall, _ responses: Parameters) async throws -> SignInIdentifier {
        let identifier = try await identifier(call, responses)
        let session = try call.input.required(FactorSession.member)
        try call.accounts.codeSignIn.require(session, names: identifier, call: call.flow)
        return identifier
    }
}

extension ChosenSignIn.Way {
    /// Of a pool that this dialect made what its `SignInPolicy` names; of another Directory what it signs in by.
    static func allowed(by call: DialectCall) -> [Self] {
        let pool = call.pool
        let settings = call.directory.settings
        let named = pool.signInPolicy?["AllowedFirstAuthFactors"]?.arrayValue?.compactMap(\.stringValue)
        let allowed = named ?? (pool.isDeclared ? ["PASSWORD"] : ["PASSWORD", "EMAIL_OTP", "SMS_OTP", "WEB_AUTHN"])
        let flows = call.flow.client?.settings.flows ?? []
        return allCases.filter { way in
            switch way {
            case .password: allowed.contains("PASSWORD")
            case .passwordSRP: allowed.contains("PASSWORD") && flows.contains(.srp)
            case .mail:
                allowed.contains("EMAIL_OTP") && settings.signUp.emailEnabled && settings.signUp.emailLinkEnabled
            case .textMessage: allowed.contains("SMS_OTP") && settings.signUp.phoneEnabled
            case .passkey: allowed.contains("WEB_AUTHN") && settings.passkeys.enabled
            }
        }
    }
}

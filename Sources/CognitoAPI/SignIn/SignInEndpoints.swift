// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// `InitiateAuth` and `RespondToAuthChallenge`, and the two that an administrator calls in a user's place.
enum SignInEndpoints {
    private static let challenges = [
        "SMS_MFA", "EMAIL_OTP", "SOFTWARE_TOKEN_MFA", "SELECT_MFA_TYPE", "MFA_SETUP", "PASSWORD_VERIFIER",
        "CUSTOM_CHALLENGE", "SELECT_CHALLENGE", "DEVICE_SRP_AUTH", "DEVICE_PASSWORD_VERIFIER", "ADMIN_NO_SRP_AUTH",
        "NEW_PASSWORD_REQUIRED", "SMS_OTP", "PASSWORD", "WEB_AUTHN", "PASSWORD_SRP",
    ]

    static func initiate(_ call: DialectCall) async throws -> JSONObject {
        let flow = try AuthFlow(call)
        let parameters = try Parameters(call.input, "AuthParameters")
        let call = try call.onDevice(parameters["DEVICE_KEY"])
        switch flow {
        case .userPassword, .administrator, .administratorFormer: return try await password(call, parameters)
        case .userSRP: return try await PasswordVerifier.challenge(call, parameters)
        case .refresh, .refreshToken: return try await RefreshEndpoints.initiate(call, parameters)
        case .choice: return try await ChosenSignIn.initiate(call, parameters)
        case .custom: return try await CustomAuth.initiate(call, parameters)
        }
    }

    static func respond(_ call: DialectCall) async throws -> JSONObject {
        let name = try call.input.required(Member("ChallengeName", oneOf: challenges))
        let responses = try Parameters(call.input, "ChallengeResponses")
        let call = try call.onDevice(responses["DEVICE_KEY"])
        switch name {
        case "PASSWORD_VERIFIER": return try await PasswordVerifier.answer(call, responses)
        case "NEW_PASSWORD_REQUIRED": return try await NewPasswordRequired.answer(call, responses)
        case "SELECT_MFA_TYPE": return try await FactorChallenges.select(call, responses)
        case "MFA_SETUP": return try await FactorSetup.respond(call, responses)
        case "SELECT_CHALLENGE": return try await ChosenSignIn.select(call, responses)
        case "CUSTOM_CHALLENGE" where CustomAuth.isThere(call): return try await CustomAuth.answer(call, responses)
        case "DEVICE_SRP_AUTH": return try await DeviceChallenges.challenge(call, responses)
        case "DEVICE_PASSWORD_VERIFIER": return try await DeviceChallenges.answer(call, responses)
        default:
            // One name is that of a way to sign in and of a second factor: the session says which it is.
            let session = try call.input.text(FactorSession.member).flatMap { FactorSession($0) }
            if let way = ChosenSignIn.Way(rawValue: name), session == nil {
                return try await ChosenSignIn.respond(way, call, responses)
            }
            guard let type = MFAType(rawValue: name) else {
                throw WireError.parameter("\(name) is not enabled for this user pool.")
            }
            return try await FactorChallenges.respond(type, call, responses)
        }
    }

    /// The password itself, from the user or from the operator's own server.
    static func password(_ call: DialectCall, _ parameters: Parameters) async throws -> JSONObject {
        let name = try parameters.username()
        try SecretHash.require(parameters["SECRET_HASH"], username: name, client: try call.client())
        let password = Secret(try parameters.required("PASSWORD"))
        let identifier = try call.identifier(ofUsername: name)
        var isNobody = false
        if !call.concealsUsers { isNobody = try await call.find(identifier) == nil }
        guard !isNobody || call.migrates else { throw WireError.userNotFound }
        let next: SignInStep
        do {
            next = try await call.guessing {
                try await call.accounts.passwordSignIn(identifier, password: password, call: call.flow)
            }
        } catch let error as AuthError where isNobody && error.code == .invalidCredentials {
            // Whom a trigger has brought along without a password is there now.
            throw try await call.find(identifier) == nil
                ? WireError.userNotFound
                : WireError("PasswordResetRequiredException", "Password reset required for the user")
        }
        return try await call.answer(next)
    }
}

extension DialectCall {
    /// Whether a program is asked about whom nobody here is called like.
    var migrates: Bool {
        accounts.configuredHooks(of: CognitoDialect.name, in: directory).contains("UserMigration")
    }

    /// Runs an attempt at somebody's password.
    ///
    /// - Throws: `NotAuthorizedException` for one too many, in the words that clients know this by.
    func guessing<Value>(_ attempt: () async throws -> Value) async throws -> Value {
        do {
            return try await attempt()
        } catch let error as AuthError where error.code == .rateLimited {
            throw WireError.notAuthorized("Password attempts exceeded")
        }
    }

    /// Tokens, or the challenge that comes before them.
    func answer(_ next: SignInStep) async throws -> JSONObject {
        switch next {
        case .session(let issued): return try await answer(issued)
        case .newPassword(let pending): return NewPasswordRequired.challenge(pending, self)
        case .secondFactor(let pending): return try await FactorChallenges.begin(pending, self)
        case .enrolment(let pending): return try await FactorSetup.begin(pending, self)
        case .device(let pending): return try DeviceChallenges.begin(pending, self)
        case .terms: return try await answer(next.session())
        }
    }
}

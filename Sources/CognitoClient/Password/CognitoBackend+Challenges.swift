// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

extension CognitoBackend {
    /// Goes on with a challenge, by the service's `Session` that the step holds.
    public func answer(_ step: AwaitedStep, with answer: StepAnswer) async throws(AuthError) -> SignInStep {
        let ticket = step.ticket.reveal()
        if case .confirmation = step.kind {
            guard case .code(let code) = answer, let identifier = step.identifier else { throw Self.wrongAnswer }
            _ = try await confirmSignUp(identifier: identifier, code: code)
            // The service gives no session for it, and no password was kept to get one with (C-13).
            throw AuthError(.reauthenticationNeeded, reason: "confirmed; sign in now")
        }
        guard let challenge = ticket["challenge"], let username = ticket["username"] else {
            throw AuthError(.flowStateNotFound, reason: "the step is not one of a user pool's")
        }
        if let enrolment = step.enrolment, challenge == "MFA_SETUP" {
            guard case .code(let code) = answer else { throw Self.wrongAnswer }
            return try await verify(enrolment, with: code, of: step)
        }
        var responses = ["USERNAME": username]
        switch (step.kind, answer) {
        case (.newPassword, .newPassword(let password, let attributes)):
            responses["NEW_PASSWORD"] = password.reveal()
            for (name, value) in attributes { responses["userAttributes.\(name)"] = value }
        case (.code, .code(let code)), (.oneTimePassword, .code(let code)):
            responses["\(challenge)_CODE"] = code.reveal()
        case (.oneTimePassword, .backupCode(let code)) where step.takesBackupCode:
            responses["\(challenge)_CODE"] = code.reveal()
        case (.choice, .choice(let choice)): responses["ANSWER"] = choice
        case (.passkey, .passkey): responses["CREDENTIAL"] = try await credential(ticket["options"])
        case (.enrolment, .enrolment(let new)):
            guard new.kind != .authenticator else { return try await associate(new, for: step) }
            responses.merge(try Self.recipient(of: new)) { $1 }
        default: throw Self.wrongAnswer
        }
        let isCode = step.kind == .code || step.kind == .oneTimePassword
        do {
            return try await go(on: step, challenge, responses, for: isCode ? .factor : .signIn)
        } catch  where error.code == .invalidCredentials && step.kind == .passkey {
            // The service has one answer for whatever does not sign in. No password was asked for here.
            throw AuthError(.passkeyRefused, reason: error.reason)
        }
    }

    /// On the device that the sign-in has named, where it has.
    func go(
        on step: AwaitedStep, _ challenge: String, _ responses: [String: String], for purpose: CognitoErrors.Purpose
    ) async throws(AuthError) -> SignInStep {
        let (ticket, username) = (step.ticket.reveal(), responses["USERNAME"])
        var device = await self.device(in: ticket, of: username ?? "")
        let next: CognitoAPI.Answer
        do {
            next = try await respond(to: challenge, session: ticket["session"], responses, for: purpose, on: device)
        } catch  where error.code == .deviceNotFound && device != nil {
            // Forgotten meanwhile. The service has spent nothing: the same answer counts without it.
            if let device { await devices?.forget(device.key) }
            device = nil
            next = try await respond(to: challenge, session: ticket["session"], responses, for: purpose)
        }
        do {
            return try await self.step(next, identifier: step.identifier, username: username, on: device)
        } catch  where error.code == .deviceNotFound {
            throw AuthError(.reauthenticationNeeded, reason: error.reason)
        }
    }

    static var wrongAnswer: AuthError { AuthError(.invalidRequest, reason: "not an answer to this step") }

    /// What follows an answer: tokens, or the next challenge. The device's own is answered by itself.
    ///
    /// - Parameter device: the one that the sign-in has named.
    func step(
        _ answer: CognitoAPI.Answer, identifier: String?, username: String? = nil, on device: KnownDevice? = nil
    ) async throws(AuthError) -> SignInStep {
        let parameters = answer.members["ChallengeParameters"]?.objectValue?.texts ?? [:]
        let username = parameters["USERNAME"] ?? parameters["USER_ID_FOR_SRP"] ?? username ?? identifier ?? ""
        if let result = answer.members["AuthenticationResult"]?.objectValue, !result.isEmpty {
            return .session(
                try await session(result, username: username, typed: identifier, on: device, date: answer.date))
        }
        guard let challenge = answer.members["ChallengeName"]?.stringValue else {
            throw AuthError(.unavailable, reason: "the service gave neither tokens nor a challenge")
        }
        if challenge == "DEVICE_SRP_AUTH", let device {
            let proved = try await prove(device, answer, of: username)
            guard proved.members["ChallengeName"] != "DEVICE_SRP_AUTH" else {
                throw AuthError(.unavailable, reason: "the service asks for the device once more")
            }
            return try await step(proved, identifier: identifier, username: username, on: device)
        }
        var ticket = ["challenge": challenge, "username": username]
        ticket["device"] = device?.key
        ticket["session"] = answer.members["Session"]?.stringValue
        ticket["options"] = parameters["CREDENTIAL_REQUEST_OPTIONS"]
        let kind = try kind(challenge, parameters, answer.members)
        var choices: [FactorChoice] = []
        if case .choice(let words) = kind { choices = words.map { FactorChoice(id: $0, kind: FactorKind(pool: $0)) } }
        return .awaiting(
            AwaitedStep(
                kind: kind, identifier: identifier, destination: parameters["CODE_DELIVERY_DESTINATION"],
                choices: choices, takesBackupCode: kind == .oneTimePassword && configuration.takesBackupCodes,
                lifetime: configuration.challengeLifetime, ticket: Secret(ticket)))
    }

    /// The device that the sign-in has named, as far as it is known still.
    func device(in ticket: [String: String], of username: String) async -> KnownDevice? {
        guard let key = ticket["device"], let device = await devices?.find(username), device.key == key else {
            return nil
        }
        return device
    }

    /// What comes with the session's tokens is kept beside them: the name by which a client with a secret renews them,
    /// and the device that the sign-in was on, or that the pool has made of it.
    private func session(
        _ result: JSONObject, username: String, typed: String?, on device: KnownDevice?, date: Instant?
    ) async throws(AuthError) -> SessionGrant {
        let grant = try tokens.grant(
            result, attachments: ["username": username], renewing: nil, date: date, now: clock.now)
        guard let user = grant.user else { throw AuthError(.unavailable, reason: "the service gave no ID token") }
        var named = grant
        let canonical = user.attributes["cognito:username"]?.stringValue ?? username
        var attachments = ["username": canonical]
        if configuration.clientSecret != nil, username != canonical { attachments["typed"] = username }
        if let new = PoolDevice(of: result) {
            let settled = await confirmed(new, of: canonical, typed: typed, with: grant.tokens.accessToken).device
            settled.attach(to: &attachments)
            // A challenge may name its user by another name than their tokens do, and is what the device is looked up
            // by.
            if let known = await devices?.find(canonical), known.key == new.key {
                await devices?.note(username, for: known)
            }
        } else if let device {
            PoolDevice(key: device.key, group: nil).attach(to: &attachments)
            if let typed { await devices?.note(typed, for: device) }
        }
        named.tokens.attachments = Secret(attachments)
        return named
    }

    private func kind(
        _ challenge: String, _ parameters: [String: String], _ members: JSONObject
    ) throws(AuthError) -> AwaitedStep.Kind {
        switch challenge {
        case "NEW_PASSWORD_REQUIRED":
            let prefix = "userAttributes."
            return .newPassword(
                requiredAttributes: JSONValue.texts(in: parameters["requiredAttributes"]).map {
                    $0.hasPrefix(prefix) ? String($0.dropFirst(prefix.count)) : $0
                })
        case "SMS_MFA", "SMS_OTP", "EMAIL_OTP", "EMAIL_MFA": return .code
        case "SOFTWARE_TOKEN_MFA": return .oneTimePassword
        case "SELECT_MFA_TYPE":
            return .choice(try Self.some(JSONValue.texts(in: parameters["MFAS_CAN_CHOOSE"]), of: challenge))
        case "SELECT_CHALLENGE":
            let ways = members["AvailableChallenges"]?.arrayValue?.compactMap(\.stringValue) ?? []
            let known = authenticator == nil ? ["SMS_OTP", "EMAIL_OTP"] : ["SMS_OTP", "EMAIL_OTP", "WEB_AUTHN"]
            return .choice(try Self.some(ways.filter { known.contains($0) }, of: challenge))
        case "WEB_AUTHN": return .passkey
        case "MFA_SETUP":
            let words = JSONValue.texts(in: parameters["MFAS_CAN_SETUP"])
            return .enrolment(try Self.some(words.compactMap { FactorKind(pool: $0) }, of: challenge))
        // A device that nothing is known of here, an app's own questions.
        default: throw Self.unknown(challenge)
        }
    }

    /// A choice of nothing would leave its user before a screen that leads nowhere.
    private static func some<Way>(_ ways: [Way], of challenge: String) throws(AuthError) -> [Way] {
        guard !ways.isEmpty else { throw unknown(challenge) }
        return ways
    }

    private static func unknown(_ challenge: String) -> AuthError {
        AuthError(.unsupported, reason: "the pool asks \(String(challenge.prefix(60)))")
    }

    // Calls

    func initiate(
        _ flow: String, _ parameters: [String: String], username: String,
        for purpose: CognitoErrors.Purpose = .signIn
    ) async throws(AuthError) -> CognitoAPI.Answer {
        var parameters = parameters
        parameters["SECRET_HASH"] = configuration.secretHash(of: username)
        return try await api.call(
            "InitiateAuth",
            [
                "AuthFlow": .string(flow), "ClientId": .string(configuration.clientID),
                "AuthParameters": .object(JSONObject(parameters)),
            ], for: purpose)
    }

    func respond(
        to challenge: String, session: String?, _ responses: [String: String],
        for purpose: CognitoErrors.Purpose = .signIn, on device: KnownDevice? = nil
    ) async throws(AuthError) -> CognitoAPI.Answer {
        var responses = responses
        if let device { responses["DEVICE_KEY"] = device.key }
        responses["SECRET_HASH"] = configuration.secretHash(of: responses["USERNAME"] ?? "")
        var input: JSONObject = [
            "ChallengeName": .string(challenge), "ClientId": .string(configuration.clientID),
            "ChallengeResponses": .object(JSONObject(responses)),
        ]
        if let session { input["Session"] = .string(session) }
        return try await api.call("RespondToAuthChallenge", input, for: purpose)
    }
}

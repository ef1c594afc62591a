// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// `SOFTWARE_TOKEN_MFA`, `SMS_MFA`, `EMAIL_OTP` and `SELECT_MFA_TYPE`: a sign-in asks for a second factor.
enum FactorChallenges {
    /// Asks for the preferred factor or the only one; of several without a preference the user chooses.
    ///
    /// - Throws: ``AuthErrorCode/secondFactorRequired`` where the user has none that this protocol knows; what
    ///   ``Accounts/ChallengeFactor`` throws.
    static func begin(_ pending: PendingSignIn, _ call: DialectCall) async throws -> JSONObject {
        let factors = pending.choices.factors
        let session = FactorSession(try call.client().id, ticket: pending.ticket.reveal())
        let types = MFAType.types(of: factors.map(\.kind))
        guard let only = types.first else { throw AuthError(.secondFactorRequired) }
        if let preferred = factors.first(where: \.isPreferred).flatMap({ MFAType($0.kind) }) {
            return try await ask(preferred, of: pending.record.user, among: factors, session, call)
        }
        guard types.count > 1 else {
            return try await ask(only, of: pending.record.user, among: factors, session, call)
        }
        return answer(
            "SELECT_MFA_TYPE", session,
            ["MFAS_CAN_CHOOSE": MFAType.list(types), "USER_ID_FOR_SRP": .string(pending.record.user.sub)])
    }

    /// The answer to `SELECT_MFA_TYPE`.
    static func select(_ call: DialectCall, _ responses: Parameters) async throws -> JSONObject {
        let session = try FactorSession(call)
        return try await FactorSession.judged {
            let (ticket, user) = try await session.holder(call, responses)
            let chosen = try responses.required("ANSWER")
            guard ticket.step == .secondFactor else { throw AuthError(.flowStateNotFound) }
            let factors = try await call.accounts.userFactors.choices(of: user, call: call.flow).factors
            guard let type = MFAType(rawValue: chosen), factors.contains(where: { $0.kind == type.kind }) else {
                throw WireError("MFAMethodNotFoundException", "The user has not set up \(Input.excerpt(chosen)).")
            }
            return try await ask(type, of: user, among: factors, session, call)
        }
    }

    /// Asks for a factor of this type, of several for the one that is preferred or else the oldest.
    static func ask(
        _ type: MFAType, of user: User, among factors: [Factor], _ session: FactorSession, _ call: DialectCall
    ) async throws -> JSONObject {
        guard let factor = factors.first(where: { $0.kind == type.kind }) else { throw AuthError(.factorNotFound) }
        var session = session
        let ticket = try session.ticket(call)
        var parameters: JSONObject = ["USER_ID_FOR_SRP": .string(user.sub)]
        if let delivery = CodeDelivery(factor) {
            let challenge = try await call.accounts.challengeFactor(factor.id, for: ticket, call: call.flow)
            session.asked = FactorSession.Asked(factor: factor.id, challenge: challenge.id)
            parameters["CODE_DELIVERY_DELIVERY_MEDIUM"] = .string(delivery.medium.rawValue)
            parameters["CODE_DELIVERY_DESTINATION"] = .string(delivery.destination)
        } else {
            parameters["FRIENDLY_DEVICE_NAME"] = factor.name.map { .string($0) }
        }
        return answer(type.rawValue, session, parameters)
    }

    /// A code, by which the sign-in goes on. A wrong one leaves the session as it was.
    static func respond(_ type: MFAType, _ call: DialectCall, _ responses: Parameters) async throws -> JSONObject {
        let session = try FactorSession(call)
        return try await FactorSession.judged {
            let (ticket, _) = try await session.holder(call, responses)
            let proof = try proof(type, responses, session, isEnrolment: ticket.step == .enrolment, call)
            return try await call.answer(try await call.accounts.answerFactor(ticket, proof, call: call.flow))
        }
    }

    private static func proof(
        _ type: MFAType, _ responses: Parameters, _ session: FactorSession, isEnrolment: Bool, _ call: DialectCall
    ) throws -> FactorProof {
        let code = try responses.required(type.codeParameter)
        guard type == .softwareToken else {
            guard let asked = session.asked else { throw AuthError(.factorChallengeNotFound) }
            return .code(code, of: asked.factor, challenge: asked.challenge)
        }
        // The service has no codes for who has lost their phone; those of the Directory have letters.
        let isBackup = !isEnrolment && code.utf8.contains { !(48...57).contains($0) && $0 != 0x20 }
        guard isBackup, call.flow.settings.factors.backupCodes != .off else { return .app(code, named: nil) }
        return .backupCode(code)
    }

    static func answer(_ challenge: String, _ session: FactorSession, _ parameters: JSONObject) -> JSONObject {
        [
            "ChallengeName": .string(challenge), "Session": .string(session.text),
            "ChallengeParameters": .object(parameters),
        ]
    }
}

extension CodeDelivery {
    /// `nil` for a factor whose codes are not sent.
    init?(_ factor: Factor) {
        switch factor.credential {
        case .phone(let number): self.init(number)
        case .email(let address): self.init(address)
        case .totp, .webAuthn, .newWebAuthn, .unreadable: return nil
        }
    }
}

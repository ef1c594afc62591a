// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// `MFA_SETUP`: a sign-in of somebody who must have a second factor and has none.
enum FactorSetup {
    /// A number or address that the account has proved is one that can be asked for at once, as at the service, unless
    /// its user came by it. Otherwise the app sets one up: an authenticator by ``SoftwareTokenEndpoints``, an address
    /// or a number by the answer.
    ///
    /// - Throws: ``AuthErrorCode/factorEnrolmentRequired`` where the pool has no kind that this protocol knows.
    static func begin(_ pending: PendingSignIn, _ call: DialectCall) async throws -> JSONObject {
        let session = FactorSession(try call.client().id, ticket: pending.ticket.reveal())
        let types = MFAType.types(of: pending.choices.enrollable)
        guard !types.isEmpty else { throw AuthError(.factorEnrolmentRequired) }
        let user = pending.record.user
        for recipient in pending.choices.provable where call.accounts.reaches(recipient, call: call.flow) {
            switch recipient {
            case .phone(let phone): return try await enrol(.phone(phone), of: user, session, call)
            case .email(let email): return try await enrol(.email(email), of: user, session, call)
            }
        }
        return FactorChallenges.answer(
            "MFA_SETUP", session,
            ["MFAS_CAN_SETUP": MFAType.list(types), "USER_ID_FOR_SRP": .string(user.sub)])
    }

    /// With the session of `VerifySoftwareToken` the sign-in goes on; with the challenge's own and an `EMAIL` or a
    /// `PHONE_NUMBER` a code is sent there, which `EMAIL_OTP` or `SMS_MFA` answers.
    static func respond(_ call: DialectCall, _ responses: Parameters) async throws -> JSONObject {
        let session = try FactorSession(call)
        return try await FactorSession.judged {
            let (ticket, user) = try await session.holder(call, responses)
            switch ticket.step {
            case .conclusion:
                return try await call.answer(try await call.accounts.concludeSignIn(ticket, call: call.flow))
            case .enrolment:
                if let text = responses["EMAIL"] {
                    return try await enrol(.email(try EmailAddress(text)), of: user, session, call)
                }
                if let text = responses["PHONE_NUMBER"] {
                    return try await enrol(.phone(try PhoneNumber(text)), of: user, session, call)
                }
                throw WireError.parameter("User has not verified software token mfa")
            case .newPassword, .secondFactor, .device, .terms: throw AuthError(.flowStateNotFound)
            }
        }
    }

    private static func enrol(
        _ new: NewFactor, of user: User, _ session: FactorSession, _ call: DialectCall
    ) async throws -> JSONObject {
        let enrolled = try await call.accounts.enrolFactor(
            new, afresh: true, for: try session.ticket(call), call: call.flow)
        guard let type = MFAType(new.kind) else { throw AuthError(.factorDisabled) }
        return try await FactorChallenges.ask(type, of: user, among: [enrolled.factor], session, call)
    }
}

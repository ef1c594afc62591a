// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// `AssociateSoftwareToken` and `VerifySoftwareToken`: an authenticator app is set up, by whoever is signed in or in a
/// sign-in that asks for it (`MFA_SETUP`).
enum SoftwareTokenEndpoints {
    private static let deviceName = Member("FriendlyDeviceName", 0...131_072)
    private static let userCode = Member("UserCode", 6...6, .digits, sensitive: true)

    /// Gives the secret that the app is to know. The one before it, if it was not verified, is void.
    static func associate(_ call: DialectCall) async throws -> JSONObject {
        try requireEnabled(call)
        guard case .user(let user) = call.caller else {
            let session = try FactorSession(call)
            return try await FactorSession.judged {
                let enrolled = try await call.accounts.enrolFactor(
                    .totp(issuer: nil), afresh: true, for: try session.ticket(call), call: call.flow)
                return json(enrolled).merging(["Session": .string(session.text)])
            }
        }
        return json(
            try await call.accounts.enrolFactor(.totp(issuer: nil), afresh: true, for: user, call: call.flow))
    }

    /// The first right code sets the app up, and it takes the place of the one before.
    static func verify(_ call: DialectCall) async throws -> JSONObject {
        try requireEnabled(call)
        let proof = FactorProof.app(
            try call.input.required(userCode), named: try call.input.text(deviceName).flatMap { $0.isEmpty ? nil : $0 })
        guard case .user(let user) = call.caller else {
            var session = try FactorSession(call)
            return try await FactorSession.judged {
                let ticket = try session.ticket(call)
                guard ticket.step == .enrolment else { throw AuthError(.flowStateNotFound) }
                let next = try await said {
                    try await call.accounts.answerFactor.proving(ticket, proof, call: call.flow)
                }
                session.ticketText = next.ticket.reveal()
                return ["Status": "SUCCESS", "Session": .string(session.text)]
            }
        }
        _ = try await said { try await call.accounts.stepUp.inPlace(proof, of: user, call: call.flow) }
        return ["Status": "SUCCESS"]
    }

    private static func json(_ enrolled: EnrolledFactor) -> JSONObject {
        ["SecretCode": .string(enrolled.authenticator?.secret.reveal() ?? "")]
    }

    private static func requireEnabled(_ call: DialectCall) throws(WireError) {
        guard call.flow.settings.factors.totp == .on else {
            throw WireError(
                "SoftwareTokenMFANotFoundException", "Software Token MFA is not enabled for this user pool.")
        }
    }

    /// The operation's own word for a wrong code.
    private static func said<Value>(_ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch let error as AuthError where [.factorCodeInvalid, .factorCodeUsed].contains(error.code) {
            throw WireError("EnableSoftwareTokenMFAException", "Code mismatch")
        }
    }
}

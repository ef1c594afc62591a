// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird

/// `v2/accounts/mfaSignIn`: the second step of a sign-in whose first was answered by `mfaPendingCredential`.
enum FactorSignInEndpoints {
    /// `mfaSignIn:start`: sends a code.
    static func start(_ call: DialectCall) async throws -> Response {
        guard call.body.has("mfaPendingCredential") else { throw missingCredential }
        guard let id = try call.body.given("mfaEnrollmentId") else { throw WireError("MISSING_MFA_ENROLLMENT_ID") }
        guard try call.body.members("phoneSignInInfo") != nil else { throw AuthError(.invalidRequest) }
        let ticket = try ticket(.phone, call)
        let factor = try await factor(FactorID(id), .phone, ticket, call)
        let challenge = try await said {
            try await call.accounts.challengeFactor(factor.id, for: ticket, call: call.flow)
        }
        let session = FactorSessionInfo(factor.id, challenge.id)
        return Answer.object(["phoneResponseInfo": ["sessionInfo": .string(session.text)]])
    }

    /// `mfaSignIn:finalize`: takes the code, and opens the session.
    static func finalize(_ call: DialectCall) async throws -> Response {
        guard call.body.has("mfaPendingCredential") else { throw missingCredential }
        let given = try GivenFactorCode(call.body, needsSession: false)
        let ticket = try ticket(given.kind, call)
        let factor: Factor
        if given.kind == .phone {
            guard let session = given.session, session.challenge != nil else { throw FactorSessionInfo.invalid }
            factor = try await self.factor(session.factor, .phone, ticket, call)
        } else {
            guard let id = try call.body.given("mfaEnrollmentId") else { throw WireError("MISSING_MFA_ENROLLMENT_ID") }
            factor = try await self.factor(FactorID(id), .totp, ticket, call)
        }
        let step = try await said {
            try await call.accounts.answerFactor(
                ticket, .code(given.code, of: factor.id, challenge: given.session?.challenge), call: call.flow)
        }
        return try await EnrolmentEndpoints.answer(try step.session(), given.kind, number: factor.recipient, call)
    }

    // MARK: What comes first

    private static let missingCredential = WireError(
        "MISSING_MFA_PENDING_CREDENTIAL", "Request does not have MFA pending credential.")
    private static let invalidCredential = WireError("INVALID_MFA_PENDING_CREDENTIAL")

    /// - Throws: `INVALID_MFA_PENDING_CREDENTIAL`, also for one whose time is over where a code was to be sent;
    ///   `TOTP_CHALLENGE_TIMEOUT` for such a one otherwise.
    private static func ticket(_ kind: GivenFactorCode.Kind, _ call: DialectCall) throws -> SignInTicket {
        guard let text = try call.body.given("mfaPendingCredential") else { throw missingCredential }
        do {
            return try SignInTicket(text, for: .secondFactor, call: call.flow)
        } catch {
            guard error.code == .flowStateExpired else { throw invalidCredential }
            throw kind == .totp
                ? WireError("TOTP_CHALLENGE_TIMEOUT", "TOTP challenge timeout, provide first factor again.")
                : WireError("INVALID_MFA_PENDING_CREDENTIAL", "MFA pending credential is expired.")
        }
    }

    /// The factor of whoever the ticket is of.
    private static func factor(
        _ id: FactorID, _ kind: Factor.Kind, _ ticket: SignInTicket, _ call: DialectCall
    ) async throws -> Factor {
        let factors = try await call.accounts.userFactors.list(of: ticket.user, call: call.flow)
        guard let factor = factors.first(where: { $0.id == id && $0.kind == kind }) else {
            throw AuthError(.factorNotFound)
        }
        return factor
    }

    /// A ticket that was used, or whose proof is void, is as none.
    private static func said<Value: Sendable>(_ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch let error as AuthError where [.invalidCredentials, .flowStateNotFound].contains(error.code) {
            throw invalidCredential
        }
    }
}

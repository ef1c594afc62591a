// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird

/// `v2/accounts/mfaEnrollment`: a signed-in user sets up a second factor, or gives one up.
enum EnrolmentEndpoints {
    /// `mfaEnrollment:start`
    static func start(_ call: DialectCall) async throws -> Response {
        let isTOTP = call.body.has("totpEnrollmentInfo")
        let phone = try call.body.members("phoneEnrollmentInfo")
        guard isTOTP != (phone != nil) else { throw AuthError(.invalidRequest) }
        let (user, call) = try await call.signedIn()
        let factors = call.flow.settings.factors
        guard (isTOTP ? factors.totp : factors.phone) == .on else { throw notEnabled(isTOTP ? "TOTP" : "SMS") }
        try requireEnrollable(user)
        try user.requireRecentSignIn(call)
        guard let phone else {
            return Answer.object([
                "totpSessionInfo": .object(
                    try await authenticator(
                        try await call.accounts.enrolFactor(.totp(issuer: nil), for: user, call: call.flow)))
            ])
        }
        guard let number = try phone.phone() else { throw AuthError(.invalidPhone, field: "phoneNumber") }
        let enrolled = try await call.accounts.enrolFactor(.phone(number), for: user, call: call.flow)
        let challenge = try await call.accounts.challengeFactor(enrolled.factor.id, of: user, call: call.flow)
        let session = FactorSessionInfo(enrolled.factor.id, challenge.id)
        return Answer.object(["phoneSessionInfo": ["sessionInfo": .string(session.text)]])
    }

    /// What an authenticator app needs. Shown once.
    private static func authenticator(_ enrolled: EnrolledFactor) async throws -> JSONObject {
        guard let authenticator = enrolled.authenticator else { throw AuthError(.internalFailure) }
        var json: JSONObject = [
            "sharedSecretKey": .string(authenticator.secret.reveal()),
            "verificationCodeLength": .integer(Int64(authenticator.codeLength)),
            "hashingAlgorithm": .string(authenticator.algorithm), "periodSec": .integer(authenticator.period),
            "sessionInfo": .string(FactorSessionInfo(enrolled.factor.id).text),
        ]
        json["finalizeEnrollmentTime"] = enrolled.factor.expiresAt.map { .string($0.rfc3339Milliseconds) }
        return json
    }

    /// `mfaEnrollment:finalize`
    static func finalize(_ call: DialectCall) async throws -> Response {
        let given = try GivenFactorCode(call.body, needsSession: true)
        guard let session = given.session else { throw WireError("MISSING_SESSION_INFO") }
        let name = try call.body.given("displayName")
        let (user, call) = try await call.signedIn()
        let factors = try await call.accounts.userFactors.list(of: user.user.id, call: call.flow)
        guard let factor = factors.first(where: { $0.id == session.factor }), !factor.isVerified,
            factor.kind == (given.kind == .totp ? .totp : .phone)
        else { throw FactorSessionInfo.invalid }
        guard factor.expiresAt.map({ call.now < $0 }) ?? true else { throw WireError("SESSION_EXPIRED") }
        // Before it counts: a name that another has is refused with nothing done.
        if let name {
            _ = try await call.accounts.userFactors.change(factor.id, of: user, name: name, call: call.flow)
        }
        let issued: IssuedSession
        do {
            issued = try await call.accounts.stepUp(
                .code(given.code, of: factor.id, challenge: session.challenge), of: user, call: call.flow)
        } catch let error as AuthError where error.code == .factorNotFound {
            throw FactorSessionInfo.invalid
        }
        return try await answer(issued, given.kind, number: factor.recipient, call)
    }

    /// `mfaEnrollment:withdraw`
    static func withdraw(_ call: DialectCall) async throws -> Response {
        let (user, call) = try await call.signedIn()
        guard let id = try call.body.given("mfaEnrollmentId") else { throw WireError("MISSING_MFA_ENROLLMENT_ID") }
        let factors = try await call.accounts.userFactors.list(of: user.user.id, call: call.flow)
        guard let factor = factors.first(where: { $0.id.rawValue == id }), FactorInfo.isShown(factor) else {
            throw AuthError(.factorNotFound)
        }
        // Whoever finds an open session must not take away what protects its owner.
        try user.requireRecentSignIn(call)
        _ = try await call.accounts.userFactors.remove(factor.id, of: user, call: call.flow)
        let issued = try await call.accounts.replaceSession(user, call: call.flow)
        return try await answer(issued, nil, number: nil, call)
    }

    /// Tokens without `expiresIn`, which the platform leaves out here.
    static func answer(
        _ issued: IssuedSession, _ kind: GivenFactorCode.Kind?, number: String?, _ call: DialectCall
    ) async throws -> Response {
        let tokens = try await call.tokens(issued)
        var json: JSONObject = [
            "idToken": .string(tokens.idToken.reveal()), "refreshToken": .string(tokens.refreshToken.reveal()),
        ]
        if let kind {
            var info = JSONObject()
            info["phoneNumber"] = number.map { .string($0) }
            json[kind.answer] = .object(info)
        }
        return Answer.object(json)
    }

    // MARK: What comes first

    static func notEnabled(_ kind: String) -> WireError {
        WireError("OPERATION_NOT_ALLOWED", "\(kind) based MFA not enabled.")
    }

    /// Whoever opened an account in another's name must not shut its owner out by a factor of their own, and who has no
    /// way in that a second factor is asked for beside needs none.
    private static func requireEnrollable(_ user: AuthenticatedUser) throws {
        let unsupported = WireError("UNSUPPORTED_FIRST_FACTOR", "MFA is not available for the given first factor.")
        guard let session = user.session, !user.user.isAnonymous else { throw unsupported }
        guard ![.anonymous, .phone, .custom].contains(SignInProvider(session, of: user.user)) else {
            throw unsupported
        }
        guard user.user.email != nil, user.user.emailVerifiedAt != nil else {
            throw WireError("UNVERIFIED_EMAIL", "Need to verify email first before enrolling second factors.")
        }
    }
}

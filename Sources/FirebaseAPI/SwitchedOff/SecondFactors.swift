// SPDX-License-Identifier: Apache-2.0

import Accounts
import AuthTypes
import Hummingbird

/// Second factors, as a project answers that has them switched off: before anything else of the request is looked at.
enum SecondFactors {
    /// - Parameter member: what a request about an authenticator app has; all others are about text messages.
    static func refuse(_ call: DialectCall, authenticatorApp member: String?) throws -> Response {
        throw notEnabled(member.map(call.body.has) ?? false ? "TOTP" : "SMS")
    }

    static func notEnabled(_ kind: String) -> WireError {
        WireError("OPERATION_NOT_ALLOWED", "\(kind) based MFA not enabled.")
    }

    /// `accounts/mfaEnrollment:withdraw`: the user has none.
    static func withdraw(_ call: DialectCall) async throws -> Response {
        _ = try await call.signedIn()
        guard try call.body.given("mfaEnrollmentId") != nil else { throw WireError("MISSING_MFA_ENROLLMENT_ID") }
        throw WireError("MFA_ENROLLMENT_NOT_FOUND")
    }
}

/// Passkeys, as a project answers that has not switched them on.
enum Passkeys {
    private static let notEnabled = WireError("OPERATION_NOT_ALLOWED", "Passkey sign-in is not enabled.")

    /// - Parameter member: what the request must have.
    static func enroll(_ call: DialectCall, needs member: String?) async throws -> Response {
        guard try call.body.given("idToken") != nil else { throw AuthError(.tokenMissing) }
        try require(member, call)
        _ = try await call.signedIn()
        throw notEnabled
    }

    static func signIn(_ call: DialectCall, needs member: String?) throws -> Response {
        try require(member, call)
        throw notEnabled
    }

    private static func require(_ member: String?, _ call: DialectCall) throws {
        guard let member else { return }
        guard try call.body.members(member) != nil else { throw WireError("MISSING_AUTHENTICATOR_RESPONSE") }
    }
}

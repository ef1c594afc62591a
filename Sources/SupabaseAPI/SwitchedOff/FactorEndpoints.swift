// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird

/// Second factors and passkeys on a server where none can be enrolled: nobody has any.
enum FactorEndpoints {
    /// `POST /factors`
    static func enroll(_ call: DialectCall) async throws -> Response {
        try requireKnown(call)
        let (code, name): (String, String)
        switch try call.body.text("factor_type") {
        case "totp": (code, name) = ("mfa_totp_enroll_not_enabled", "TOTP")
        case "phone": (code, name) = ("mfa_phone_enroll_not_enabled", "Phone")
        case "webauthn": (code, name) = ("mfa_webauthn_enroll_not_enabled", "WebAuthn")
        default: throw WireError.validation("factor_type needs to be totp, phone, or webauthn")
        }
        throw WireError(.unprocessableContent, code, "MFA enroll is disabled for \(name)")
    }

    /// Whatever is about one factor of one's own.
    static func missing(_ call: DialectCall) async throws -> Response {
        try requireKnown(call)
        throw noFactor(call)
    }

    // MARK: Recovery codes

    /// `GET /factors/recovery-codes`
    static func recoveryCodes(_ call: DialectCall) async throws -> Response {
        try requireKnown(call)
        throw WireError(.notFound, "mfa_factor_not_found", "The user has not enrolled recovery codes")
    }

    /// `POST /factors/recovery-codes`, and `…/regenerate`.
    static func enrollRecoveryCodes(_ call: DialectCall) async throws -> Response {
        try requireKnown(call)
        throw WireError(
            .unprocessableContent, "mfa_recovery_codes_enroll_not_enabled", "MFA enroll is disabled for recovery codes")
    }

    /// `POST /factors/recovery-codes/verify`
    static func verifyRecoveryCode(_ call: DialectCall) async throws -> Response {
        try requireKnown(call)
        throw WireError(
            .unprocessableContent, "mfa_recovery_codes_verify_not_enabled",
            "MFA verification is disabled for recovery codes")
    }

    /// `DELETE /factors/recovery-codes`: for who has signed in by two factors, and nobody has.
    static func deleteRecoveryCodes(_ call: DialectCall) async throws -> Response {
        try requireKnown(call)
        throw WireError(.forbidden, "insufficient_aal", "AAL2 required to delete recovery codes")
    }

    // MARK: What administrators see

    /// `GET /admin/users/{id}/factors`, and the same of passkeys.
    static func listOfUser(_ call: DialectCall) async throws -> Response {
        try await requireUser(call)
        return Answer.json([])
    }

    static func missingOfUser(_ call: DialectCall) async throws -> Response {
        try await requireUser(call)
        throw noFactor(call)
    }

    static func missingPasskey(_ call: DialectCall) async throws -> Response {
        try await requireUser(call)
        throw WireError(.notFound, "validation_failed", "Passkey not found")
    }

    private static func noFactor(_ call: DialectCall) -> WireError {
        guard UUIDText.accepts(call.partID ?? "") else {
            return WireError(.notFound, "validation_failed", "factor_id must be an UUID")
        }
        return WireError(.notFound, "mfa_factor_not_found", "Factor not found")
    }

    private static func requireKnown(_ call: DialectCall) throws {
        guard try !call.user().user.isAnonymous else {
            throw WireError(
                .forbidden, "no_authorization", "Anonymous user not allowed to perform these actions")
        }
    }

    private static func requireUser(_ call: DialectCall) async throws {
        _ = try await call.accounts.userAdministration.get(
            try await AdminUserEndpoints.userID(call), call: call.flow)
    }
}

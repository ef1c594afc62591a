// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird

/// `/factors/recovery-codes`: codes for when the other factors are lost.
enum RecoveryCodeEndpoints {
    private static let none = WireError(
        .notFound, "mfa_factor_not_found", "The user has not enrolled recovery codes")
    private static let enrolOff = WireError(
        .unprocessableContent, "mfa_recovery_codes_enroll_not_enabled", "MFA enroll is disabled for recovery codes")
    private static let verifyOff = WireError(
        .unprocessableContent, "mfa_recovery_codes_verify_not_enabled",
        "MFA verification is disabled for recovery codes")

    /// `GET /factors/recovery-codes`
    static func get(_ call: DialectCall) async throws -> Response {
        let user = try FactorEndpoints.known(call)
        guard let codes = try await call.accounts.userBackupCodes.find(of: user.user.id, call: call.flow) else {
            throw none
        }
        return Answer.object([
            "id": .string(codes.id.rawValue), "type": "recovery_code", "total": .integer(Int64(codes.codes.count)),
            "remaining": .integer(Int64(codes.remaining)),
        ])
    }

    /// `POST /factors/recovery-codes`: where there are none.
    static func enroll(_ call: DialectCall) async throws -> Response {
        let user = try FactorEndpoints.known(call)
        guard call.flow.settings.factors.backupCodes == .on else { throw enrolOff }
        try requireRaised(user, "enroll")
        guard try await call.accounts.userBackupCodes.find(of: user.user.id, call: call.flow) == nil else {
            throw AuthError(.factorExists)
        }
        return try await make(for: user, call)
    }

    /// `POST /factors/recovery-codes/regenerate`: in place of those there are.
    static func regenerate(_ call: DialectCall) async throws -> Response {
        let user = try FactorEndpoints.known(call)
        guard call.flow.settings.factors.backupCodes == .on else { throw enrolOff }
        try requireRaised(user, "regenerate")
        guard try await call.accounts.userBackupCodes.find(of: user.user.id, call: call.flow) != nil else { throw none }
        return try await make(for: user, call)
    }

    private static func make(for user: AuthenticatedUser, _ call: DialectCall) async throws -> Response {
        let name = try call.body.text("friendly_name")
        let made = try await FactorEndpoints.said(.forbidden, "AAL2 required to enroll recovery codes") {
            try await call.accounts.userBackupCodes.make(named: name, for: user, call: call.flow)
        }
        return Answer.object([
            "id": .string(made.set.id.rawValue), "type": "recovery_code", "friendly_name": .string(name ?? ""),
            "total": .integer(Int64(made.codes.count)),
            "codes": .array(made.codes.map { .string($0.reveal()) }),
        ])
    }

    /// `POST /factors/recovery-codes/verify`
    static func verify(_ call: DialectCall) async throws -> Response {
        let user = try FactorEndpoints.known(call)
        guard call.flow.settings.factors.backupCodes != .off else { throw verifyOff }
        let code = try call.body.text("code") ?? ""
        return try await call.answer(call.accounts.stepUp(.backupCode(code), of: user, call: call.flow))
    }

    /// `DELETE /factors/recovery-codes`
    static func delete(_ call: DialectCall) async throws -> Response {
        let user = try FactorEndpoints.known(call)
        try requireRaised(user, "delete")
        do {
            let codes = try await FactorEndpoints.said(.forbidden, "AAL2 required to delete recovery codes") {
                try await call.accounts.userBackupCodes.remove(of: user, call: call.flow)
            }
            return Answer.object(["id": .string(codes.id.rawValue)])
        } catch let error as AuthError where error.code == .factorNotFound {
            throw none
        }
    }

    /// Asked here before all else, as on the platform, and again where it is done.
    private static func requireRaised(_ user: AuthenticatedUser, _ verb: String) throws(WireError) {
        guard user.session?.assurance ?? .aal1 >= .aal2 else {
            throw WireError(.forbidden, "insufficient_aal", "AAL2 required to \(verb) recovery codes")
        }
    }
}

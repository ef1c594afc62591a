// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird

/// `/v1/account/factor-recovery`: for a session of whoever has proved the first factor and lost the second (G-9). It is
/// stopped by any factor that is shown, and by the link that was mailed: no session without one stops it.
enum FactorRecoveryEndpoints {
    /// `GET`: whether one may be begun, and how the one that was begun stands.
    static func get(_ call: AppCall) async throws -> Response {
        let standing = try await call.accounts.recoverFactors.standing(
            of: try await call.authenticated, call: call.flow)
        return AppAPI.answer([
            "offered": .bool(standing.isOffered), "waitSeconds": .integer(standing.waitSeconds),
            "recovery": standing.recovery.map { .object(document($0, at: call.flow.now)) } ?? .null,
        ])
    }

    /// `POST`: begins one; the same answer where one was begun before.
    static func post(_ call: AppCall) async throws -> Response {
        let recovery = try await call.accounts.recoverFactors.begin(
            for: try await call.authenticated, call: call.flow)
        return AppAPI.answer(document(recovery, at: call.flow.now), status: .accepted)
    }

    private static func document(_ recovery: FactorRecovery, at now: Instant) -> JSONObject {
        [
            "requestedAt": .string(recovery.requestedAt.rfc3339), "dueAt": .string(recovery.dueAt.rfc3339),
            "endsAt": .string(recovery.endsAt.rfc3339), "ready": .bool(recovery.isRipe(at: now)),
        ]
    }
}

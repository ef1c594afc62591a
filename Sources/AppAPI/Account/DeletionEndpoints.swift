// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird
import ServerKit

/// `DELETE /v1/account`, and what it means (G-10).
enum DeletionEndpoints {
    /// `DELETE /v1/account`: `200` where the account is gone, `202` where it will be unless its user signs in before.
    static func delete(_ call: AppCall) async throws -> Response {
        let outcome = try await call.accounts.deleteAccount(
            try await call.authenticated, asksForProof: true, call: call.flow)
        switch outcome {
        case .deleted: return AppAPI.answer(["deleted": true, "deletionDueAt": nil])
        case .due(let due):
            return AppAPI.answer(["deleted": false, "deletionDueAt": .string(due.rfc3339)], status: .accepted)
        }
    }

    /// `GET /v1/account/deletion`
    static func explain(_ call: AppCall) async throws -> Response {
        let explanation = try await call.accounts.explainDeletion(
            try await call.authenticated, asksForProof: true, call: call.flow)
        let text: MessageKey = explanation.graceSeconds > 0 ? .deleteGrace : .deleteLead
        return AppAPI.answer([
            "graceSeconds": .integer(explanation.graceSeconds),
            "needsRecentSignIn": .bool(explanation.needsRecentSignIn),
            "needsSecondFactor": .bool(explanation.needsSecondFactor),
            "explanation": .string(MessageCatalog.text(text, in: call.flow.language, values: [:]) ?? ""),
            "erased": .array(erased.map { .string($0) }), "kept": .array(kept.map { .string($0) }),
            "sessions": .integer(Int64(explanation.sessions)),
            "providers": .array(explanation.providers.map { .string($0) }),
            "factors": .integer(Int64(explanation.factors)),
        ])
    }

    /// What goes, by names that a program can look texts up by.
    private static let erased = [
        "account", "profile", "activities", "identities", "sessions", "devices", "factors", "consents", "agreements",
        "messages",
    ]
    /// What stays: that there was an account of this identifier, and what was done with it when.
    private static let kept = ["audit_tombstones"]
}

// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird

/// Passkeys, of which nobody has any: what administrators see.
enum PasskeyEndpoints {
    /// `GET /admin/users/{id}/passkeys`
    static func listOfUser(_ call: DialectCall) async throws -> Response {
        try await requireUser(call)
        return Answer.json([])
    }

    /// Whatever is about one of them.
    static func missing(_ call: DialectCall) async throws -> Response {
        try await requireUser(call)
        throw WireError(.notFound, "validation_failed", "Passkey not found")
    }

    private static func requireUser(_ call: DialectCall) async throws {
        _ = try await call.accounts.userAdministration.get(
            try await AdminUserEndpoints.userID(call), call: call.flow)
    }
}

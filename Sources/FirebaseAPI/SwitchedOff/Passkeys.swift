// SPDX-License-Identifier: Apache-2.0

import Accounts
import AuthTypes
import Hummingbird

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

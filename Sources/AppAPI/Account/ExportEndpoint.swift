// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird

/// `POST /v1/account/export`: mails the user a link to everything that is held about them (G-10).
enum ExportEndpoint {
    static func post(_ call: AppCall) async throws -> Response {
        let expiry = try await call.accounts.requestExport(try await call.authenticated, call: call.flow)
        return AppAPI.answer(["expiresAt": .string(expiry.rfc3339)], status: .accepted)
    }
}

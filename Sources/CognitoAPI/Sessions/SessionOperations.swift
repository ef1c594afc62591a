// SPDX-License-Identifier: Apache-2.0

import Accounts
import ServerKit

extension Operation {
    static let sessions: [Operation] = [
        Operation("GetTokensFromRefreshToken", .client, limit: .by(.refresh)) {
            try await RefreshEndpoints.exchange($0)
        },
        Operation("RevokeToken", .client, limit: .by(.refresh)) { try await SignOutEndpoints.revoke($0) },
        Operation("GlobalSignOut", .user, limit: .unlimited(.signedIn)) { try await SignOutEndpoints.everywhere($0) },
    ]
}

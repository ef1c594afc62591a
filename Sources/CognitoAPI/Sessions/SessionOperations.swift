// SPDX-License-Identifier: Apache-2.0

extension Operation {
    static let sessions: [Operation] = [
        Operation("GetTokensFromRefreshToken", .client) { try await RefreshEndpoints.exchange($0) },
        Operation("RevokeToken", .client) { try await SignOutEndpoints.revoke($0) },
        Operation("GlobalSignOut", .user) { try await SignOutEndpoints.everywhere($0) },
    ]
}

// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPTypes
import ServerKit

extension Route {
    static let secondFactors: [Route] = [
        Route(.post, "/factors", .user, limit: .by(.user), FactorEndpoints.enroll),
        Route(.post, "/factors/{part_id}/challenge", .user, limit: .by(.verify), FactorEndpoints.challenge),
        Route(.post, "/factors/{part_id}/verify", .token, limit: .by(.verify), FactorEndpoints.verify),
        Route(.delete, "/factors/{part_id}", .user, limit: .by(.user), body: .unread, FactorEndpoints.unenroll),
        Route(.get, "/factors/recovery-codes", .user, limit: .unlimited(.signedIn), RecoveryCodeEndpoints.get),
        Route(.post, "/factors/recovery-codes", .user, limit: .by(.user), RecoveryCodeEndpoints.enroll),
        Route(
            .post, "/factors/recovery-codes/regenerate", .user, limit: .by(.user), RecoveryCodeEndpoints.regenerate),
        Route(.post, "/factors/recovery-codes/verify", .user, limit: .by(.verify), RecoveryCodeEndpoints.verify),
        Route(
            .delete, "/factors/recovery-codes", .user, limit: .by(.user), body: .unread,
            RecoveryCodeEndpoints.delete),
        Route(.get, "/admin/users/{user_id}/factors", .administrator, AdminFactorEndpoints.list),
        Route(.put, "/admin/users/{user_id}/factors/{part_id}", .administrator, AdminFactorEndpoints.update),
        Route(
            .delete, "/admin/users/{user_id}/factors/{part_id}", .administrator, body: .unread,
            AdminFactorEndpoints.delete),
    ]
}

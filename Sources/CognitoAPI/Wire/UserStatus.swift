// SPDX-License-Identifier: Apache-2.0

import Accounts

/// Where an account stands, in the service's words.
enum UserStatus: String, Sendable, CaseIterable {
    case unconfirmed = "UNCONFIRMED"
    case confirmed = "CONFIRMED"
    case forceChangePassword = "FORCE_CHANGE_PASSWORD"

    init(_ user: User) {
        if user.temporaryPassword != nil {
            self = .forceChangePassword
        } else {
            self = user.isConfirmed ? .confirmed : .unconfirmed
        }
    }
}

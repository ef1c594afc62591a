// SPDX-License-Identifier: Apache-2.0

import AccountModel

/// Where an account stands, in the service's words.
enum UserStatus: String, Sendable, CaseIterable {
    case unconfirmed = "UNCONFIRMED"
    case confirmed = "CONFIRMED"
    case forceChangePassword = "FORCE_CHANGE_PASSWORD"
    /// Who came by an identity provider, and has no password here.
    case externalProvider = "EXTERNAL_PROVIDER"

    /// Something of the user can't be read, and nobody signs in as them.
    case unknown = "UNKNOWN"

    init(_ standing: UserFilter.Standing) {
        switch standing {
        case .unconfirmed: self = .unconfirmed
        case .confirmed: self = .confirmed
        case .temporaryPassword: self = .forceChangePassword
        case .federated: self = .externalProvider
        }
    }

    init(_ user: User) {
        if user.isDamaged {
            self = .unknown
        } else if user.temporaryPassword != nil {
            self = .forceChangePassword
        } else if user.isFederated {
            self = .externalProvider
        } else {
            self = user.isConfirmed ? .confirmed : .unconfirmed
        }
    }
}

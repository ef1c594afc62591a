// SPDX-License-Identifier: Apache-2.0

import AccountModel

/// The grants that the token endpoint takes, by the names that requests have for them.
enum GrantType: String, Sendable, CaseIterable {
    case authorizationCode = "authorization_code"
    case refreshToken = "refresh_token"
    case clientCredentials = "client_credentials"

    /// What a client must be registered for.
    var registered: ClientAuthorization.Grant {
        switch self {
        case .authorizationCode: .code
        case .refreshToken: .refreshToken
        case .clientCredentials: .clientCredentials
        }
    }
}
